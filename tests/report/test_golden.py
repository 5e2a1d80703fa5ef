"""Every anomaly in every report, byte for byte, and as its readers see it.

    test_golden.py PATH-OF-AWDIT --update    writes down what is reported now

golden/<kind>/history.jsonl is a smallest history with that anomaly; beside it
stand the reports. Look at the diff after an update.
"""

import json
import shutil
import subprocess
import sys
import unittest

import formats
from formats import HERE
import harness
from harness import ROOT, CliTest

GOLDEN = HERE / "golden"
REPORTS = {"txt": "text", "md": "markdown", "json": "json", "xml": "junit",
           "sarif": "sarif", "edn": "edn", "dot": "dot", "svg": "svg"}
# A picture's bytes say nothing to a reader of a diff.
KEPT = [ending for ending in REPORTS if ending != "svg"]
# Folders that stand for no anomaly.
OTHERS = {"holds", "initial-state", "unknown-outcome"}
UPDATE = "--update" in sys.argv
if UPDATE:
    sys.argv.remove("--update")


class Golden(CliTest):
    made = {}  # by case: a run of the binary takes its time under a sanitizer
    version = None

    def reports(self, case):
        """{ending: text} of one case, all made in one go."""
        shutil.copy(GOLDEN / case / "history.jsonl", self.folder)
        if case not in self.made:
            self.made[case] = self.make_reports()
        return self.made[case]

    def make_reports(self):
        done = self.awdit("check", "history.jsonl", *(
            f"--report=report.{ending}" for ending in REPORTS))
        self.assertIn(done.code, (0, 1), done.err)
        result = {ending: self.without_version(
                      (self.folder / f"report.{ending}").read_text())
                  for ending in REPORTS}
        self.assertEqual(result["txt"], done.out)
        return result

    def without_version(self, text):
        """sarif names the program's version, which is no news here."""
        if Golden.version is None:
            Golden.version = self.awdit("--version").out.split()[1]
        return text.replace(f'"version":"{self.version}"',
                            '"version":"VERSION"')

    def each(self):
        cases = sorted(path.name for path in GOLDEN.iterdir())
        for case in cases:
            with self.subTest(case):
                yield case, self.reports(case)

    def test_every_anomaly_has_its_case(self):
        kinds = {line for line in self.awdit("list", "anomalies").out
                 .splitlines() if not line.startswith(" ")}
        self.assertEqual({path.name for path in GOLDEN.iterdir()},
                         kinds | OTHERS)

    def test_bytes(self):
        for case, reports in self.each():
            for ending in KEPT:
                path = GOLDEN / case / f"report.{ending}"
                if UPDATE:
                    path.write_text(reports[ending])
                self.assertEqual(path.read_text(), reports[ending], path)

    def test_standard_output_is_the_same(self):
        reports = self.reports("fractured-read")
        for ending, name in REPORTS.items():
            done = self.awdit("check", "-o", name, "history.jsonl")
            self.assertEqual((done.code, done.err), (1, ""))
            self.assertEqual(self.without_version(done.out), reports[ending])

    def test_the_picture_in_the_documents_is_real(self):
        path = ROOT / "docs" / "reports" / "causal.svg"
        (self.folder / "examples").mkdir()
        self.example("causal.txt")
        shutil.move(self.folder / "causal.txt", self.folder / "examples")
        done = self.awdit("check", "-o", "svg", "examples/causal.txt")
        if UPDATE:
            path.write_text(done.out)
        self.assertEqual(path.read_text(), done.out)

    def test_what_readers_see(self):
        for case, reports in self.each():
            kind = None if case in OTHERS else case
            self.look_at_json(kind, formats.read_json(reports["json"]))
            self.look_at_junit(kind, formats.read_junit(reports["xml"]))
            self.look_at_sarif(kind, formats.read_sarif(reports["sarif"]))
            result = formats.read_edn(reports["edn"])
            formats.look_at_result(result)
            formats.read_markdown(reports["md"])
            self.look_at_svg(reports["svg"])
            formats.run_dot(reports["dot"])

    def look_at_json(self, kind, values):
        [value] = values
        if kind:
            kinds = {v["kind"] for level in value["levels"]
                     for v in level["violations"]}
            self.assertIn(kind, kinds)

    def look_at_junit(self, kind, root):
        [suite] = root
        self.assertEqual(suite.get("name"), "history.jsonl")
        types = {f.get("type") for f in suite.iter("failure")}
        if kind:
            self.assertIn(kind, types)

    def look_at_sarif(self, kind, run):
        self.assertTrue(run["invocations"][0]["executionSuccessful"])
        if kind:
            self.assertIn(kind, {r["ruleId"] for r in run["results"]})
        for result in run["results"]:
            [place] = result["locations"]
            line = place["physicalLocation"]["region"]["startLine"]
            lines = (self.folder / "history.jsonl").read_text().splitlines()
            name = place["logicalLocations"][0]["name"]
            self.assertEqual(f't{json.loads(lines[line - 1])["id"]}', name)

    def look_at_svg(self, text):
        root = formats.read_svg(text)
        if shutil.which("rsvg-convert"):
            done = subprocess.run(["rsvg-convert"], input=text.encode(),
                                  capture_output=True, check=True)
            self.assertTrue(done.stdout.startswith(b"\x89PNG"))
            self.assertGreater(len(done.stdout), 2000)
        self.assertIsNotNone(root.find(formats.SVG + "title"))

    def test_what_markdown_offers_to_try_shows_the_same(self):
        tried = 0
        for case, reports in self.each():
            for name, _, history in formats.reproducers(reports["md"]):
                self.file("try", history + "\n")
                done = self.awdit("check", "--json", "-f", name, "try")
                [value] = formats.read_json(done.out)
                kinds = {v["kind"] for level in value["levels"]
                         for v in level["violations"]}
                self.assertTrue(case in kinds or case in OTHERS, (case, kinds))
                tried += 1
        self.assertGreater(tried, 10)


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    harness.main()
