"""What a run of the benchmark knows and gathers: the machine's tools, the
limits with what was measured, the pictures, the tables."""

from typing import NamedTuple

from inputs import Inputs
from measure import Command

THREADS = 2
LEVELS = {"rc": "read-committed", "ra": "read-atomic", "cc": "causal"}


class Limit(NamedTuple):
    subject: str
    measured: float
    limit: float
    unit: str  # "x md5sum", "MB", ...

    @property
    def exceeded(self):
        return self.measured > self.limit


class Bench:
    def __init__(self, bin_dir, cache, rounds, share, peers):
        self.bin_dir, self.rounds, self.peers = bin_dir, rounds, peers
        self.inputs = Inputs(bin_dir, cache, share)
        # Limits are about the real sizes: small ones only show that it works.
        self.judging = share == 1
        self.limits = []
        self.pictures = {}  # file name -> SVG
        self.results = {}  # (history, level) -> Times, for the peers

    def check(self, level, path, threads=THREADS, expected=(0,)):
        return Command([str(self.bin_dir / "awdit"), "check", "-i", level,
                        "--threads", str(threads), str(path)], expected)

    def judge(self, subject, measured, limit, unit):
        self.limits.append(Limit(subject, measured, limit, unit))

    def exceeded(self):
        return [limit for limit in self.limits
                if self.judging and limit.exceeded]

    def limit_table(self):
        if not self.limits:
            return []
        words = {True: "**exceeded**", False: "kept"}
        lines = ["## Limits", ""]
        if not self.judging:
            lines += ["Not judged: the histories are smaller than the limits "
                      "are about.", ""]
        return lines + table(
            ["what", "measured", "limit", "", "verdict"],
            [[limit.subject, f"{limit.measured:.{digits(limit)}f}",
              f"{limit.limit:g}", limit.unit,
              words[limit.exceeded] if self.judging else "–"]
             for limit in self.limits]) + [""]

    def peer_commands(self, path, level):
        return {f"{peer.name} {level}": peer.command(level, path)
                for peer in self.peers}


def digits(limit):
    return 0 if limit.unit == "MB" else 2


def table(header, rows):
    """Lines of Markdown."""
    lines = [header, ["---"] * len(header)] + rows
    return ["| " + " | ".join(str(cell) for cell in line) + " |"
            for line in lines]
