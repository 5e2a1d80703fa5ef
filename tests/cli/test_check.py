"""Verdicts: exit codes, the ladder, the findings, the sentence."""

import json
import re

import harness
from harness import CliTest

HOLDS = "w(1,1,1,1)\nr(1,1,2,2)\n"
FRACTURED = "w(1,1,1,1)\nw(1,2,1,2)\nw(2,2,1,2)\nr(1,1,2,3)\nr(2,2,2,3)\n"
ABORTED = "w(1,1,1,-1)\nr(1,1,2,2)\n"
FRACTURED_AND_LONG_FORK = FRACTURED + (
    "w(5,5,3,5)\nw(6,6,4,6)\nr(5,5,5,7)\nr(6,0,5,7)\nr(5,0,6,8)\n"
    "r(6,6,6,8)\n")
# So many pairs, each on keys of its own.
WRITE_SKEWS = "".join(
    f"r({k},0,1,{k})\nw({k + 1},{k},1,{k})\n"
    f"r({k + 1},0,2,{k + 1})\nw({k},{k + 1},2,{k + 1})\n"
    for k in range(1, 301, 2))


class PartsOfOneHistory(CliTest):
    PARTS = {"a.jsonl": '{"session":1,"ops":[["w","x",1],["r","y",2]]}\n',
             "b.jsonl": '{"session":2,"ops":[["w","y",2],["r","x",1]]}\n'}
    SENTENCE = ("values that nobody wrote here, such as {}, are written in "
                "{}: are these files parts of one history? Check them together "
                "with --join.")

    def setUp(self):
        super().setUp()
        for name, text in self.PARTS.items():
            self.file(name, text)

    def test_are_recognised_on_the_command_line_and_beside_each_other(self):
        for paths in (("a.jsonl", "b.jsonl"), ("a.jsonl",)):
            done = self.awdit("check", *paths)
            self.assertEqual(done.code, 1)
            self.assertIn("a.jsonl: warning: "
                          + self.SENTENCE.format("y=2", "b.jsonl"), done.err)
            self.assertEqual("b.jsonl: warning: " in done.err, len(paths) == 2)
        done = self.awdit("check", "--json", str(self.folder / "b.jsonl"))
        self.assertEqual(json.loads(done.out)["warnings"],
                         [self.SENTENCE.format(
                             "x=1", self.folder / "a.jsonl")])

    def test_are_no_question_if_they_are_joined_or_strangers(self):
        self.assertEqual(self.awdit("check", "--join", "a.jsonl",
                                    "b.jsonl").err, "")
        self.file("b.jsonl", '{"session":2,"ops":[["w","y",3]]}\n')
        self.file("c.txt", "w(1,1,1,1)\n")
        self.file("d.jsonl", "no history\n")
        self.assertEqual(self.awdit("check", "a.jsonl").err, "")


class ExitCodes(CliTest):
    def test_0_if_every_level_asked_for_holds(self):
        self.file("h", HOLDS)
        self.assertEqual(self.awdit("check", "h").code, 0)
        self.file("h", FRACTURED)
        self.assertEqual(self.awdit("check", "-i", "rc", "h").code, 0)

    def test_1_if_some_level_asked_for_is_violated(self):
        self.file("h", FRACTURED)
        self.assertEqual(self.awdit("check", "h").code, 1)
        self.assertEqual(self.awdit("check", "-i", "rc,ra", "h").code, 1)

    def test_2_if_nothing_can_be_concluded(self):
        self.assertEqual(self.awdit("check", "nowhere").code, 2)
        self.file("h", "w(1,1,1,1)\nw(1,1,2,2)\n")
        self.assertEqual(self.awdit("check", "h").code, 2)


