"""kill -9 of awdit record at random moments: what is on disk always loads, and a
sound database is not blamed.

    test_killed.py PATH-OF-AWDIT [ROUNDS]
"""

import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import verdicts


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


if __name__ == "__main__":
    BINARY = sys.argv[1]
    ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    unittest.main(argv=sys.argv[:1])
