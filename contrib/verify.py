#!/usr/bin/env python3
"""A second verifier of AWDIT certificates, written from the documents alone.

    awdit convert HISTORY history.jsonl      # keeps the numbers of everything
    contrib/verify.py history.jsonl CERTIFICATE

`awdit check` and `awdit verify` may share a misunderstanding. This was written from
docs/certificate.md, docs/formats/awdit-jsonl.md and docs/levels, not from the C++;
tests/verifier holds the two against each other. It trusts nothing but the history.

Cost: linear, but for a logarithm; some orders take a bit per pair of transactions. Recursion
is as deep as the JSON, to a limit. Exit codes: 0 accepted, 1 rejected, 2 bad input.
"""

import bisect
import collections
import functools
import json
import math
import pathlib
import re
import sys

ABSENT = ("absent",)  # the label {}: no other label is a tuple
MOST = 4294967294  # of numbers in a certificate

# Level, its other names, the levels that it implies directly; weaker ones first.
LEVELS = """
adya-read-committed | arc pl-2 g1 |; read-committed | rc | arc; monotonic-reads | mr | arc
read-your-writes | ryw read-my-writes | arc; monotonic-writes | mw | arc
writes-follow-reads | wfr session-causality | arc; read-atomic | ra | rc ryw
causal | cc tcc causal-consistency | ra mr mw wfr; prefix | pc prefix-consistency | causal
parallel-snapshot-isolation | psi | causal; snapshot-isolation | si | prefix psi
serializable | ser serializability | si; strong-snapshot-isolation | strong-si | si
strict-serializable | sser strict-ser strict-serializability | serializable strong-si
"""
LEVEL, WEAKER = {}, {}  # any name -> the name; level -> all that it implies, and itself
for _row in re.split("[;\n]", LEVELS)[1:-1]:
    _name, _others, _direct = (_part.strip() for _part in _row.split("|"))
    LEVEL.update({other: _name for other in [_name, *_others.split()]})
    WEAKER[_name] = {_name}.union(*(WEAKER[LEVEL[w]] for w in _direct.split()))
ABOVE_CAUSAL = {level for level in WEAKER if "causal" in WEAKER[level] - {level}}
REAL_TIME = {"strict-serializable", "strong-snapshot-isolation"}
SNAPSHOTS = {"prefix", "snapshot-isolation", "strong-snapshot-isolation"}
# Up to causal, weaker ones first: the steps by which something is seen, by the first letters
# of their reasons; and what a cycle is called in which something follows from that.
GUARANTEES = {"read-your-writes": "s", "monotonic-reads": "rs",
              "monotonic-writes": "sr", "writes-follow-reads": "rs?r"}
SEEN = {"read-committed": "r"} | GUARANTEES | {"read-atomic": "[rs]", "causal": "[rs]+"}
CYCLE = {level: f"{level}-violation" for level in SEEN} | {
    "read-committed": "non-monotonic-read", "read-atomic": "fractured-read"}

# Kind of violation -> the weakest level that it refutes; the others depend on their edges.
FINDINGS = ("thin-air-read aborted-read future-read stale-own-write own-write-ignored "
            "intermediate-read duplicate-element incompatible-order").split()
REFUTES = dict.fromkeys([*FINDINGS, "causality-cycle"], "adya-read-committed") | {
    "non-repeatable-read": "read-atomic", "lost-update": "parallel-snapshot-isolation"
    } | {kind: level for level, kind in CYCLE.items()}

# Fields that go with a verdict, a reason, a sort of violation or of lemma; no others may be.
OF_VERDICT = {"holds": "commit_order snapshots follows_from", "undecided": "limit follows_from",
              "violated": "violations follows_from inherited more set_aside"}
OF_REASON = {"session-order": "", "real-time": "", "reads-from": "write read",
             "inferred": "write read other_write reader key seen",
             "version-order": "key write other_write",
             "anti-dependency": "key read write other_write"}
