"""What is typed: help, versions, lists, mistakes."""

import re
import shutil
import subprocess

import harness
from harness import ROOT, CliTest

# In the order of the table.
FORMATS = ["plume", "awdit-test", "jepsen-edn", "elle-json", "dbcop",
           "dbcop-json", "dbcop-hist", "viper", "chronos", "cobra",
           "awdit-jsonl", "awdit"]
LEVELS = ["adya-read-committed", "read-committed", "read-your-writes",
          "monotonic-reads", "monotonic-writes", "writes-follow-reads",
          "read-atomic", "causal",
          "prefix", "parallel-snapshot-isolation", "snapshot-isolation",
          "serializable", "strong-snapshot-isolation", "strict-serializable"]


class Help(CliTest):
    def test_help_names_every_command_and_exit_code(self):
        done = self.awdit("--help")
        self.assertEqual((done.code, done.err), (0, ""))
        for word in ("check", "verify", "convert", "shrink", "generate",
                     "report",
                     "stats", "explain", "list", "completions", "man",
                     "--version"):
            self.assertIn(word, done.out)
        for code in "0123":
            self.assertRegex(done.out, rf"(?m)^  {code}  ")

    def test_help_of_check_names_every_option_level_and_format(self):
        done = self.awdit("check", "--help")
        self.assertEqual((done.code, done.err), (0, ""))
        for word in ("-i", "-f", "--json", "--first", "--limit", "--threads",
                     "--certificate", "--no-session-order", "--time-limit",
                     "--memory-limit", "PATH", "plume", "awdit-test",
                     "Examples:", "Exit codes:", *LEVELS):
            self.assertIn(word, done.out)
        self.assertIn("awdit check", done.out.splitlines()[1])

    def test_help_fits_on_a_terminal(self):
        for command in ([], ["check"], ["verify"], ["convert"], ["shrink"],
                        ["generate"], ["stats"], ["report"], ["explain"], ["list"],
                        ["completions"], ["man"]):
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
        self.assertEqual(names, LEVELS)
        for line in ("    Implies: prefix, parallel-snapshot-isolation\n",
                     "    Implies: serializable, strong-snapshot-isolation\n",
                     "    Needs the times when transactions began and ended\n"):
            self.assertIn(line, done.out)

    def test_formats_are_listed(self):
        done = self.awdit("list", "formats")
        self.assertEqual(re.findall(r"(?m)^(\S+)", done.out), FORMATS)

    def test_anomalies_are_listed_and_documented(self):
        done = self.awdit("list", "anomalies")
        names = re.findall(r"(?m)^(\S+)", done.out)
        self.assertEqual(len(names), 25)
        page = (ROOT / "docs" / "anomalies.md").read_text()
        self.assertEqual(re.findall(r"(?m)^## (\S+)", page), names)

    def test_reports_are_listed_and_documented(self):
        done = self.awdit("list", "reports")
        names = re.findall(r"(?m)^(\S+)", done.out)
        self.assertEqual(names[:2], ["text", "json"])
        page = (ROOT / "docs" / "reports.md").read_text()
        for name in names:
            self.assertIn(name, page)

    def test_an_unknown_list_is_refused_with_the_known_ones(self):
        self.assert_run(
            self.awdit("list", "level"), 2, "",
            "awdit: unknown list 'level'; did you mean 'levels'? Known: "
            "levels, formats, anomalies, reports, drivers, workloads, faults, "
            "bugs\ntry awdit list --help\n")


class Explanations(CliTest):
    def test_every_level_and_anomaly_is_explained(self):
        for listing in ("levels", "anomalies"):
            names = re.findall(r"(?m)^(\S+)",
                               self.awdit("list", listing).out)
            for name in names:
                done = self.awdit("explain", name)
                self.assertEqual((done.code, done.err), (0, ""))
                self.assertTrue(done.out.startswith(name))
                self.assertIn("Example", done.out)
                self.assertIn(" 1. ", done.out)

    def test_words_may_be_typed_as_they_are_read(self):
        for words in (["depends", "on"], ["depends-on"], ["Depends on"]):
            self.assertTrue(
                self.awdit("explain", *words).out.startswith("depends on\n"))

    def test_without_a_word_it_lists_them(self):
        done = self.awdit("explain")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertIn("\n  fractured-read\n", done.out)
        self.assertIn("\n  depends on\n", done.out)

    def test_an_unknown_word(self):
        self.assert_run(
            self.awdit("explain", "casual"), 2, "",
            "awdit: there is no entry 'casual'; did you mean 'causal'?\n"
            "try awdit explain --help\n")
        self.assert_run(
            self.awdit("explain", "xyzzy"), 2, "",
            "awdit: there is no entry 'xyzzy'; awdit explain lists them all\n"
            "try awdit explain --help\n")


