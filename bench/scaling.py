"""How times grow, as tables and pictures: with the numbers of transactions,
sessions, operations per transaction and threads, and on the paper's hard
histories."""

import os

import plot
from document import LEVELS, THREADS, table
from inputs import count_lines
from measure import Command, take_turns

TRANSACTIONS = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
SESSIONS = [10, 20, 50, 100, 200, 500, 1000]
TXN_OPS = [2, 4, 8, 16, 32, 64, 128]
# reduction -> the levels whose lower bound it proves
REDUCTIONS = {"range": ["rc", "ra", "cc"], "two-session": ["ra"],
              "one-session": ["rc"]}
NODES = [200, 283, 400, 566, 800, 1131, 1600]
EDGES = 0.0984  # as a share of nodes^2, of which 0.25 are possible
EXPONENT_LIMIT = 1.55  # 1.5, and some noise


def picture(bench, name, *arguments, **options):
    """A line that shows the plot."""
    bench.pictures[f"{name}.svg"] = plot.svg(*arguments, **options)
    return [f"![{arguments[0]}](performance/{name}.svg)", ""]


def sweep(bench, name, title, x_title, paths):
    """Lines: the levels, md5sum and the peers on {x: path}."""
    results = {}
    for x, path in paths.items():
        count_lines(path)
        commands = {long_name: bench.check(level, path)
                    for level, long_name in LEVELS.items()}
        commands["md5sum"] = Command(["md5sum", str(path)])
        for level in LEVELS:
            commands |= bench.peer_commands(path, level)
        for command, result in take_turns(commands, bench.rounds).items():
            results.setdefault(command, {})[x] = result
    header = [x_title] + [plot.label(x) for x in paths]
    rows = [[command] + [f"{result.shown()} ({result.spread()})"
                         if not result.trouble else result.trouble
                         for result in row.values()]
            for command, row in results.items()]
    series = {command: [result.point(x) for x, result in row.items()
                        if not result.trouble]
              for command, row in results.items()}
    return (picture(bench, name, title, x_title, "seconds", series)
            + table(header, rows) + [""])


def mixed(bench, **shape):
    """What concurrent clients would have recorded, so that no order is given
    away for free."""
    return bench.inputs.interleaved(bench.inputs.serial("scaling", **shape))


def scaling(bench):
    size = bench.inputs.size
    keys = size(100_000)  # about a tenth of the operations
    lines = ["## Scaling", "",
             "Whole processes on histories whose transactions overlap, "
             f"{THREADS} threads; seconds, median of {bench.rounds} rounds "
             "(spread).", "",
             "### Transactions, at 100 sessions of 8 operations each", ""]
    lines += sweep(
        bench, "transactions", "Time against transactions (100 sessions)",
        "transactions",
        {count: mixed(bench, transactions=count, sessions=100,
                      keys=max(100, count * 8 // 10))
         for count in sorted({size(count) for count in TRANSACTIONS})})
    transactions = size(100_000)
    lines += [f"### Sessions, at {transactions:,} transactions", ""]
    lines += sweep(
        bench, "sessions",
        f"Time against sessions ({plot.label(transactions)} transactions)",
        "sessions",
        {count: mixed(bench, transactions=transactions, sessions=count,
                      keys=keys) for count in SESSIONS})
    operations = size(1_000_000)
    lines += [f"### Size of transactions, at {operations:,} operations", ""]
    lines += sweep(
        bench, "transaction-sizes",
        "Time against the size of transactions "
        f"({plot.label(operations)} operations)",
        "operations per transaction",
        {count: mixed(bench, ops=operations, sessions=50, keys=keys,
                      txn_ops=count) for count in TXN_OPS})
    return lines


def threads(bench):
    """The acceptance file; four threads also where there are fewer processors,
    to see that more do not hurt."""
    path = bench.inputs.serial()
    paths = {"": path, ", interleaved": bench.inputs.interleaved(path)}
    processors = os.cpu_count()
    counts = sorted({1, 2, 4, processors}
                    | {1 << power for power in range(processors.bit_length())})
    results = {}
    for suffix, path in paths.items():
        count_lines(path)
        turns = take_turns(
            {(level, count): bench.check(level, path, threads=count)
             for level in LEVELS for count in counts}, bench.rounds)
        for (level, count), result in turns.items():
            results.setdefault(LEVELS[level] + suffix, {})[count] = result
    series = {name: [result.point(count) for count, result in row.items()]
              for name, row in results.items()}
    rows = [[name] + [f"{result.shown()} ({result.spread()})"
                      for result in row.values()]
            + [f"{row[1].median / min(r.median for r in row.values()):.2f}"]
            for name, row in results.items()]
    return (["## Threads", "",
             f"The acceptance file on {processors} processors; seconds, "
             f"median of {bench.rounds} rounds (spread).", ""]
            + picture(bench, "threads", "Time against threads", "threads",
                      "seconds", series)
            + table(["threads", *counts, "best speed-up"], rows) + [""])


def growth(bench):
    """A bound is about work, so these are processor seconds."""
    nodes = [round(count * max(bench.inputs.share ** 0.5, 0.1))
             for count in NODES]
    series, rows = {}, []
    for kind, levels in REDUCTIONS.items():
        paths = [bench.inputs.generated(
            f"reduction-{kind}-{count}", reduction=kind, nodes=count,
            edges=round(EDGES * count**2)) for count in nodes]
        sizes = [count_lines(path) for path in paths]
        for level in levels:
            results = take_turns({number: bench.check(level, path)
                                  for number, path in enumerate(paths)},
                                 bench.rounds)
            points = [results[number].point(operations, "processor")
                      for number, operations in enumerate(sizes)]
            # The first points are mostly process start: fit the larger half.
            slope = plot.exponent(points[len(points) // 2:])
            name = f"{LEVELS[level]}, {kind}"
            series[name] = points
            bench.judge(f"hard histories, {name}", slope, EXPONENT_LIMIT,
                        "exponent")
            rows.append([name] + [
                f"{point[0] / 1e6:.2f} M: "
                f"{results[number].shown('processor')} "
                f"({results[number].spread('processor')})"
                for number, point in enumerate(points)] + [f"{slope:.2f}"])
    return (["## The paper's hard histories", "",
             "Random triangle-free graphs as histories; operations: processor "
             f"seconds, median of {bench.rounds} rounds (spread); the exponent "
             "is fitted to the larger half.", ""]
            + picture(bench, "growth", "The paper's hard histories",
                      "operations", "processor seconds", series,
                      rulers=(1.5, 1.0), ticks=False)
            + table(["level, reduction"]
                    + [f"{count} nodes" for count in nodes] + ["exponent"],
                    rows) + [""])
