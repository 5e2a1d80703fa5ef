"""Other testers beside us. Building them takes toolchains and hours, so their
figures were measured once, on machines of the kind this project is built on
(2 processors, 24 GB), and ours are put beside them from the run at hand. To
measure one anew, in turns with us: bench/run --peer."""

from typing import NamedTuple

from document import LEVELS, table

MEASURED = ("measured by us on 2026-11-15 and 16, built from its public source, "
            "optimised; whole process, wall time, median, the same file for "
            "both then")
RUST = "AWDIT 0.2.1 (Rust)"


class Theirs(NamedTuple):
    history: str
    ours: str  # what Bench.results calls the history
    level: str
    peer: str
    seconds: float
    memory: str


ROWS = [
    Theirs(history, ours, level, RUST, seconds, memory)
    for history, ours, figures in (
        ("serializable, 10,000,000 operations", "acceptance file",
         {"rc": (9.2, "960 MB"), "ra": (13.3, "1.8 GB"),
          "cc": (123.8, "14.4 GB")}),
        ("C-Twitter on PostgreSQL, 1.5 million operations",
         "c-twitter, postgres, text",
         {"rc": (0.76, "–"), "ra": (1.11, "–"), "cc": (5.25, "1.4 GB")}),
        ("RUBiS on PostgreSQL, 1 million operations", "rubis, postgres, text",
         {"rc": (0.60, "–"), "ra": (0.87, "–"), "cc": (2.29, "1.0 GB")}),
        ("TPC-C on PostgreSQL, 1.4 million operations",
         "tpcc, postgres, text",
         {"rc": (0.62, "–"), "ra": (0.88, "–"), "cc": (1.40, "0.5 GB")}),
        ("1000 sessions, 1,000,000 operations", "1000 sessions",
         {"cc": (13.4, "3.4 GB")}))
    for level, (seconds, memory) in figures.items()
] + [
    Theirs("1000 sessions, 1,000,000 operations", "1000 sessions", "rc",
           "Plume (Java), another history of that size", 88, "–"),
]

CLAIMS = [
    "Elle: 22 million list-append transactions in about two minutes, with 60 GB "
    "of heap",
    "Chronos: 13 GB for a million transactions",
    "PolySI: a million transactions in at most four hours, below 40 GB",
    "Cobra: ten thousand transactions in 15 s, with a GPU",
]


def peers(bench):
    """Lines; nothing where this run has not measured ours at that size."""
    rows = []
    for theirs in ROWS if bench.judging else []:
        result = bench.results.get((theirs.ours, theirs.level))
        if result is None or result.trouble:
            continue
        rows.append([theirs.history, LEVELS[theirs.level], result.shown(),
                     f"{result.peak:.0f} MB", theirs.peer,
                     f"{theirs.seconds:g}", theirs.memory,
                     f"{theirs.seconds / result.median:.0f}"])
    lines = ["## Peers", ""]
    if rows:
        lines += [f"Theirs: {MEASURED}. Ours: this run's, of histories made "
                  "in the same way (recordings are never the same twice).",
                  ""] + table(
                      ["history", "level", "ours, seconds", "memory", "peer",
                       "theirs, seconds", "memory", "theirs / ours"], rows) + [""]
    return lines + ["What others say of themselves and was not run here:", ""] \
        + [f"- {claim}." for claim in CLAIMS] + [""]