class Manual(CliTest):
    def commands(self):
        return re.findall(r"(?m)^  ([a-z-]+)  ", self.awdit("--help").out
                          .split("Subcommands:")[1].split("Examples:")[0])

    def test_has_every_command_and_option(self):
        page = self.awdit("man").out
        self.assertTrue(page.startswith('.TH AWDIT 1 "" "awdit '))
        self.assertGreater(len(self.commands()), 6)
        for command in self.commands():
            name = command.replace("-", "\\-")
            self.assertIn(f".SS awdit {name}\n", page)
            help_text = self.awdit(command, "--help").out
            for option in re.findall(r"(?m)^  (?:-., ?)?(--[a-z-]+)",
                                     help_text):
                escaped = option.replace("-", "\\-")
                self.assertIn(escaped, page, command)

    def test_is_accepted_by_the_formatter(self):
        if shutil.which("groff") is None:
            self.skipTest("no groff here")
        done = subprocess.run(
            ["groff", "-man", "-Tascii", "-ww", "-z"], check=False,
            input=self.awdit("man").out.encode(), capture_output=True,
            timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_completions_offer_commands_options_and_names(self):
        (self.folder / "c").write_text(self.awdit("completions", "bash").out)

        def offered(*words):
            script = (f"source ./c; COMP_WORDS=({' '.join(words)}); "
                      f"COMP_CWORD={len(words) - 1}; _awdit; "
                      'printf "%s\\n" "${COMPREPLY[@]}"')
            done = subprocess.run(["bash", "-c", script], check=True,
                                  cwd=self.folder, capture_output=True,
                                  text=True, timeout=60)
            return done.stdout.split()

        self.assertEqual(offered("awdit", "gen"), ["generate"])
        self.assertEqual(offered("awdit", "check", "--thr"), ["--threads"])
        self.assertEqual(offered("awdit", "check", "-i", "ca"), ["causal"])
        self.assertEqual(offered("awdit", "convert", "--to", "vi"), ["viper"])
        self.assertEqual(offered("awdit", "list", "f"),
                         ["formats", "faults"])
        self.assertEqual(offered("awdit", "explain", "frac"),
                         ["fractured-read"])
        # Levels of the database that is to be driven.
        self.assertEqual(offered("awdit", "run", "--level", "''"),
                         ["snapshot", "plain-get", "get-for-update"])
        for words in (("--db", "postgres"), ("--db", "=", "postgres"),
                      ("--db=postgres",), ("--db", "cockroachdb"),
                      ("--db", "postgres", ":", "//me@host/x"),
                      ("--db", "postgres://me@host/x", "-w", "bank")):
            for command in ("run", "record"):
                self.assertEqual(
                    offered("awdit", command, *words, "--level", "re"),
                    ["repeatable-read", "read-committed", "read-uncommitted"],
                    words)
        self.assertEqual(offered("awdit", "run", "--db", "sqlite", "--level",
                                 "''"), ["serializable", "read-uncommitted"])
        self.assertEqual(offered("awdit", "run", "--db", "sqlite", "-i", "ca"),
                         ["causal"])
        (self.folder / "history file.txt").write_text("")
        self.assertIn("history", offered("awdit", "check", "hist"))

    def test_completions_for_other_shells_have_every_option(self):
        for shell in ("zsh", "fish"):
            done = self.awdit("completions", shell)
            self.assertEqual((done.code, done.err), (0, ""))
            for word in ("isolation", "certificate", "adya-read-committed",
                         "generate", "plain-get"):
                self.assertIn(word, done.out)
            if shutil.which(shell) is not None:
                (self.folder / "c").write_text(done.out)
                subprocess.run([shell, "-n", "c"], cwd=self.folder,
                               check=True, timeout=60)

    def test_an_unknown_shell(self):
        self.assert_run(
            self.awdit("completions", "tcsh"), 2, "",
            "awdit: unknown shell 'tcsh'; known: bash, zsh, fish\n"
            "try awdit completions --help\n")


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
            + ", ".join(LEVELS))

    def test_an_empty_level_is_refused(self):
        self.refused(["check", "-i", "rc,", "x"], "there is an empty name in 'rc,'")

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

    def test_an_empty_value_is_not_the_default(self):
        # As of a variable in a script that was never set.
        for command, option in (
                (["check", "x"], "--time-limit"),
                (["check", "x"], "--memory-limit"),
                (["check", "x"], "--threads"), (["check", "x"], "--limit"),
                (["check", "x"], "--format"), (["check", "x"], "--isolation"),
                (["check", "x"], "--certificate"),
                (["check", "x"], "--report"), (["stats", "x"], "--threads"),
                (["shrink", "x", "y"], "--time-limit"),
                (["convert", "x", "y"], "--to"),
                (["generate"], "--ops"), (["generate"], "--seed"),
                (["generate"], "--out"), (["run"], "--transactions"),
                (["run"], "--duration"), (["run"], "--db"),
                (["record"], "--sessions"), (["record"], "--timeout")):
            for typed in ([option, ""], [option + "="]):
                with self.subTest(command=command, typed=typed):
                    self.assert_run(
                        self.awdit(*command, *typed), 2, "",
                        f"awdit: {option} needs a value; it was given an empty "
                        f"one\ntry awdit {command[0]} --help\n")

    def test_control_characters_in_arguments_are_shown_not_obeyed(self):
        done = self.awdit("check", "-i", "\x1b[2J", "x")
        self.assertEqual(done.code, 2)
        self.assertNotIn("\x1b", done.err)
        self.assertIn(r"\x1b[2J", done.err)


if __name__ == "__main__":
    harness.main()
