"""Several histories, errors, limits, and files that appear whole or not at all."""

import json
import os
import signal
import subprocess

import formats
import harness
from harness import CLEAN, CliTest

ENDINGS = ("txt", "md", "json", "xml", "sarif", "edn")


class Several(CliTest):
    def setUp(self):
        super().setUp()
        self.example("causal.txt")
        self.example("serializable.txt")

    def reports(self, *paths, endings=ENDINGS, code=2):
        done = self.awdit("check", *paths,
                          *(f"--report=r.{ending}" for ending in endings))
        self.assertEqual(done.code, code, done.err)
        return {ending: (self.folder / f"r.{ending}").read_text()
                for ending in endings}

    def test_one_document_about_all_of_them(self):
        self.file("broken", "w(1,x)\n")
        names = ["causal.txt", "broken", "serializable.txt"]
        reports = self.reports(*names)
        self.assertEqual(
            reports["txt"],
            "causal.txt: Strongest levels that hold: monotonic-reads, "
            "monotonic-writes and read-atomic. Weakest that breaks: "
            "writes-follow-reads.\n"
            "broken: no verdict: expected a number, found \"x\".\n"
            "serializable.txt: Every level asked for holds; the strongest: "
            "serializable.\n")
        values = formats.read_json(reports["json"])
        self.assertEqual([v["history"]["path"] for v in values], names)
        self.assertEqual(["error" in v for v in values], [False, True, False])
        suites = list(formats.read_junit(reports["xml"]))
        self.assertEqual([s.get("name") for s in suites], names)
        # writes-follow-reads, causal, and the four levels above it that need
        # no times
        self.assertEqual([s.get("failures") for s in suites], ["6", "0", "0"])
        self.assertEqual([s.get("errors") for s in suites], ["0", "1", "0"])
        run = formats.read_sarif(reports["sarif"])
        [result] = run["results"]
        self.assertEqual(result["ruleId"], "writes-follow-reads-violation")
        [invocation] = run["invocations"]
        self.assertIs(invocation["executionSuccessful"], False)
        [note] = invocation["toolExecutionNotifications"]
        self.assertIn("expected a number", note["message"]["text"])
        maps = formats.read_edn(reports["edn"])
        self.assertEqual([m[":valid?"] for m in maps],
                         [False, ":unknown", True])
        formats.read_markdown(reports["md"])
        self.assertEqual([line for line in reports["md"].splitlines()
                          if line.startswith("## ")],
                         [f"## AWDIT: {name}" for name in names])

    def test_pictures_are_of_one_history(self):
        for arguments, name in ((["-o", "dot"], "dot"),
                                (["--report", "r.svg"], "svg")):
            done = self.awdit("check", "causal.txt", "serializable.txt",
                              *arguments)
            self.assert_run(
                done, 2, "",
                f"awdit: a report as {name} covers one history: check them "
                "one at a time (--join is for the parts of one recording)\n"
                "try awdit check --help\n")
        done = self.awdit("check", "--join", "causal.txt", "-o", "dot")
        self.assertEqual(done.code, 1, done.err)

    def test_an_error_is_a_document_too(self):
        reports = self.reports("nowhere", endings=(*ENDINGS, "dot", "svg"))
        formats.run_dot(reports["dot"])
        formats.read_svg(reports["svg"])
        formats.look_at_result(formats.read_edn(reports["edn"]))
        for ending, text in reports.items():
            self.assertIn("there is no such file", text, ending)

    def test_a_history_that_holds(self):
        reports = self.reports("serializable.txt", code=0,
                               endings=(*ENDINGS, "dot", "svg"))
        formats.run_dot(reports["dot"])
        formats.read_svg(reports["svg"])
        self.assertEqual(formats.read_sarif(reports["sarif"])["results"], [])
        self.assertIs(formats.read_edn(reports["edn"])[":valid?"], True)
        self.assertIn("every level asked for holds", reports["md"].lower())