class Ladder(CliTest):
    def levels_of(self, done):
        return [line.split()[0] for line in done.out.splitlines()
                if line.startswith("  ") and line[2:3].strip()
                and line.split()[1] in ("holds", "VIOLATED")]

    def test_every_level_is_decided_if_none_is_named(self):
        self.file("h", HOLDS)
        everything = self.awdit("check", "h")
        self.assertEqual(self.levels_of(everything),
                         ["adya-read-committed", "read-committed",
                          "read-your-writes", "monotonic-reads",
                          "monotonic-writes", "writes-follow-reads",
                          "read-atomic", "causal", "prefix",
                          "parallel-snapshot-isolation", "snapshot-isolation",
                          "serializable"])
        self.assertEqual(self.awdit("check", "-i", "all", "h").out,
                         everything.out)

    def test_levels_are_named_with_commas_repeated_options_and_aliases(self):
        self.file("h", HOLDS)
        for arguments in (["-i", "rc,cc"], ["-i", "cc", "-i", "rc"],
                          ["-i", "tcc,read-committed,rc"],
                          ["--isolation=causal,rc"]):
            done = self.awdit("check", *arguments, "h")
            self.assertEqual(self.levels_of(done),
                             ["read-committed", "causal"], arguments)

    def test_a_clean_verdict_says_what_was_checked(self):
        self.file("h", HOLDS)
        self.assert_run(
            self.awdit("check", "h"), 0,
            "h  plume  2 sessions  2 transactions  2 operations\n"
            "\n"
            "  adya-read-committed           holds\n"
            "  read-committed                holds\n"
            "  read-your-writes              holds\n"
            "  monotonic-reads               holds\n"
            "  monotonic-writes              holds\n"
            "  writes-follow-reads           holds\n"
            "  read-atomic                   holds\n"
            "  causal                        holds\n"
            "  prefix                        holds\n"
            "  parallel-snapshot-isolation   holds\n"
            "  snapshot-isolation            holds\n"
            "  serializable                  holds\n"
            "\n"
            "Checked: 1 read by 2 committed transactions on 1 key.\n"
            "Every level asked for holds; the strongest: serializable.\n")

    def test_a_history_without_reads_shows_nothing(self):
        self.file("h", "w(1,1,1,1)\n")
        self.assertEqual(
            self.awdit("check", "h").out.splitlines()[-2],
            "Checked: 1 committed transaction without a single read, so "
            "nothing could be seen to break.")

    def test_a_finding_is_shown_once_and_remarked_upon_above(self):
        self.file("h", ABORTED)
        self.assert_run(
            self.awdit("check", "h"), 1,
            "h  plume  2 sessions  2 transactions  2 operations\n"
            "1 transaction aborted; nobody may read what it wrote.\n"
            "\n"
            "  adya-read-committed           VIOLATED   1 aborted read\n"
            "  read-committed                VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  read-your-writes              VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  monotonic-reads               VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  monotonic-writes              VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  writes-follow-reads           VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  read-atomic                   VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  causal                        VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  prefix                        VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  parallel-snapshot-isolation   VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  snapshot-isolation            VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "  serializable                  VIOLATED   "
            "1 aborted read (from adya-read-committed)\n"
            "\n"
            "Aborted read on key 1\n"
            "aborted-read; dirty read; Adya: G1a; Elle: G1a, dirty update; "
            "Plume: aborted\n"
            "read (TAP-b)\n"
            "\n"
            "  t2 read 1=1 from s1.aborted, which was aborted.\n"
            "\n"
            "    s1.1  s1.aborted  W 1=1   (aborted)        line 1\n"
            "    s2.1  t2          R 1=1 (from s1.aborted)  line 2\n"
            "\n"
            "  1. s1.aborted wrote 1=1 and aborted, so that it never took "
            "effect.\n"
            "  2. t2 read 1=1 from s1.aborted.\n"
            "  What was rolled back must not be seen by anyone.\n"
            "\n"
            "  Breaks adya-read-committed and all stronger levels.\n"
            "\n"
            "In these words:\n"
            "  aborted  rolled back: its writes must never be seen\n"
            "\n"
            "See it: --report out.html   Learn more: awdit explain "
            "aborted-read\n"
            "No level asked for holds; the weakest: adya-read-committed.\n")

    def test_no_level_is_said_to_allow_what_was_not_decided(self):
        self.file("h", ABORTED)
        done = self.awdit("check", "-i", "causal", "h")
        self.assertIn("  Breaks adya-read-committed and all stronger levels.\n",
                      done.out)
        self.assertNotIn("Allowed", done.out)

    def test_a_stronger_level_has_violations_of_its_own(self):
        self.file("h", FRACTURED_AND_LONG_FORK)
        done = self.awdit("check", "h")
        self.assertIn("\n  prefix                        VIOLATED   1 fractured "
                      "read (from read-atomic); 1 long fork of its own\n",
                      done.out)
        self.assertIn("\n  parallel-snapshot-isolation   VIOLATED   1 fractured "
                      "read (from read-atomic)\n", done.out)
        self.assertIn("\nSet aside to look further at stronger levels: ",
                      done.out)
        done = self.awdit("check", "--only-first-level", "h")
        self.assertIn("\n  prefix                        VIOLATED   because "
                      "read-atomic is\n", done.out)
        self.assertNotIn("fork", done.out)

    def test_the_sections_add_up_to_the_table(self):
        """A kind that two levels have, on the same keys in the same
        sessions."""
        for seed in range(3):
            done = self.awdit(
                "run", "--db", "simulated", "--set", "bug=causal", "-w",
                "chain", "--transactions", "300", "--sessions", "3", "--seed",
                str(seed), "--limit", "0")
            table, told = {}, {}
            for line in done.out.splitlines():
                verdict = re.fullmatch(r"  (\S+) +VIOLATED   (.*)", line)
                if verdict:
                    own = verdict[2].split("; ")[-1]
                    if own.endswith(")"):
                        continue
                    for part in own.removesuffix(" of its own").split(", "):
                        number, kind = part.split(" ", 1)
                        kind = kind.removesuffix("s").lower()
                        table[kind] = table.get(kind, 0) + int(number)
                section = re.fullmatch(
                    r"([A-Z][A-Za-z0-9 -]+) on \d* ?keys? .*?"
                    r"(?:  \((\d+) like this.*)?", line)
                if section:
                    kind = section[1].lower()
                    told[kind] = told.get(kind, 0) + int(section[2] or 1)
            self.assertEqual(table, told)
            self.assertTrue(table)

    def test_every_violation_is_counted(self):
        self.file("h", WRITE_SKEWS)
        done = self.awdit("check", "-i", "si,ser", "h")
        self.assertIn("  serializable         VIOLATED   150 write skews\n",
                      done.out)
        level = json.loads(self.awdit("check", "--json", "-i", "ser",
                                      "h").out)["levels"][0]
        self.assertEqual(len(level["violations"]), 150)
        self.assertNotIn("more", level)

    def test_one_level_gives_one_plain_sentence(self):
        self.file("h", FRACTURED)
        self.assertEqual(
            self.awdit("check", "-i", "rc", "h").out.splitlines()[-1],
            "read-committed holds.")
        self.assertEqual(
            self.awdit("check", "-i", "ra", "h").out.splitlines()[-1],
            "read-atomic is violated.")


