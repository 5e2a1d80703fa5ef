"""Histories for the verifiers, as awdit-jsonl: the golden ones, read from the notation
of tests (src/history/text.h), and random ones, small but of every sort: lists or
values, unknown outcomes, times of several clocks, sessions that are interleaved in
the file."""

import json
import re

OPERATION = re.compile(r"([RWA])\(([^,\s]+),(\[[^\]]*\]|[^)]*)\)")
TIMES = re.compile(r"@(?:(\w+):)?(\d*)-(\d*)$")


def label(text):
    if text == "nil":
        return None
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def lines_to_text(lines):
    return "".join(json.dumps(line) + "\n" for line in lines)


def golden_to_jsonl(text):
    txns, lists = [], "A(" in text or "[" in re.sub(r"(?m)^#.*", "", text)
    for line in text.splitlines():
        session, colon, rest = line.partition(":")
        if line.startswith("#") or not colon:
            continue
        for part in rest.split("|"):
            part = part.strip()
            txn = {"session": session.strip(), "ops": []}
            if part[-1:] in ("!", "?"):
                txn["status"] = {"!": "aborted", "?": "unknown"}[part[-1]]
                part = part[:-1].rstrip()
            times = TIMES.search(part)
            if times:
                txn["times"] = [int(t) if t else None for t in times.group(2, 3)]
                if times.group(1):
                    txn["clock_domain"] = times.group(1)
                part = part[:times.start()].rstrip()
            for kind, key, value in OPERATION.findall(part):
                name = {"R": "r", "W": "w", "A": "append"}[kind]
                value = [label(e) for e in value[1:-1].split()] \
                    if value.startswith("[") else label(value)
                txn["ops"].append([name, label(key), value])
            assert len(txn["ops"]) == part.count("("), part
            txns.append(txn)
    header = {"awdit": 1, "initial": None if lists else 0}
    if any("times" in txn for txn in txns):
        header["clock"] = "events"
    return lines_to_text([header, *txns])


class Store:
    """What a made-up database has done so far. A transaction reads from the state after
    so many commits; now and then a read is answered wrongly."""

    def __init__(self, rng, lists):
        self.rng, self.lists = rng, lists
        self.commits = [{}]  # key -> value or list, after each commit
        self.everything = {}  # key -> all that anybody ever wrote

    def read(self, key, own, snapshot, wrong):
        rng, initial = self.rng, [] if self.lists else 0
        value = self.commits[snapshot].get(key, initial)
        if rng.random() < wrong:
            value = rng.choice(self.commits).get(key, initial)
        if self.lists:
            value = [*value, *own]
            if rng.random() < wrong / 3 and value:
                cut = rng.randrange(len(value) + 1)
                value = rng.choice([value[:cut], value[cut:], value[::-1],
                                    [*value, rng.choice(value)],
                                    [*value, rng.choice(self.everything[key])],
                                    own + value[:len(value) - len(own)]])
            return value
        if own and rng.random() > wrong / 3:
            return own[-1]
        if rng.random() < wrong / 3:
            value = rng.choice([*self.everything.get(key, []), 0, 999])
        return value

    def commit(self, own):
        after = dict(self.commits[-1])
        for key, values in own.items():
            after[key] = [*after.get(key, []), *values] if self.lists else values[-1]
        self.commits.append(after)


def random_history(rng):
    lists, wrong = rng.random() < 0.45, rng.choice([0.0, 0.0, 0.1, 0.3, 0.6])
    stale = rng.choice([0, 0.3, 0.7])  # how often a snapshot is not the latest
    store, clock, number = Store(rng, lists), 0, 0
    sessions = rng.randint(1, 5)
    seen = [0] * sessions
    timed, domains = rng.random() < 0.4, rng.choice([1, 1, 2, 3])
    ticks = timed and rng.random() < 0.5
    keys = rng.choice([["x"], ["x", "y"], [7, "x", "y"], ["b", "a", 10, 9]])
    txns, order = [], []
    for _ in range(rng.randint(2, 9)):
        session = rng.randrange(sessions)
        status = rng.choices(["committed", "aborted", "unknown"], [85, 6, 9])[0]
        own, ops, snapshot = {}, [], len(store.commits) - 1
        if rng.random() < stale:
            # What the session had done is seen, nearly always.
            least = seen[session] if rng.random() < 0.9 else max(0, snapshot - 3)
            snapshot = rng.randrange(least, snapshot + 1)
        for _ in range(rng.randint(0 if rng.random() < 0.1 else 1, 4)):
            key = rng.choice(keys)
            if rng.random() < 0.45:
                number += 1
                own.setdefault(key, []).append(number)
                store.everything.setdefault(key, []).append(number)
                ops.append(["append" if lists else "w", key, number])
            else:
                ops.append(["r", key, store.read(
                    key, own.get(key, []), snapshot, wrong)])
        if status == "committed" or status == "unknown" and rng.random() < 0.6:
            store.commit(own)
            seen[session] = len(store.commits) - 1
        else:
            seen[session] = max(seen[session], snapshot)
        txn = {"session": session, "ops": ops}
        if status != "committed" or rng.random() < 0.1:
            txn["status"] = status
        clock += rng.randint(0, 3)
        if timed and rng.random() < 0.9:
            begin = max(0, clock - rng.randint(0, 4))
            txn["times"] = [begin, max(begin, clock + rng.randint(0, 3))]
            if ticks and rng.random() < 0.8:
                txn["ticks"] = sorted([rng.randint(0, 2), rng.randint(0, 2)])
            if rng.random() < 0.1:
                txn["times"][rng.randrange(2)] = None
        if timed and domains > 1 and session % domains:
            txn["clock_domain"] = "abc"[session % domains]
        txns.append(txn)
        order.append(session)
    # The file's order: that of sessions is kept, everything else is not.
    if rng.random() < 0.6:
        rng.shuffle(order)
    queues = {s: [txn for txn in txns if txn["session"] == s] for s in order}
    txns = [queues[s].pop(0) for s in order]
    header = {"awdit": 1, "initial": None if lists else 0}
    if timed and domains > 1:
        header["clock_domain"] = "a"
        if rng.random() < 0.7:
            header["clock_relations"] = [["a", "b", rng.randint(-2, 2), rng.randint(0, 2)]]
        if rng.random() < 0.5:
            header.setdefault("clock_relations", []).append(
                ["b", "c", rng.randint(-2, 2), rng.randint(0, 2)])
    return lines_to_text([header, *txns])


def changed_history(rng, text):
    """The same history, but for one small thing."""
    header, *txns = [json.loads(line) for line in text.splitlines()]
    txn = rng.choice(txns)
    values = [op[2] for each in txns for op in each["ops"] if op[0] == "r"] or [0]
    keys = [op[1] for each in txns for op in each["ops"]]
    change = rng.randrange(6)
    if change == 0:
        txn["status"] = rng.choice(["committed", "aborted", "unknown"])
    elif change == 1:
        txn["session"] = rng.choice(txns)["session"]
    elif change == 2 and "times" in txn:
        txn["times"] = sorted(time + rng.randint(-2, 2) if time is not None else 0
                              for time in txn["times"])
        txn.pop("ticks", None)
    elif change == 3:
        rng.shuffle(txn["ops"])
    elif txn["ops"]:
        op = rng.choice(txn["ops"])
        if op[0] == "r" and change == 4:
            op[2] = rng.choice(values)
        else:
            op[1] = rng.choice(keys)
    return lines_to_text([header, *txns])
