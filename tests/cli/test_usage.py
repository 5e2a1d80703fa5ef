"""What is typed: help, versions, lists, mistakes."""

import re

import harness
from harness import ROOT, CliTest

# In the order of the table.
FORMATS = ["plume", "awdit-test", "jepsen-edn", "elle-json", "dbcop",
           "dbcop-json", "dbcop-hist", "viper", "chronos", "cobra",
           "awdit-jsonl", "awdit"]


class Help(CliTest):
    def test_help_names_every_command_and_exit_code(self):
        done = self.awdit("--help")
        self.assertEqual((done.code, done.err), (0, ""))
        for word in ("check", "verify", "generate", "stats", "list",
                     "--version"):
            self.assertIn(word, done.out)
        for code in "0123":
            self.assertRegex(done.out, rf"(?m)^  {code}  ")

    def test_help_of_check_names_every_option_level_and_format(self):
        done = self.awdit("check", "--help")
        self.assertEqual((done.code, done.err), (0, ""))
        for word in ("-i", "-f", "--json", "--first", "--limit", "--threads",
                     "--certificate", "PATH", "adya-read-committed",
                     "read-committed", "read-atomic", "causal", "plume",
                     "awdit-test", "Examples:", "Exit codes:"):
            self.assertIn(word, done.out)
        self.assertIn("awdit check", done.out.splitlines()[1])

    def test_help_fits_on_a_terminal(self):
        for command in ([], ["check"], ["verify"], ["generate"], ["stats"],
                        ["list"]):
            for line in self.awdit(*command, "--help").out.splitlines():
                self.assertLessEqual(len(line), 90, line)

    def test_version_is_the_one_of_the_project(self):
        project = (ROOT / "CMakeLists.txt").read_text()
        version = re.search(r"project\(awdit VERSION (\S+)", project).group(1)
        self.assert_run(self.awdit("--version"), 0, f"awdit {version}\n")


class Lists(CliTest):
    def test_levels_are_listed_weakest_first(self):
        done = self.awdit("list", "levels")
        self.assertEqual((done.code, done.err), (0, ""))
        names = re.findall(r"(?m)^(\S+)", done.out)
        self.assertEqual(names, ["adya-read-committed", "read-committed",
                                 "read-atomic", "causal"])

    def test_formats_are_listed(self):
        done = self.awdit("list", "formats")
        self.assertEqual(re.findall(r"(?m)^(\S+)", done.out), FORMATS)

    def test_anomalies_are_listed_and_documented(self):
        done = self.awdit("list", "anomalies")
        names = re.findall(r"(?m)^(\S+)", done.out)
        self.assertEqual(len(names), 13)
        page = (ROOT / "docs" / "anomalies.md").read_text()
        self.assertEqual(re.findall(r"(?m)^## (\S+)", page), names)

    def test_an_unknown_list_is_refused_with_the_known_ones(self):
        self.assert_run(
            self.awdit("list", "level"), 2, "",
            "awdit: unknown list 'level'; did you mean 'levels'? Known: "
            "levels, formats, anomalies, reports\ntry awdit list --help\n")


class Mistakes(CliTest):
    def refused(self, arguments, message, command="awdit check"):
        self.assert_run(self.awdit(*arguments), 2, "",
                        f"awdit: {message}\ntry {command} --help\n")

    def test_no_command(self):
        self.refused([], "no command given", "awdit")

    def test_a_misspelt_command_is_corrected(self):
        self.refused(["chekc", "x"],
                     "unknown command 'chekc'; did you mean 'check'?", "awdit")

    def test_a_misspelt_option_is_corrected(self):
        self.refused(["check", "--jsn", "x"],
                     "unknown option '--jsn'; did you mean '--json'?")

    def test_a_misspelt_level_is_corrected(self):
        self.refused(
            ["check", "-i", "casual", "x"],
            "unknown level 'casual'; did you mean 'causal'? Known: "
            "adya-read-committed, read-committed, read-atomic, causal")

    def test_an_empty_level_is_refused(self):
        self.refused(["check", "-i", "rc,", "x"], "'rc,' names an empty level")

    def test_a_misspelt_format_is_corrected(self):
        self.refused(["check", "-f", "plum", "x"],
                     "unknown format 'plum'; did you mean 'plume'? Known: "
                     + ", ".join(FORMATS))

    def test_no_history(self):
        self.refused(["check"], "no history given: name a file, or - for "
                                "standard input")

    def test_a_limit_that_is_no_number(self):
        for limit in ("many", "-1", "1.5", "99999999999"):
            self.refused(["check", f"--limit={limit}", "x"],
                         "--limit takes a whole number, 0 for no limit; "
                         f"found '{limit}'")

    def test_threads_out_of_range(self):
        for threads in ("0", "-2", "two", "1025"):
            self.refused(["check", f"--threads={threads}", "x"],
                         "--threads takes a number from 1 to 1024; "
                         f"found '{threads}'")

    def test_an_option_without_its_value(self):
        done = self.awdit("check", "x", "-f")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertRegex(done.err, r"^awdit: .*--format.*\n"
                                   r"try awdit check --help\n$")

    def test_standard_input_twice(self):
        self.refused(["check", "-", "-"],
                     "standard input (-) can be read only once")

    def test_one_certificate_for_several_histories(self):
        self.refused(["check", "--certificate", "c", "a", "b"],
                     "--certificate takes one history at a time")

    def test_verify_without_certificate(self):
        self.refused(["verify", "h"],
                     "a history and its certificate are needed",
                     "awdit verify")

    def test_verify_with_too_many_files(self):
        self.refused(["verify", "h", "c", "d"], "unknown argument 'd'",
                     "awdit verify")

    def test_control_characters_in_arguments_are_shown_not_obeyed(self):
        done = self.awdit("check", "-i", "\x1b[2J", "x")
        self.assertEqual(done.code, 2)
        self.assertNotIn("\x1b", done.err)
        self.assertIn(r"\x1b[2J", done.err)


if __name__ == "__main__":
    harness.main()
