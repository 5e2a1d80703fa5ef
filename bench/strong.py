"""The levels above causal: serializability and snapshot isolation against the
causal check of the same file, whole processes, in turns."""

import os
import subprocess
from pathlib import Path

from document import THREADS, table
from inputs import count_lines, files_of
from measure import take_turns

ROOT = Path(__file__).resolve().parents[1]
CORPUS = Path(os.environ.get("AWDIT_CORPUS", ROOT.parent / "shared/corpus"))
# Logs of Cobra's, recorded from real databases.
LOGS = {"BlindW": "one-shot-chengRW/chengRW-1000",
        "BlindW, mostly reads": "one-shot-10k/chengRM-10000.tar.gz",
        "RUBiS": "one-shot-10k/rubis-10000.tar.gz",
        "TPC-C": "one-shot-10k/tpcc-10000.tar.xz",
        "C-Twitter": "one-shot-10k/twitter-10000.tar.gz",
        "C-Twitter, 100,000 transactions": "scaling/twitter-100000.tar.xz"}
LOG_TIMES, LOG_SPARE = 3.0, 0.050  # x cc, and seconds on top of it
MILLION_TIMES = {"ser": 2.0, "si": 2.0}  # x cc
SESSIONS_TIMES = {"ser": 6.0, "si": 10.0}  # likewise, where nothing else is known
MILLION_MB = 2000
WEAK_SPOT_TIMES = 60.0  # x cc, unless it is undecided
PATIENCE = 600  # seconds for a level that must be decided
USUAL = 60      # the default of --time-limit

VERDICTS = {0: "holds", 1: "violated", 3: "undecided"}


def limited(bench, level, path, seconds, expected=(0,)):
    command = bench.check(level, path, expected=expected)
    return command._replace(argv=[*command.argv, "--time-limit", str(seconds)])


def verdict_of(command):
    """The exit code of a check that may end in any verdict."""
    code = subprocess.run(command.argv, stdout=subprocess.DEVNULL,
                          check=False).returncode
    if code not in VERDICTS:
        raise SystemExit(f"{' '.join(command.argv)}: exit code {code}")
    return code


def against_causal(bench, name, path, levels, times, spare=0, megabytes=None,
                   seconds=PATIENCE, excused=False):
    """Rows of a table: the levels against cc. Limits are judged where `times`
    has one; of a level that is undecided after so many `seconds`, too, unless
    that is excused."""
    for file in files_of(path)[0]:
        count_lines(file)  # warms the page cache
    codes = {level: verdict_of(limited(bench, level, path, seconds))
             for level in ["cc", *levels]}
    rounds = 1 if 3 in codes.values() else bench.rounds
    results = take_turns(
        {level: limited(bench, level, path, seconds, (code,))
         for level, code in codes.items()}, rounds)
    base = results["cc"].median
    rows = []
    for level, result in results.items():
        ratio = max(0, result.median - spare) / base
        limit = times.get(level)
        rows.append([name, f"`check -i {level}`", VERDICTS[codes[level]],
                     result.shown(), result.spread(),
                     f"{result.median / base:.2f}",
                     f"{limit:g}" if limit else "–", f"{result.peak:.0f}"])
        if limit and not (excused and codes[level] == 3):
            bench.judge(f"{name}, {level}", ratio, limit,
                        "x cc" if spare == 0 else f"x cc, less {spare * 1e3:g} ms")
        if megabytes and limit:
            bench.judge(f"{name}, {level}", result.peak, megabytes, "MB")
    return rows


def shown(rows):
    return table(["history", "command", "verdict", "seconds", "spread", "x cc",
                  "limit", "peak MB"], rows) + [""]


def logs(bench):
    lines = ["### Recorded histories", "",
             f"Logs of Cobra's. The limits are {LOG_TIMES:g} times the causal "
             f"check of the same file and {LOG_SPARE * 1e3:g} ms.", ""]
    rows = []
    for name, place in LOGS.items():
        path = CORPUS / "cobralogs" / place
        if not path.exists():
            rows.append([name, "skipped: no corpus"] + ["–"] * 6)
        elif bench.judging or path.is_dir():
            rows += against_causal(bench, name, path, ["ser", "si"],
                                   {"ser": LOG_TIMES, "si": LOG_TIMES},
                                   LOG_SPARE)
    return lines + shown(rows)


def million(bench):
    shape = {"transactions": bench.inputs.size(1_000_000), "txn-ops": 8,
             "sessions": 20, "keys": bench.inputs.size(100_000), "reads": 0.5,
             "distribution": "uniform", "seed": 1}
    serial = bench.inputs.generated("strong", **shape)
    rows = []
    for name, path, levels, times in (
            ("in the order of time", serial, ["ser", "si", "all"],
             MILLION_TIMES),
            ("interleaved", bench.inputs.interleaved(serial), ["ser", "si"],
             MILLION_TIMES),
            ("sessions only", bench.inputs.converted(serial, "dbcop"),
             ["ser", "si"], SESSIONS_TIMES)):
        rows += against_causal(bench, f"10^6 transactions, {name}", path,
                               levels, times, megabytes=MILLION_MB)
    # Evidence included; what is found is no business of a limit.
    for anomaly in ("write-skew", "long-fork", "lost-update"):
        rows += against_causal(
            bench, f"10^6 transactions, one {anomaly}",
            bench.inputs.generated("strong", anomaly=anomaly, **shape),
            ["ser", "si"], {})
    return ["### A million transactions", "",
            f"{shape['transactions']:,} transactions of 8 operations, "
            f"{shape['sessions']} sessions, {shape['keys']:,} keys. "
            "\"Sessions only\" has neither ids nor times nor any order of the "
            "whole (DBCop's format): nothing hints at a commit order.",
            ""] + shown(rows)


def weak_spot(bench):
    path = bench.inputs.generated(
        "weak-spot", transactions=bench.inputs.size(10_000),
        sessions=min(100, bench.inputs.size(10_000)), keys=100, reads=0.05,
        seed=1)
    rows = []
    for name, file in (("in the order of time", path),
                       ("sessions only", bench.inputs.converted(path, "dbcop"))):
        rows += against_causal(bench, f"few reads, {name}", file, ["ser", "si"],
                               {"ser": WEAK_SPOT_TIMES}, seconds=USUAL,
                               excused=True)
    return ["### Few reads, few keys, many sessions", "",
            "Hardly anything tells the order of the writes: the hardest kind "
            "of history. 10,000 transactions, 100 sessions, 100 keys, 5 % "
            f"reads. Decided within the limit, or undecided after {USUAL} s.",
            ""] + shown(rows)


def strong(bench):
    return (["## Above causal", "",
             f"{THREADS} threads, median of {bench.rounds} rounds, against the "
             "causal check of the same file; one round where a level is "
             "undecided.", ""]
            + logs(bench) + million(bench) + weak_spot(bench))