OF_VIOLATION = {"reads": "read write other element", "cycle": "edges lemmas"}
OF_LEMMA = {"shown": "shown", "proven": "under cycle"}
# The lines of a history, by the field that tells what they are.
LINES = {"awdit": "awdit initial clock clock_domain clock_relations", "about": "about",
         "session": "session id status ops times ticks clock_domain node meta"}

class BadInput(ValueError): pass  # nothing can be said: exit code 2
class Rejected(Exception): pass  # the evidence does not prove the verdict, and why

def demand(condition, why):
    if not condition:
        raise Rejected(why)

# ---- Reading ------------------------------------------------------------------------------
def parse_json(text, make_object):
    sys.setrecursionlimit(max(2000, sys.getrecursionlimit()))  # 256 assumptions take 520
    try:
        return json.loads(text, object_pairs_hook=make_object)
    except RecursionError:
        raise BadInput("it is nested too deeply") from None

def certificate_object(pairs):
    """In Python true and 1.0 are 1, and null is like absence. So whatever is no number of a
    certificate, no text, list or object goes into a tuple, which equals nothing right."""
    def plain(value):
        right = type(value) is int and 0 <= value <= MOST
        return value if right or isinstance(value, (str, list, dict)) else (value,)
    fields = {name: [plain(element) for element in value] if isinstance(value, list)
              else plain(value) for name, value in pairs}
    if len(fields) < len(pairs):
        raise BadInput(f"a field is there twice, among {[name for name, _ in pairs]}")
    return fields

def history_object(pairs):
    fields = dict(pairs) or ABSENT  # a field "" is refused, as no line has it
    return {"": "a field is there twice"} if len(fields) < len(pairs) else fields

def label(value):
    """A key, a value or the name of a session."""
    if value is not None and value != ABSENT and type(value) not in (int, str):
        raise BadInput(f"expected an integer, a text, null or {{}}, found {value!r:.40}")
    return value

def operation(op):
    """(writes, of lists, key, value); "of lists" is None where it may be either."""
    kind, key, value = op if len(op) == 3 else (*op, ABSENT)
    if kind == "r" and isinstance(value, list):
        return False, True, label(key), tuple(label(element) for element in value)
    lists = {"r": None if value is None else False, "w": False, "append": True}[kind]
    return kind != "r", lists, label(key), label(value)

class Transaction:
    def __init__(self, fields, header):
        self.session, self.status = label(fields["session"]), fields.get("status", "committed")
        ("committed", "aborted", "unknown").index(self.status)  # or it is refused
        self.domain = fields.get("clock_domain", header.get("clock_domain", ""))
        times, ticks = (fields.get(name, [None, None]) for name in ("times", "ticks"))
        self.timed = times != [None, None]
        times = [times[0], None if self.status == "unknown" else times[1]]  # nobody saw it
        self.began, self.ended = (  # what is not known is such that it precedes nothing
            (inf, inf) if time is None else (time, inf if tick is None else tick)
            for time, tick, inf in zip(times, ticks, (-math.inf, math.inf)))
        self.ops = [operation(op) for op in fields["ops"]]

def read_lines(text):
    header, txns = {}, []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        try:
            fields = parse_json(line, history_object) if line.strip(" \t\r") else {"about": ""}
            kind = next(kind for kind in LINES if kind in fields)
            if fields.keys() - {*LINES[kind].split()} or fields.get("awdit", 1) != 1:
                raise BadInput("an unknown field, one that is there twice, or version")
            if kind == "awdit":
                header = fields
            elif kind == "session":
                txns.append(Transaction(fields, header))
        except (AttributeError, LookupError, StopIteration, TypeError, ValueError) as error:
            raise BadInput(f"line {number}: {error!r}") from None
    return header, txns

def clock_bounds(relations):
    """(a, b) -> how much more b shows than a, at the most: the shortest chain of relations."""
    bounds = collections.defaultdict(lambda: math.inf)
    for a, b, offset, error in relations:
        bounds[a, b] = min(bounds[a, b], error + offset)
        bounds[b, a] = min(bounds[b, a], error - offset)
    names = {a for a, _ in bounds}
    for via, a, b in ((via, a, b) for via in names for a in names for b in names):
        bounds[a, b] = min(bounds[a, b], bounds[a, via] + bounds[via, b])
    if any(bounds[a, a] < 0 for a in names):
        raise BadInput("the relations of clocks contradict each other")
    return bounds