class Manners(CliTest):
    def test_quiet_leaves_only_the_exit_code(self):
        self.file("good", "w(1,1,1,1)\nr(1,1,2,2)\n")
        self.file("bad", FRACTURED)
        self.assert_run(self.awdit("check", "-q", "good"), 0, "")
        self.assert_run(self.awdit("check", "--quiet", "bad", "good"), 1, "")
        done = self.awdit("check", "-q", "none")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("there is no such file", done.err)

    def test_quiet_still_writes_files(self):
        self.file("bad", FRACTURED)
        self.assert_run(
            self.awdit("check", "-q", "--report", "r.json", "bad"), 1, "")
        self.assertEqual((self.folder / "r.json").read_text(),
                         self.awdit("check", "--json", "bad").out)

    def test_verbose_says_what_took_how_long(self):
        self.file("h", FRACTURED)
        done = self.awdit("check", "-v", "--threads", "1", "h")
        self.assertEqual(done.out, self.awdit("check", "h").out)
        self.assertRegex(
            done.err, r"^h: read 5 operations in \d+\.\d\d s and checked 12 "
            r"levels in \d+\.\d\d s with 1 thread; peak memory \d+ MB\n$")

    def test_quiet_and_verbose_exclude_each_other(self):
        self.file("h", FRACTURED)
        self.assert_run(
            self.awdit("check", "-q", "--verbose", "h"), 2, "",
            "awdit: --quiet and --verbose cannot be combined\n"
            "try awdit check --help\n")

    def test_quiet_leaves_what_is_asked_for_by_name(self):
        self.file("h", FRACTURED)
        for asked in (["--json"], ["--output", "json"], ["-o", "json"]):
            self.assert_run(self.awdit("check", "-q", *asked, "h"), 1,
                            self.awdit("check", "--json", "h").out)


