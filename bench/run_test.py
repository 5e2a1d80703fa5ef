"""bench/run still works: on tiny histories it writes the whole document. What
is fast and what is slow is not tested here.

    run_test.py BUILD-DIRECTORY
"""

import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

BENCH = Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))
import document  # noqa: E402
import measure  # noqa: E402
import peers  # noqa: E402

BUILD = None


def run(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-B", str(BENCH / "run"), "--build", BUILD, "--cache",
         f"{folder}/cache", "--operations", "2000", "--rounds", "1",
         *arguments], text=True, capture_output=True, check=False)


class RunTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="awdit-bench-")
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def test_every_part_is_in_the_document(self):
        done = run(self.folder, "--also", "huge", "--also", "elle",
                   "--also", "paper",
                   "--write-docs", f"{self.folder}/docs")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = Path(self.folder, "docs/performance.md").read_text()
        for title in ("Limits", "A serializable history",
                      "The same, lines of transactions interleaved",
                      "The same, random keys of eight digits",
                      "One violation", "A thousand sessions",
                      "Huge histories", "Above causal", "Elle's scale",
                      "Recorded histories", "Without session order",
                      "Violations in recorded histories", "Stages", "Threads",
                      "Scaling",
                      "Loading", "Library", "The paper's hard histories",
                      "Recording",
                      "The paper's workloads on real databases", "Peers"):
            self.assertIn(f"\n## {title}\n", text)
        pictures = re.findall(r"!\[.+?\]\((.+?)\)", text)
        self.assertIn(len(pictures), (5, 9, 12))  # as databases are there
        for picture in pictures:
            root = xml.etree.ElementTree.parse(
                Path(self.folder, "docs", picture)).getroot()
            self.assertTrue(root.tag.endswith("svg"))
        # Rows are as wide as their header.
        for block in re.findall(r"(?:^\|.*\n?)+", text, re.M):
            self.assertEqual(
                len({line.count("|") for line in block.splitlines()}), 1, block)

    def test_peers_are_measured_stopped_and_excused(self):
        done = run(self.folder, "--only", "speed", "--peer-timeout", "0.5",
                   "--peer", "quick=sh -c 'test {level} = rc' {file}",
                   "--peer", "slow=sh -c 'sleep 100' {file}",
                   "--peer", "broken=sh -c 'exit 7' {file}",
                   "--peer", "missing=no-such-program-at-all {file}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\| quick rc \| \d")
        self.assertRegex(done.stdout, r"\| quick cc \| \d")
        self.assertIn("| slow ra | > 0.5 s |", done.stdout)
        self.assertIn("| broken rc | failed: exit code 7 |", done.stdout)
        self.assertIn("| missing rc | failed: No such file", done.stdout)

    def test_peers_stand_beside_what_was_measured(self):
        for share, rows in ((1, 1), (0.5, 0)):
            bench = document.Bench(Path(BUILD), Path(self.folder), 1, share, [])
            times = measure.Times()
            times.runs.append(measure.Run(1.15, 300, 2.0))
            bench.results["acceptance file", "ra"] = times
            bench.results["acceptance file", "all"] = times
            text = "\n".join(peers.peers(bench))
            self.assertEqual(text.count("AWDIT 0.2.1"), rows)
            self.assertEqual(
                text.count("| read-atomic | 1.15 | 300 MB | AWDIT 0.2.1 (Rust) "
                           "| 13.3 | 1.8 GB | 12 |"), rows)
            self.assertIn("\n- Elle: ", text)

    def test_limits_are_judged_at_full_size_only(self):
        for share, exceeded in ((1, 1), (0.5, 0)):
            bench = document.Bench(Path(BUILD), Path(self.folder), 1, share, [])
            bench.judge("kept", 1.0, 1.5, "MB")
            bench.judge("not kept", 2.0, 1.5, "MB")
            self.assertEqual(len(bench.exceeded()), exceeded)
            self.assertEqual("| **exceeded** |" in "".join(bench.limit_table()),
                             exceeded == 1)

    def test_a_peer_without_command_is_refused(self):
        done = run(self.folder, "--peer", "nothing")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("expected NAME='cmd {level} {file}'", done.stderr)


if __name__ == "__main__":
    BUILD = sys.argv.pop(1)
    unittest.main()
