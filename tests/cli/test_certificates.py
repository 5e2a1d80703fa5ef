"""--certificate and verify: what is written proves what was said."""

import json
import os
import signal
import subprocess
import unittest

import harness
from harness import CLEAN, ROOT, CliTest
from test_json import validate


class RoundTrip(CliTest):
    def test_every_example_is_certified_and_accepted(self):
        for path in sorted((ROOT / "examples").glob("*.txt")):
            name = self.example(path.name)
            done = self.awdit("check", "--certificate", "proof", name)
            self.assertIn(done.code, (0, 1), done.err)
            self.assertEqual(self.awdit("check", name).out, done.out)
            verified = self.awdit("verify", name, "proof")
            self.assertEqual((verified.code, verified.err), (0, ""))
            self.assertEqual(verified.out.count("accepted\n"), 12)
            self.assertNotIn("REJECTED", verified.out)

    def test_what_verify_prints(self):
        self.example("fractured.txt")
        self.awdit("check", "--certificate", "proof", "fractured.txt")
        self.assert_run(
            self.awdit("verify", "fractured.txt", "proof"), 0,
            "fractured.txt  plume  2 sessions  3 transactions  5 operations\n"
            "proof  certificate\n"
            "\n"
            "  adya-read-committed           holds      accepted\n"
            "  read-committed                holds      accepted\n"
            "  read-your-writes              holds      accepted\n"
            "  monotonic-reads               holds      accepted\n"
            "  monotonic-writes              holds      accepted\n"
            "  writes-follow-reads           holds      accepted\n"
            "  read-atomic                   violated   accepted\n"
            "  causal                        violated   accepted\n"
            "  prefix                        violated   accepted\n"
            "  parallel-snapshot-isolation   violated   accepted\n"
            "  snapshot-isolation            violated   accepted\n"
            "  serializable                  violated   accepted\n"
            "\n"
            "The history proves every verdict of the certificate.\n")

    def test_what_verify_prints_as_json(self):
        self.example("fractured.txt")
        self.awdit("check", "-i", "ra", "--certificate", "proof",
                   "fractured.txt")
        done = self.awdit("verify", "--json", "fractured.txt", "proof")
        value = json.loads(done.out)
        validate(value, "verify-output")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertEqual(value, {
            "version": 1,
            "history": {"path": "fractured.txt", "format": "plume",
                        "sessions": 2, "transactions": 3, "operations": 5},
            "certificate": "proof",
            "levels": [{"level": "read-atomic", "verdict": "violated",
                        "accepted": True}],
            "accepted": True})

    def test_a_certificate_of_first_findings_is_accepted(self):
        self.example("aborted.txt")
        self.awdit("check", "--first", "--certificate", "p", "aborted.txt")
        self.assertEqual(self.awdit("verify", "aborted.txt", "p").code, 0)

    def test_history_or_certificate_may_come_from_standard_input(self):
        name = self.example("causal.txt")
        self.awdit("check", "--certificate", "p", name)
        for arguments, source in ((["-", "p"], name), ([name, "-"], "p")):
            data = (self.folder / source).read_bytes()
            done = self.awdit("verify", *arguments, stdin=data)
            self.assertEqual(done.code, 0, done.err)


# t2 follows t1 in its session, yet read the initial value: only without session
# order does it come first.
STALE = "w(1,1,1,1)\nr(1,0,1,2)\n"


class WithoutSessionOrder(CliTest):
    def proof(self, **more):
        self.file("stale.txt", STALE)
        self.file("proof", json.dumps(
            {"format": "awdit-certificate", "version": 1,
             "history": {"paths": ["stale.txt"], "format": "plume",
                         "sessions": 2, "transactions": 2, "operations": 2},
             "levels": [{"level": "serializable", "verdict": "holds",
                         "commit_order": [1, 0]}], **more}))

    def test_the_history_is_read_as_the_certificate_means_it(self):
        self.proof(session_order=False)
        done = self.awdit("verify", "stale.txt", "proof")
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        self.assertEqual(self.awdit("report", "proof").code, 0)

    def test_otherwise_session_order_counts(self):
        self.proof()
        done = self.awdit("verify", "stale.txt", "proof")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("made for 2 sessions", done.err)


