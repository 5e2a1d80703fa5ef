#!/usr/bin/env python3
"""Histories whose pages are looked at: every kind of anomaly, alone; some with
lists, unknown outcomes, times, notes, the initial state; hostile texts.

    histories.py AWDIT FOLDER    writes them and prints their paths
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Those that `awdit generate` can plant.
PLANTED = ["thin-air-read", "aborted-read", "future-read", "own-write-ignored",
           "stale-own-write", "intermediate-read", "duplicate-element",
           "incompatible-order", "non-repeatable-read", "causality-cycle",
           "non-monotonic-read", "fractured-read", "causal-violation"]
# Above causal: the cases of tests/report.
STRONG = ["lost-update", "dependency-cycle", "read-skew", "long-fork",
          "g-nonadjacent", "write-skew", "g2-item", "real-time-violation"]
KINDS = PLANTED + STRONG

LISTS = {"duplicate-element", "incompatible-order"}


def write_page(awdit, history, page):
    """Checks a history and writes its page."""
    history = Path(history).resolve()
    done = subprocess.run(
        [awdit, "check", "-q", "--report", str(Path(page).resolve()),
         history.name], cwd=history.parent, check=False)
    assert done.returncode in (0, 1), done


# name -> lines of awdit-jsonl
WRITTEN = {
    # The initial state is what was read too late.
    "init.jsonl": [
        {"session": "a", "ops": [["w", "x", 1], ["w", "y", 1]]},
        {"session": "b", "ops": [["r", "y", 1], ["r", "x", None]]}],
    "own-init.jsonl": [
        {"session": "a", "ops": [["w", "x", 1], ["r", "x", None]]}],
    "unknown.jsonl": [
        {"session": 1, "id": 1, "status": "unknown",
         "ops": [["w", "x", 1], ["w", "y", 1]]},
        {"session": 1, "id": 2, "ops": [["r", "x", None]]},
        {"session": 2, "id": 3, "ops": [["r", "y", 1]]},
        {"session": 2, "id": 4, "status": "unknown", "ops": [["w", "z", 1]]}],
    "times.jsonl": [
        {"session": "app-1", "id": 10, "times": [1000000, 3000000],
         "node": "n1", "meta": {"sql": "update acc set bal = 70 where id = 1"},
         "ops": [["w", "acc1", 70]]},
        {"session": "app-1", "id": 11, "times": [4000000, 9000000],
         "node": "n1", "ops": [["w", "acc1", 40], ["w", "acc2", 60]]},
        {"session": "app-2", "id": 12, "times": [9500000, 12000000],
         "node": "n2", "meta": {"sql": "select * from acc"},
         "ops": [["r", "acc2", 60], ["r", "acc1", 70]]}],
    "lists.jsonl": [
        {"session": 1, "id": 1, "ops": [["append", "x", 1]]},
        {"session": 2, "id": 2, "ops": [["r", "x", [1]], ["append", "y", 7]]},
        {"session": 3, "id": 3, "ops": [["r", "y", [7]], ["r", "x", []]]}],
    # Too long to be shown whole: lanes and steps are left out and scroll.
    "circle.jsonl": [
        {"session": i, "id": i, "ops": [["r", i, 1], ["w", (i + 1) % 60, 1]]}
        for i in range(60)],
    "large-transactions.jsonl": [
        {"session": 1, "id": 1,
         "ops": [["w", f"k{i}", 1] for i in range(300)]},
        {"session": 1, "id": 2,
         "ops": [["w", f"k{i}", 2] for i in range(300)]},
        {"session": 2, "id": 3, "ops": [["r", "k7", 2], ["r", "k200", 1]]}],
}

EVIL = ["<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>",
        "\"'`${alert(1)}&amp;<!--", "\u202egnirts\u2066\u200f\u2028\u0000\u001b[31m",
        "A" * 10_000]


def hostile():
    """A causal violation for each evil text, everywhere a text may stand."""
    for i, text in enumerate(EVIL):
        key, value = text + "k", text + "v"
        yield {"session": "a" + text, "node": text, "meta": {"sql": text},
               "ops": [["w", key, value], ["w", key + "2", value]]}
        yield {"session": "a" + text,
               "ops": [["w", key, value + "new"], ["w", key + "2", value + "n"]]}
        yield {"session": "b" + text,
               "ops": [["r", key + "2", value + "n"], ["r", key, value]]}


def write_jsonl(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def make(awdit, folder):
    folder = Path(folder)
    paths = []
    for kind in STRONG:
        path = folder / f"{kind}.jsonl"
        path.write_bytes((ROOT / "tests/report/golden" / kind /
                          "history.jsonl").read_bytes())
        paths.append(path)
    for kind in PLANTED:
        path = folder / f"{kind}.jsonl"
        options = ["--lists"] if kind in LISTS else []
        subprocess.run(
            [awdit, "generate", "--transactions", "300", "--sessions", "6",
             "--keys", "30", "--anomaly", kind, "--out", path, "--format",
             "awdit-jsonl", *options], check=True)
        paths.append(path)
    for name, lines in WRITTEN.items():
        paths.append(write_jsonl(folder / name, lines))
    paths.append(write_jsonl(folder / "hostile.jsonl", hostile()))
    for name in ("causal.txt", "serializable.txt"):
        path = folder / name
        path.write_bytes((ROOT / "examples" / name).read_bytes())
        paths.append(path)
    return paths


def crowd(awdit, folder, number):
    """A history with so many violations, of four kinds."""
    kinds = ["fractured-read", "non-monotonic-read", "aborted-read",
             "intermediate-read"]
    path = Path(folder) / f"crowd-{number}.jsonl"
    names = [kinds[i % len(kinds)] for i in range(number)]
    subprocess.run(
        [awdit, "generate", "--transactions", str(number * 4), "--sessions",
         "12", "--keys", "200", "--anomaly", ",".join(names), "--out", path,
         "--format", "awdit-jsonl"], check=True)
    return path


def main():
    awdit, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for path in make(awdit, folder):
        print(path)
    for number in (50, 5000):
        print(crowd(awdit, folder, number))


if __name__ == "__main__":
    main()
