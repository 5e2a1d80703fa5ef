#!/usr/bin/env python3
"""A store in memory, as a driver for awdit that makes mistakes to order:

    awdit driver-test 'exec:contrib/drivers/toy.py --bug autocommit'

One process serves all sessions, as its memory is the database (multiplexed). It
is serializable: what a transaction has read is looked at again when it commits.
"""
import argparse
import json
import sys

BUGS = {
    "no-begin": "reads are outside of the transaction: nothing validates them",
    "autocommit": "each write takes effect at once",
    "rounding": "integers lose their last digits",
    "cut": "texts are cut off after 100 characters",
    "order": "a reply has the id of the request before",
    "rollback": "a rollback keeps what was written",
    "reset": "reset leaves everything as it is",
    "own-writes": "a transaction does not see what it wrote itself",
    "false-ok": "a commit that was refused is reported as committed",
    "zero": "a key that is not there is read as 0",
    "banner": "something for people is printed to standard output",
    "leak": "what was refused is still there in the next transaction",
}

NOTHING = (0, None)
STORE = {}  # key -> (version, value)
SESSIONS = {}  # number -> its transaction


def store(key, value):
    STORE[key] = (STORE.get(key, NOTHING)[0] + 1, value)


class Txn:
    def __init__(self):
        self.seen, self.writes = {}, {}

    def read(self, key):
        if key in self.writes and BUG != "own-writes":
            return self.writes[key]
        version, value = STORE.get(key, NOTHING)
        self.seen.setdefault(key, version)
        return list(value) if isinstance(value, list) else value

    def write(self, key, value):
        self.writes[key] = value
        if BUG == "autocommit":
            store(key, value)

    def append(self, key, value):
        self.write(key, (self.read(key) or []) + [value])

    def commit(self):
        """Whether all that was read is still so."""
        valid = BUG == "no-begin" or all(
            STORE.get(key, NOTHING)[0] == seen
            for key, seen in self.seen.items())
        if valid and BUG != "autocommit":
            for key, value in self.writes.items():
                store(key, value)
        return valid or BUG == "false-ok"


def told(value):
    if BUG == "rounding" and isinstance(value, int):
        value = int(float(f"{value:.12g}"))
    if BUG == "cut" and isinstance(value, str):
        value = value[:100]
    return 0 if BUG == "zero" and value is None else value


def whole(txn, ops):
    for op in ops:
        kind, key = op[:2]
        if kind == "r":
            op[2] = told(txn.read(key))
        else:
            (txn.write if kind == "w" else txn.append)(key, op[2])
    return {"ok": True, "ops": ops}


def answer(request):
    session, do = request["session"], request["do"]
    if do in ("begin", "txn") and not (BUG == "leak" and session in SESSIONS):
        SESSIONS[session] = Txn()
    txn, key = SESSIONS.get(session), request.get("key")
    if do == "reset" and BUG != "reset":
        STORE.clear()
    elif do == "read":
        return {"ok": True, "value": told(txn.read(key))}
    elif do in ("write", "append"):
        getattr(txn, do)(key, request["value"])
    elif do == "rollback" and BUG == "rollback":
        txn.commit()
    reply = whole(txn, request["ops"]) if do == "txn" else {"ok": True}
    if do in ("commit", "txn") and not txn.commit():
        return {"ok": False, "outcome": "aborted", "why": "conflict"}
    if do in ("commit", "rollback", "txn", "close"):
        SESSIONS.pop(session, None)
    return reply


def main():
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"session": request["session"]}
        if "hello" in request:
            SESSIONS.pop(request["session"], None)
            reply |= {"hello": 1, "name": "toy 1.0", "claims": "serializable",
                      "levels": ["serializable"],
                      "can": ["batch" if BATCH else "interactive", "lists",
                              "multiplexed"]}
        else:
            wrong = BUG == "order" and request["id"] > 5
            reply |= answer(request) | {"id": request["id"] - wrong}
        if request.get("do") != "close":
            print(json.dumps(reply), flush=True)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--bug", choices=BUGS, metavar="NAME",
                    help="; ".join(f"{k}: {v}" for k, v in BUGS.items()))
parser.add_argument("--batch", action="store_true",
                    help="take transactions only as a whole")
BUG, BATCH = (vars(parser.parse_args())[name] for name in ("bug", "batch"))
if BUG == "banner":
    print("toy store 1.0 is ready")
main()