class Tampered(CliTest):
    def setUp(self):
        super().setUp()
        self.example("fractured.txt")
        self.awdit("check", "--certificate", "proof", "fractured.txt")
        self.proof = json.loads((self.folder / "proof").read_text())

    def verify(self, *arguments):
        self.file("proof", json.dumps(self.proof))
        return self.awdit("verify", *arguments, "fractured.txt", "proof")

    def test_a_verdict_turned_round_is_not_accepted(self):
        levels = self.proof["levels"]
        holds = next(l for l in levels if l["verdict"] == "holds")
        violated = next(l for l in levels if l["verdict"] == "violated")
        holds["verdict"], violated["verdict"] = "violated", "holds"
        self.assertNotEqual(self.verify().code, 0)

    def test_evidence_of_another_level_is_rejected(self):
        levels = {l["level"]: l for l in self.proof["levels"]}
        borrowed = dict(levels["read-atomic"], level="read-committed")
        self.proof["levels"] = [levels["adya-read-committed"], borrowed]
        done = self.verify()
        self.assertEqual((done.code, done.err), (1, ""))
        self.assertRegex(done.out, r"(?m)^  adya-read-committed +holds +accepted$")
        self.assertRegex(done.out, r"(?m)^  read-committed +violated +REJECTED: ")
        self.assertTrue(done.out.endswith(
            "\n1 of 2 verdicts not proven by the history.\n"))
        done = self.verify("--json")
        value = json.loads(done.out)
        validate(value, "verify-output")
        self.assertEqual((done.code, value["accepted"]), (1, False))
        self.assertTrue(value["levels"][1]["objection"])

    def test_a_certificate_of_another_history_is_an_error(self):
        self.example("causal.txt")
        done = self.awdit("verify", "causal.txt", "proof")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith(
            "proof: this is not the certificate of causal.txt: it was made "
            "for 2 sessions, 3 transactions and 5 operations, but the history "
            "has 4 sessions, 7 transactions and 11 operations\n"))

    def test_a_history_of_the_same_size_is_told_apart(self):
        text = (self.folder / "fractured.txt").read_text()
        self.file("other", text.replace("r(1,1,2,3)", "r(1,2,2,3)"))
        done = self.awdit("verify", "other", "proof")
        self.assertEqual(done.code, 1)
        self.assertIn("REJECTED", done.out)

    def test_what_is_no_certificate_is_an_error(self):
        for text in ("", "{", "[]", "{}", "hello", '{"version":1}',
                     '{"levels":[]}'):
            self.file("proof", text)
            done = self.awdit("verify", "fractured.txt", "proof")
            self.assertEqual((done.code, done.out), (2, ""), text)
            self.assertTrue(done.err.startswith("proof"), done.err)

    def test_a_field_that_is_there_twice_is_an_error(self):
        text = json.dumps(self.proof)
        for old, new, where in (
                ('"version": 1', '"version": 1, "version": 1', ""),
                ('"verdict": "violated"',
                 '"verdict": "violated", "verdict": "holds"', "levels[6]: "),
                ('"sessions": 2', '"sessions": 2, "sessi\\u006fns": 2',
                 "history: ")):
            self.assertIn(old, text)
            self.file("proof", text.replace(old, new, 1))
            field = new.split('"')[1]
            for command in (["verify", "fractured.txt", "proof"],
                            ["report", "proof"]):
                self.assert_run(
                    self.awdit(*command), 2, "",
                    f'proof: {where}"{field}" is there twice\n'
                    "Which of the two is meant cannot be told: leave one out, "
                    "or write the certificate anew with awdit check "
                    "--certificate FILE HISTORY.\n")

    def test_fields_of_another_verdict_are_rejected(self):
        levels = {l["level"]: l for l in self.proof["levels"]}
        holds, violated = levels["read-committed"], levels["read-atomic"]
        for level, field, value, nothing in (
                (holds, "limit", "time", None), (violated, "limit", "proof", None),
                (holds, "inherited", 1, 0), (holds, "more", True, False),
                (holds, "set_aside", [3], []), (violated, "commit_order", [0], []),
                (holds, "snapshots", [0, 0, 0], [])):
            self.proof["levels"] = [dict(level, **{field: value})]
            done = self.verify()
            self.assertEqual((done.code, done.err), (1, ""), (field, done.out))
            self.assertIn("REJECTED", done.out)
            if nothing is not None:  # what is as good as absent is no matter
                self.proof["levels"] = [dict(level, **{field: nothing})]
                self.assertEqual(self.verify().code, 0, field)

    def test_a_step_has_no_fields_of_inferred_edges(self):
        levels = {l["level"]: l for l in self.proof["levels"]}
        violated = levels["read-atomic"]
        self.proof["levels"] = [violated]
        step = violated["violations"][0]["edges"][1]["seen"][0]
        for field, value in (("other_write", 0), ("reader", 2), ("key", 0),
                             ("seen", [dict(step)])):
            step[field] = value
            self.assert_run(
                self.verify(), 2, "",
                f"proof: levels[0].violations[0].edges[1].seen[0].{field}: "
                "a step of what was seen has no such field\n"
                "Certificates are written by: awdit check --certificate FILE "
                "HISTORY.\n")
            del step[field]
        step["seen"] = []
        self.assertEqual(self.verify().code, 0)

    def test_a_cut_certificate_is_an_error(self):
        text = json.dumps(self.proof)
        for size in range(0, len(text) - 1, 37):
            self.file("proof", text[:size])
            done = self.awdit("verify", "fractured.txt", "proof")
            self.assertEqual((done.code, done.out), (2, ""), text[:size])

    def test_a_missing_certificate_is_an_error_in_json_too(self):
        done = self.awdit("verify", "--json", "fractured.txt", "nowhere")
        value = json.loads(done.out)
        validate(value, "verify-output")
        self.assertEqual((done.code, value["error"]["message"]),
                         (2, "there is no such file"))
        self.assertTrue(done.err.startswith("nowhere: there is no such file"))