class Findings(CliTest):
    def thin_air(self, reads):
        """Findings on as many keys."""
        self.file("h", "w(1,1,1,1)\n" + "".join(
            f"r({i + 1},100,2,{i + 2})\n" for i in range(reads)))

    def blocks(self, done):
        return done.out.count("\nThin air read on key ")

    def test_those_alike_are_shown_once_and_counted(self):
        self.file("h", "w(1,1,1,1)\n" + "".join(
            f"r(1,{i + 100},2,{i + 2})\n" for i in range(5)))
        done = self.awdit("check", "-i", "rc", "h")
        self.assertEqual(self.blocks(done), 1)
        self.assertIn("\nThin air read on key 1  (5 like this: same keys, same "
                      "sessions)\n", done.out)
        self.assertIn("5 thin air reads", done.out)

    def test_three_findings_of_a_kind_are_shown_and_the_rest_counted(self):
        self.thin_air(5)
        done = self.awdit("check", "-i", "rc", "h")
        self.assertEqual(self.blocks(done), 3)
        self.assertIn("\n... and 2 thin air reads on other keys or in other "
                      "sessions (--limit 0 shows\nall).\n", done.out)
        self.assertIn("5 thin air reads", done.out)

    def test_limit_sets_how_many_are_shown(self):
        self.thin_air(5)
        for limit, shown in (("1", 1), ("4", 4), ("5", 5), ("9", 5), ("0", 5)):
            done = self.awdit("check", "-i", "rc", "--limit", limit, "h")
            self.assertEqual(self.blocks(done), shown)
            self.assertEqual("on other keys" in done.out, shown < 5)

    def test_first_stops_at_the_first(self):
        self.thin_air(5)
        done = self.awdit("check", "-i", "rc", "--first", "h")
        self.assertEqual((done.code, self.blocks(done)), (1, 1))
        self.assertIn("1 thin air read (stopped at the first)", done.out)

    def test_large_transactions_are_cut_to_what_matters(self):
        writes = "".join(f"w({i},1,1,1)\n" for i in range(1, 1001))
        self.file("h", "w(1,7,1,0)\n" + writes + "r(1,7,2,2)\nr(500,1,2,2)\n")
        done = self.awdit("check", "-i", "ra", "h")
        self.assertEqual(done.code, 1)
        self.assertIn("W 1=1   W 500=1   ... 998 more operations", done.out)

    def test_a_long_circle_is_cut_in_the_middle(self):
        n = 5000
        self.file("h", "".join(f"r({i},1,{i},{i})\nw({(i + 1) % n},1,{i},{i})\n"
                               for i in range(n)))
        done = self.awdit("check", "-i", "adya-read-committed", "h")
        self.assertEqual(done.code, 1)
        self.assertLess(len(done.out.splitlines()), 60)
        self.assertIn(f"... {n - 12} transactions ...", done.out)
        self.assertIn(f"... {n - 12} steps ...", done.out)

    def test_a_read_of_the_initial_value_after_an_own_write_is_found(self):
        self.example("own_write_missed.txt")
        done = self.awdit("check", "own_write_missed.txt")
        self.assertEqual(done.code, 1)
        self.assertEqual(
            done.out.splitlines()[-1],
            "Strongest levels that hold: read-committed, monotonic-reads, "
            "monotonic-writes and writes-follow-reads. "
            "Weakest that breaks: read-your-writes.")


