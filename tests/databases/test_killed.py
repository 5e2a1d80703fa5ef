"""awdit record is killed. By kill -9 at random moments: what is on disk always
loads, and a sound database is not blamed. By every signal, at every moment, with
every driver: nothing is left.

    test_killed.py PATH-OF-AWDIT [CLASS...]

By day each driver meets each moment, with one of the signals; with AWDIT_LONG=1
with all of them.
"""

import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import kill_matrix
import verdicts

ROUNDS = 50


class Killed(unittest.TestCase):
    def test_leaves_a_history_that_can_be_checked(self):
        if not verdicts.is_built(BINARY, "rocksdb"):
            self.skipTest("rocksdb is not built")
        draw = random.Random(20261116)
        transactions = unfinished = 0
        for number in range(ROUNDS):
            with tempfile.TemporaryDirectory(prefix="awdit-kill-") as folder:
                out = "one.awdit" if number % 2 else "many"
                process = subprocess.Popen(
                    [BINARY, "record", "-q", "-w",
                     ("mixed", "c-twitter", "session")[number % 3],
                     "--sessions", "8", "--transactions", "1M", "--seed",
                     str(number), "-o", out],
                    cwd=folder, env={"TMPDIR": folder, "PATH": "/usr/bin:/bin"})
                place = Path(folder, "one.awdit.recording" if number % 2
                             else "many")
                # From the first bytes on.
                while process.poll() is None and not (
                        place.is_dir() and len(list(place.iterdir())) >= 2):
                    time.sleep(0.002)
                time.sleep(draw.random() ** 2 * 0.5)
                process.send_signal(signal.SIGKILL)
                self.assertEqual(process.wait(), -signal.SIGKILL)
                # What RocksDB promises at its default level.
                code, text, err = verdicts.run(BINARY, folder, "check", "-i",
                                               "si", "--json", str(place))
                self.assertIn(code, (0,), f"round {number}: {err}{text[:3000]}")
                history = json.loads(text)["history"]
                transactions += history["transactions"]
                unfinished += history["unknown"]
                shutil.rmtree(place)
        # Otherwise the rounds were too short to show anything.
        self.assertGreater(transactions, 100 * ROUNDS)
        self.assertGreater(unfinished, 0)


def is_there(driver):
    """Whether it is built, and its server installed."""
    programs = {"postgres": "/usr/lib/postgresql/*/bin/initdb",
                "mariadb": "/usr/*bin/mariadb-install-db"}
    return verdicts.is_built(BINARY, driver) and (
        driver not in programs or bool(glob.glob(programs[driver])))


class Matrix(unittest.TestCase):
    def test_nothing_is_left(self):
        drivers = [d for d in kill_matrix.DRIVERS if is_there(d)]
        for i, driver in enumerate(kill_matrix.DRIVERS):
            for j, moment in enumerate(kill_matrix.MOMENTS):
                for k, number in enumerate(kill_matrix.SIGNALS):
                    # The rows of servers meet SIGKILL at different moments.
                    if not LONG and (i * 2 + j) % 6 != k:
                        continue
                    if driver in drivers:
                        self.examine(driver, moment, number)

    def examine(self, driver, moment, number):
        with self.subTest(f"{driver}, {moment}, {number.name}"):
            began = time.monotonic()
            wrong = ""
            # The end may come before the moment was seen.
            for _ in range(5):
                case = kill_matrix.Case(BINARY, driver, moment, number)
                wrong = case.go()
                if not wrong.startswith("ended by itself: 0"):
                    break
            print(f"{driver:9} {moment:11} {number.name:8} "
                  f"{time.monotonic() - began:5.1f} s  {wrong or 'ok'}",
                  flush=True)
            self.assertEqual(wrong, "")


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv[1])
    LONG = os.environ.get("AWDIT_LONG") == "1"
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
