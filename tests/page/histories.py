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
           "non-monotonic-read", "read-your-writes-violation",
           "monotonic-reads-violation", "monotonic-writes-violation",
           "writes-follow-reads-violation", "fractured-read",
           "causal-violation"]
# Above causal: the cases of tests/report.
STRONG = ["lost-update", "dependency-cycle", "read-skew", "long-fork",
          "g-nonadjacent", "write-skew", "g2-item", "real-time-violation"]
KINDS = PLANTED + STRONG

LISTS = {"duplicate-element", "incompatible-order"}


def write_page(awdit, history, page, *options, timeout=None):
    """Checks a history and writes its page."""
    history = Path(history).resolve()
    done = subprocess.run(
        [awdit, "check", "-q", "--report", str(Path(page).resolve()), *options,
         history.name], cwd=history.parent, check=False, timeout=timeout)
    assert done.returncode in (0, 1, 3), done


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
    # One session after the other, as recorders write it.
    "sessions-apart.jsonl": [
        {"session": "app-1", "id": 1, "times": [1000000, 3000000],
         "ops": [["w", "acc", 100]]},
        {"session": "app-1", "id": 2, "times": [15000000, 20000000],
         "ops": [["r", "acc", 70], ["w", "acc", 40]]},
        {"session": "app-2", "id": 3, "times": [4000000, 14000000],
         "ops": [["r", "acc", 100], ["w", "acc", 70]]},
        {"session": "app-3", "id": 4, "times": [5000000, 10000000],
         "ops": [["r", "acc", 100], ["w", "acc", 130]]}],
    # The input has the reader before the writer.
    "reader-first.jsonl": [
        {"session": "b", "id": 1, "ops": [["r", "y", 1], ["w", "x", 2]]},
        {"session": "a", "id": 2, "ops": [["w", "x", 1], ["w", "y", 1]]},
        {"session": "c", "id": 3, "ops": [["r", "x", 2]]},
        {"session": "c", "id": 4, "ops": [["r", "x", 1]]}],
    # What both read is forty versions older than what they wrote.
    "long-ago.jsonl": [
        {"session": 1, "id": i, "ops": [["w", "x", i]]} for i in range(1, 42)
    ] + [
        {"session": i, "id": i, "ops": [["r", "x", 1], ["w", "x", i]]}
        for i in (42, 43)],
    # Five levels break, each in a way of its own.
    "many-levels.jsonl": [
        {"session": 1, "ops": [["w", "a", 1], ["w", "b", 1]]},
        {"session": 1, "ops": [["w", "a", 2], ["w", "b", 2]]},
        {"session": 2, "ops": [["r", "a", 1], ["r", "b", 2]]},
        {"session": 3, "ops": [["w", "c", 1]]},
        {"session": 4, "ops": [["r", "c", 1], ["w", "c", 2]]},
        {"session": 5, "ops": [["r", "c", 1], ["w", "c", 3]]},
        {"session": 6, "ops": [["r", "d", None], ["w", "e", 1]]},
        {"session": 7, "ops": [["r", "e", None], ["w", "d", 1]]},
        {"session": 8, "ops": [["w", "f", 1]]},
        {"session": 9, "ops": [["w", "g", 1]]},
        {"session": 10, "ops": [["r", "f", 1], ["r", "g", None]]},
        {"session": 11, "ops": [["r", "f", None], ["r", "g", 1]]}],
    # Long, but of an ordinary kind.
    "long-texts.jsonl": [
        {"session": "warehouse-client-eu-central-1a-worker-07",
         "ops": [["w", "stock/warehouse:17/item:0000004711/quantity",
                  "reserved-by-order-2026-11-18T03:14:15.926535Z-0001"]]},
        {"session": "warehouse-client-eu-central-1a-worker-08",
         "ops": [["r", "stock/warehouse:17/item:0000004711/quantity",
                  "reserved-by-order-2026-11-18T03:14:15.926535Z-0001"],
                 ["w", "stock/warehouse:17/item:0000004711/quantity",
                  "reserved-by-order-2026-11-18T03:14:16.535897Z-0002"]]},
        {"session": "warehouse-client-eu-central-1a-worker-09",
         "ops": [["r", "stock/warehouse:17/item:0000004711/quantity",
                  "reserved-by-order-2026-11-18T03:14:15.926535Z-0001"],
                 ["w", "stock/warehouse:17/item:0000004711/quantity",
                  "reserved-by-order-2026-11-18T03:14:17.932384Z-0003"]]}],
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


def hard(awdit, folder):
    """A history in which hardly anything tells the order of the writes, so
    that the strong levels are undecided if little memory is allowed."""
    written, path = Path(folder) / "hard.txt", Path(folder) / "hard.dbcop"
    subprocess.run(
        [awdit, "generate", "--transactions", "4000", "--sessions", "100",
         "--keys", "50", "--reads", "0.05", "--out", written], check=True)
    subprocess.run([awdit, "convert", "--to", "dbcop", written, path],
                   check=True, stderr=subprocess.DEVNULL)
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
