"""Elle's scale: the largest history that Elle was shown to check, in Jepsen's
format, at all levels."""

import json
import random
import re
import subprocess

from document import THREADS, table
from measure import Command, take_turns

TRANSACTIONS = 22_000_000
SHAPE = {"txn-ops": "1-4", "sessions": 20, "keys": 100, "list-length": 32,
         "seed": 1}
SECONDS, MEGABYTES = 60, 8000
WEAK = "adya-read-committed,read-committed,read-atomic,causal"
# Bytes per operation and element of a list that was read, at the peak.
PER_ITEM = {WEAK: 40, "all": 80}
MIXED_SHARE = 10  # transactions that end in another order: this part of them
AT_ONCE = 16


def generated(bench, transactions):
    shape = SHAPE | {"transactions": transactions}
    words = [word for option, value in shape.items()
             for word in (f"--{option}", value)]
    return bench.inputs.make(
        "elle", sorted(shape.items()), lambda partial: bench.inputs.run(
            bench.bin_dir / "awdit", "generate", "--lists", "--to",
            "jepsen-edn", "-o", partial, *words), ".edn")


def mix(serial, partial):
    """Of sixteen transactions any may be the next to end; without indices,
    which would tell the order."""
    pick = random.Random(1)
    with open(serial, encoding="utf-8") as lines, \
            open(partial, "w", encoding="utf-8") as out:
        at_once = []
        for line in lines:
            at_once.append(re.sub(r"^\{:index \d+, ", "{", line))
            if len(at_once) == AT_ONCE:
                out.write(at_once.pop(pick.randrange(AT_ONCE)))
        out.writelines(at_once)


def contents(bench, path):
    """How many transactions, operations and elements there are."""
    stats = json.loads(subprocess.run(
        [str(bench.bin_dir / "awdit"), "stats", "--json", str(path)],
        check=True, capture_output=True).stdout)
    return (stats["history"]["transactions"], stats["history"]["operations"],
            stats["elements_per_read"]["total"])


def measured(bench, title, path, levels):
    """Lines: a table of these levels; and what came of them."""
    transactions, operations, elements = contents(bench, path)
    results = take_turns(
        {level: Command([str(bench.bin_dir / "awdit"), "check", "-i", level,
                         "--no-session-order", "--threads", str(THREADS),
                         str(path)]) for level in levels},
        min(bench.rounds, 3))
    rows = []
    for level, result in results.items():
        per_item = result.peak * 2**20 / (operations + elements)
        rows.append([f"`check -i {level}`", result.shown(), result.spread(),
                     f"{result.peak:.0f}", f"{per_item:.1f}",
                     PER_ITEM[level]])
        bench.judge(f"{title}, {'all' if level == 'all' else 'weak'} levels",
                    per_item, PER_ITEM[level], "B per operation and element")
    return [f"{transactions:,} transactions, {operations:,} operations, "
            f"{elements:,} elements of lists that were read, "
            f"{path.stat().st_size / 1e6:.0f} MB:", ""] + table(
                ["command", "seconds", "spread", "peak MB",
                 "bytes per operation and element", "limit"], rows) + [
                     ""], results


def elle(bench):
    serial = generated(bench, bench.inputs.size(TRANSACTIONS))
    lines, results = measured(bench, "Elle's scale", serial, [WEAK, "all"])
    everything = results["all"]
    bench.judge("Elle's scale, all levels", everything.median, SECONDS, "s")
    bench.judge("Elle's scale, all levels", everything.peak, MEGABYTES, "MB")
    few = generated(bench, bench.inputs.size(TRANSACTIONS // MIXED_SHARE))
    mixed = bench.inputs.make("elle-mixed", few.name,
                              lambda partial: mix(few, partial), ".edn")
    return ["## Elle's scale", "",
            "Transactions of 1 to 4 operations that append to lists and read "
            "them, in EDN as Jepsen writes it; keys are replaced after 32 "
            f"appends. `--no-session-order`, {THREADS} threads. The limits for "
            f"all levels are {SECONDS} s and {MEGABYTES} MB, loading included; "
            "Elle takes about two minutes and 60 GB for as many.",
            ""] + lines + [
                "A tenth of them, ended in another order than they took "
                "effect in:", ""] + measured(
                    bench, "Elle's scale, mixed", mixed, [WEAK, "all"])[0]