# ---- What the history says by itself ----------------------------------------------------------
class History:
    """Transactions (the initial one is `init`), operations and keys by their numbers, and what
    follows before any level is asked: who counts, the source and the finding of each read."""

    def __init__(self, text):
        header, txns = read_lines(text)
        rank = {name: i for i, name in enumerate(dict.fromkeys(txn.session for txn in txns))}
        self.txns = sorted(txns, key=lambda txn: rank[txn.session])  # which is stable
        self.init, self.sessions = len(txns), len(rank)
        number = {id(txn): t for t, txn in enumerate(self.txns)}
        flat = [(number[id(txn)], *op) for txn in txns for op in txn.ops]
        self.txn, self.writes, lists, keys, values = [*zip(*flat)] or [()] * 5  # [operation]
        keys_in_order = sorted({*keys}, key=lambda key: (0, key) if type(key) is int else (
            1, key.encode()) if isinstance(key, str) else (2, key is not None))
        rank = {key: k for k, key in enumerate(keys_in_order)}
        self.key, initial = [rank[key] for key in keys], header.get("initial")
        self.lists, self.timed = True in lists, any(txn.timed for txn in txns)
        if {True, False} <= {*lists} or self.lists and initial not in (None, ABSENT):
            raise BadInput("lists and values are mixed, or lists do not begin empty")
        self.value = [() if self.lists and not writes and value is None else value
                      for writes, value in zip(self.writes, values)]
        self.initial = set() if initial is False else {label(initial)}
        if self.initial & {None, ABSENT}:  # they are told apart, but are initial together
            self.initial = {None, ABSENT}
        self.ops_of = [[] for _ in txns]
        for op, t in enumerate(self.txn):
            self.ops_of[t].append(op)
        self.ahead = clock_bounds(header.get("clock_relations", []))
        self.find_who_counts()
        self.find_sources()

    def find_who_counts(self):
        """counts[txn]; of those that count write_of[key, value], block[txn, key]: the writes,
        and writers[key]; aborted[key, value]: the writes of those that aborted."""
        made = {"committed": {}, "aborted": {}, "unknown": {}}
        for op, t in enumerate(self.txn):
            if self.writes[op]:
                made[self.txns[t].status].setdefault((self.key[op], self.value[op]), []).append(op)
        committed, self.aborted, unknown = made.values()
        self.counts = [txn.status == "committed" for txn in self.txns]
        queue = [t for t, counts in enumerate(self.counts) if counts]
        for t in queue:  # which grows
            own = {(self.key[op], self.value[op]) for op in self.ops_of[t] if self.writes[op]}
            read = {(self.key[op], value) for op in self.ops_of[t] if not self.writes[op]
                    for value in (self.value[op] if self.lists else [self.value[op]])}
            for what in read - own - committed.keys():
                for writer in (self.txn[op] for op in unknown.get(what, [])):
                    queue += [writer] * (not self.counts[writer])
                    self.counts[writer] = True
        self.write_of, self.block, self.writers = {}, {}, {}
        for op, t in enumerate(self.txn):
            if self.writes[op] and self.counts[t]:
                key = self.key[op]
                if self.write_of.setdefault((key, self.value[op]), op) != op:
                    raise BadInput(f"key {key} gets {self.value[op]!r} twice")
                self.writers.setdefault(key, set()).add(t)
                self.block.setdefault((t, key), []).append(op)

    def find_sources(self):
        """finding[read]; or source[read] and returned[read], the write (None if initial), also
        first_read[txn, key]; repeated[read]: that first one, if it had another source."""
        self.finding, self.source, self.returned = {}, {}, {}
        self.repeated, self.first_read, self.own_before = {}, {}, {}
        for op, t in enumerate(self.txn):
            if self.writes[op] or not self.counts[t]:
                continue
            mine = [write for write in self.block.get((t, self.key[op]), []) if write < op]
            self.own_before[op] = len(mine)
            found, write = (self.judge_list if self.lists else self.judge_value)(op, t, mine)
            if found:
                self.finding[op] = found
            elif write not in mine:
                self.returned[op] = write
        if self.lists:  # of equally long ones that of the first operation
            by_length = sorted(self.returned, key=lambda op: (len(self.value[op]), -op))
            longest = {self.key[op]: self.value[op] for op in by_length}
        for op, write in self.returned.items():
            if self.lists and longest[self.key[op]][:len(self.value[op])] != self.value[op]:
                self.finding[op] = {"kind": "incompatible-order"}
                continue
            self.source[op] = self.init if write is None else self.txn[write]
            first = self.first_read.setdefault((self.txn[op], self.key[op]), op)
            if self.source[first] != self.source[op]:
                self.repeated[op] = first

    def judge_value(self, op, t, mine):
        """The finding, and the write that was returned; so judge_list()."""
        key, value = self.key[op], self.value[op]
        write, own = self.write_of.get((key, value)), mine[-1] if mine else None
        aborted = (key, value) in self.aborted
        if write is None and (aborted or value not in self.initial):
            return {"kind": "aborted-read" if aborted else "thin-air-read"}, None
        if write is not None and self.txn[write] == t:
            if write > op:
                return {"kind": "future-read", "write": write}, None
            stale = {"kind": "stale-own-write", "write": write, "other": own}
            return stale if write != own else None, write
        if mine:
            return {"kind": "own-write-ignored", "write": write, "other": own}, None
        last = None if write is None else self.block[self.txn[write], key][-1]
        torn = {"kind": "intermediate-read", "write": write, "other": last}
        return torn if last != write else None, write

    def judge_list(self, op, t, mine):
        key, list_ = self.key[op], self.value[op]
        makes = [self.write_of.get((key, element)) for element in list_]
        nobody = [place for place, write in enumerate(makes) if write is None]
        thin_air = [place for place in nobody if (key, list_[place]) not in self.aborted]
        if nobody:
            return {"kind": "thin-air-read" if thin_air else "aborted-read",
                    "element": (thin_air or nobody)[0]}, None
        for place, write in enumerate(makes):
            if self.txn[write] == t and write > op:
                return {"kind": "future-read", "element": place, "write": write}, None
        place, end, last = 0, len(makes) - len(mine), makes[-1] if makes else None
        if makes[max(end, 0):] != mine:
            kind = "stale-own-write" if last in mine[:-1] else "own-write-ignored"
            return {"kind": kind, "write": last, "other": mine[-1]}, None
        while place < end:
            block = self.block[self.txn[makes[place]], key]
            if makes[place:min(place + len(block), end)] != block:
                return {"kind": "intermediate-read"}, None
            place += len(block)
        first = {write: place for place, write in reversed([*enumerate(makes)])}
        again = [place for place, write in enumerate(makes) if first[write] < place]
        return {"kind": "duplicate-element", "element": again[0]} if again else None, \
            makes[end - 1] if end else None

    def in_time(self, ended, domain, txn):
        """Whether what ended then, by the clock of that domain, ended before txn began."""
        if domain == txn.domain:
            return ended < txn.began
        return ended[0] + self.ahead.get((domain, txn.domain), math.inf) < txn.began[0]