class Limits(CliTest):
    def setUp(self):
        super().setUp()
        self.file("h", "".join(f"r({key},5,{key},{key})\n"
                               for key in range(1, 1201)))

    def report(self, name, *arguments):
        done = self.awdit("check", "-i", "rc", "-o", name, *arguments, "h")
        self.assertEqual(done.code, 1, done.err)
        return done.out

    def test_for_people(self):
        for name in ("text", "markdown", "junit", "dot", "svg"):
            for limit, told in (("3", 3), ("5", 5)):
                text = self.report(name, "--limit", limit)
                self.assertEqual(text.count("Thin air read on key"), told,
                                 name)
                self.assertIn(f"{1200 - told} thin air reads", text, name)

    def test_for_programs(self):
        for limit, told, rest in (("3", 100, "1100"), ("0", 1000, "200")):
            run = formats.read_sarif(self.report("sarif", "--limit", limit))
            self.assertEqual(len(run["results"]), told)
            [note] = run["invocations"][0]["toolExecutionNotifications"]
            self.assertEqual(
                note["message"]["text"].replace(",", ""),
                f"{rest} groups left out: {rest} thin air reads.")
        result = formats.read_edn(self.report("edn"))
        self.assertEqual(len(result[":anomalies"][":thin-air-read"]), 100)
        self.assertEqual(result[":awdit/left-out"], {":thin-air-read": 1100})
        [value] = formats.read_json(self.report("json"))
        self.assertEqual(len(value["levels"][0]["violations"]), 1200)

    def test_each_kind_has_its_share(self):
        # 150 reads of aborted writes on keys of their own, and 40 from thin
        # air, in two sessions each: a result has one key, whoever read it.
        lines = ['{"awdit":1}']
        for key in range(150):
            lines += [f'{{"session":"w","status":"aborted","ops":[["w",{key},1]]}}',
                      f'{{"session":"r","ops":[["r",{key},1]]}}']
        for key in range(1000, 1040):
            lines += [f'{{"session":"{s}","ops":[["r",{key},7]]}}'
                      for s in ("a", "b")]
        self.file("h", "\n".join(lines) + "\n")
        run = formats.read_sarif(self.report("sarif"))
        results = run["results"]
        self.assertEqual(len(results), 100)
        by_rule = {rule: [r for r in results if r["ruleId"] == rule]
                   for rule in ("aborted-read", "thin-air-read")}
        self.assertEqual([len(found) for found in by_rule.values()], [60, 40])
        self.assertEqual({r["occurrenceCount"] for r in by_rule["thin-air-read"]},
                         {2})
        self.assertEqual(len({r["partialFingerprints"]["awditGroup/v2"]
                              for r in results}), 100)

    def test_fingerprints_survive_other_sessions(self):
        def prints(*sessions):
            self.file("h", "".join(f"r({key},5,{s},{key})\n"
                                   for key, s in zip((1, 2), sessions)))
            return [r["partialFingerprints"]["awditGroup/v2"]
                    for r in formats.read_sarif(self.report("sarif"))["results"]]
        self.assertEqual(prints(1, 2), prints(4, 4))

    def test_a_long_story(self):
        # A circle of 400 transactions, each reading from the one before.
        n = 400
        self.file("h", "".join(f"r({(i - 1) % n},1,{i},{i})\nw({i},1,{i},{i})\n"
                               for i in range(n)))
        md = self.report("markdown")
        formats.read_markdown(md)
        self.assertIn("388 transactions left out", md)
        self.assertLess(len(md), 5_000)
        formats.read_junit(self.report("junit"))
        run = formats.read_sarif(self.report("sarif"))
        [result] = run["results"]
        self.assertEqual(len(result["relatedLocations"]), 100)
        self.assertEqual(result["properties"]["transactionsOmitted"], 300)
        formats.look_at_result(formats.read_edn(self.report("edn")))
        formats.read_svg(self.report("svg"))
        self.assertIn("300 transactions left out", self.report("dot"))


