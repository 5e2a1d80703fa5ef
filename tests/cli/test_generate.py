"""awdit generate: the same bytes for the same options, the levels asked for,
mistakes explained."""

import hashlib
import json
import re
import signal
import subprocess

import harness
from harness import ROOT, CliTest

GUARANTEES = ["read-your-writes", "monotonic-reads", "monotonic-writes",
              "writes-follow-reads"]
WEAK = ["adya-read-committed", "read-committed", *GUARANTEES, "read-atomic",
        "causal"]
SI = WEAK + ["prefix", "parallel-snapshot-isolation", "snapshot-isolation"]
LEVELS = SI + ["serializable"]
# level -> the levels that hold, the kind that breaks the weakest of the others
CEILINGS = {
    "adya-read-committed": (WEAK[:1], "non-monotonic-read"),
    "read-committed": (WEAK[:2], "read-your-writes-violation"),
    **{name: ([WEAK[0], name], "non-monotonic-read") for name in GUARANTEES},
    "read-atomic": (WEAK[:3] + WEAK[6:7], "monotonic-reads-violation"),
    "causal": (WEAK, "long-fork"),  # and a lost update
    "prefix": (WEAK + ["prefix"], "lost-update"),
    "parallel-snapshot-isolation": (
        WEAK + ["parallel-snapshot-isolation"], "long-fork"),
    "snapshot-isolation": (SI, "write-skew"),
    "serializable": (LEVELS, None)}


class Generate(CliTest):
    def generate(self, *arguments):
        done = self.awdit("generate", *arguments)
        self.assertEqual((done.code, done.err), (0, ""))
        return done.out

    def verdicts(self, *arguments):
        """{level: verdict}, and the kinds of the weakest violated level."""
        done = self.awdit("check", "--json", "-",
                          stdin=self.generate(*arguments))
        value = json.loads(done.out)
        kinds = next((sorted(v["kind"] for v in level["violations"])
                      for level in value["levels"]
                      if level["verdict"] == "violated"), [])
        return ({l["level"]: l["verdict"] for l in value["levels"]}, kinds)


class Bytes(Generate):
    def test_a_small_run(self):
        self.assertEqual(
            self.generate("--transactions", "3", "--sessions", "2", "--keys",
                          "3", "--txn-ops", "2-3"),
            "w(3,1,1,1)\nw(2,2,1,1)\nw(1,3,1,1)\nw(3,4,2,2)\nr(3,4,2,2)\n"
            "w(2,5,2,3)\nr(1,3,2,3)\nr(3,4,2,3)\n")

    def test_a_planted_gadget(self):
        self.assertEqual(
            self.generate("--transactions", "2", "--sessions", "3", "--keys",
                          "3", "--txn-ops", "2", "--level", "ra"),
            "r(3,0,3,1)\nw(2,1,3,1)\nw(1,2,2,2)\nw(3,3,2,2)\nw(4,4,1,3)\n"
            "w(4,5,1,4)\nw(5,6,1,5)\nr(5,6,2,6)\nr(4,4,2,6)\nw(6,7,3,7)\n"
            "w(6,8,3,8)\nr(6,8,1,9)\nw(7,9,1,9)\nr(7,9,2,10)\nr(6,7,2,10)\n"
            "w(8,10,2,11)\nw(8,11,2,12)\nw(9,12,2,12)\nr(9,12,1,13)\n"
            "r(8,10,1,14)\n")

    def test_a_reduction(self):
        self.assertEqual(
            self.generate("--reduction", "ra", "--nodes", "4", "--edges", "2"),
            self.generate("--reduction", "two-session", "--nodes", "4",
                          "--edges", "2", "--seed", "1"))
        self.assertEqual(
            self.generate("--reduction", "rc", "--nodes", "3", "--edges", "2"),
            "w(3,1,1,1)\nw(4,1,1,1)\nw(1,1,1,1)\nw(3,2,1,2)\nw(5,2,1,2)\n"
            "w(2,2,1,2)\nw(1,3,1,3)\nw(6,3,1,3)\nw(2,3,1,3)\nw(7,3,1,3)\n"
            "w(3,3,1,3)\nr(6,3,1,4)\nr(3,3,1,4)\nr(7,3,1,5)\nr(3,3,1,5)\n"
            "r(4,1,1,6)\nr(5,2,1,6)\nr(1,1,1,6)\nr(2,2,1,6)\n")

    def test_the_same_options_give_the_same_bytes_with_any_threads(self):
        for options in ([], ["--distribution", "zipf:1.2"],
                        ["--distribution", "hotspot:10%:90%"],
                        ["--order", "session", "--level", "rc"],
                        ["--reduction", "range"]):
            first = self.generate(*options, "--threads", "1")
            self.assertEqual(first, self.generate(*options, "--threads", "3"))
            self.assertEqual(first, self.generate(*options, "--seed", "1"))
            self.assertNotEqual(first, self.generate(*options, "--seed", "2"))

    def test_bytes_do_not_change_from_release_to_release(self):
        def digest(*options):
            text = self.generate(*options)
            return hashlib.sha256(text.encode()).hexdigest()[:16]
        self.assertEqual(
            [digest(), digest("--distribution", "zipf"),
             digest("--distribution", "hotspot", "--reads", "80%"),
             digest("--anomaly", "lost-update,long-fork", "--seed", "42"),
             digest("--reduction", "range", "--triangle")],
            DIGESTS)

    def test_numbers_may_be_written_in_many_ways(self):
        plain = self.generate("--ops", "2000", "--reads", "0.25")
        self.assertEqual(plain.count("\n"), 2000)
        for ops in ("2k", "2e3", "0.2e4", "2.0k"):
            self.assertEqual(plain, self.generate("--ops", ops, "--reads",
                                                  "25%"))


