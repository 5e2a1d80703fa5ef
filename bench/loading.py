"""Reading alone: every format against md5sum of the same bytes, and the stages
of a check one by one."""

import statistics
import subprocess

from document import THREADS, table
from inputs import count_lines, files_of
from measure import Command, take_turns

# Formats, with the limit on loading as a multiple of md5sum's time.
LOAD = {"plume": None, "awdit": None, "dbcop": None, "cobra": None,
        "jepsen-edn": 2.0, "elle-json": 2.0, "dbcop-json": 2.0,
        "chronos": 2.0, "viper": 2.0, "awdit-jsonl": 2.0, "dbcop-hist": 2.0,
        "awdit-test": 2.0}
# What stages.cpp prints -> what it is.
STAGES = {"bytes": "map the file and add up its bytes",
          "read": "read the history: map, parse, build",
          "parse": "of which: parse (the difference)",
          "finish": "of which: build the columns",
          "free": "let go of the history"}


def load(bench):
    # A quarter: the formats with the longest words are four times as large.
    source = bench.inputs.serial("loaded", ops=bench.inputs.size(2_500_000))
    rows = []
    for name, limit in LOAD.items():
        path = bench.inputs.converted(source, name)
        files, size = files_of(path)
        results = take_turns(
            {"md5sum": Command(["md5sum", *files]),
             "load": Command([str(bench.bin_dir / "load"), str(path),
                              str(THREADS)])}, bench.rounds)
        base, loaded = results["md5sum"], results["load"]
        ratio = loaded.median / base.median
        rows.append([name, f"{size / 1e6:.0f}", base.shown(), loaded.shown(),
                     loaded.spread(), f"{ratio:.2f}",
                     f"{limit:g}" if limit else "–",
                     f"{size / loaded.median / 1e9:.2f}",
                     f"{loaded.peak:.0f}"])
        if limit:
            bench.judge(f"loading {name}", ratio, limit, "x md5sum")
    return ["## Loading", "",
            f"{count_lines(source):,} operations in every format, {THREADS} "
            f"threads, median of {bench.rounds} rounds; the process only "
            "reads.", ""] + table(
                ["format", "MB", "md5sum s", "load s", "spread", "x md5sum",
                 "limit", "GB/s", "peak MB"], rows) + [""]


def run_stages(bench, what, path):
    """{stage: (seconds, bytes at the peak, bytes that stay)}"""
    output = subprocess.run(
        [str(bench.bin_dir / "stages"), what, str(path), str(THREADS)],
        check=True, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout
    measured = {}
    for line in output.splitlines():
        name, seconds, peak, stays = line.split("\t")
        if name == "finish":
            # It is part of reading, told apart by doing it again; what it
            # leaves is already there.
            rest = max(0.0, measured["read"][0] - float(seconds))
            measured["parse"] = (rest, None, None)
        measured[name] = (float(seconds), int(peak),
                          None if name == "finish" else int(stays))
    return measured


def stage_rows(bench, path, operations):
    rounds = [run_stages(bench, "time", path) for _ in range(bench.rounds)]
    for name, (_, *memory) in run_stages(bench, "memory", path).items():
        times = [turn[name][0] / operations * 1e9 for turn in rounds]
        yield [STAGES.get(name, name), f"{statistics.median(times):.1f}",
               f"{min(times):.1f}–{max(times):.1f}",
               *("–" if size is None else f"{size / operations:.1f}"
                 for size in memory)]


def stages(bench):
    serial = bench.inputs.serial()
    lines = ["## Stages", "",
             f"Inside one process, {THREADS} threads, median of "
             f"{bench.rounds} rounds. Memory, from a run of its own, is what a "
             "stage adds to the resident pages, those of the mapped file "
             "included: at its peak, and what is left when it has ended. (In a "
             "normal run a stage takes over the pages that the one before has "
             "freed.)", ""]
    for title, path in (("Acceptance file", serial),
                        ("The same, interleaved",
                         bench.inputs.interleaved(serial)),
                        ("The same, random keys",
                         bench.inputs.random_keys(serial))):
        operations = count_lines(path)
        lines += [f"{title}, {operations:,} operations:", ""] + table(
            ["stage", "ns/op", "spread", "peak bytes/op", "kept bytes/op"],
            list(stage_rows(bench, path, operations))) + [""]
    return lines
