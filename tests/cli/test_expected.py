"""What a job may find without failing: --allow, --expect, --write-baseline."""

import json
import sys
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import harness  # noqa: E402
from harness import CliTest  # noqa: E402


class Expected(CliTest):
    def setUp(self):
        super().setUp()
        for name in ("fractured.txt", "lost_update.txt", "serializable.txt"):
            self.example(name)

    def check(self, *arguments):
        return self.awdit("check", *arguments)

    def test_what_is_allowed_fails_nothing(self):
        for words in (("--allow", "fractured-read"),
                      ("--allow", "long-fork,fractured-read"),
                      ("--allow", "long-fork", "--allow", "fractured-read")):
            done = self.check(*words, "fractured.txt")
            self.assertEqual((done.code, done.err), (0, ""))
            self.assertIn("read-atomic                   VIOLATED", done.out)
            self.assertTrue(done.out.endswith(
                " Known: 1 fractured read. Nothing new.\n"), done.out)
        done = self.check("--allow", "long-fork", "fractured.txt")
        self.assertEqual(done.code, 1)
        self.assertTrue(done.out.endswith(" New: 1 fractured read.\n"))
        # Nothing to be said of what is consistent, or if nothing is known.
        done = self.check("--allow", "long-fork", "serializable.txt")
        self.assertEqual(done.code, 0)
        self.assertNotIn("Known", done.out)
        self.assertNotIn("New:", self.check("fractured.txt").out)

    def test_all_that_fails_must_be_allowed(self):
        self.file("two.txt", "w(1,1,1,1)\nw(1,2,1,2)\nw(2,2,1,2)\n"
                             "r(1,1,2,3)\nr(2,2,2,3)\n"
                             "r(3,0,3,4)\nw(3,1,3,4)\n"
                             "r(3,0,4,5)\nw(3,2,4,5)\n")
        for allowed, code, sentence in (
                ("fractured-read", 1,
                 "Known: 1 fractured read. New: 1 lost update."),
                ("lost-update", 1,
                 "Known: 1 lost update. New: 1 fractured read."),
                ("lost-update,fractured-read", 0,
                 "Known: 1 fractured read and 1 lost update. Nothing new.")):
            done = self.check("--allow", allowed, "two.txt")
            self.assertEqual(done.code, code, allowed)
            self.assertTrue(done.out.endswith(" " + sentence + "\n"), done.out)

    def test_a_baseline_is_written_and_expected(self):
        done = self.check("--write-baseline", "known", "fractured.txt",
                          "serializable.txt")
        self.assertEqual((done.code, done.err), (0, ""))
        text = (self.folder / "known").read_text()
        self.assertEqual([line.split("#")[0].split() for line in
                          text.splitlines()], [[], ["fractured-read"]])
        self.assertEqual(self.check("--expect", "known", "fractured.txt").code,
                         0)
        done = self.check("--expect", "known", "fractured.txt",
                          "lost_update.txt")
        self.assertEqual(done.code, 1)
        self.assertIn("lost_update.txt: ", done.out)
        self.assertIn("New: 1 lost update.", done.out)
        # Together with more.
        self.assertEqual(self.check(
            "--expect", "known", "--allow", "lost-update", "fractured.txt",
            "lost_update.txt").code, 0)
        # From standard input.
        self.assertEqual(self.awdit("check", "--expect", "-", "fractured.txt",
                                    stdin=text).code, 0)

    def test_lines_that_were_not_needed_are_named(self):
        self.file("known", "# ours\n\nfractured-read # gone?\n\tlong-fork\r\n")
        done = self.check("--expect", "known", "fractured.txt")
        self.assertEqual((done.code, done.err), (
            0, "known:4: long-fork was not found this time\n"))
        self.assertEqual(
            self.check("-q", "--expect", "known", "fractured.txt").err, "")

    def test_an_empty_baseline_expects_nothing(self):
        self.file("known", "")
        self.assertEqual(self.check("--expect", "known", "fractured.txt").code,
                         1)
        self.check("--write-baseline", "none", "serializable.txt")
        self.assertEqual(self.check("--expect", "none", "serializable.txt").code,
                         0)

    def test_mistakes(self):
        self.file("known", "long-fork\n  fractured-reed  # oh\n")
        for words, beginning in (
                (("--expect", "known"),
                 "known:2:3: unknown anomaly 'fractured-reed'; did you mean "
                 "'fractured-read'?"),
                (("--expect", "missing"), "missing: there is no such file\nA "),
                (("--expect", "."), ".: this is a directory"),
                (("--allow", "G1b"), "awdit: unknown anomaly 'G1b'"),
                (("--allow", "long-fork", "--first"),
                 "awdit: --first and --allow cannot be combined"),
                (("--write-baseline", "b", "--expect", "known"),
                 "awdit: --write-baseline and --expect cannot be combined"),
                (("--write-baseline", "fractured.txt"),
                 "fractured.txt: the baseline would overwrite the history"),
                (("--write-baseline", "b", "--certificate", "b"),
                 "awdit: 'b' can be written only once"),
                (("--expect", "-", "-"), "awdit: ")):
            before = (self.folder / "fractured.txt").read_bytes()
            done = self.check(*words, "fractured.txt")
            self.assertEqual((done.code, done.out), (2, ""), words)
            self.assertTrue(done.err.startswith(beginning), done.err)
            self.assertFalse((self.folder / "b").exists())
            self.assertEqual((self.folder / "fractured.txt").read_bytes(),
                             before)
        self.file("binary", bytes(range(256)) * 8192)
        done = self.check("--expect", "binary", "fractured.txt")
        self.assertEqual(done.code, 2)

    def test_errors_are_never_expected(self):
        self.file("broken.txt", "r(1,\n")
        done = self.check("--write-baseline", "b", "fractured.txt",
                          "broken.txt")
        self.assertEqual(done.code, 2)
        self.assertFalse((self.folder / "b").exists())

    def test_reports_say_what_is_new(self):
        self.check("--allow", "fractured-read", "-i", "rc,ra", "fractured.txt",
                   *(word for ending in ("md", "json", "xml", "sarif")
                     for word in ("--report", f"out.{ending}")))
        read = {ending: (self.folder / f"out.{ending}").read_text()
                for ending in ("md", "json", "xml", "sarif")}
        self.assertIn("\nKnown: 1 fractured read. Nothing new.\n", read["md"])
        value = json.loads(read["json"])
        self.assertEqual((value["known"], value["new"]),
                         (["fractured-read"], []))
        [suite] = xml.etree.ElementTree.fromstring(read["xml"])
        self.assertEqual((suite.get("failures"), suite.get("skipped")),
                         ("0", "1"))
        self.assertEqual(suite.find(".//skipped").get("message"),
                         "violated, as is known: 1 fractured read")
        [result] = json.loads(read["sarif"])["runs"][0]["results"]
        self.assertEqual((result["level"], result["baselineState"]),
                         ("note", "unchanged"))

    def test_run_has_them_too(self):
        words = ["run", "--db", "simulated", "--set", "bug=fractured",
                 "--set", "rate=20", "--transactions", "2000", "--pause", "0",
                 "-q"]
        bug = self.awdit(*words, "--write-baseline", "known")
        self.assertEqual(bug.code, 0, bug.err)
        self.assertEqual(self.awdit(*words).code, 1)
        self.assertEqual(self.awdit(*words, "--expect", "known").code, 0)