class Files(CliTest):
    def setUp(self):
        super().setUp()
        self.example("causal.txt")

    def test_the_name_tells_the_report(self):
        self.assert_run(
            self.awdit("check", "--report", "r.pdf", "causal.txt"), 2, "",
            "awdit: the name 'r.pdf' does not say which report to write; known "
            "endings: " + ", ".join(self.endings()) +
            "\ntry awdit check --help\n")

    def endings(self):
        lines = self.awdit("list", "reports").out.splitlines()
        return [line.split(":")[0].strip() for line in lines[1::2]]

    def test_misuse(self):
        for arguments, message in (
                (["--output", "jsn"],
                 "unknown report 'jsn'; did you mean 'json'?"),
                (["-o", "jsn"],
                 "the name 'jsn' does not say which report to write"),
                (["--output", "dot", "--json"],
                 "--json and --output dot cannot be combined"),
                (["--report", "a.md", "--report", "a.md"],
                 "'a.md' can be written only once"),
                (["--report", "a.json", "--certificate", "a.json"],
                 "'a.json' can be written only once")):
            done = self.awdit("check", *arguments, "causal.txt")
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertIn(message, done.err)
            self.assertEqual(self.files(), ["causal.txt"])
        for command in ("verify", "stats"):
            done = self.awdit(command, "-o", "dot", "causal.txt", "x")
            self.assertEqual(done.code, 2)
        self.assertIn("awdit verify prints text or json, not dot",
                      self.awdit("verify", "-o", "dot", "a", "b").err)

    def test_json_and_its_synonym(self):
        for command in (["check", "causal.txt"], ["stats", "causal.txt"]):
            self.assertEqual(self.awdit(*command, "--json").out,
                             self.awdit(*command, "-o", "json").out)

    def test_a_file_that_cannot_be_written(self):
        done = self.awdit("check", "--report", "no/r.md", "causal.txt")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("no/r.md: the report cannot be written", done.err)
        self.assertEqual(self.files(), ["causal.txt"])

    def test_an_input_is_not_overwritten(self):
        before = (self.folder / "causal.txt").read_bytes()
        os.symlink("causal.txt", self.folder / "link.md")
        for name in ("causal.txt", "link.md"):
            done = self.awdit("check", "--report", name, "causal.txt")
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertIn("the report would overwrite the history", done.err)
        self.assertEqual((self.folder / "causal.txt").read_bytes(), before)

    def test_a_full_disk_leaves_the_old_file(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        os.symlink("/dev/full", self.folder / "full.md")
        done = self.awdit("check", "--report", "full.md", "causal.txt")
        self.assertEqual(done.code, 2)
        self.assertIn("the report cannot be written: No space left", done.err)

    def test_an_interrupt_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            # Waits for standard input after the files have been opened.
            with subprocess.Popen(
                    [harness.BINARY, "check", "--report", "a.md", "--report",
                     "b.svg", "-"], stdin=subprocess.PIPE, cwd=self.folder,
                    env=CLEAN, stdout=subprocess.DEVNULL) as running:
                self.wait_for_outputs(running, 2)
                running.send_signal(number)
                self.assertEqual(running.wait(), -number)
            self.assertEqual(self.files(), ["causal.txt"])

    def test_a_reader_who_left_does_not_stop_the_files(self):
        self.example("serializable.txt")
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(
            [harness.BINARY, "check", "--report", "r.json", "causal.txt",
             "serializable.txt"], stdout=write, stderr=subprocess.PIPE,
            cwd=self.folder, env=CLEAN, check=False)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        lines = (self.folder / "r.json").read_text().splitlines()
        self.assertEqual([json.loads(line)["history"]["path"]
                          for line in lines],
                         ["causal.txt", "serializable.txt"])

    def test_exit_codes_do_not_depend_on_the_report(self):
        self.example("serializable.txt")
        for name in ("text", "json", "markdown", "junit", "sarif", "edn",
                     "dot", "svg"):
            for path, code in (("causal.txt", 1), ("serializable.txt", 0),
                               ("nowhere", 2)):
                self.assertEqual(self.awdit("check", "-o", name, path).code,
                                 code)

    def test_reports_are_never_coloured(self):
        done = self.awdit("check", "--report", "r.txt", "causal.txt",
                          env={"TERM": "xterm"})
        self.assertEqual((self.folder / "r.txt").read_text(), done.out)


if __name__ == "__main__":
    harness.main()
