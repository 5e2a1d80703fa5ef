"""Options mean the same in every command, and the spellings of old still work.

What an option stands for is read out of the help texts: the word behind its names.
"""

import re

import harness
from harness import CliTest

FRACTURED = "w(1,1,1,1)\nw(1,2,1,2)\nw(2,2,1,2)\nr(1,1,2,3)\nr(2,2,2,3)\n"
SIMULATED = ("--db", "simulated", "--transactions", "20")


class Options(CliTest):
    def commands(self):
        return re.findall(r"(?m)^  ([a-z-]+)  ", self.awdit("--help").out
                          .split("Subcommands:")[1].split("Examples:")[0])

    def test_a_name_takes_the_same_value_everywhere(self):
        meanings = {}
        for command in self.commands():
            text = self.awdit(command, "--help").out
            for names, value in re.findall(
                    r"(?m)^  (-[-a-z,]+)(?: ([A-Z][A-Z|=-]*))?", text):
                for name in names.split(","):
                    meanings.setdefault(name, set()).add(value)
        for letter in ("-i", "-f", "-o", "-q"):
            self.assertIn(letter, meanings)
        # A history is a file or a directory, a report is a file.
        self.assertEqual(meanings.pop("-o"), {"FILE", "PATH"})
        for name, values in meanings.items():
            self.assertEqual(len(values), 1, name)

    def test_quiet_is_silent_everywhere(self):
        self.file("h.txt", FRACTURED)
        self.awdit("check", "--certificate", "proof", "h.txt")
        for arguments, code in (
                (["check", "h.txt"], 1),
                (["verify", "h.txt", "proof"], 0),
                (["report", "proof"], 0),
                (["convert", "h.txt", "h.hist"], 0),
                (["shrink", "h.txt", "s.txt"], 0),
                (["generate", "--unknown", "50%", "-o", "g.txt"], 0),
                (["record", *SIMULATED, "-o", "r.awdit"], 0),
                (["run", *SIMULATED], 0)):
            self.assert_run(self.awdit(*arguments, "-q"), code, "")


class OldSpellings(CliTest):
    def setUp(self):
        super().setUp()
        self.file("h.txt", FRACTURED)

    def same(self, now, before):
        now, before = self.awdit(*now), self.awdit(*before)
        self.assertEqual((now.code, now.out, now.err),
                         (before.code, before.out, before.err))
        self.assertNotEqual(now.out, "")

    def test_of_the_report_that_is_printed(self):
        for kind in ("json", "markdown"):
            self.same(["check", "--output", kind, "h.txt"],
                      ["check", "-o", kind, "h.txt"])
        self.awdit("check", "--certificate", "proof", "h.txt")
        self.same(["report", "--output", "json", "proof"],
                  ["report", "-o", "json", "proof"])
        self.same(["verify", "--json", "h.txt", "proof"],
                  ["verify", "-o", "json", "h.txt", "proof"])
        self.same(["stats", "--json", "h.txt"],
                  ["stats", "-o", "json", "h.txt"])

    def test_o_is_a_file(self):
        done = self.awdit("check", "-o", "r.json", "h.txt")
        self.assertEqual(done.out, self.awdit("check", "h.txt").out)
        self.assertEqual((self.folder / "r.json").read_text(),
                         self.awdit("check", "--json", "h.txt").out)

    def test_of_what_is_generated(self):
        small = ("--transactions", "20", "--seed", "4")
        self.same(["generate", *small, "-i", "causal", "--to", "dbcop-hist"],
                  ["generate", *small, "--level", "causal", "-f",
                   "dbcop-hist"])
        self.same(["generate", *small, "--to", "dbcop-hist"],
                  ["generate", *small, "--format", "dbcop-hist"])

    def test_they_are_not_offered(self):
        self.assertNotIn("--level", self.awdit("generate", "--help").out)
        page = self.awdit("man").out
        self.assertNotIn("\\fB\\-o\\fR, \\fB\\-\\-output", page)


if __name__ == "__main__":
    harness.main()
