"""What recording costs, and the paper's experiments: histories recorded from
databases, one command per cell, and how long their checks take."""

import re
import statistics
import subprocess
import sys

import plot
from document import LEVELS, table
from inputs import count_lines
from measure import Command, take_turns
from scaling import picture

COST_LIMIT = 1.10  # of the time without recording
SESSIONS, TASKS, COST_ROUNDS = 8, 100_000, 5

# The paper's grid; its largest cells (2^20 tasks) are for patient people.
PAPER_WORKLOADS = ["c-twitter", "tpcc", "rubis"]
PAPER_SESSIONS = [50, 100]
PAPER_TASKS = [2 ** power for power in range(10, 17)]
DATABASES = {"rocksdb": ["--db", "rocksdb"],
             "postgres": ["--db", "postgres", "--start"]}
SERIALIZABLE = {"rocksdb": "get-for-update", "postgres": "serializable"}


def is_built(bench, driver):
    out = subprocess.run([str(bench.bin_dir / "awdit"), "list", "drivers"],
                         capture_output=True, text=True, check=True).stdout
    lines = [line for line in out.splitlines() if line.startswith(driver)]
    return bool(lines) and "not built" not in lines[0]


def seconds_of(bench, *arguments):
    """How long the sessions worked, by the program's own summary."""
    done = subprocess.run(
        [str(bench.bin_dir / "awdit"), "record", *arguments],
        capture_output=True, text=True, check=True)
    return float(re.search(r" in ([0-9.]+) s ", done.stderr).group(1))


def recording(bench):
    """The same work with and without recording, in turns."""
    lines = ["## Recording", ""]
    if not is_built(bench, "rocksdb"):
        return lines + ["Not measured: rocksdb is not built.", ""]
    tasks = bench.inputs.size(TASKS)
    work = ["--workload", "c-twitter", "--sessions", str(SESSIONS),
            "--transactions", str(tasks), "--pause", "0"]
    rounds = max(bench.rounds, COST_ROUNDS) if bench.judging else 1
    without, with_it = [], []
    for number in range(rounds):
        place = bench.inputs.cache / f"recording-{number}"
        subprocess.run(["rm", "-rf", str(place)], check=True)
        turns = [(without, ["--no-record"]), (with_it, ["-o", str(place)])]
        for times, how in turns if number % 2 else reversed(turns):
            times.append(max(0.001, seconds_of(bench, *work, *how)))
        subprocess.run(["rm", "-rf", str(place)], check=True)
    cost = statistics.median(with_it) / statistics.median(without)
    bench.judge("recording, RocksDB, 8 sessions", cost, COST_LIMIT,
                "x without recording")
    return lines + [
        f"C-Twitter on RocksDB, {SESSIONS} sessions, {tasks:,} tasks, "
        f"{rounds} rounds in turns; time in which the sessions worked.", "",
    ] + table(["", "median", "lowest", "highest"], [
        [name, f"{statistics.median(times):.2f} s", f"{min(times):.2f} s",
         f"{max(times):.2f} s"]
        for name, times in (("without recording", without),
                            ("with recording", with_it))]) + [
        "", f"Recording costs {cost:.2f} x.", ""]


def record(bench, database, workload, sessions, tasks, level=None):
    """The path of a recording, in our binary format; made once."""
    words = ["-q", *DATABASES[database], "--level",
             level or SERIALIZABLE[database], "--workload", workload,
             "--sessions", str(sessions), "--transactions", str(tasks),
             "--pause", "0"]
    if workload == "tpcc" and bench.judging:
        words += ["-p", "warehouses=8"]
    elif workload == "tpcc":
        words += ["-p", "items=1000", "-p", "customers=30", "-p", "orders=30"]
    return bench.inputs.make(
        f"{workload}-{database}-{sessions}-{tasks}", words,
        lambda partial: bench.inputs.run(
            bench.bin_dir / "awdit", "record", *words, "-o", partial),
        ".awdit")


def paper(bench):
    """{c-twitter, tpcc, rubis} x {rocksdb, postgres} x {50, 100 sessions} x
    tasks: scaling per workload, and every history against md5sum."""
    lines = ["## The paper's workloads on real databases", ""]
    databases = [name for name in DATABASES if is_built(bench, name)]
    sizes = PAPER_TASKS if bench.judging else [16, 32]
    sessions_of = PAPER_SESSIONS if bench.judging else [4]
    scatter = {name: [] for name in LEVELS.values()}
    for workload in PAPER_WORKLOADS:
        series, rows = {}, []
        for database in databases:
            for sessions in sessions_of:
                for tasks in sizes:
                    path = bench.inputs.converted(
                        record(bench, database, workload, sessions, tasks),
                        "plume")
                    operations = count_lines(path)
                    commands = {name: bench.check(level, path)
                                for level, name in LEVELS.items()}
                    commands["md5sum"] = Command(["md5sum", str(path)])
                    for level in LEVELS:
                        commands |= bench.peer_commands(path, level)
                    times = take_turns(commands, bench.rounds)
                    for name in LEVELS.values():
                        series.setdefault(
                            f"{name}, {database}, {sessions}", []).append(
                                times[name].point(operations))
                        scatter[name].append((times["md5sum"].median,
                                              times[name].median))
                    rows.append([database, sessions, f"{tasks:,}",
                                 f"{operations:,}"]
                                + [result.shown() for result in times.values()])
                    header = ["database", "sessions", "tasks", "operations",
                              *times]
        if not rows:
            continue
        lines += [f"### {workload}", ""]
        for database in databases:
            lines += picture(
                bench, f"paper-{workload}-{database}",
                f"{workload} on {database}", "operations", "seconds",
                {name.replace(f", {database}", ""): points
                 for name, points in series.items() if database in name},
                ticks=False)
        lines += table(header, rows) + [""]
    points = {name: sorted((x, y, y, y) for x, y in pairs)
              for name, pairs in scatter.items() if pairs}
    if points:
        lines += ["### Every history", ""]
        lines += picture(bench, "paper-scatter",
                         "Each recorded history: a check against md5sum",
                         "seconds of md5sum", "seconds of awdit check", points,
                         rulers=(1,), ticks=False, joined=False)
    else:
        print("no database is built", file=sys.stderr)
    return lines
