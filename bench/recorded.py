"""Histories as databases leave them: the paper's workloads recorded from
PostgreSQL and RocksDB, a causal store that lags, and what Elle's users record
and check without session order."""

import json
import subprocess

from document import LEVELS, THREADS, table
from inputs import count_lines
from measure import Command, take_turns
from recording import DATABASES, is_built, record
from strong import PATIENCE, VERDICTS, limited, verdict_of

SESSIONS = 50
# Tasks; at least 10^6 operations each.
TASKS = {"c-twitter": 200_000, "rubis": 250_000, "tpcc": 50_000}
TEXT = {"rc": 1.5, "ra": 1.8, "cc": 2.5}   # x md5sum
JSONL = {"rc": 2.0, "cc": 2.5}             # likewise
STRONG = {"ser": 1.5, "si": 1.5}           # x cc
STORE = {"rc": 1.6, "ra": 2.0, "cc": 3.5}  # x md5sum, of the causal store
WEAK_BYTES, STRONG_BYTES = 40, 80          # per operation, at the peak
OWN_MB = 25  # of the process itself, whatever it reads

ELLE = ["rw-register", "list-append"]
ELLE_SESSIONS = 20
ELLE_TRANSACTIONS = [100_000, 1_000_000]
UNORDERED_TIMES, UNORDERED_MB = 2.0, 2.0  # x the same with session order

PLANTED = [1, 1000]
PLANTED_TIMES = 1.5  # x the consistent file


def bytes_each(result, operations):
    return max(0.0, result.peak - OWN_MB) * 1e6 / operations


def against_md5sum(bench, name, path, operations, times, strong=None):
    """Rows of a table: levels against md5sum of the file; those in `strong`
    against its causal check, too. Limits are judged."""
    count_lines(path)  # warms the page cache
    strong = strong or {}
    codes = {level: verdict_of(limited(bench, level, path, PATIENCE))
             for level in strong}
    results = take_turns(
        {"md5sum": Command(["md5sum", str(path)])}
        | {level: bench.check(level, path) for level in times}
        | {level: limited(bench, level, path, PATIENCE, (code,))
           for level, code in codes.items()}, bench.rounds)
    rows = []
    for level, limit in (times | strong).items():
        result = bench.results[name, level] = results[level]
        base, unit = ("cc", "x cc") if level in strong else (
            "md5sum", "x md5sum")
        bench.judge(f"{name}, {level}", result.median / results[base].median,
                    limit, unit)
        each = bytes_each(result, operations)
        most = STRONG_BYTES if level in strong else WEAK_BYTES
        bench.judge(f"{name}, {level}", each, most, "bytes/op")
        rows.append([name, f"`check -i {level}`",
                     VERDICTS[codes.get(level, 0)],
                     result.shown(), result.spread(),
                     f"{result.median / results['md5sum'].median:.2f}",
                     f"{result.median / results['cc'].median:.2f}",
                     f"{limit:g} {unit}", f"{each:.0f}", f"{most:g}"])
    return rows


HEADER = ["history", "command", "verdict", "seconds", "spread", "x md5sum",
          "x cc", "limit", "bytes/op", "limit"]


def recordings(bench):
    """(workload, database, path of the recording), of the databases that are
    built."""
    for database in DATABASES:
        if not is_built(bench, database):
            continue
        for workload, tasks in TASKS.items():
            yield workload, database, record(
                bench, database, workload,
                min(SESSIONS, bench.inputs.size(SESSIONS * 100)),
                bench.inputs.size(tasks))


def recorded(bench):
    """The paper's workloads as Plume text, which has no times, and as
    awdit-jsonl, which has them."""
    rows, sizes = [], {}
    for workload, database, path in recordings(bench):
        text = bench.inputs.converted(path, "plume")
        operations = sizes[workload, database] = count_lines(text)
        name = f"{workload}, {database}"
        rows += against_md5sum(bench, f"{name}, text", text, operations, TEXT,
                               STRONG)
        rows += against_md5sum(bench, f"{name}, jsonl",
                               bench.inputs.converted(path, "awdit-jsonl"),
                               operations, JSONL)
    store = bench.inputs.converted(causal_store(bench), "plume")
    rows += against_md5sum(bench, "blindw, causal store", store,
                           count_lines(store), STORE)
    shown = ", ".join(f"{workload} on {database} {count:,}"
                      for (workload, database), count in sizes.items())
    return ["## Recorded histories", "",
            f"{SESSIONS} sessions, no pauses, {THREADS} threads, median of "
            f"{bench.rounds} rounds. Operations: {shown}. The causal store is "
            "the simulated one, where a transaction may miss the last thousand "
            "commits.", ""] + table(HEADER, rows) + [""]


def causal_store(bench):
    words = ["--db", "simulated", "--level", "causal", "--set", "lag=1000",
             "--workload", "blindw", "--sessions", str(SESSIONS),
             "--transactions", str(bench.inputs.size(200_000)), "--pause", "0"]
    return bench.inputs.make(
        "blindw-causal", words, lambda partial: bench.inputs.run(
            bench.bin_dir / "awdit", "record", "-q", *words, "-o", partial),
        ".awdit")


