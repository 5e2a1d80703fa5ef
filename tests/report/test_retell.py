"""awdit report: from a certificate to any report, without a check."""

import json
import shutil

import formats
from formats import HERE
import harness
from harness import ROOT, CliTest

ENDINGS = ("txt", "json", "md", "xml", "sarif", "edn", "dot", "svg")


class Retold(CliTest):
    def test_the_same_as_the_check_said(self):
        cases = [p / "history.jsonl" for p in (HERE / "golden").iterdir()]
        cases += sorted((ROOT / "examples").glob("*.txt"))
        for path in cases:
            name = "h" + path.suffix
            shutil.copy(path, self.folder / name)
            said = [f"--report=said.{ending}" for ending in ENDINGS]
            told = [f"--report=told.{ending}" for ending in ENDINGS]
            checked = self.awdit("check", "--certificate", "proof", name,
                                 *said)
            self.assertIn(checked.code, (0, 1), checked.err)
            self.assert_run(self.awdit("report", "proof", *told), 0,
                            checked.out)
            for ending in ENDINGS:
                with self.subTest(f"{path} {ending}"):
                    self.assertEqual(
                        (self.folder / f"told.{ending}").read_text(),
                        (self.folder / f"said.{ending}").read_text())

    def test_standard_output(self):
        self.example("aborted.txt")
        self.awdit("check", "--certificate", "proof", "aborted.txt")
        for report in ("text", "json", "markdown", "junit", "sarif", "edn",
                       "dot", "svg"):
            with self.subTest(report):
                self.assert_run(
                    self.awdit("report", "proof", "--output", report), 0,
                    self.awdit("check", "--output", report, "aborted.txt").out)

    def test_files_limits_and_first(self):
        self.example("aborted.txt")
        self.awdit("check", "--first", "--certificate", "proof",
                   "aborted.txt")
        done = self.awdit("report", "proof", "--report", "r.md", "--report",
                          "r.json", "--limit", "1")
        self.assertEqual(done.code, 0, done.err)
        self.assertIn("(stopped at the first)", done.out)
        [value] = formats.read_json((self.folder / "r.json").read_text())
        self.assertIs(value["stopped_at_first"], True)

    def test_joined_histories_are_found_again(self):
        self.file("a.jsonl", '{"session": 1, "ops": [["w","x",1]]}\n')
        self.file("b.jsonl", '{"session": 2, "ops": [["r","x",2]]}\n')
        checked = self.awdit("check", "--join", "--certificate", "proof",
                             "a.jsonl", "b.jsonl")
        self.assertEqual(checked.code, 1, checked.err)
        self.assertEqual(self.awdit("report", "proof").out, checked.out)

    def test_the_format_that_was_named_is_used_again(self):
        self.file("h", "r 1 0\n")
        self.awdit("check", "-f", "awdit-test", "--certificate", "proof", "h")
        made = json.loads((self.folder / "proof").read_text())
        self.assertEqual(made["history"]["paths"], ["h"])
        self.assertEqual(made["history"]["format"], "awdit-test")
        self.assertEqual(self.awdit("report", "proof").code, 0)


class Refused(CliTest):
    def setUp(self):
        super().setUp()
        self.example("causal.txt")
        self.awdit("check", "--certificate", "proof", "causal.txt")
        self.proof = json.loads((self.folder / "proof").read_text())

    def rewrite(self):
        self.file("proof", json.dumps(self.proof))

    def test_a_certificate_that_does_not_verify(self):
        edges = self.proof["levels"][5]["violations"][0]["edges"]
        edges[-1]["read"] = 0
        self.rewrite()
        done = self.awdit("report", "proof", "--report", "r.md")
        self.assertEqual((done.code, done.out), (1, ""))
        self.assertTrue(done.err.startswith("proof: writes-follow-reads is not proven: "),
                        done.err)
        self.assertEqual(self.files(), ["causal.txt", "proof"])

    def test_the_certificate_of_another_history(self):
        self.example("fractured.txt")
        done = self.awdit("report", "fractured.txt", "proof")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("this is not the certificate of fractured.txt",
                      done.err)

    def test_old_certificates_name_no_history(self):
        del self.proof["history"]["paths"], self.proof["history"]["format"]
        self.rewrite()
        done = self.awdit("report", "proof")
        self.assert_run(
            done, 2, "",
            "proof: the certificate does not say which history it was made "
            "for\nName it: awdit report HISTORY proof.\n")
        named = self.awdit("report", "causal.txt", "proof")
        self.assertEqual(named.code, 0)
        self.assertEqual(self.awdit("verify", "causal.txt", "proof").code, 0)

    def test_a_history_from_standard_input(self):
        data = (self.folder / "causal.txt").read_bytes()
        self.awdit("check", "--certificate", "proof", "-", stdin=data)
        done = self.awdit("report", "proof")
        self.assertEqual(done.code, 2)
        self.assertIn("was made for standard input", done.err)
        self.assertEqual(self.awdit("report", "-", "proof", stdin=data).code,
                         0)

    def test_a_history_that_moved(self):
        (self.folder / "causal.txt").rename(self.folder / "elsewhere")
        self.assertEqual(self.awdit("report", "proof").code, 2)
        self.assertEqual(self.awdit("report", "elsewhere", "proof").code, 0)

    def test_neither_input_is_overwritten(self):
        shutil.move(self.folder / "proof", self.folder / "proof.json")
        done = self.awdit("report", "proof.json", "--report", "proof.json")
        self.assertEqual(done.code, 2)
        self.assertIn("would overwrite", done.err)
        done = self.awdit("report", "proof.json", "--report", "causal.txt")
        self.assertEqual(done.code, 2)

    def test_either_order_is_understood(self):
        proof = (self.folder / "proof").read_bytes()
        history = (self.folder / "causal.txt").read_bytes()
        for command, code in (("report", 0), ("verify", 0)):
            told = self.awdit(command, "causal.txt", "proof")
            self.assertEqual((told.code, told.err), (code, ""))
            for order, stdin in ((["proof", "causal.txt"], b""),
                                 (["proof", "-"], history),
                                 (["-", "proof"], history),
                                 (["-", "causal.txt"], proof),
                                 (["causal.txt", "-"], proof)):
                done = self.awdit(command, *order, stdin=stdin)
                self.assertEqual((done.code, done.err), (code, ""), order)
                if "-" not in order:
                    self.assertEqual(done.out, told.out)

    def test_what_is_neither_is_taken_in_the_order_of_the_help(self):
        self.file("cut", (self.folder / "proof").read_bytes()[:5])
        for command in ("report", "verify"):
            done = self.awdit(command, "causal.txt", "cut")
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertTrue(done.err.startswith("cut:"), done.err)
            # The order of old: the history is recognised.
            done = self.awdit(command, "cut", "causal.txt")
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertTrue(done.err.startswith("cut:"), done.err)

    def test_misuse(self):
        self.assert_run(self.awdit("report"), 2, "",
                        "awdit: no certificate given\n"
                        "try awdit report --help\n")
        done = self.awdit("report", "causal.txt")
        self.assertEqual(done.code, 2)
        self.assertIn("this is not JSON", done.err)


if __name__ == "__main__":
    harness.main()
