#!/usr/bin/env python3
"""What the recorder says happened is what happened: outcomes, times, values.

    test_recorder.py BUILD SOURCE
"""

import json
import sys
import threading
import time
import unittest

from staged import SOURCE, WORK, python

import awdit


def lines(recorder):
    """The transactions as they were written."""
    return [value for value in map(json.loads, recorder.jsonl().splitlines())
            if "ops" in value]


class Recording(unittest.TestCase):
    def setUp(self):
        self.recorder = awdit.Recorder(run=0)
        self.session = self.recorder.session("alice")

    def statuses(self):
        return [line.get("status", "committed") for line in lines(self.recorder)]

    def test_operations_in_their_order(self):
        with self.session.transaction() as txn:
            self.assertIsNone(txn.read("x", None))
            self.assertEqual(txn.write("x"), 1)
            self.assertEqual(txn.write("y", 7), 7)
            txn.read("gone", awdit.ABSENT)
            self.assertEqual(txn.read("x", 1), 1)
        line, = lines(self.recorder)
        self.assertEqual(line["session"], "alice")
        self.assertEqual(line["ops"], [["r", "x", None], ["w", "x", 1],
                                       ["w", "y", 7], ["r", "gone"], ["r", "x", 1]])
        self.assertEqual(txn.status, "committed")
        self.assertEqual(self.recorder.check("all").worst, "holds")

    def test_lists(self):
        with self.session.transaction() as txn:
            txn.read_list("l", None)
            txn.append("l")
            txn.append("l", "two")
        with self.session.transaction() as txn:
            txn.read_list("l", [1, "two"])
        history = self.recorder.history()
        self.assertEqual([t["ops"] for t in history],
                         [[["r", "l", []], ["append", "l", 1],
                           ["append", "l", "two"]], [["r", "l", [1, "two"]]]])
        self.assertEqual(history.check("strict-serializable").worst, "holds")

    def test_times_surround_what_was_done(self):
        before = time.monotonic_ns()
        with self.session.transaction() as txn:
            inside = time.monotonic_ns()
            txn.write("x")
            txn.commit()
            committed = time.monotonic_ns()
        begin, end = lines(self.recorder)[0]["times"]
        self.assertLessEqual(before, begin)
        self.assertLessEqual(begin, inside)
        self.assertLessEqual(inside, end)
        self.assertLessEqual(end, committed)

    def test_outcomes(self):
        class Refused(Exception):
            pass

        for raised, status in ((Refused, "aborted"),
                               (awdit.OutcomeUnknown, "unknown"),
                               (ConnectionResetError, "unknown"),
                               (TimeoutError, "unknown"),
                               (KeyboardInterrupt, "unknown")):
            with self.subTest(raised), self.assertRaises(raised):
                with self.session.transaction() as txn:
                    txn.write("x")
                    raise raised
            self.assertEqual(txn.status, status)
        for status in ("commit", "abort", "unknown"):
            with self.session.transaction() as txn:
                txn.write("x")
                getattr(txn, status)()
        self.assertEqual(self.statuses(), ["aborted"] + ["unknown"] * 4
                         + ["committed", "aborted", "unknown"])
        self.assertEqual(self.recorder.history().transactions, 8)

    def test_an_exception_after_the_end_changes_nothing(self):
        with self.assertRaises(ValueError):
            with self.session.transaction() as txn:
                txn.write("x")
                txn.commit()
                raise ValueError
        self.assertEqual(self.statuses(), ["committed"])

    def test_an_unknown_outcome_ends_the_session(self):
        for _ in range(2):
            with self.session.transaction() as txn:
                txn.write("x")
                txn.unknown()
        with self.session.transaction() as txn:
            txn.read("x", None)
        self.assertEqual([line["session"] for line in lines(self.recorder)],
                         ["alice", "alice~2", "alice~3"])
        # Or the read would be blamed for missing what may have come later.
        self.assertEqual(self.recorder.check("all").worst, "holds")

    def test_exceptions_that_lose_the_answer(self):
        class Gone(Exception):
            pass

        recorder = awdit.Recorder(lost=(Gone,))
        for raised in (Gone, OSError):
            with self.assertRaises(raised), recorder.transaction() as txn:
                txn.write("x")
                raise raised
        self.assertEqual([line["status"] for line in lines(recorder)],
                         ["unknown", "aborted"])

    def test_what_is_open_is_of_unknown_outcome(self):
        txn = self.session.transaction().__enter__()
        txn.write("x")
        line, = lines(self.recorder)
        self.assertEqual((line["status"], line["times"][1]), ("unknown", None))
        self.assertEqual(self.recorder.history().transactions, 1)
        txn.commit()
        self.assertEqual(self.statuses(), ["committed"])

    def test_values_are_unique_over_runs(self):
        made = set()
        for values in (int, str):
            for recorder in (awdit.Recorder(values=values) for _ in range(20)):
                with recorder.transaction() as txn:
                    made |= {txn.write("x") for _ in range(5)}
        integers = [v for v in made if isinstance(v, int)]
        self.assertGreater(len(made), 190)  # lots may coincide, if hardly ever
        self.assertLess(max(integers), 2**53)
        self.assertGreater(min(integers), 10**9)
        last = awdit.Recorder(run=8_999_999)
        with last.transaction() as txn:
            self.assertLess(txn.write("x") + 10**9 - 1, 2**53)
        for wrong in ({"run": 9_000_000}, {"run": -1}, {"values": float}):
            with self.assertRaises(ValueError):
                awdit.Recorder(**wrong)

    def test_keys_and_values_are_what_a_history_can_hold(self):
        class Name(str):
            pass

        with self.session.transaction() as txn:
            txn.write(b"bytes", Name("x"))
            txn.write("\x00\u2028\"\\", 2**64 - 1)
            txn.write(-2**63, "\U0001f41f")
            for wrong in (1.5, True, b"\xff", object(), [1], (1,)):
                with self.assertRaisesRegex(TypeError, "integer, a text or None"):
                    txn.write("x", wrong)
                with self.assertRaises(TypeError):
                    txn.read(wrong, 1)
            with self.assertRaises(TypeError):
                txn.read_list("x", [1, [2]])
        self.assertEqual(lines(self.recorder)[0]["ops"],
                         [["w", "bytes", "x"], ["w", "\x00\u2028\"\\", 2**64 - 1],
                          ["w", -2**63, "\U0001f41f"]])
        transaction, = self.recorder.history()
        self.assertEqual(transaction["ops"], lines(self.recorder)[0]["ops"])

    def test_rules_are_told(self):
        txn = self.session.transaction()
        with self.assertRaisesRegex(awdit.Misuse, "has not begun"):
            txn.read("x", 1)
        with txn:
            with self.assertRaisesRegex(awdit.Misuse, "open transaction"):
                self.session.transaction().__enter__()
        for use in (lambda: txn.write("x"), lambda: txn.read_list("x", []),
                    txn.commit, lambda: txn.append("x")):
            with self.assertRaisesRegex(awdit.Misuse, "has ended: committed"):
                use()
        with self.assertRaisesRegex(awdit.Misuse, "used once"):
            txn.__enter__()
        with self.recorder:
            pass
        with self.assertRaisesRegex(awdit.Misuse, "closed"):
            self.session.transaction().__enter__()
        with self.assertRaises(TypeError):
            self.recorder.session(1.5)
        self.assertEqual(self.statuses(), ["committed"])

    def test_names_of_sessions(self):
        recorder = awdit.Recorder()
        self.assertEqual([recorder.session(name).name
                          for name in (None, "a", 3, None, None)],
                         [1, "a", 3, 4, 5])
        self.assertIs(recorder.session("a"), recorder.session("a"))

    def test_initial_values_and_about(self):
        recorder = awdit.Recorder(initial=0, about={"store": "toy 1.0"})
        with recorder.transaction() as txn:
            txn.read("x", 0)
        self.assertEqual(recorder.check("all").worst, "holds")
        recorder.write(WORK / "about.jsonl")
        with awdit.read(WORK / "about.jsonl") as history:
            self.assertEqual(history.operations, 1)
            self.assertIn(b"toy 1.0", history.write())

    def test_threads_record_each_in_its_session(self):
        store, lock, rounds, count = {}, threading.Lock(), 200, 6
        recorder = awdit.Recorder()
        barrier = threading.Barrier(count)

        def work():
            barrier.wait()
            for number in range(rounds):
                with recorder.transaction() as txn, lock:
                    key = number % 7
                    txn.read(key, store.get(key))
                    store[key] = txn.write(key)

        threads = [threading.Thread(target=work) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        history = recorder.history()
        self.assertEqual((history.sessions, history.transactions),
                         (count, count * rounds))
        values = [op[2] for t in history for op in t["ops"] if op[0] == "w"]
        self.assertEqual(len(set(values)), count * rounds)
        self.assertEqual(history.check("strict-serializable").worst, "holds")

    def test_a_snapshot_meanwhile_has_each_transaction_once(self):
        def work():
            for _ in range(5000):
                with self.session.transaction() as txn:
                    txn.write("x")

        thread = threading.Thread(target=work)
        thread.start()
        values = []
        while len(values) < 5000:
            values = [op[2] for line in lines(self.recorder)
                      for op in line["ops"]]
            self.assertEqual(values, list(range(1, len(values) + 1)))
        thread.join()

    def test_a_stale_read_is_found(self):
        store, cache = {}, {}
        for _ in range(2):
            with self.session.transaction() as txn:
                store["x"] = txn.write("x")
            cache.setdefault("x", store["x"])
        with self.recorder.session("bob").transaction() as txn:
            txn.read("x", cache["x"])
        report = self.recorder.check("serializable,strict-serializable")
        self.assertTrue(report.holds("serializable"))
        self.assertFalse(report.holds("strict-serializable"))
        self.assertEqual(report.violations[0]["kind"], "real-time-violation")

    def test_recordings_of_two_processes_are_one_history(self):
        code = ("import awdit, sys\n"
                "recorder = awdit.Recorder()\n"
                "with recorder.session(sys.argv[1]).transaction() as txn:\n"
                "    txn.write('x')\n"
                "recorder.write(sys.argv[1] + '.jsonl')\n")
        for name in ("one", "two"):
            self.assertEqual(python("-c", code, name), (0, ""))
        history = awdit.read(WORK / "one.jsonl", WORK / "two.jsonl")
        self.assertEqual((history.sessions, history.warnings), (2, []))
        self.assertEqual(history.check("all").worst, "holds")

    def test_the_benchmark_works(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1])\n"
                "import python_recorder as bench\n"
                "bench.TRANSACTIONS, bench.ROUNDS, bench.LIMIT = 40, 1, 0\n"
                "sys.exit(bench.main())\n")
        status, output = python("-c", code, SOURCE / "bench")
        self.assertEqual(status, 0, output)
        self.assertEqual(output.count("operations/s recorded"), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