# Pinned on purpose: who names an input by its options must get it back.
DIGESTS = ["096882a28d193bc4",
           "27b9b34f97f6d46a",
           "ac490587e350e008",
           "f4849972fbd55562",
           "f1257346279a0307"]


class Levels(Generate):
    def test_every_level_that_is_decided_can_be_asked_for(self):
        for name in LEVELS:
            self.assertIn(name, CEILINGS)
        for name, (holding, planted) in CEILINGS.items():
            for seed in ("1", "2", "3"):
                with self.subTest(level=name, seed=seed):
                    found, kinds = self.verdicts("--level", name, "--seed",
                                                 seed, "--transactions", "50")
                    self.assertEqual(
                        found, {level: "holds" if level in holding
                                else "violated" for level in LEVELS})
                    self.assertEqual(kinds, [planted] if planted else [])

    def test_levels_about_real_time_cannot(self):
        for alias, name in (("sser", "strict-serializable"),
                            ("strong-si", "strong-snapshot-isolation")):
            self.assert_run(
                self.awdit("generate", "--level", alias), 2, "",
                f"awdit: {name} needs times, which generated histories do not "
                "have\ntry awdit generate --help\n")

    def test_levels_go_by_the_names_that_check_knows(self):
        for alias, name in (("arc", "adya-read-committed"),
                            ("rc", "read-committed"), ("ra", "read-atomic"),
                            ("cc", "causal"), ("pc", "prefix"),
                            ("psi", "parallel-snapshot-isolation"),
                            ("si", "snapshot-isolation"),
                            ("ser", "serializable")):
            self.assertEqual(self.generate("--level", alias),
                             self.generate("--level", name))

    def test_anomalies_can_be_planted_together(self):
        _, kinds = self.verdicts("--anomaly", "future-read,thin-air-read",
                                 "--anomaly", "thin-air-read")
        self.assertEqual(kinds, ["future-read", "thin-air-read",
                                 "thin-air-read"])

    def test_reductions_break_only_with_a_triangle(self):
        for reduction, levels in (("range", ["read-committed", "read-atomic", "causal"]),
                                  ("ra", ["read-atomic"]),
                                  ("rc", ["read-committed"])):
            for triangle, verdict in ((["--triangle"], "violated"),
                                      ([], "holds")):
                found, _ = self.verdicts("--reduction", reduction, "--nodes",
                                         "30", *triangle)
                self.assertEqual({found[level] for level in levels}, {verdict})


