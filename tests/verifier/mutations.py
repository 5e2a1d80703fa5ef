"""Small changes of a certificate's claims. Each is still a claim that a verifier must
read, and most of them prove nothing any more; those that still prove something are
as welcome, because two verifiers must agree on them as well."""

import copy

LEVELS = ["adya-read-committed", "read-committed", "read-atomic", "causal", "prefix",
          "parallel-snapshot-isolation", "snapshot-isolation", "serializable",
          "strong-snapshot-isolation", "strict-serializable"]
FINDINGS = ["thin-air-read", "aborted-read", "future-read", "own-write-ignored",
            "stale-own-write", "intermediate-read", "duplicate-element",
            "incompatible-order", "non-repeatable-read", "lost-update"]
CYCLES = ["causality-cycle", "non-monotonic-read", "fractured-read",
          "causal-violation", "dependency-cycle", "read-skew", "long-fork",
          "g-nonadjacent", "write-skew", "g2-item", "real-time-violation"]
REASONS = ["session-order", "reads-from", "inferred", "real-time", "version-order",
           "anti-dependency"]
REQUIRED = {"level", "verdict", "kind", "from", "to", "reason", "older", "newer",
            "commit_order", "violations"}
NAMES = {"level": LEVELS, "follows_from": LEVELS, "kind": FINDINGS + CYCLES,
         "reason": REASONS}
# Fields that somebody might add, by a field that tells what the object is.
STEP = {"from": 0, "to": 1, "reason": "session-order"}
LEMMA = {"key": 0, "older": 0, "newer": 1, "shown": 0}
FINDING = {"kind": "thin-air-read", "read": 0}
MORE = {"verdict": {"snapshots": [[], [0]], "limit": ["time"], "more": [True, False],
                    "set_aside": [[], [0]], "inherited": [0, 1],
                    "commit_order": [[], [0]], "violations": [[], [FINDING]]},
        "kind": {"read": [0], "write": [0], "other": [0], "element": [0],
                 "lemmas": [[], [LEMMA]], "edges": [[], [STEP]]},
        "reason": {"read": [0], "write": [0], "other_write": [0], "reader": [0],
                   "key": [0], "seen": [[], [STEP]]},
        "older": {"shown": [0], "under": [[], [LEMMA]], "cycle": [[], [STEP]]}}
SNAPSHOTS = {"prefix", "snapshot-isolation", "strong-snapshot-isolation"}


def places(value):
    """Every (container, name or index) of a claim."""
    stack = [value]
    while stack:
        container = stack.pop()
        names = container if isinstance(container, dict) else range(len(container))
        for name in list(names):
            yield container, name
            if isinstance(container[name], (dict, list)):
                stack.append(container[name])


def changes(container, name, sizes):
    """The values that container[name] could have instead; None: none at all."""
    value = container[name]
    if isinstance(container, dict) and name not in REQUIRED and \
            not ("older" in container and name == "key"):
        yield None
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from {value - 1, value + 1, 0, sizes["transactions"],
                    sizes["operations"] - 1} - {value, -1}
    elif isinstance(value, str):
        yield from [other for other in NAMES.get(name, []) if other != value]
    elif isinstance(value, list):
        for i in range(len(value)):
            yield value[:i] + value[i + 1:]
            yield value[:i] + [value[i]] + value[i:]
            if i:
                yield value[:i - 1] + [value[i], value[i - 1]] + value[i + 1:]
        yield value[1:] + value[:1]
        yield value[::-1]
        yield value + value
        yield []


def whole_changes(container):
    """Changes of an object as a whole: (field, value) pairs to set."""
    if not isinstance(container, dict):
        return
    for tell, more in MORE.items():
        if tell in container:
            for field, values in more.items():
                if field not in container:
                    yield from ({field: value} for value in values)
    for a, b in (("from", "to"), ("older", "newer"), ("read", "other"),
                 ("write", "other_write"), ("write", "other"), ("read", "reader")):
        if a in container and b in container:
            yield {a: container[b], b: container[a]}
    if "reason" in container and "kind" not in container:
        yield {"reason": "session-order", **{f: None for f in container
                                             if f not in ("from", "to", "reason")}}


def mutations(claim, sizes):
    """All claims that differ from this one by one change."""
    for number, (container, name) in enumerate(list(places(claim))):
        for value in changes(container, name, sizes):
            changed = copy.deepcopy(claim)
            target, _ = nth(changed, number)
            if value is None:
                del target[name]
            else:
                target[name] = copy.deepcopy(value)
            yield changed
    objects = [claim] + [c[n] for c, n in places(claim) if isinstance(c[n], dict)]
    for number, found in enumerate(objects):
        for fields in whole_changes(found):
            changed = copy.deepcopy(claim)
            target = ([changed] + [c[n] for c, n in places(changed)
                                   if isinstance(c[n], dict)])[number]
            for field, value in fields.items():
                if value is None:
                    del target[field]
                else:
                    target[field] = copy.deepcopy(value)
            yield changed


def readable(claim):
    """Whether nothing is missing that `awdit verify` refuses to do without."""
    if claim["level"] in SNAPSHOTS and claim["verdict"] == "holds" and \
            "snapshots" not in claim:
        return False
    return all(step["reason"] in ("session-order", "reads-from")
               for container, name in places(claim) if name == "seen"
               for step in container[name])


def nth(value, number):
    for i, place in enumerate(places(value)):
        if i == number:
            return place
    raise IndexError(number)
