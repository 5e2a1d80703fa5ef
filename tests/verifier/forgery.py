"""Evidence that somebody might make up: orders for whatever level, and closed walks along
edges that are nearly all true, each told as a violation of some level. Certificates that
were changed a little are near one that `awdit check` wrote; these are of every shape."""

import verify


def step(h, a, b, op=None):
    """A session-order edge, or a reads-from edge of the read."""
    if op is None:
        return {"from": a, "to": b, "reason": "session-order"}
    edge = {"from": a, "to": b, "reason": "reads-from", "read": op}
    return edge | ({} if h.returned[op] is None else {"write": h.returned[op]})


def known_steps(h):
    """from -> steps; session order between all pairs of one session."""
    steps = {t: [] for t in range(h.init + 1)}
    for op, source in h.source.items():
        steps[source].append(step(h, source, h.txn[op], op))
    counting = [t for t in range(h.init) if h.counts[t]]
    for b in counting:
        steps[h.init].append(step(h, h.init, b))
        for a in counting:
            if a < b and h.txns[a].session == h.txns[b].session:
                steps[a].append(step(h, a, b))
    return steps


def seen(rng, steps, a, b):
    """Some way from a to b, or none."""
    way = []
    while a != b and len(way) < 4 and steps[a]:
        way.append(rng.choice(steps[a]))
        a = way[-1]["to"]
    return way if a == b else []


def inferred(rng, h, steps):
    """(from, to, edge) of whatever could be seen by a reader."""
    for op, source in h.source.items():
        reader, key = h.txn[op], h.key[op]
        for other in h.writers.get(key, set()) - {source}:
            way = seen(rng, steps, other, reader)
            if way:
                yield {"from": other, "to": source, "reason": "inferred", "read": op,
                       "other_write": rng.choice(h.block[other, key]),
                       "reader": reader, "key": key, "seen": way} | (
                           {} if h.returned[op] is None else {"write": h.returned[op]})


def lists_show(h):
    """(key, older, newer) -> a lemma that a list shows."""
    lemmas = {}
    for op in h.source if h.lists else ():
        key = h.key[op]
        makers = list(dict.fromkeys(
            h.txn[h.write_of[key, element]] for element in h.value[op]))
        for i, older in enumerate(makers):
            for newer in (h.writers[key] - {*makers}) | {*makers[i + 1:]}:
                lemmas[key, older, newer] = {"key": key, "older": older, "newer": newer,
                                             "shown": op}
    return lemmas


def dependencies(h, lemmas):
    """Version order and anti-dependencies that need no lemma or one that is shown."""
    for key, writers in h.writers.items():
        for newer in writers:
            for older in (writers | {h.init}) - {newer}:
                if older == h.init or (key, older, newer) in lemmas:
                    edge = {"from": older, "to": newer, "reason": "version-order",
                            "key": key, "other_write": h.block[newer, key][-1]}
                    yield edge | ({} if older == h.init else
                                  {"write": h.block[older, key][-1]})
    for op, source in h.source.items():
        reader, key = h.txn[op], h.key[op]
        for newer in h.writers.get(key, set()) - {source, reader}:
            if source == h.init or (key, source, newer) in lemmas:
                yield {"from": reader, "to": newer, "reason": "anti-dependency",
                       "key": key, "read": op, "other_write": h.block[newer, key][-1]} | (
                           {} if h.returned[op] is None else {"write": h.returned[op]})


def real_time(h):
    counting = [t for t in range(h.init) if h.counts[t]]
    for a in counting:
        for b in counting:
            if h.in_time(h.txns[a].ended, h.txns[a].domain, h.txns[b]):
                yield {"from": a, "to": b, "reason": "real-time"}


def closed_walk(rng, edges):
    """Edges that lead back to where they began, or none."""
    out = {}
    for edge in edges:
        out.setdefault(edge["from"], []).append(edge)
    start = rng.choice(edges)["from"]
    walk, at = [], start
    while len(walk) < 6 and at in out:
        back = [edge for edge in out[at] if edge["to"] == start]
        walk.append(rng.choice(back or out[at]))
        at = walk[-1]["to"]
        if at == start:
            return walk
    return []


def orders(rng, h, certificate, most):
    """Claims that some level holds, by an order that is nearly right for another one."""
    known = [claim["commit_order"] for claim in certificate["levels"]
             if claim["verdict"] == "holds"] or [
                 [t for t in range(h.init) if h.counts[t]]]
    found = []
    for _ in range(most):
        order = list(rng.choice(known))
        for _ in range(rng.choice([0, 1, 2]) if len(order) > 1 else 0):
            i = rng.randrange(1, len(order))
            order[i - 1:i + 1] = order[i], order[i - 1]
        claim = {"level": rng.choice(list(verify.WEAKER)), "verdict": "holds",
                 "commit_order": order}
        if claim["level"] in verify.SNAPSHOTS:
            late = rng.choice([0.6, 0.9, 1])
            claim["snapshots"] = [i if rng.random() < late else rng.randint(0, i)
                                  for i in range(len(order))]
        found.append(claim)
    return found


def cycles(rng, h, certificate, most):
    """Claims of single cycles; the history may well prove them."""
    levels = [claim["level"] for claim in certificate["levels"]]
    if not certificate.get("session_order", True) or not levels:
        return []
    steps, lemmas = known_steps(h), lists_show(h)
    plain = [edge for edges in steps.values() for edge in edges]
    told = list(inferred(rng, h, steps))
    depend = list(dependencies(h, lemmas))
    times = list(real_time(h)) if h.timed else []
    found = []
    for _ in range(4 * most):
        edges = plain + rng.choice([told, depend, depend + times, told + depend])
        walk = closed_walk(rng, edges) if edges else []
        if not walk:
            continue
        level, used = rng.choice(levels), []
        for edge in walk:
            first = edge["from"]
            if edge["reason"] == "anti-dependency":
                first = h.source[edge["read"]]
            fact = (edge.get("key"), first, edge["to"])
            if edge["reason"] in ("version-order", "anti-dependency") and fact in lemmas:
                used.append(lemmas[fact])
        reasons = {edge["reason"] for edge in walk}
        kinds = [verify.kind_above_causal([[edge["reason"] for edge in walk]], walk), "causality-cycle"]
        if "inferred" in reasons:
            kinds = list(verify.CYCLE.values())
            level = rng.choice(levels[1:] or levels)
        violation = {"kind": rng.choice(kinds), "edges": walk}
        if used:
            violation["lemmas"] = used
        found.append({"level": level, "verdict": "violated", "violations": [violation]})
        if len(found) == 2 * most:
            break
    return found
