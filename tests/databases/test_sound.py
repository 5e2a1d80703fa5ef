"""A database that keeps its promise is not blamed, whatever happens to it:
PostgreSQL at SERIALIZABLE with synchronous commit, under kill -9, lost replies
to COMMIT and terminated backends.

    test_sound.py PATH-OF-AWDIT [RUNS]
"""

import json
import sys
import tempfile
import unittest

import verdicts

WORKLOADS = ("mixed", "session", "chain", "fracture")


class Sound(unittest.TestCase):
    def test_no_false_alarm(self):
        if not verdicts.is_built(BINARY, "postgres"):
            self.skipTest("postgres is not built")
        unknown = faults = 0
        for seed in range(1, RUNS + 1):
            with self.subTest(f"seed {seed}"), \
                    tempfile.TemporaryDirectory() as folder:
                code, out, err = verdicts.run(
                    BINARY, folder, "run", "-q", "--db", "postgres", "--start",
                    "--level", "serializable", "-w",
                    WORKLOADS[seed % len(WORKLOADS)], "--sessions", "8",
                    "--faults", "kill,drop-commit,terminate", "--calm",
                    "250ms", "--trouble", "150ms", "--duration", "2s",
                    "--timeout", "3", "--seed", str(seed), "--json", "-o",
                    "history.awdit")
                self.assertEqual(code, 0, err + out[:4000])
                history = json.loads(out)["history"]
                unknown += history["unknown"]
                faults += sum("fault" in text
                              for text in history.get("recorded", []))
        # Otherwise nothing was put to the test.
        self.assertGreater(unknown, RUNS)
        self.assertGreater(faults, RUNS // 2)


if __name__ == "__main__":
    BINARY = sys.argv[1]
    RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    unittest.main(argv=sys.argv[:1])
