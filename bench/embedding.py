"""The library: what a history costs that is made by calls, beside the same one
read from a file of our binary format."""

import statistics
import subprocess

from document import THREADS, table

LIMIT = 1.3
KINDS = {"read": "read from awdit's binary format", "feed": "made by calls"}


def library(bench):
    source = bench.inputs.serial("fed", ops=bench.inputs.size(1_000_000))
    path = bench.inputs.converted(source, "awdit")
    output = subprocess.run(
        [str(bench.bin_dir / "feed"), str(path), str(THREADS),
         str(2 * bench.rounds + 1)], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    times = {kind: [] for kind in KINDS}
    for line in output.splitlines()[len(KINDS):]:  # the first round warms up
        kind, *seconds = line.split("\t")
        times[kind].append([float(s) for s in seconds])
    middle = {kind: [statistics.median(column) for column in zip(*rounds)]
              for kind, rounds in times.items()}
    ratio = middle["feed"][0] / middle["read"][0]
    bench.judge("a history made by calls, checked at all levels", ratio, LIMIT,
                "x read from a file")
    return ["## Library", "",
            "Through the C ABI, in one process: a history of "
            f"{bench.inputs.size(1_000_000):,} operations, then all levels; "
            f"{THREADS} threads, median of {2 * bench.rounds} rounds.", ""] + (
                table(["history", "s", "of which before the check"],
                      [[text, f"{middle[kind][0]:.3f}",
                        f"{middle[kind][1]:.3f}"]
                       for kind, text in KINDS.items()])) + [""]