class Output(Generate):
    def test_a_file_is_what_standard_output_would_be(self):
        self.assert_run(self.awdit("generate", "-o", "out.txt"), 0, "")
        self.assertEqual((self.folder / "out.txt").read_text(),
                         self.generate())

    def test_a_compressed_file_can_be_checked(self):
        self.assert_run(self.awdit("generate", "-o", "out.txt.gz"), 0, "")
        self.assertEqual((self.folder / "out.txt.gz").read_bytes()[:2],
                         b"\x1f\x8b")
        self.assertEqual(self.awdit("check", "out.txt.gz").code, 0)

    def test_another_format(self):
        done = self.awdit("generate", "--format", "awdit-test",
                          "--transactions", "1", "--keys", "1", "--reads", "0",
                          "--txn-ops", "2", "--sessions", "1")
        self.assert_run(done, 0, "w 1 1\nw 1 2\n",
                        "<stdout>: lost in awdit-test: the ids of "
                        "transactions\n")

    def test_what_the_format_cannot_hold_is_named(self):
        done = self.awdit("generate", "--aborted", "50%", "--transactions",
                          "10", "-o", "out.txt")
        self.assertEqual((done.code, done.out), (0, ""))
        self.assertRegex(done.err, r"^out.txt: lost in plume: the identity of "
                                   r"\d aborted transactions")

    def test_a_failure_leaves_nothing_behind(self):
        self.assert_run(
            self.awdit("generate", "-o", "no/such/folder.txt"), 2, "",
            "no/such/folder.txt: the output cannot be written: No such file "
            "or directory\n"
            "Name a file in a directory that you may write to.\n")
        self.file("old.txt", "precious")
        done = self.awdit("generate", "-o", "old.txt", "--ops", "x")
        self.assertEqual(done.code, 2)
        self.assertEqual((self.folder / "old.txt").read_text(), "precious")
        self.assertEqual(self.files(), ["old.txt"])

    def test_a_signal_leaves_nothing_half_written(self):
        process = subprocess.Popen(
            [harness.BINARY, "generate", "--ops", "200M", "-o", "out.txt"],
            cwd=self.folder)
        self.wait_for_outputs(process, 1)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertEqual(self.files(), [])

    def test_a_reader_who_leaves_is_not_an_error(self):
        process = subprocess.Popen(
            [harness.BINARY, "generate", "--ops", "300k"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(10)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), 0)


class Help(Generate):
    def test_help_names_every_anomaly_level_and_reduction(self):
        done = self.awdit("generate", "--help")
        self.assertEqual((done.code, done.err), (0, ""))
        anomalies = re.findall(r"(?m)^(\S+)",
                               self.awdit("list", "anomalies").out)
        # Made histories have no times.
        anomalies.remove("real-time-violation")
        for word in (*anomalies, *CEILINGS, "range", "--seed", "(default 1)",
                     "Examples:"):
            self.assertIn(word, done.out)
        self.assertNotIn("\n\n\n", done.out)

    def test_the_document_shows_every_gadget_as_it_is(self):
        page = (ROOT / "docs" / "generate.md").read_text()
        source = (ROOT / "src/generate/gadgets.cpp").read_text()
        rows = re.findall(
            r'\.name = "([^"]+)",.*?\.script =((?:\s*"[^"]*")+),\s*'
            r'\.breaks = \{([^}]*)\}', source, re.S)
        self.assertGreaterEqual(len(rows), 20)
        shown = re.findall(r"(?m)^\| `([a-z0-9-]+)` \| (s1: .*) \| (.+) \|$",
                           page)
        self.assertEqual(shown, [
            (name, "".join(re.findall(r'"([^"]*)"', script))
             .replace("\\n", " · ").replace("|", "\\|"),
             breaks.replace('"', "").replace("adya-read-committed", "all"))
            for name, script, breaks in rows])