# ---- What a certificate claims ----------------------------------------------------------------
def only(fields, table, which):
    others = {*" ".join(table.values()).split()} - {*table[which].split()}
    extra = [name for name, value in fields.items() if name in others and value != [] and
             (name, value) not in (("inherited", 0), ("more", (False,)))]
    demand(not extra, f"it has {extra}, which do not belong there")

def latest(places, bound):
    """The last of the ascending places below the bound."""
    index = bisect.bisect_left(places, bound)
    return places[index - 1] if index else -1

class Judge:
    def __init__(self, history, session_order):
        self.h, self.in_order = history, session_order or not history.txns
        self.session = [txn.session if session_order else t for t, txn in enumerate(history.txns)]

    def check_level(self, level, claim):
        verdict, h, base = claim["verdict"], self.h, LEVEL[claim.get("follows_from", level)]
        demand(verdict != "undecided", "it is undecided: there is nothing to prove")
        demand(h.timed or level not in REAL_TIME, "the history has no times")
        demand(self.in_order or GUARANTEES.get(level) in (None, "rs?r"), "sessions do not count")
        only(claim, OF_VERDICT, verdict)
        demand(base in WEAKER[level] if verdict == "violated" else level in WEAKER[base],
               "it does not follow from that level")
        if verdict == "holds":
            return self.check_order(level, claim)
        aside, violations = claim.get("set_aside", []), claim["violations"]
        demand(all(op < len(h.txn) and not h.writes[op] for op in aside) and
               aside == sorted({*aside}), "set_aside is no ascending list of reads")
        demand(violations and claim.get("inherited", 0) <= len(violations), "there are too few")
        for violation in violations:
            self.check_violation(level, violation)

    def check_order(self, level, claim):
        """The place of a transaction is its index in the order; -1 is the initial one's."""
        h, order, size = self.h, claim["commit_order"] + [], len(claim["commit_order"])
        demand(sorted(order) == [t for t in range(h.init) if h.counts[t]],
               "the order does not list exactly the transactions that count")
        demand(not h.finding, "some reads are wrong by themselves")
        demand(not h.repeated or "read-atomic" not in WEAKER[level], "reads are not repeatable")
        demand(not claim.get("snapshots") or level in SNAPSHOTS, f"{level} has no snapshots")
        place = {t: i for i, t in enumerate(order)} | {h.init: -1}
        last, before = {}, {}  # before[t]: the place of the one before in its session
        for t in sorted(order):
            before[t] = last.get(self.session[t], -1)
            last[self.session[t]] = place[t]
            demand(before[t] < place[t], f"{t} comes before its session's past")
        for op, source in h.source.items():
            demand(place[source] < place[h.txn[op]], f"the read {op} precedes its source")
        written = {key: sorted(place[t] for t in who) for key, who in h.writers.items()}
        self.check_versions(order, written)
        if level in ABOVE_CAUSAL - {"parallel-snapshot-isolation"}:
            snapshots = claim["snapshots"] + [] if level in SNAPSHOTS else range(size)
            self.check_snapshots(level, order, snapshots, place, before, written)
        elif level != "adya-read-committed":
            self.check_seen(level, order, place, before, written)

    def check_versions(self, order, written):
        h = self.h  # no list has a finding, so that each is made of whole blocks
        for op in h.source if h.lists else ():
            key = h.key[op]
            makers = [*dict.fromkeys(h.txn[h.write_of[key, element]] for element in h.value[op])]
            places = written.get(key, [])[:len(makers)]
            demand([order[i] for i in places] == makers, f"no version is the list that {op} read")

    def check_seen(self, level, order, place, before, written):
        """Nobody reads an older version than one that it has seen. Sets of places are bits."""
        # [place] -> who precedes in its session, whom that has read from so far, its past
        h, session, saw, past = self.h, {-1: 0}, {-1: 0}, {-1: 0}
        bit = {-1: 0} | {i: 1 << i for i in range(len(order))}
        writers = {key: sum(bit[i] for i in places) for key, places in written.items()}
        for i, t in enumerate(order):
            reads, back = [op for op in h.ops_of[t] if op in h.source], before[t]
            links = [place[h.source[op]] for op in reads]
            if level == "parallel-snapshot-isolation":
                links += [latest(written[h.key[op]], i) for op in h.ops_of[t] if h.writes[op]]
            def behind(sets):
                return functools.reduce(lambda bits, link: bits | sets[link], links, 0)
            session[i], saw[i] = session[back] | bit[back], saw[back] | behind(bit)
            past[i] = past[back] | bit[back] | behind(past) | behind(bit)
            seen = {"read-committed": 0, "read-atomic": session[i] | behind(bit),
                    "read-your-writes": session[i], "monotonic-reads": saw[back],
                    "monotonic-writes": behind(session), "writes-follow-reads": behind(saw)
                    }.get(level, past[i])
            for op, source in zip(reads, links):
                demand(not (seen & writers.get(h.key[op], 0)) >> (source + 1),
                       f"the read {op} misses a version of a transaction that it has seen")
                seen |= bit[source] if level == "read-committed" else 0

    def check_snapshots(self, level, order, snapshots, place, before, written):
        """At serializable levels each snapshot is as late as can be."""
        h = self.h
        demand(len(snapshots) == len(order), "not every transaction has one snapshot")
        for i, (t, size) in enumerate(zip(order, snapshots)):
            demand(before[t] < size <= i, f"the snapshot of {t} is too early or too late")
            for op in h.ops_of[t]:
                places = written.get(h.key[op], [])
                demand(op not in h.source or place[h.source[op]] == latest(places, size),
                       f"the read {op} does not return the last version in its snapshot")
                demand(not h.writes[op] or "snapshot-isolation" not in WEAKER[level] or
                       latest(places, i) < size, f"{t} replaces what it did not see")
        for domain in {txn.domain for txn in h.txns} if level in REAL_TIME else ():
            least = [(math.inf, math.inf)]  # [-1 - place]: the first end there or later
            for txn in (h.txns[t] for t in reversed(order)):
                least.append(min(least[-1], txn.ended) if txn.domain == domain else least[-1])
            for t, size in zip(order, snapshots):
                demand(not h.in_time(least[len(order) - size], domain, h.txns[t]),
                       f"when {t} began, one had ended that comes later")

    def check_violation(self, level, told):
        kind = told["kind"]
        demand(REFUTES.get(kind, level) in WEAKER[level], f"{level} allows a {kind}")
        about_reads = kind in [*FINDINGS, "non-repeatable-read", "lost-update"]
        only(told, OF_VIOLATION, "reads" if about_reads else "cycle")
        if about_reads:
            return self.check_reads(told)
        level = REFUTES.get(kind, level if level in ABOVE_CAUSAL else "adya-read-committed")
        edges, cycles = told.get("edges", []), []
        self.prove(level, told.get("lemmas", []), edges, [set()], cycles)
        right = (kind_above_causal if level in ABOVE_CAUSAL else kind_up_to_causal)(cycles, edges)
        demand(kind == right, f"its edges make it a {right}")
        demand(kind != "causality-cycle" or not told.get("lemmas"), "it needs no lemmas")

    def check_reads(self, told):
        h, kind, read, other = self.h, told["kind"], told.get("read"), told.get("other")
        if kind == "lost-update":
            demand(read in h.source and other in h.source and read < other and
                   h.source[read] == h.source[other] and h.key[read] == h.key[other],
                   "these are not two reads of one version")
            pairs = [(h.txn[op], h.key[op]) for op in (read, other)]
            demand([h.first_read[pair] for pair in pairs] == [read, other] and
                   {*pairs} <= h.block.keys(), "not both are first reads of writers of the key")
            right = {"read": read, "other": other, "write": h.returned[read]}
        elif kind == "non-repeatable-read":
            demand(read in h.repeated, "the read is repeatable")
            right = {"read": read, "write": h.returned[read], "other": h.repeated[read]}
        elif kind == "incompatible-order":
            demand(h.lists and read in h.returned and other in h.returned and
                   h.key[read] == h.key[other], "these are not two lists of one key")
            pairs = enumerate(zip(h.value[read], h.value[other]))
            place = next((i for i, (a, b) in pairs if a != b), None)
            demand(place is not None, "one list begins with the other")
            right = {"read": read, "element": place, "other": other}
        else:
            right = {"read": read, **h.finding.get(read, {})}
            demand(right.pop("kind", None) == kind, f"the read {read} is no {kind}")
            value, key = h.value[read], h.key[read]
            if kind == "aborted-read":
                right["write"] = told.get("write")
                value = value[right["element"]] if h.lists else value
                demand(right["write"] in h.aborted[key, value], "that is not what it read")
            elif kind == "intermediate-read" and h.lists:
                size, element = len(value) - h.own_before[read], told.get("element", MOST)
                demand(element < size, "there is no such element")
                write = h.write_of[key, value[element]]
                block = h.block[h.txn[write], key]
                demand(other in block, "the two are not of one block")
                place = element + block.index(other) - block.index(write)
                demand(not 0 <= place < size or value[place] != h.value[other], "block is whole")
                right |= {"element": element, "write": write, "other": other}
        fields = OF_VIOLATION["reads"].split()
        demand(all(told.get(f) == right.get(f) for f in fields), f"it should be {right}")

    def prove(self, level, lemmas, edges, known, cycles):
        """Appends the reasons of all cycles. `known`: assumptions, each with what follows."""
        h = self.h
        for lemma in lemmas + []:
            key, older, newer = fact = lemma["key"], lemma["older"], lemma["newer"]
            demand(older != newer and {(older, key), (newer, key)} <= h.block.keys(), "bad lemma")
            if "shown" in lemma:
                read = lemma["shown"]
                only(lemma, OF_LEMMA, "shown")
                demand(h.lists and read in h.source and h.key[read] == key, "no list is shown")
                makers = [h.txn[h.write_of[key, element]] for element in h.value[read]]
                demand(older in makers and older in makers[:(makers + [newer]).index(newer)],
                       f"the list that {read} read does not show which is older")
            else:
                demand(level in ABOVE_CAUSAL and "cycle" in lemma and len(known) <= 256,
                       "a lemma is neither shown nor proven")
                assumed = [*known, {(key, newer, older)}]
                self.prove(level, lemma.get("under", []), lemma["cycle"], assumed, cycles)
            known[-1].add(fact)
        cycles.append(self.check_cycle(level, edges, known))

    def check_cycle(self, level, edges, known):
        """Its edges hold and the level forbids it; returns their reasons."""
        demand(edges, "there is no cycle")
        for edge, after in zip(edges, edges[1:] + edges[:1]):
            demand(edge["to"] == after["from"], "the edges do not form a cycle")
            self.check_edge(level, edge, known)
        reasons, miss = [edge["reason"] for edge in edges], "anti-dependency"
        behind = [reasons[i - 1] for i, reason in enumerate(reasons) if reason == miss]
        demand(level not in SNAPSHOTS or miss not in behind, f"{level} allows two misses in a row")
        demand(level != "prefix" or "version-order" not in behind, f"{level} allows it")
        demand(level != "parallel-snapshot-isolation" or len(behind) < 2, f"{level} allows it")
        return reasons

    def check_edge(self, level, edge, known):
        h, a, b, reason = self.h, edge["from"], edge["to"], edge["reason"]
        only(edge, OF_REASON, reason)
        demand(all(t == h.init or any(h.counts[t:t + 1]) for t in (a, b)), "it does not count")
        if reason == "session-order":
            demand(b != h.init and (a == h.init or a < b and self.session[a] == self.session[b]),
                   f"{a} does not precede {b} in a session")
        elif reason == "real-time":
            demand(level in REAL_TIME and h.init not in (a, b) and
                   h.in_time(h.txns[a].ended, h.txns[a].domain, h.txns[b]), f"not at {level}")
        elif reason == "reads-from":
            self.check_read(level, edge, b, a)
        elif reason == "inferred":
            self.check_read(level, edge, edge.get("reader"), b)
            self.check_inferred(level, edge, known)
        elif reason == "anti-dependency":
            missed = h.source.get(edge.get("read"))
            self.check_read(level, edge, a, missed)
            self.check_versions_of(edge, missed, level in ABOVE_CAUSAL, known)
        else:
            self.check_versions_of(edge, a, True, known)
            demand(h.block.get((a, edge["key"]), [None])[-1] == edge.get("write"), "not the last")

    def check_read(self, level, edge, reader, source):
        h, read, reason = self.h, edge.get("read"), edge["reason"]
        demand(read in h.source and h.txn[read] == reader and h.source[read] == source and
               h.returned[read] == edge.get("write"), f"{reader} did not read so")
        repeated = read in h.repeated and "read-atomic" in WEAKER[level]
        follows = h.key[read] == edge.get("key") and not repeated
        demand(reason == "reads-from" or follows, "nothing follows from that read")

    def check_inferred(self, level, edge, known):
        a, at, reader = edge["from"], edge["from"], edge["reader"]
        demand(level in SEEN and a != edge["to"] and
               edge.get("other_write") in self.h.block.get((a, edge["key"]), []), "no inference")
        for step in edge.get("seen", []):
            demand(step["from"] == at and step["reason"] in ("reads-from", "session-order"),
                   "that is not how something is seen")
            self.check_edge(level, step, known)
            at = step["to"]
        demand(at == reader and sees(level, edge), f"{level}: {reader} had not seen {a}")

    def check_versions_of(self, edge, older, allowed, known):
        h, newer, key = self.h, edge["to"], edge.get("key")
        told = any((key, older, newer) in facts for facts in known)
        demand(allowed and (told or older == h.init), f"whether {older} is older is not known")
        demand(edge["from"] != newer and (newer, key) in h.block and
               h.block[newer, key][-1] == edge.get("other_write"), "that is not its last write")

