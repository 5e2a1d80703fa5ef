#!/usr/bin/env python3
"""The value that a page is made of: as docs/page.schema.json promises, true to
itself, bounded; and the page around it: closed, whatever the history says.

    test_value.py AWDIT [unittest arguments]
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import histories

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = Path(__file__).resolve().parents[2]
AWDIT = None
VALUE = re.compile(
    r'<script type="application/json" id="value">(.*?)</script>', re.S)


def values_of(paths, folder):
    """The page's value of each history."""
    values = []
    for path in paths:
        page = folder / (path.name + ".html")
        histories.write_page(AWDIT, path, page)
        values.append(json.loads(VALUE.search(page.read_text()).group(1)))
    return values


class Values(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory(prefix="awdit-page-")
        cls.folder = Path(cls._folder.name)
        cls.paths = histories.make(AWDIT, cls.folder)
        cls.values = dict(zip((p.name for p in cls.paths),
                              values_of(cls.paths, cls.folder)))

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

    def stories(self):
        return [story for value in self.values.values()
                for story in value["stories"]]

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is missing")
    def test_schema(self):
        schema = json.loads((ROOT / "docs/page.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        for name, value in self.values.items():
            with self.subTest(history=name):
                validator.validate(value)

    def test_every_kind_is_there(self):
        kinds = {s["kind"] for v in self.values.values() for s in v["stories"]}
        self.assertEqual(kinds, set(histories.KINDS))

    def test_whatever_is_pointed_at_is_there(self):
        for story in self.stories():
            txns = story["transactions"]
            owner = {op["id"]: i for i, txn in enumerate(txns)
                     for op in txn["operations"]}
            self.assertEqual(len({t["name"] for t in txns}), len(txns))
            for arrow in story["arrows"]:
                for end in ("from", "to"):
                    op = arrow.get(end + "_op")
                    if arrow["type"] not in ("session", "time"):
                        self.assertIsNotNone(op)
                    if op is not None:
                        self.assertEqual(owner[op], arrow[end])
            numbers = [step["number"] for step in story["steps"]]
            self.assertEqual(numbers, sorted(set(numbers)))
            for step in story["steps"]:
                self.assertLessEqual(set(step["arrows"]),
                                     set(range(len(story["arrows"]))))
                if step.get("inferred"):
                    own = story["arrows"][step["arrows"][-1]]
                    self.assertLessEqual(own["step"], step["number"])
                    if story["kind"] not in histories.STRONG:
                        self.assertEqual(own["step"], step["number"])
                        self.assertIn("derivation", own)
            self.assertLessEqual(set(story["guilty"]), set(owner))
            shown = [i for lane in story["lanes"] for i in lane["shown"]]
            rest = [i for i, t in enumerate(txns) if t["status"] == "initial"]
            self.assertEqual(sorted(shown + rest), list(range(len(txns))))

    def test_lanes_count_every_transaction(self):
        for story in self.stories():
            for lane in story["lanes"]:
                txns = [story["transactions"][i] for i in lane["shown"]]
                count = len(txns) + lane.get("after", {"count": 0})["count"]
                count += sum(t.get("before", {"count": 0})["count"]
                             for t in txns)
                self.assertEqual(count, lane["transactions"])
                self.assertEqual(sorted(t["position"] for t in txns),
                                 [t["position"] for t in txns])

    def test_readers_stand_right_of_writers(self):
        for story in self.stories():
            if story["by_time"] or story["kind"] == "causality-cycle":
                continue
            for arrow in story["arrows"]:
                if arrow["type"] == "read":
                    self.assertLessEqual(arrow["from"], arrow["to"])

    def test_versions_tell_who_read(self):
        value = self.values["causal.txt"]
        [strip] = value["stories"][0]["versions"]
        self.assertEqual([(v["number"], v["value"], v["writer"], v["readers"],
                           v["named"]) for v in strip["shown"]],
                         [(1, "1", "t1", [], False), (2, "2", "t2", [], False),
                          (3, "3", "t4", ["t7"], True),
                          (4, "4", "t6", [], True)])

    def test_versions_stand_in_the_order_of_time(self):
        value = self.values["sessions-apart.jsonl"]
        [story] = value["stories"]
        self.assertEqual(story["kind"], "lost-update")
        [strip] = story["versions"]
        self.assertEqual(strip["order"], "time")
        self.assertEqual(
            [(v["number"], v["value"], v["time"]) for v in strip["shown"]
             if v["status"] != "initial"],
            [(1, "100", "2 ms"), (2, "130", "9 ms"), (3, "70", "13 ms"),
             (4, "40", "19 ms")])
        # Without times as in the picture: who read stands behind.
        [story] = self.values["reader-first.jsonl"]["stories"]
        strips = {strip["key"]: strip for strip in story["versions"]}
        self.assertEqual(strips["x"]["order"], "picture")
        self.assertEqual([v["value"] for v in strips["x"]["shown"]
                          if v["status"] != "initial"], ["1", "2"])

    def test_what_both_read_is_there(self):
        # However long ago it was written.
        [story] = self.values["long-ago.jsonl"]["stories"]
        self.assertEqual(story["kind"], "lost-update")
        [strip] = story["versions"]
        both = [v for v in strip["shown"] if v["readers"] == ["t42", "t43"]]
        self.assertEqual([v["value"] for v in both], ["1"])
        self.assertIn("x=1", story["headline"])
        self.assertIn("both started from x=1", story["plain"])
        for txn in story["transactions"]:
            if txn["name"] in ("t42", "t43"):
                self.assertIn("1", [op["value"] for op in txn["operations"]
                                    if op["type"] == "read"])

    def test_all_levels_of_the_table(self):
        text = subprocess.run([AWDIT, "list", "levels"], capture_output=True,
                              text=True, check=True).stdout
        table = {}
        for line in text.splitlines():
            if not line.startswith(" "):
                table[line.split()[0]] = []
            elif line.startswith("    Implies: "):
                names = line.removeprefix("    Implies: ").split(", ")
                table[list(table)[-1]] = names
        self.assertEqual(len(table), 14)
        for name, value in self.values.items():
            with self.subTest(history=name):
                self.assertEqual({level["name"]: level["implies"]
                                  for level in value["levels"]}, table)
                timeless = [level["name"] for level in value["levels"]
                            if level.get("needs_times")]
                self.assertEqual(timeless, [] if "clock" in value["history"]
                                 else ["strong-snapshot-isolation",
                                       "strict-serializable"])

    def test_what_was_set_aside_is_told(self):
        value = self.values["lost-update.jsonl"]
        self.assertEqual(
            value["set_aside"], "Set aside to look further at stronger "
            "levels: R x=1 of t2 and R x=1 of t3.")
        self.assertNotIn("set_aside", self.values["serializable.txt"])

    def test_long_texts_that_differ_at_the_end(self):
        # Looking for each at every place of the others took two minutes.
        common = "k" * 700_000
        path = histories.write_jsonl(self.folder / "long-keys.jsonl", [
            {"session": f"{common}s{i}",
             "ops": [["r", common, None], ["w", common, f"{common}{i}"]]}
            for i in (1, 2)])
        page = self.folder / "long-keys.html"
        histories.write_page(AWDIT, path, page, timeout=60)
        self.assertLess(page.stat().st_size, 200_000)
        value = json.loads(VALUE.search(page.read_text()).group(1))
        self.assertIn(f"{'k' * 40}… (700,000 characters)=nil",
                      value["stories"][0]["plain"])

    def test_plain_words_of_the_causal_example(self):
        story = self.values["causal.txt"]["stories"][0]
        self.assertEqual(story["plain"], (
            "Session s4 was shown an old value of key 1: t7 read 1=3, although "
            "t6 (session s3) had already replaced it with 1=4. It had to see "
            "that, because it depends on t6: t3 (session s1) read 3=2 "
            "from t6, and t7 read 2=1 from t3."))
        [must] = [a for a in story["arrows"] if a["type"] == "must"]
        self.assertEqual(must["derivation"]["refuted"], (
            "Then 1=4 had replaced 1=3. But t7 had already seen t6 through "
            "others, so it would have had to read 1=4 or something newer. It "
            "read 1=3."))

    def test_the_reproducer_reproduces(self):
        for number, story in enumerate(self.stories()):
            if "AAAA" in story["title"]:
                self.assertNotIn("reproducer", story)
                continue
            self.assertIn("reproducer", story, story["title"])
            if number % 7 != 0:
                continue
            path = self.folder / "small.jsonl"
            path.write_text(story["reproducer"]["text"])
            done = subprocess.run([AWDIT, "check", "--json", str(path)],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            kinds = {v["kind"] for level in json.loads(done.stdout)["levels"]
                     for v in level["violations"]}
            self.assertIn(story["kind"], kinds)

    def test_hostile_texts_are_tame(self):
        text = json.dumps(self.values["hostile.jsonl"], ensure_ascii=False)
        for there in ("<script>alert(1)</script>", "\\\\u{202e}",
                      "(10,000 characters)"):
            self.assertTrue(there in text, there)
        for gone in ("\u202e", "\u2028", "\u200f", "A" * 700):
            self.assertFalse(gone in text, ascii(gone)[:20])

    def test_nothing_ends_the_script_early(self):
        hostile = self.folder / "hostile.jsonl"
        out = self.folder / "hostile.html"
        histories.write_page(AWDIT, hostile, out)
        page = out.read_text()
        value = re.search(r'<script type="application/json" id="value">(.*?)'
                          r'</script>\n<script>', page, re.S).group(1)
        self.assertEqual(set("<>&\u2028\u2029") & set(value), set())
        self.assertEqual(json.loads(value), self.values["hostile.jsonl"])
        self.assertEqual(page.count("</script>"), 2)

    def test_a_million_transactions_in_a_circle_fit(self):
        # A chain of so many sessions that the cycle passes through all of them.
        path = self.folder / "circle.jsonl"
        size = 20_000
        with path.open("w") as out:
            for i in range(size):
                out.write(json.dumps({"session": i, "id": i, "ops": [
                    ["r", i, i + 1], ["w", (i + 1) % size, i + 2 if
                                      i + 1 < size else 1]]}) + "\n")
        [value] = values_of([path], self.folder)
        [story] = value["stories"]
        self.assertEqual(story["kind"], "causality-cycle")
        self.assertEqual(len(story["transactions"]), 40)
        self.assertEqual(story["transactions_left_out"], size - 40)
        self.assertLess(len(json.dumps(value)), 100_000)

    def test_many_hostile_texts_fit(self):
        # Each `<` takes six bytes in the page.
        path = self.folder / "angles.jsonl"
        with path.open("w") as out:
            for i in range(300):
                def op(kind, key, value, name=f"{i:0200}".replace("0", "<")):
                    return [kind, key + name, value + name]
                for session, ops in (
                        ("a", [op("w", "x", "1"), op("w", "y", "1")]),
                        ("a", [op("w", "x", "2"), op("w", "y", "2")]),
                        ("b", [op("r", "y", "2"), op("r", "x", "1")])):
                    out.write(json.dumps({"session": f"{session}{i}",
                                          "ops": ops}) + "\n")
        page = self.folder / "angles.html"
        histories.write_page(AWDIT, path, page)
        self.assertLess(page.stat().st_size, 1_000_000)
        self.assertGreater(page.stat().st_size, 500_000)

    def test_five_thousand_violations_fit(self):
        path = histories.crowd(AWDIT, self.folder, 5000)
        out = self.folder / "crowd.html"
        histories.write_page(AWDIT, path, out)
        self.assertLess(out.stat().st_size, 1_000_000)
        [value] = values_of([path], self.folder)
        told = sum(s["count"] for s in value["stories"])
        rest = sum(r["violations"] for r in value["left_out"])
        self.assertEqual(told + rest, value["violations"])
        self.assertEqual(value["violations"], 5000)
        self.assertEqual(len(value["stories"])
                         + sum(r["groups"] for r in value["left_out"]),
                         value["groups"])
        # Every kind has a place.
        self.assertEqual(len({s["kind"] for s in value["stories"]}), 4)


if __name__ == "__main__":
    AWDIT = sys.argv.pop(1)
    unittest.main()
