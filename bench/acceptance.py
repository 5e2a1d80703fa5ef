"""The histories that have limits: whole processes against md5sum of the same
file."""

from document import LEVELS, THREADS, table
from inputs import ACCEPTANCE, count_lines
from measure import Command, take_turns

TIMES = {"rc": 1.6, "ra": 1.9, "cc": 4.0}  # x md5sum
MEGABYTES = {"rc": 600, "ra": 600, "cc": 800}
SESSIONS_ONLY = 3.0  # x the same file in the order of time
OTHER_ORDER = 1.3   # x those limits: lines interleaved, random keys
WEAK = "arc,rc,ra,cc"  # all levels that need no search
LADDER = 1.3        # x the strongest of them alone
VIOLATED = 1.5      # x the consistent history
HUGE = 1.5          # x the ns/op of the acceptance file
MANY_SESSIONS = {"cc": 25.0}
MANY_SESSIONS_MB = {"cc": 500}


def compare(bench, path, levels, subject, times, megabytes, peers=False):
    """Lines: a table of the levels against md5sum. Limits are judged where
    there are any for the level."""
    operations = count_lines(path)
    commands = {"md5sum": Command(["md5sum", str(path)])}
    for level in levels:
        commands[level] = bench.check(level, path)
        if peers and level in LEVELS:
            commands |= bench.peer_commands(path, level)
    results = take_turns(commands, bench.rounds)
    base = results["md5sum"].median
    rows = []
    for name, result in results.items():
        bench.results[subject, name] = result
        title = f"`check -i {name}`" if name in levels else name
        if result.trouble:
            rows.append([title, result.trouble] + ["–"] * 6)
            continue
        ratio = result.median / base
        rows.append([title, result.shown(), result.spread(), f"{ratio:.2f}",
                     f"{times[name]:g}" if name in times else "–",
                     f"{result.peak:.0f}",
                     f"{megabytes[name]:g}" if name in megabytes else "–",
                     f"{result.median / operations * 1e9:.1f}"])
        if name in times:
            bench.judge(f"{subject}, {name}", ratio, times[name], "x md5sum")
        if name in megabytes:
            bench.judge(f"{subject}, {name}", result.peak, megabytes[name],
                        "MB")
    if WEAK in results and "cc" in results:
        bench.judge(f"{subject}, all weak levels",
                    results[WEAK].median / results["cc"].median, LADDER,
                    "x cc alone")
    return [f"{operations:,} operations, {path.stat().st_size / 1e6:.0f} MB, "
            f"{THREADS} threads, median of {bench.rounds} rounds:", ""] + table(
                ["command", "seconds", "spread", "x md5sum", "limit",
                 "peak MB", "limit", "ns/op"], rows) + [""]


def scaled(limits):
    return {level: limit * OTHER_ORDER for level, limit in limits.items()}


def speed(bench):
    return ["## A serializable history", ""] + compare(
        bench, bench.inputs.serial(), ["rc", "ra", "cc", WEAK],
        "acceptance file", TIMES, MEGABYTES, peers=True)


def orders(bench):
    serial, levels = bench.inputs.serial(), ["rc", "ra", "cc"]
    return (
        ["## The same, lines of transactions interleaved", ""]
        + compare(bench, bench.inputs.interleaved(serial), levels,
                  "interleaved", scaled(TIMES), scaled(MEGABYTES))
        + ["## The same, random keys of eight digits", ""]
        + compare(bench, bench.inputs.random_keys(serial), levels,
                  "random keys", scaled(TIMES), scaled(MEGABYTES))
        + ["## The same, session after session", ""]
        + compare(bench, bench.inputs.serial("session", order="session"),
                  levels, "session after session", {}, {})
        + sessions_only(bench, serial, levels))


def sessions_only(bench, serial, levels):
    """Nothing but the order of sessions, against the history as it was."""
    alone = bench.inputs.converted(serial, "dbcop")
    count_lines(alone)
    results = take_turns({(level, name): bench.check(level, path)
                          for level in levels for name, path in
                          (("as it was", serial), ("sessions only", alone))},
                         bench.rounds)
    rows = []
    for level in levels:
        result = results[level, "sessions only"]
        ratio = result.median / results[level, "as it was"].median
        bench.judge(f"sessions only, {level}", ratio, SESSIONS_ONLY,
                    "x in the order of time")
        rows.append([f"`check -i {level}`", result.shown(), result.spread(),
                     f"{ratio:.2f}", f"{SESSIONS_ONLY:g}",
                     f"{result.peak:.0f}"])
    return ["## The same, sessions only", "",
            "DBCop's format: neither ids nor times nor any order of the whole.",
            ""] + table(["command", "seconds", "spread",
                         "x in the order of time", "limit", "peak MB"],
                        rows) + [""]