class SeveralHistories(CliTest):
    def setUp(self):
        super().setUp()
        self.file("good", HOLDS)
        self.file("bad", FRACTURED)
        self.file("junk", "hello\n")

    def test_each_gets_one_line_in_the_order_given(self):
        done = self.awdit("check", "bad", "good")
        self.assert_run(
            done, 1,
            "bad: Strongest levels that hold: read-committed, "
            "read-your-writes, monotonic-reads, monotonic-writes and "
            "writes-follow-reads. "
            "Weakest that breaks: read-atomic.\n"
            "good: Every level asked for holds; the strongest: "
            "serializable.\n")

    def test_an_unreadable_one_does_not_stop_the_others(self):
        done = self.awdit("check", "bad", "nowhere", "good")
        self.assertEqual(done.code, 2)
        self.assertEqual(
            done.out,
            "bad: Strongest levels that hold: read-committed, "
            "read-your-writes, monotonic-reads, monotonic-writes and "
            "writes-follow-reads. "
            "Weakest that breaks: read-atomic.\n"
            "nowhere: no verdict: there is no such file.\n"
            "good: Every level asked for holds; the strongest: "
            "serializable.\n")
        self.assertEqual(done.err,
                         "nowhere: there is no such file\n"
                         "Check the path; use - to read standard input.\n")

    def test_the_exit_code_is_the_worst(self):
        for paths, code in (("good good", 0), ("good bad", 1), ("bad good", 1),
                            ("bad junk", 2), ("junk bad good", 2)):
            self.assertEqual(self.awdit("check", *paths.split()).code, code,
                             paths)

    def test_standard_input_may_be_one_of_them(self):
        done = self.awdit("check", "good", "-", stdin=FRACTURED)
        self.assertEqual(done.code, 1)
        self.assertTrue(done.out.splitlines()[1].startswith("<stdin>: "))


class Threads(CliTest):
    def test_the_output_does_not_depend_on_their_number(self):
        lines = []
        for i in range(1, 1500):
            lines.append(f"w({i % 50},{i},{i % 13},{i})\n")
            lines.append(f"r({(i * 7) % 50},{max(i - 60, 0)},{i % 13},{i})\n")
        self.file("h", "".join(lines))
        for arguments in (["--limit", "0"], ["--json"], ["--json", "--first"]):
            runs = [self.awdit("check", *arguments, "--threads", n, "h")
                    for n in ("1", "2", "7")]
            self.assertEqual(runs[0].code, 1)
            for run in runs[1:]:
                self.assertEqual((run.code, run.out, run.err),
                                 (runs[0].code, runs[0].out, runs[0].err))


class InitialValues(CliTest):
    """Thin air that looks like a forgotten initial value."""

    def warning(self, name, content):
        self.file(name, content)
        done = self.awdit("check", "-i", "rc", name)
        self.assertEqual(done.code, 1)
        return done.err

    def test_of_awdit_jsonl_is_said_in_the_header(self):
        line = '{"session": 1, "id": 7, "ops": [["r", "x", %s]]}\n'
        for value, shown in (("0", "0"), ('""', '""')):
            with self.subTest(value):
                header = '{"awdit": 1, "initial": %s}' % value
                self.assertEqual(
                    self.warning("h.jsonl", line % value),
                    f"h.jsonl: warning: t7 read x={shown}, which nobody wrote. "
                    "If that is what keys hold before anybody writes them, say "
                    "so in the header, the first line of the file: "
                    f"{header}.\n")
                # Doing so helps.
                self.file("h.jsonl", header + "\n" + line % value)
                done = self.awdit("check", "-i", "rc", "h.jsonl")
                self.assertEqual((done.code, done.err), (0, ""))
        header = '{"awdit": 1, "initial": 0}\n'
        self.assertIn('the first line of the file: {"awdit": 1, "initial": '
                      'null}', self.warning("h.jsonl", header + line % "null"))

    def test_of_other_formats(self):
        self.assertIn("let the first transaction write it to every key",
                      self.warning("h.txt", "r 1 0\n"))
        self.assertIn(
            "convert the history to awdit-jsonl and say so in its first line",
            self.warning("h.edn", "{:type :ok, :process 0, :f :txn, "
                                  ":value [[:r :x 0]], :index 0}\n"))

    def test_other_values_are_no_initial_ones(self):
        self.assertEqual(
            self.warning("h.jsonl",
                         '{"session": 1, "id": 7, "ops": [["r", "x", 7]]}\n'),
            "")


if __name__ == "__main__":
    harness.main()
