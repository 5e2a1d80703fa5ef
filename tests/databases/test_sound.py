"""A database is not blamed for what it did not do, whatever happens to it:
PostgreSQL at SERIALIZABLE with synchronous commit, under kill -9, lost replies
to COMMIT and terminated backends.

It keeps every level up to snapshot isolation. Of SERIALIZABLE, one anomaly
comes through now and then, faults or none: the read-only one, of which
docs/drivers/postgres.md tells. Nothing else may be seen.

    test_sound.py PATH-OF-AWDIT [RUNS]
"""

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

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
                self.assertIn(code, (0, 1), err)
                report = json.loads(out)
                for level in report["levels"]:
                    if level["level"] == "serializable" and code == 1:
                        self.assertTrue(verdicts.is_read_only_anomaly(
                            BINARY, folder, "history.awdit"), out[:4000])
                    else:
                        self.assertEqual(level["verdict"], "holds", out[:4000])
                history = report["history"]
                unknown += history["unknown"]
                faults += sum("fault" in text
                              for text in history.get("recorded", []))
        # Otherwise nothing was put to the test.
        self.assertGreater(unknown, RUNS)
        self.assertGreater(faults, RUNS // 2)

    def test_what_is_excused(self):
        begin = '{"awdit":1,"initial":0}\n' \
                '{"session":1,"ops":[["r","x",0],["w","x",1]]}\n' \
                '{"session":2,"ops":[["r","x",0],["w","y",1]]}\n'
        look = '{"session":3,"ops":[["r","x",1],["r","y",0]%s]}\n'
        skew = '{"session":4,"ops":[["r","u",0],["w","v",1]]}\n' \
               '{"session":5,"ops":[["r","v",0],["w","u",1]]}\n'
        for rest, excused in ((look % "", True),
                              (look % ',["w","z",1]', False),
                              (look % "" + skew, False), (skew, False)):
            with self.subTest(rest), tempfile.TemporaryDirectory() as folder:
                Path(folder, "h.jsonl").write_text(begin + rest)
                code, _, _ = verdicts.run(BINARY, folder, "check", "-i", "ser",
                                          "h.jsonl")
                self.assertEqual(code, 1)
                self.assertEqual(verdicts.is_read_only_anomaly(
                    BINARY, folder, "h.jsonl"), excused)


if __name__ == "__main__":
    BINARY = str(Path(sys.argv[1]).resolve())
    RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else \
        40 if os.environ.get("AWDIT_LONG") == "1" else 12
    unittest.main(argv=sys.argv[:1])