def sees(level, edge):
    """Whether the steps of an inferred edge, which are right, are those of the level."""
    steps = edge.get("seen", [])
    way = re.fullmatch(SEEN[level], "".join(step["reason"][0] for step in steps))
    return way and (level != "read-committed" or steps[0]["read"] < edge["read"])

def kind_up_to_causal(cycles, edges):
    inferred = [edge for edge in edges if edge["reason"] == "inferred"]
    if inferred:
        return next(CYCLE[level] for level in SEEN if all(sees(level, edge) for edge in inferred))
    return "dependency-cycle" if "version-order" in cycles[-1] else "causality-cycle"

def kind_above_causal(cycles, _):
    miss, last = "anti-dependency", cycles[-1]  # the last one is what the others serve
    if any("real-time" in cycle for cycle in cycles):
        return "real-time-violation"
    if any(cycle[i - 1] == cycle[i] == miss for cycle in cycles for i in range(len(cycle))):
        return "write-skew" if last == [miss, miss] else "g2-item"
    if any(cycle.count(miss) > 1 for cycle in cycles):
        fork = len(last) == 4 and {*last} <= {miss, "reads-from", "session-order"}
        return "long-fork" if fork and last.count(miss) == 2 else "g-nonadjacent"
    return "read-skew" if miss in last else "dependency-cycle"

