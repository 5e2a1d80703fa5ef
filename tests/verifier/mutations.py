"""Small changes of a certificate's claims. Each is still a claim that a verifier must
read, and most of them prove nothing any more; those that still prove something are
as welcome, because two verifiers must agree on them as well."""

import copy

import verify

LEVELS = list(verify.WEAKER)
FINDINGS = ["thin-air-read", "aborted-read", "future-read", "own-write-ignored",
            "stale-own-write", "intermediate-read", "duplicate-element",
            "incompatible-order", "non-repeatable-read", "lost-update"]
CYCLES = ["causality-cycle", "non-monotonic-read", "fractured-read",
          "causal-violation", "dependency-cycle", "read-skew", "long-fork",
          "g-nonadjacent", "write-skew", "g2-item", "real-time-violation",
          *(f"{level}-violation" for level in verify.GUARANTEES)]
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


def objects(claim):
    return [claim] + [c[n] for c, n in places(claim) if isinstance(c[n], dict)]


def mutations(claim, sizes):
    """What could be changed, each as (places or objects, which one, fields or items to
    set; None: to remove). apply() does it."""
    found = []
    for number, (container, name) in enumerate(places(claim)):
        found += [(places, number, {name: value})
                  for value in changes(container, name, sizes)]
    for number, container in enumerate(objects(claim)):
        found += [(objects, number, fields) for fields in whole_changes(container)]
    return found


def apply(claim, mutation):
    """The changed claim; the given one stays as it is."""
    find, number, fields = mutation
    changed = copy.deepcopy(claim)
    target = list(find(changed))[number]
    target = target[0] if find is places else target
    for field, value in fields.items():
        if value is None:
            del target[field]
        else:
            target[field] = copy.deepcopy(value)
    return changed


def readable(claim):
    """Whether nothing is missing that `awdit verify` refuses to do without."""
    if claim["level"] in SNAPSHOTS and claim["verdict"] == "holds" and \
            "snapshots" not in claim:
        return False
    return all(step["reason"] in ("session-order", "reads-from") and
               not step.keys() & {"other_write", "reader", "key"} and
               not step.get("seen")
               for container, name in places(claim) if name == "seen"
               for step in container[name])