def undecided(command):
    """The levels that a check does not decide."""
    done = subprocess.run([*command.argv, "--json"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [level["level"] for history in done.stdout.splitlines()
            for level in json.loads(history)["levels"]
            if level["verdict"] == "undecided"]


def unordered(bench):
    """All levels, with and without session order."""
    lines = ["## Without session order", ""]
    if not is_built(bench, "rocksdb"):
        return lines + ["Not measured: rocksdb is not built.", ""]
    rows = []
    for workload in ELLE:
        for number in ELLE_TRANSACTIONS:
            path = record(bench, "rocksdb", workload, ELLE_SESSIONS,
                          bench.inputs.size(number), level="snapshot")
            count_lines(path)
            ordered = limited(bench, "all", path, PATIENCE, (0, 1, 3))
            commands = {"with": ordered, "without": ordered._replace(
                argv=[*ordered.argv, "--no-session-order"])}
            results = take_turns(commands, min(bench.rounds, 3))
            name = f"{workload}, {number:,} transactions"
            open_levels = undecided(commands["without"])
            time = results["without"].median / results["with"].median
            memory = results["without"].peak / results["with"].peak
            bench.judge(name, time, UNORDERED_TIMES, "x with session order")
            bench.judge(f"{name}, memory", memory, UNORDERED_MB,
                        "x with session order")
            bench.judge(f"{name}, undecided", len(open_levels), 0, "levels")
            rows += [[name, how, result.shown(), result.spread(),
                      f"{result.peak:.0f}",
                      f"{time:.2f}, {memory:.2f}" if how == "without" else "–",
                      f"{UNORDERED_TIMES:g}, {UNORDERED_MB:g}",
                      ", ".join(open_levels) or "none"
                      if how == "without" else "–"]
                     for how, result in results.items()]
    return lines + [
        f"RocksDB, level snapshot, {ELLE_SESSIONS} sessions, `check -i all`; "
        "the ratios are of time and of memory.", ""] + table(
            ["history", "session order", "seconds", "spread", "peak MB",
             "ratios", "limits", "undecided"], rows) + [""]


def plant(source, partial, count):
    """A Plume text with `count` times two transactions, each in sessions of
    their own, of which the second misses one of the writes that it depends on:
    keys and values that nobody else has, spread evenly over the file. It is
    never in memory as a whole, which commands would be said to have taken."""
    last = {"session": 0, "txn": 0, "key": 0}
    begins = 0  # transactions but the first
    for line, is_first in by_transaction(source):
        key, _, session, txn = line[2:line.index(b")")].split(b",")
        for name, number in (("session", session), ("txn", txn), ("key", key)):
            last[name] = max(last[name], int(number))
        begins += is_first
    places = {(number + 1) * begins // (count + 1): number
              for number in range(count)}
    begun = 0
    with open(partial, "wb") as out:
        for line, is_first in by_transaction(source):
            if is_first:
                if begun in places:
                    out.write(fractured(last, places[begun]))
                begun += 1
            out.write(line)


def by_transaction(path):
    """Lines, and whether another transaction than before begins with them."""
    before = None
    with open(path, "rb") as lines:
        for line in lines:
            txn = line.rsplit(b",", 1)[1]
            yield line, before is not None and txn != before
            before = txn


def fractured(last, number):
    """W x W y, then R x and the y of before."""
    x, y = last["key"] + 1 + 2 * number, last["key"] + 2 + 2 * number
    writer, reader = (last["session"] + 1 + 2 * (number % 50) + i
                      for i in (0, 1))
    first = last["txn"] + 1 + 3 * number
    ops = [("w", y, 1, writer, first), ("w", x, 2, writer, first + 1),
           ("w", y, 2, writer, first + 1), ("r", x, 2, reader, first + 2),
           ("r", y, 1, reader, first + 2)]
    return "".join(f"{kind}({key},{value},{session},{txn})\n"
                   for kind, key, value, session, txn in ops).encode()


def disturbed(bench):
    """One fractured read, and a thousand, in recorded histories."""
    rows = []
    for workload, database, path in recordings(bench):
        text = bench.inputs.converted(path, "plume")
        paths = {0: text} | {
            count: bench.inputs.make(
                "planted", (text.name, count),
                lambda partial, count=count: plant(text, partial, count))
            for count in PLANTED if count <= bench.inputs.size(1000)}
        for file in paths.values():
            count_lines(file)
        for level in ("ra", "cc", "all"):
            codes = {count: verdict_of(
                limited(bench, level, file, PATIENCE))
                for count, file in paths.items()}
            results = take_turns(
                {count: limited(bench, level, file, PATIENCE,
                                (codes[count],))
                 for count, file in paths.items()}, bench.rounds)
            name = f"{workload}, {database}"
            for count, result in results.items():
                ratio = result.median / results[0].median
                if count:
                    bench.judge(f"{name}, {count} planted, {level}", ratio,
                                PLANTED_TIMES, "x consistent")
                rows.append([name, f"`check -i {level}`", f"{count:,}",
                             result.shown(), result.spread(),
                             f"{ratio:.2f}",
                             f"{PLANTED_TIMES:g}" if count else "–"])
    return ["## Violations in recorded histories", "",
            "The recordings above, as text, and the same with fractured reads "
            "on keys of their own; evidence included.", ""] + table(
                ["history", "command", "planted", "seconds", "spread",
                 "x consistent", "limit"], rows) + [""]