def verify(h, text):
    """[(level, verdict, None or why it is rejected)] of a certificate of the History h."""
    certificate, answers = parse_json(text, certificate_object), []
    try:
        if (certificate["format"], certificate["version"]) != ("awdit-certificate", 1) or \
                not certificate["levels"]:
            raise BadInput("it is not an awdit-certificate of version 1, or makes no claim")
        session_order = {(True,): True, (False,): False}[certificate.get("session_order", (True,))]
        sizes = {"sessions": h.sessions if session_order else h.init, "transactions": h.init,
                 "operations": len(h.txn)}
        if {field: certificate["history"][field] for field in sizes} != sizes:
            raise BadInput(f"it is of another history: this one has {sizes}")
        for claim in certificate["levels"]:
            level, why = LEVEL[claim["level"]], None
            try:
                Judge(h, session_order).check_level(level, claim)
            except Rejected as rejected:
                why = str(rejected)
            answers.append((level, claim["verdict"], why))
    except (AttributeError, KeyError, TypeError) as error:
        raise BadInput(f"a field is missing, or is not what it should be: {error!r}") from None
    return answers

def main(arguments):
    try:
        history, certificate = (pathlib.Path(path).read_bytes().decode() for path in arguments)
        answers = verify(History(history), certificate)
    except (OSError, ValueError) as error:  # BadInput, or too few arguments
        sys.stderr.write(f"verify.py HISTORY.jsonl CERTIFICATE: {error}\n")
        return 2
    for level, verdict, why in answers:
        print(f"{level:28} {verdict:9} {'REJECTED: ' + why if why else 'accepted'}")
    return 1 if any(why for _, _, why in answers) else 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