class Writing(CliTest):
    def test_a_path_that_cannot_be_written_is_an_error(self):
        self.example("causal.txt")
        done = self.awdit("check", "--certificate", "no/such/dir/p",
                          "causal.txt")
        self.assert_run(
            done, 2, "",
            "no/such/dir/p: the certificate cannot be written: No such file "
            "or directory\n"
            "Name a file in a directory that you may write to.\n")

    def test_a_directory_is_not_overwritten(self):
        self.example("causal.txt")
        (self.folder / "d").mkdir()
        done = self.awdit("check", "--certificate", "d", "causal.txt")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertEqual(self.files(), ["causal.txt", "d"])

    def test_the_history_is_not_overwritten(self):
        name = self.example("causal.txt")
        before = (self.folder / name).read_bytes()
        (self.folder / "link").symlink_to(name)
        for target in (name, "./causal.txt", "link"):
            done = self.awdit("check", "--certificate", target, name)
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertIn("would overwrite the history", done.err)
        self.assertEqual((self.folder / name).read_bytes(), before)

    def test_an_older_certificate_survives_a_failed_check(self):
        self.file("p", "old")
        self.file("h", "junk\n")
        self.assertEqual(
            self.awdit("check", "--certificate", "p", "h").code, 2)
        self.assertEqual((self.folder / "p").read_text(), "old")
        self.assertEqual(self.files(), ["h", "p"])

    def test_a_symbolic_link_is_followed(self):
        self.example("causal.txt")
        self.file("target", "old")
        (self.folder / "p").symlink_to("target")
        self.awdit("check", "--certificate", "p", "causal.txt")
        self.assertTrue((self.folder / "p").is_symlink())
        self.assertIn("levels", (self.folder / "target").read_text())

    def test_permissions_are_those_of_any_new_file(self):
        self.example("causal.txt")
        self.awdit("check", "--certificate", "p", "causal.txt",
                   preexec_fn=lambda: os.umask(0o027))
        self.assertEqual((self.folder / "p").stat().st_mode & 0o777, 0o640)

    def test_a_device_is_written_not_replaced(self):
        self.example("causal.txt")
        done = self.awdit("check", "--certificate", "/dev/null", "causal.txt")
        self.assertEqual(done.code, 1, done.err)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_an_error(self):
        self.example("serializable.txt")
        done = self.awdit("check", "--certificate", "/dev/full",
                          "serializable.txt")
        self.assertEqual(done.code, 2)
        self.assertIn("/dev/full: the certificate cannot be written: No space "
                      "left on device", done.err)

    def test_an_interrupted_check_leaves_nothing_behind(self):
        os.mkfifo(self.folder / "slow")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen(
                [harness.BINARY, "check", "--certificate", "p", "slow"],
                cwd=self.folder, env=CLEAN, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            # It waits for a writer of the pipe, its file made.
            self.wait_for_outputs(process, 1)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=30), -number)
            self.assertEqual(self.files(), ["slow"])


if __name__ == "__main__":
    harness.main()
