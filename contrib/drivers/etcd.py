#!/usr/bin/python3
"""etcd through its JSON gateway, with Python alone, as a driver for awdit.

    awdit run --db 'exec:contrib/drivers/etcd.py 127.0.0.1:2379,127.0.0.1:22379'

The first read of a transaction says at which revision it happened, and the
others are made at that revision: a snapshot. Writes are kept until the commit,
which is one etcd transaction: it compares the revision of every key that was
read, and puts what was written if none has changed. A transaction that only read
commits by itself. At the level linearizable, the default, that is strictly
serializable; at the level serializable a node answers by itself from what it
has, which may be old. A value is kept as its JSON text, a list as an array.
"""
import base64
import http.client
import json
import sys

PREFIX = "awdit/"
LEVELS = ["linearizable", "serializable"]


def code(text):
    return base64.b64encode(text.encode()).decode()


class Session:
    def __init__(self, hello):
        places = sys.argv[1].split(",")
        self.place = places[hello["session"] % len(places)]
        self.stale = (hello["level"] == "serializable")
        self.link = http.client.HTTPConnection(self.place, timeout=5)
        self.begin()

    def hello(self, level):
        version = self.post("/v3/maintenance/status", {})["version"]
        claims = ["strict-serializable", "serializable"][LEVELS.index(level)]
        return {"hello": 1, "name": "etcd " + version, "levels": LEVELS,
                "claims": claims, "can": ["interactive", "lists"]}

    def begin(self):
        self.revision, self.seen, self.writes = 0, {}, {}

    def post(self, path, body):
        try:
            self.link.request("POST", path, json.dumps(body))
            reply = self.link.getresponse()
            found = json.loads(reply.read())
        except (OSError, http.client.HTTPException):
            self.link.close()
            raise
        if reply.status != 200:
            raise OSError(found.get("message", "refused"))
        return found

    def read(self, key):
        if key in self.writes:
            return self.writes[key]
        found = self.post("/v3/kv/range", {
            "key": code(PREFIX + key), "revision": self.revision,
            "serializable": self.stale})
        self.revision = self.revision or found["header"]["revision"]
        row = found.get("kvs", [{}])[0]
        self.seen[key] = row.get("mod_revision", "0")
        return (json.loads(base64.b64decode(row["value"]))
                if "value" in row else None)

    def commit(self):
        """Whether nothing that was read has changed."""
        if not self.writes:
            return True
        return self.post("/v3/kv/txn", {
            "compare": [{"key": code(PREFIX + key), "target": "MOD",
                         "result": "EQUAL", "modRevision": revision}
                        for key, revision in self.seen.items()],
            "success": [{"requestPut": {"key": code(PREFIX + key),
                                        "value": code(json.dumps(value))}}
                        for key, value in self.writes.items()]
        }).get("succeeded", False)

    def answer(self, request):
        do, key = request["do"], request.get("key")
        if do == "reset":
            self.post("/v3/kv/deleterange", {"key": code(PREFIX),
                                             "range_end": code("awdit0")})
        elif do == "begin":
            self.begin()
        elif do == "read":
            return {"ok": True, "value": self.read(key)}
        elif do == "write":
            self.writes[key] = request["value"]
        elif do == "append":
            self.writes[key] = (self.read(key) or []) + [request["value"]]
        elif do == "commit" and not self.commit():
            return {"ok": False, "outcome": "aborted", "why": "conflict"}
        return {"ok": True}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if "hello" in request:
            session = Session(request)
            reply = session.hello(request["level"] or LEVELS[0])
        elif request["do"] == "close":
            break
        else:
            try:
                reply = session.answer(request)
            except (OSError, http.client.HTTPException) as trouble:
                lost = request["do"] == "commit"
                reply = {"ok": False, "why": str(trouble)[:40] or "lost",
                         "outcome": "unknown" if lost else "aborted"}
            reply["id"] = request["id"]
        print(json.dumps(reply), flush=True)


main()