def violated(bench):
    """Consistent and violated histories of the same size take turns."""
    planted = {"fractured-read": ["ra", "cc", WEAK],
               "causal-violation": ["cc", WEAK]}
    paths = {"consistent": bench.inputs.serial()} | {
        name: bench.inputs.serial("violated", anomaly=name) for name in planted}
    for path in paths.values():
        count_lines(path)
    rows = []
    for level in ("rc", "ra", "cc", WEAK):
        results = take_turns(
            {name: bench.check(level, path, expected=(
                1 if level in planted.get(name, ()) else 0,))
             for name, path in paths.items()}, bench.rounds)
        row = [f"`check -i {level}`"]
        base = results["consistent"].median
        for name, result in results.items():
            cell = f"{result.shown()} ({result.spread()})"
            if level in planted.get(name, ()):
                ratio = result.median / base
                cell += f", {ratio:.2f} x"
                bench.judge(f"one {name}, {level}", ratio, VIOLATED,
                            "x consistent")
            row.append(cell)
        rows.append(row)
    return ["## One violation", "",
            "The acceptance file as it is, and with one anomaly planted; "
            "seconds and spread, evidence included; as a multiple where it is "
            f"to be found (limit {VIOLATED:g}).", ""] + table(
                ["command", "consistent", "fractured read",
                 "causal violation"], rows) + [""]


def many_sessions(bench):
    size = bench.inputs.size
    shape = {"sessions": min(1000, size(1_000_000)), "ops": size(1_000_000),
             "keys": size(100_000)}
    serial = bench.inputs.serial("sessions", **shape)
    lines = ["## A thousand sessions", ""] + compare(
        bench, serial, ["rc", "ra", "cc"], "1000 sessions", MANY_SESSIONS,
        MANY_SESSIONS_MB)
    # A long fork is causal, but in no serial order.
    for title, path in (
            ("interleaved", bench.inputs.interleaved(serial)),
            ("session after session", bench.inputs.serial(
                "sessions", order="session", **shape)),
            ("with a long fork", bench.inputs.serial(
                "sessions", anomaly="long-fork", **shape))):
        lines += [f"The same, {title}:", ""] + compare(
            bench, path, ["cc"], f"1000 sessions, {title}", MANY_SESSIONS,
            MANY_SESSIONS_MB)
    return lines


def huge(bench):
    """Ten and twenty times the acceptance file, keys included: what an
    operation costs must hardly depend on how many there are."""
    sizes = {1: ["rc", "ra", "cc"], 10: ["rc", "ra", "cc"], 20: ["rc"]}
    paths, commands, operations = {}, {}, {}
    for factor, levels in sizes.items():
        paths[factor] = bench.inputs.serial(
            "serial" if factor == 1 else "huge",
            ops=bench.inputs.size(ACCEPTANCE["ops"] * factor),
            keys=bench.inputs.size(ACCEPTANCE["keys"] * factor))
        operations[factor] = count_lines(paths[factor])
        for level in levels:
            commands[factor, level] = bench.check(level, paths[factor])
    results = take_turns(commands, bench.rounds)

    def cost(factor, level):
        return results[factor, level].median / operations[factor] * 1e9

    rows = []
    for (factor, level), result in results.items():
        ratio = cost(factor, level) / cost(1, level)
        rows.append([f"{operations[factor]:,}", f"`check -i {level}`",
                     result.shown(), result.spread(),
                     f"{cost(factor, level):.1f}", f"{ratio:.2f}",
                     f"{result.peak:.0f}"])
        if factor > 1:
            bench.judge(f"{factor} x acceptance file, {level}", ratio, HUGE,
                        "x its ns/op")
    return ["## Huge histories", "",
            f"{THREADS} threads, median of {bench.rounds} rounds:", ""] + table(
                ["operations", "command", "seconds", "spread", "ns/op",
                 "x acceptance file", "peak MB"], rows) + [""]
