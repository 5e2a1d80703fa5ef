#!/usr/bin/env python3
"""How many operations per second Python's recorder takes, from the first call to
the finished history; the limit is 200,000. No part of bench/run, as that measures
what is built, and this needs an installed library:

    PYTHONPATH=python AWDIT_LIBRARY=build/release/libawdit.so.1 bench/python_recorder.py
"""

import statistics
import sys
import time

import awdit

TRANSACTIONS, OPERATIONS, ROUNDS = 50_000, 8, 5
LIMIT = 200_000


def record(values):
    """Seconds to record, and until the history is there."""
    store = {}
    keys = [f"key{i}" for i in range(100)]
    begin = time.perf_counter()
    with awdit.Recorder(values=values) as recorder:
        sessions = [recorder.session() for _ in range(4)]
        for number in range(TRANSACTIONS):
            with sessions[number % 4].transaction() as txn:
                for key in range(number, number + OPERATIONS // 2):
                    key = keys[key % 100]
                    txn.read(key, store.get(key))
                    store[key] = txn.write(key)
    recorded = time.perf_counter()
    history = recorder.history()
    end = time.perf_counter()
    assert history.operations == TRANSACTIONS * OPERATIONS, history
    assert history.check("strict-serializable").worst == "holds"
    return recorded - begin, end - begin


def main():
    good = True
    for values in (int, str):
        times = [record(values) for _ in range(ROUNDS)]
        recorded, ready = [statistics.median(column) for column in zip(*times)]
        count = TRANSACTIONS * OPERATIONS
        good = good and count / ready >= LIMIT
        print(f"{values.__name__} values: {count / recorded:,.0f} operations/s "
              f"recorded, {count / ready:,.0f} until the history is there")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