class Mistakes(Generate):
    def refused(self, arguments, message):
        self.assert_run(self.awdit("generate", *arguments), 2, "",
                        f"awdit: {message}\ntry awdit generate --help\n")

    def test_what_is_no_number(self):
        for option in ("--sessions", "--transactions", "--ops", "--keys",
                       "--seed"):
            for typed in ("x", "-1", "1.5", "", "1e99"):
                self.refused(
                    [f"{option}={typed}"] if typed else [option, "ten"],
                    f"{option} takes a whole number, such as 10, 5k or 1e6; "
                    f"found '{typed or 'ten'}'")
        self.refused(["--keys", "5G"],
                     "--keys 5G is more than any history can hold")

    def test_numbers_out_of_range(self):
        self.refused(["--sessions", "0"], "the number of sessions must be from "
                                          "1 to 10,000,000; found 0")
        self.refused(["--keys", "0"], "the number of keys must be from 1 to "
                                      "1,000,000,000; found 0")
        self.refused(["--transactions", "0"],
                     "the number of transactions must be from 1 to "
                     "2,000,000,000; found 0")
        self.refused(["--ops", "0"], "--ops must be at least 1; found 0")
        self.refused(["--ops", "5G"],
                     "that may be up to 5,000,000,000 operations; a history "
                     "has at most 4,000,000,000")
        self.refused(["--transactions", "1G"],
                     "that may be up to 12,000,000,000 operations; a history "
                     "has at most 4,000,000,000")

    def test_sizes_of_transactions(self):
        self.refused(["--txn-ops", "a-b"],
                     "--txn-ops takes a whole number or two, such as 8 or "
                     "4-12; found 'a-b'")
        self.refused(["--txn-ops", "5-2"],
                     "transactions have at least 5 and at most 2 operations: "
                     "the first must not be the larger one")
        self.refused(["--txn-ops", "0-2"],
                     "the number of operations per transaction must be from 1 "
                     "to 1,000,000,000; found 0")

    def test_shares(self):
        self.refused(["--reads", "half"], "--reads takes a share, such as 0.25 "
                                          "or 25%; found 'half'")
        self.refused(["--reads", "150%"],
                     "the share of reads must be from 0 to 1; found 1.5")
        self.refused(["--aborted", "80%", "--unknown", "0.5"],
                     "the shares of aborted transactions and of those with "
                     "unknown outcome add up to 1.3, more than 1")

    def test_distributions(self):
        for typed in ("zip", "zipf:", "zipf:x", "uniform:1", "hotspot:1",
                      "hotspot:1:2:3", ""):
            if typed:
                self.refused(["--distribution", typed],
                             "--distribution takes uniform, zipf:THETA or "
                             f"hotspot:KEYS:ACCESSES; found '{typed}'")
        self.refused(["--distribution", "zipf:11"],
                     "the skew of zipf must be from 0 to 10; found 11")
        self.refused(["--distribution", "hotspot:2:0.5"],
                     "the share of hot keys must be from 0 to 1; found 2")

    def test_names(self):
        self.refused(["--level", "casual"],
                     "unknown level 'casual'; did you mean 'causal'? Known: "
                     + ", ".join([*CEILINGS, "strong-snapshot-isolation",
                                  "strict-serializable"]))
        done = self.awdit("generate", "--anomaly", "lost-updat")
        self.assertEqual(done.code, 2)
        self.assertIn("unknown anomaly 'lost-updat'; did you mean "
                      "'lost-update'? Known: thin-air-read, ", done.err)
        self.refused(["--reduction", "rb"],
                     "unknown reduction 'rb'; did you mean 'ra'? Known: "
                     "range, ra, rc")
        self.refused(["--order", "random"],
                     "--order takes time or session; found 'random'")

    def test_gadgets_that_do_not_fit(self):
        self.refused(["--anomaly", "lost-update", "--sessions", "1"],
                     "lost-update needs 2 sessions; found 1")
        self.refused(["--anomaly", "incompatible-order"],
                     "incompatible-order needs a history of lists")

    def test_lists_need_a_format_that_holds_them(self):
        done = self.awdit("generate", "--lists", "--format", "plume")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith("awdit: plume cannot hold lists; "),
                        done.err)

    def test_options_that_do_not_go_together(self):
        self.refused(["--transactions", "5", "--ops", "9"],
                     "--transactions and --ops cannot be combined: one follows "
                     "from the other")
        self.refused(["--level", "rc", "--anomaly", "lost-update"],
                     "--isolation and --anomaly cannot be combined: both say "
                     "what breaks")
        self.refused(["--list-length", "5"],
                     "--list-length works only with --lists")
        self.refused(["--nodes", "5"], "--nodes works only with --reduction")
        self.refused(["--triangle"], "--triangle works only with --reduction")
        self.refused(["--reduction", "ra", "--keys", "5"],
                     "--keys cannot be combined with --reduction")
        self.refused(["--reduction", "ra", "--level", "rc"],
                     "--isolation cannot be combined with --reduction")

    def test_graphs(self):
        self.refused(["--reduction", "ra", "--nodes", "2"],
                     "the number of nodes must be from 3 to 10,000,000; "
                     "found 2")
        self.refused(["--reduction", "ra", "--nodes", "10", "--edges", "26"],
                     "a triangle-free graph of 10 nodes has at most 25 edges; "
                     "found 26")


if __name__ == "__main__":
    harness.main()
