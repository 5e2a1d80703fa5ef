"""The default workload flows: it commits at least a third of what the same
sessions commit where nobody is in anybody's way.

    test_flow.py PATH-OF-AWDIT

By day one level of each database, with AWDIT_LONG=1 all of them.
"""

import os
import re
import sys
import tempfile
import unittest

import verdicts

BY_DAY = {"rocksdb": ("snapshot",), "sqlite": ("serializable",),
          "postgres": ("read-committed",), "mariadb": ("repeatable-read",)}
ALL = {"rocksdb": ("snapshot", "plain-get", "get-for-update"),
       "sqlite": ("serializable", "read-uncommitted"),
       "postgres": ("serializable", "repeatable-read", "read-committed"),
       "mariadb": ("repeatable-read", "serializable", "read-committed",
                   "read-uncommitted")}
# Keys enough for everybody.
APART = ("-p", "keys=10k", "-p", "distribution=0")


class Flow(unittest.TestCase):
    def commits(self, driver, level, *more):
        """A second."""
        start = ("--start",) if driver in ("postgres", "mariadb") else ()
        with tempfile.TemporaryDirectory() as folder:
            code, out, err = verdicts.run(
                BINARY, folder, "record", "--no-record", "--no-last-reads",
                "--db", driver, *start, "--level", level, "--duration",
                "700ms", *more)
        self.assertEqual((code, out), (0, ""), err)
        self.assertNotIn("40P01", err)
        found = re.search(r" in ([\d.]+) s .*: (\d+) committed", err)
        return int(found[2]) / float(found[1])

    def test_every_database(self):
        levels = ALL if os.environ.get("AWDIT_LONG") == "1" else BY_DAY
        for driver in levels:
            if not verdicts.is_built(BINARY, driver):
                continue
            for level in levels[driver]:
                with self.subTest(f"{driver} {level}"):
                    # The machine may have been busy with something else.
                    for _ in range(4):
                        apart = self.commits(driver, level, *APART)
                        usual = self.commits(driver, level)
                        if usual * 3 >= apart:
                            break
                    self.assertGreaterEqual(usual * 3, apart)


if __name__ == "__main__":
    BINARY = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
