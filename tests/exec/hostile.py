#!/usr/bin/env python3
"""Drivers that do what no driver should.

    hostile.py HOW

A sound store in memory until something happens: see HOWS.
"""
import json
import os
import sys
import time

HOWS = ["garbage", "banner", "hang-hello", "hang-read", "hang-commit",
        "die-read", "die-commit", "die-at-once", "endless-line", "close-stdout",
        "wrong-id", "twice", "no-value", "odd-outcome", "no-outcome", "deaf",
        "orphan", "unasked", "decimal", "binary", "deep", "hang-txn", "die-txn",
        "cut-txn"]


def main(how):
    count = 0
    store, pending = {}, {}
    if how == "die-at-once":
        sys.exit("the database is on fire")
    if how == "banner":
        print("Picked up JAVA_TOOL_OPTIONS: -Xmx1g", flush=True)
    if how == "orphan" and os.fork() == 0:
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
        time.sleep(600)
    for line in sys.stdin:
        request = json.loads(line)
        if "hello" in request:
            session = request["session"]
            if how == "hang-hello" and session:
                time.sleep(600)
            print(json.dumps(
                {"hello": 1, "name": "hostile", "levels": ["one"],
                 "can": ["batch" if how.endswith("txn") else "interactive",
                         "lists"]}), flush=True)
            continue
        do, key = request["do"], request.get("key")
        if do == "close":
            continue
        reply = {"id": request["id"], "ok": True}
        count += session > 0
        strikes = count > (4 if do == "txn" else 20)
        if do == "begin":
            pending = {}
        elif do == "read":
            reply["value"] = pending.get(key, store.get(key))
        elif do == "write":
            pending[key] = request["value"]
        elif do == "append":
            pending[key] = (pending.get(key) or store.get(key) or []) + [
                request["value"]]
        elif do == "commit":
            store |= pending
        elif do == "txn":
            for op in request["ops"]:
                if op[0] == "r":
                    op[2] = store.get(op[1])
                else:
                    store[op[1]] = op[2]
            reply["ops"] = request["ops"]
        if strikes:
            if how == "garbage":
                print("Segmentation fault \x1b[31m(core dumped)", flush=True)
            elif how == "binary":
                sys.stdout.buffer.write(bytes(range(256)) * 8 + b"\n")
                sys.stdout.flush()
            elif how == "deep":
                print("[" * 5000000, flush=True)
            elif how in ("hang-" + do, "die-" + do):
                if how.startswith("die"):
                    print("I die", file=sys.stderr, flush=True)
                    os._exit(7)
                time.sleep(600)
            elif how == "deaf":
                time.sleep(600)
            elif how == "close-stdout":
                sys.stdout.close()
                os.close(1)
                time.sleep(600)
            elif how == "endless-line":
                while True:
                    sys.stdout.write("x" * 1000000)
            elif how == "cut-txn":
                reply["ops"] = reply["ops"][1:]
            elif how == "wrong-id":
                reply["id"] += 1
            elif how == "twice":
                print(json.dumps(reply), flush=True)
            elif how == "unasked":
                for _ in range(1000):
                    print('{"id":1,"ok":true}', flush=True)
            elif how == "no-value":
                reply.pop("value", None)
            elif how == "decimal" and do == "read":
                reply["value"] = 17.5
            elif how == "odd-outcome":
                reply = {"id": request["id"], "ok": False, "outcome": "maybe"}
            elif how == "no-outcome" and do == "commit":
                reply = {"id": request["id"], "ok": False}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