class Recorded(CliTest):
    def test_junit_says_what_was_recorded_and_how_long_it_took(self):
        self.file("h", '{"awdit":1,"clock":"nanoseconds"}\n'
                       '{"about":{"database":"Some<DB> 7","level":"si",'
                       '"workload":"chain","seed":-3}}\n'
                       '{"session":1,"ops":[["w",1,1]],"times":[1000,2000]}\n'
                       '{"session":2,"ops":[["r",1,1]],'
                       '"times":[5000,1500001000]}\n')
        done = self.awdit("check", "--output", "junit", "h")
        self.assertEqual(done.code, 0, done.err)
        [suite] = xml.etree.ElementTree.fromstring(done.out)
        self.assertEqual(suite.get("time"), "1.500")
        facts = {p.get("name"): p.get("value")
                 for p in suite.iter("property")}
        self.assertEqual(
            {name: facts.get(name) for name in
             ("database", "level", "workload", "seed", "seconds")},
            {"database": "Some<DB> 7", "level": "si", "workload": "chain",
             "seed": "-3", "seconds": "1.500"})
        self.example("fractured.txt")
        [suite] = xml.etree.ElementTree.fromstring(self.awdit(
            "check", "--output", "junit", "fractured.txt").out)
        self.assertIsNone(suite.get("time"))
        self.assertNotIn("seconds", {p.get("name")
                                     for p in suite.iter("property")})


if __name__ == "__main__":
    harness.main()
