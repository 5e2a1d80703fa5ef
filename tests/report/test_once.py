"""What is told is worked out once, however many reports show it, and each shows
what it would have shown alone."""

import os
import subprocess

import formats  # noqa: F401 - finds harness
import harness
from harness import CLEAN, CliTest

# Those that work out the most, with different limits: 3, 200 and 1000 groups.
ENDINGS = ("md", "html", "sarif")
# Three times the work is 2.5 times the time and more; the rest is noise.
MOST = 1.6


class Once(CliTest):
    def setUp(self):
        super().setUp()
        made = self.awdit("generate", "--transactions=8000", "--sessions=40",
                          "--seed=1", "--anomaly=" + ",".join(
                              ["causal-violation"] * 300
                              + ["write-skew"] * 300), "-o", "h.txt")
        self.assertEqual(made.code, 0, made.err)

    def check(self, *endings):
        """The reports, and the processor time that they took."""
        before = os.times()
        done = subprocess.run(
            [harness.BINARY, "check", "-q", "--threads=1", "h.txt",
             *(f"--report=r.{ending}" for ending in endings)],
            cwd=self.folder, env=CLEAN, check=False)
        after = os.times()
        self.assertEqual(done.returncode, 1)
        return ({ending: (self.folder / f"r.{ending}").read_bytes()
                 for ending in endings},
                after.children_user - before.children_user)

    def test_three_reports_cost_little_more_than_one(self):
        alone = {ending: self.check(ending) for ending in ENDINGS}
        together, time = self.check(*ENDINGS)
        for ending in ENDINGS:
            self.assertEqual(together[ending], alone[ending][0][ending], ending)
        dearest = max(time for _, time in alone.values())
        self.assertLess(time, MOST * dearest)


if __name__ == "__main__":
    harness.main()
