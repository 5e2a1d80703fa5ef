#!/usr/bin/env python3
"""SQLite through Python, as a driver for awdit: the one to begin with.

    awdit run --db 'exec:contrib/drivers/sqlite.py /var/tmp/test.db'

One process, and one connection, per session. A value is kept as its JSON text,
so that an integer stays an integer and a string a string.
"""
import json
import sqlite3
import sys

PLACE = sys.argv[1]


def connect():
    db = sqlite3.connect(PLACE, isolation_level=None, timeout=2)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=OFF")
    db.execute("CREATE TABLE IF NOT EXISTS kv (k TEXT PRIMARY KEY, v TEXT)")
    return db


def read(db, key):
    row = db.execute("SELECT v FROM kv WHERE k = ?", (key,)).fetchone()
    return None if row is None else json.loads(row[0])


def write(db, key, value):
    db.execute("INSERT OR REPLACE INTO kv VALUES (?, ?)",
               (key, json.dumps(value)))


def answer(db, request):
    do, key = request["do"], request.get("key")
    if do == "reset":
        db.execute("DELETE FROM kv")
    elif do == "begin":
        db.execute("BEGIN")
    elif do == "read":
        return {"ok": True, "value": read(db, key)}
    elif do == "write":
        write(db, key, request["value"])
    elif do == "append":
        write(db, key, (read(db, key) or []) + [request["value"]])
    elif do in ("commit", "rollback"):
        db.execute(do)
    return {"ok": True}


def main():
    db = None
    for line in sys.stdin:
        request = json.loads(line)
        if "hello" in request:
            db = connect()
            reply = {"hello": 1, "name": "SQLite " + sqlite3.sqlite_version,
                     "levels": ["serializable"], "claims": "serializable",
                     "can": ["interactive", "lists"]}
        elif request["do"] == "close":
            break
        else:
            try:
                reply = answer(db, request)
            except sqlite3.OperationalError as trouble:  # busy: it is aborted
                if db.in_transaction:
                    db.execute("ROLLBACK")
                reply = {"ok": False, "outcome": "aborted", "why": str(trouble)}
            reply["id"] = request["id"]
        print(json.dumps(reply), flush=True)


main()
