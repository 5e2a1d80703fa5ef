"""Names that would like to be markup, in every report: they stay names."""

import json
import re

import formats
import harness
from harness import CliTest

KEYS = {
    "script": "<script>alert(1)</script>",
    "quotes": "a\"b'c\\d",
    "pipe": "a|b\\|c",
    "backticks": "a`b``c```d",
    "newline": "a\nb\r\tc\x00\x1b[31m",
    "rtl": "abc\u202edef\u2066",
    "long": "k" * 10_000,
    "emphasis": "*a* _b_ **c** ~~d~~ # e",
    "mention": "@somebody #12 [link](http://example.org) ![i](x)",
    "entity": "&amp;&#60;b&#62;]]><!-- -->",
    "fence": "```\n~~~",
    "braces": "{0} {{1}} [here](1)",
    "not-xml": "\ufffe\uffff\ufeff",
    "keyword": ":x",
    "edn": "#{1 2} ; comment",
    "dot": "\\N \\G <b>bold</b> \"",
    "list": "- a",
    "number": "1. a",
    "empty": "",
    "blank": " ",
    "wide": "\u4e2d\u6587\U0001f600",
}


class Hostile(CliTest):
    def history(self, key):
        """A name as key, value, session, node and note."""
        return "".join(json.dumps(line) + "\n" for line in (
            {"session": key, "id": 1, "node": key, "meta": {key: key},
             "ops": [["w", key, key]]},
            {"session": key, "id": 2, "ops": [["w", key, "new"],
                                              ["w", "y" + key, key]]},
            {"session": "s2", "id": 3, "ops": [["r", key, key],
                                               ["r", "y" + key, key]]},
            {"session": "s2", "id": 4, "ops": [["r", key, "nobody" + key]]}))

    def reports(self, name):
        endings = ("txt", "md", "json", "xml", "sarif", "edn", "dot", "svg")
        done = self.awdit("check", name, "--limit", "0",
                          *(f"--report=r.{ending}" for ending in endings))
        self.assertEqual(done.code, 1, done.err)
        return {ending: (self.folder / f"r.{ending}").read_bytes().decode()
                for ending in endings}

    def look(self, reports):
        for ending, text in reports.items():
            controls = re.findall(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e"
                                  r"\u2066-\u2069]", text)
            if ending not in ("json", "edn"):  # they hand on what there is
                self.assertEqual(controls, [], ending)
            if ending in ("xml", "svg", "dot"):
                self.assertNotIn("<script", text, ending)
        prose = "\n".join(formats.read_markdown(reports["md"]))
        self.assertNotRegex(re.sub(r"`[^`\n]*`", "", prose),
                            r"@(?!<!-- -->)\w|(?<!&)#(?!<!-- -->)\d|\n[-+] a")
        formats.read_junit(reports["xml"])
        formats.read_svg(reports["svg"])
        drawn = formats.run_dot(reports["dot"])
        self.assertNotIn("<script", drawn or "")
        return (formats.read_json(reports["json"]),
                formats.read_sarif(reports["sarif"]),
                formats.read_edn(reports["edn"]))

    def test_names(self):
        for what, key in KEYS.items():
            with self.subTest(what):
                self.file("h.jsonl", self.history(key))
                [value], _, result = self.look(self.reports("h.jsonl"))
                formats.look_at_result(result)
                levels = value["levels"]
                self.assertIn([key], [v["keys"] for level in levels
                                      for v in level["violations"]])
                mops = [entry[":mop"] for entry in
                        result[":anomalies"][":thin-air-read"]]
                self.assertEqual(mops, [(":r", key, "nobody" + key)])

    def test_bytes_that_are_no_text(self):
        name = self.file("h.edn", b"""
            {:index 0, :type :ok, :process 0, :f :txn, :value [[:w "\xff\xc3(" 1]]}
            {:index 1, :type :ok, :process 1, :f :txn, :value [[:r "\xff\xc3(" 2]]}
            """)
        reports = self.reports(name)
        self.look(reports)
        self.assertIn("\\xff\\xc3(", reports["txt"])
        self.assertIn("\\xff\\xc3(", reports["svg"])

    def test_paths(self):
        for key in ("<b>&\"'.jsonl", "a|b`c`.jsonl", "x\ny\u202e.jsonl"):
            with self.subTest(key):
                self.file(key, self.history("k"))
                _, run, result = self.look(self.reports(key))
                self.assertEqual(result[":awdit/path"], key)
                self.assertGreater(len(run["results"]), 0)

    def test_large_pictures_stay_small(self):
        self.file("h.jsonl", self.history("k" * 10_000))
        reports = self.reports("h.jsonl")
        for ending in ("svg", "dot"):
            self.assertLess(len(reports[ending]), 30_000, ending)


if __name__ == "__main__":
    harness.main()
