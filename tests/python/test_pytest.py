#!/usr/bin/env python3
"""The fixture `isolation`, as a user's pytest runs it: exit codes and output.

    test_pytest.py BUILD SOURCE
"""

import importlib.util
import sys
import unittest

if importlib.util.find_spec("pytest") is None:
    print("skipped: no python3-pytest")
    sys.exit(77)

from staged import WORK, python

STALE = '''
import pytest

def stale(recorder):
    store, cache = {}, {}
    for _ in range(2):
        with recorder.session("writer").transaction() as txn:
            store["x"] = txn.write("x")
        cache.setdefault("x", store["x"])
    with recorder.session("reader").transaction() as txn:
        txn.read("x", cache["x"])

'''
STRICT = '@pytest.mark.isolation(level="strict-serializable"'


class Fixture(unittest.TestCase):
    def pytest(self, tests, *options, ini="", before=STALE, **environment):
        folder = WORK / self.id().rpartition(".")[2]
        folder.mkdir(exist_ok=True)
        (folder / "test_store.py").write_text(before + tests)
        (folder / "pytest.ini").write_text("[pytest]\n" + ini)
        # Found by its entry point: nothing else names the plugin.
        return folder, *python("-m", "pytest", "-p", "no:cacheprovider", "-q",
                               "-rA", f"--rootdir={folder}", "-c",
                               folder / "pytest.ini", *options, folder,
                               **environment)

    def test_a_level_that_holds_passes(self):
        _, status, output = self.pytest("def test(isolation): stale(isolation)\n")
        self.assertEqual(status, 0, output)
        self.assertIn("1 passed", output)

    def test_a_level_that_breaks_fails_with_the_report(self):
        _, status, output = self.pytest(
            STRICT + ")\ndef test(isolation): stale(isolation)\n")
        self.assertEqual(status, 1, output)
        self.assertIn("1 failed", output)
        self.assertNotIn("error", output)
        self.assertIn("strict-serializable   VIOLATED   1 real-time violation",
                      output)
        self.assertIn("reader.1 read x=", output)
        self.assertNotIn("The page:", output)
        self.assertNotIn("pytest_plugin.py", output)

    def test_levels_and_options_of_a_marker(self):
        _, status, output = self.pytest(
            '@pytest.mark.isolation(["causal", "serializable"], run=0, '
            'threads=1)\ndef test(isolation):\n    stale(isolation)\n'
            "    assert isolation.run == 0\n")
        self.assertEqual(status, 0, output)

    def test_allowed_anomalies(self):
        _, status, output = self.pytest(
            STRICT + ', allow=["real-time-violation"])\n'
            "def test(isolation): stale(isolation)\n")
        self.assertEqual(status, 0, output)
        _, status, output = self.pytest(
            STRICT + ', allow=["write-skew"])\n'
            "def test(isolation): stale(isolation)\n")
        self.assertEqual(status, 1, output)
        _, status, output = self.pytest(
            STRICT + ', allow=["stale"])\n'
            "def test(isolation): stale(isolation)\n")
        self.assertEqual(status, 1, output)
        self.assertIn("there is no anomaly 'stale' to allow", output)

    def test_the_level_of_the_configuration(self):
        _, status, output = self.pytest(
            "def test(isolation): stale(isolation)\n",
            ini="awdit_level = strict-serializable\n")
        self.assertEqual(status, 1, output)

    def test_pages_are_written_when_asked_for(self):
        folder, status, output = self.pytest(
            STRICT + ')\n@pytest.mark.parametrize("n", ["a/b", ".."])\n'
            "def test(isolation, n): stale(isolation)\n"
            "def test_good(isolation): stale(isolation)\n",
            "--awdit-report", WORK / "pages/deep")
        self.assertEqual(status, 1, output)
        files = sorted((WORK / "pages/deep").iterdir())
        self.assertEqual([f.suffix for f in files], [".html", ".jsonl"] * 2)
        self.assertIn("<html", files[0].read_text())
        self.assertIn(f"The page: {files[0]}", output)

    def test_expected_failures_skips_and_own_failures(self):
        _, status, output = self.pytest(
            "@pytest.mark.xfail(strict=True)\n" + STRICT + ")\n"
            "def test_expected(isolation): stale(isolation)\n"
            "def test_skipped(isolation): pytest.skip('no store')\n")
        self.assertEqual(status, 0, output)
        self.assertIn("1 skipped, 1 xfailed", output)
        _, status, output = self.pytest(
            STRICT + ")\ndef test(isolation):\n    stale(isolation)\n"
            "    assert 'mine' == 'yours'\n")
        self.assertEqual(status, 1, output)
        self.assertIn("1 failed in", output)
        self.assertIn("assert 'mine' == 'yours'", output)
        self.assertIn("- isolation -", output)
        self.assertIn("real-time violation", output)

    def test_nothing_recorded_shows_nothing(self):
        _, status, output = self.pytest("def test(isolation): pass\n")
        self.assertEqual(status, 1, output)
        self.assertIn("nothing is concluded", output)

    def test_a_level_that_nobody_knows_fails(self):
        _, status, output = self.pytest(
            '@pytest.mark.isolation("serial")\n'
            "def test(isolation): stale(isolation)\n")
        self.assertEqual(status, 1, output)
        self.assertIn("unknown level 'serial'", output)

    def test_markers_are_declared(self):
        _, status, output = self.pytest(
            "@pytest.mark.isolation('causal')\n"
            "def test(isolation): stale(isolation)\n", "--strict-markers")
        self.assertEqual(status, 0, output)

    def test_without_the_library_other_tests_run(self):
        _, status, output = self.pytest(
            "def test_other(): pass\n"
            "def test(isolation): stale(isolation)\n",
            AWDIT_LIBRARY="/nowhere/lib.so")
        self.assertEqual(status, 1, output)
        self.assertIn("1 failed, 1 passed", output)
        self.assertIn("cmake --install", output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
