#!/usr/bin/python3
"""Redis through redis-py (Debian: python3-redis), as a driver for awdit.

    awdit run --db 'exec:contrib/drivers/redis_watch.py redis://127.0.0.1:6379'

Reads WATCH their keys, writes are kept until the commit sends them between MULTI
and EXEC. EXEC does nothing if a watched key has changed: so all that was read is
still so at that moment, and on one node transactions are serializable. Lists are
Redis lists. A value is kept as its JSON text.
"""
import json
import sys

import redis

PREFIX = "awdit:"


class Session:
    def __init__(self, url):
        self.redis = redis.Redis.from_url(url, decode_responses=True,
                                          socket_timeout=5)
        self.begin()

    def begin(self):
        self.pipe = self.redis.pipeline()
        self.writes, self.appends = {}, {}

    def read(self, key, is_list):
        if key in self.writes:
            return self.writes[key]
        self.pipe.watch(PREFIX + key)
        if not is_list:
            found = self.pipe.get(PREFIX + key)
            return None if found is None else json.loads(found)
        found = [json.loads(v) for v in self.pipe.lrange(PREFIX + key, 0, -1)]
        return (found + self.appends.get(key, [])) or None

    def commit(self):
        self.pipe.multi()
        self.pipe.ping()  # an empty transaction would not be looked at
        for key, value in self.writes.items():
            self.pipe.set(PREFIX + key, json.dumps(value))
        for key, values in self.appends.items():
            self.pipe.rpush(PREFIX + key, *map(json.dumps, values))
        self.pipe.execute()

    def answer(self, request):
        do, key = request["do"], request.get("key")
        if do == "reset":
            for found in self.redis.scan_iter(PREFIX + "*", 1000):
                self.redis.delete(found)
        elif do == "begin":
            self.begin()
        elif do == "read":
            return {"ok": True, "value": self.read(key, "list" in request)}
        elif do == "write":
            self.writes[key] = request["value"]
        elif do == "append":
            self.appends.setdefault(key, []).append(request["value"])
        elif do == "commit":
            self.commit()
        elif do == "rollback":
            self.pipe.reset()
        return {"ok": True}


def main():
    session = None
    for line in sys.stdin:
        request = json.loads(line)
        if "hello" in request:
            session = Session(sys.argv[1])
            version = session.redis.info("server")["redis_version"]
            reply = {"hello": 1, "name": "Redis " + version,
                     "levels": ["watch"], "claims": "strict-serializable",
                     "can": ["interactive", "lists"]}
        elif request["do"] == "close":
            break
        else:
            try:
                reply = session.answer(request)
            except redis.WatchError:
                reply = {"ok": False, "outcome": "aborted", "why": "conflict"}
            except redis.RedisError as trouble:
                # EXEC without an answer: nobody knows. Before it: nothing.
                lost = request["do"] == "commit"
                reply = {"ok": False, "why": type(trouble).__name__,
                         "outcome": "unknown" if lost else "aborted"}
                session.pipe.reset()
            reply["id"] = request["id"]
        print(json.dumps(reply), flush=True)


main()
