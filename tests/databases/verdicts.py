"""Which verdicts real databases are expected to get, and finding out.

A configuration is a database, a level, a workload and what happens to it. What
a database promises must hold in every run; what it does not promise, and the
workload is made to show, must be seen in one of a few runs with different
seeds. If it is otherwise the evidence is printed: a verdict that surprises us is
news, not noise.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

LEVELS = ("read-committed", "read-atomic", "causal")
STRONG = ("prefix", "parallel-snapshot-isolation", "snapshot-isolation",
          "serializable", "strong-snapshot-isolation", "strict-serializable")


def run(binary, folder, *arguments):
    """Runs awdit; returns its exit code, output and complaints."""
    done = subprocess.run([binary, *arguments], cwd=folder,
                          capture_output=True, timeout=280, check=False,
                          stdin=subprocess.DEVNULL,
                          env=os.environ | {"LC_ALL": "C.UTF-8"})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def is_built(binary, driver):
    _, out, _ = run(binary, ".", "list", "drivers")
    lines = [line for line in out.splitlines() if line.startswith(driver)]
    return bool(lines) and "not built" not in lines[0]


def is_read_only_anomaly(binary, folder, history):
    """Whether a history that is not serializable would be, had nobody looked:
    it is without the transactions that only read.

    PostgreSQL's SERIALIZABLE lets such an anomaly through now and then. See
    "What it shows" in docs/drivers/postgres.md.
    """
    whole = Path(folder, "whole.jsonl")
    code, _, err = run(binary, folder, "convert", "-q", history, whole.name)
    if code != 0:
        raise AssertionError(err)
    with whole.open() as lines, open(Path(folder, "writers.jsonl"), "w") as out:
        for line in lines:
            ops = json.loads(line).get("ops")
            if ops is None or any(op[0] != "r" for op in ops):
                out.write(line)
    code, _, _ = run(binary, folder, "check", "-q", "-i", "ser",
                     "writers.jsonl")
    return code == 0


def verdicts(binary, arguments, seed):
    """{level: holds or violated} of one run, and its text report."""
    with tempfile.TemporaryDirectory(prefix="awdit-db-") as folder:
        code, out, err = run(binary, folder, "run", *arguments, "--seed",
                             str(seed), "-i", "all", "--json",
                             "--report", "report.md", "-o", "history.awdit")
        if code not in (0, 1):
            raise AssertionError(f"exit code {code}: {err}")
        report = Path(folder, "report.md").read_text()
        value = json.loads(out)
        found = {level["level"]: level["verdict"] for level in value["levels"]}
        if found["serializable"] == "violated" and "postgres" in arguments \
                and "serializable" in arguments \
                and is_read_only_anomaly(binary, folder, "history.awdit"):
            found["serializable"] = "holds"
    return found, report


def examine(binary, arguments, expected, seeds):
    """What is wrong with the verdicts of a configuration; "" if nothing is.

    Levels that are not in `expected` are not judged.
    """
    seen = set()
    report = ""
    for seed in seeds:
        found, report = verdicts(binary, arguments, seed)
        for level in expected:
            if found[level] == "undecided":
                return f"seed {seed}: {level} is undecided\n{report}"
            if found[level] == "violated" and expected[level] == "holds":
                return f"seed {seed}: {level} is violated\n{report}"
            if found[level] == "violated":
                seen.add(level)
        if all(level in seen for level in expected
               if expected[level] == "violated"):
            # Promises deserve all seeds, the rest has been seen.
            if "violated" in expected.values():
                return ""
    missing = [level for level in expected
               if expected[level] == "violated" and level not in seen]
    if not missing:
        return ""
    return f"{', '.join(missing)}: no violation was seen\n{report}"
