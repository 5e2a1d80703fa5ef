"""--json: well-formed, as the schema promises, complete."""

import json

import harness
from harness import ROOT, CliTest

try:
    import jsonschema
except ImportError:
    jsonschema = None


def validate(value, name="check-output"):
    """Against docs/NAME.schema.json, where the validator is installed."""
    if jsonschema is not None:
        schema = json.loads((ROOT / "docs" / f"{name}.schema.json").read_text())
        jsonschema.Draft202012Validator(schema).validate(value)


class Objects(CliTest):
    def check(self, *arguments, **extra):
        done = self.awdit("check", "--json", *arguments, **extra)
        lines = done.out.splitlines()
        self.assertTrue(done.out.endswith("\n") or not lines)
        values = [json.loads(line) for line in lines]
        for value in values:
            validate(value)
        return done, values

    def test_every_example_gives_a_valid_object(self):
        names = sorted(p.name for p in (ROOT / "examples").glob("*.txt"))
        self.assertGreater(len(names), 4)
        for name in names:
            self.example(name)
        done, values = self.check(*names)
        self.assertEqual((done.code, done.err), (1, ""))
        self.assertEqual([v["history"]["path"] for v in values], names)

    def test_a_history_that_holds(self):
        self.example("serializable.txt")
        done, [value] = self.check("serializable.txt")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertEqual(value["history"], {
            "path": "serializable.txt", "format": "plume", "sessions": 3,
            "transactions": 6, "operations": 16, "keys": 3, "committed": 5,
            "aborted": 1, "unknown": 0, "promoted": 0, "dropped": 0,
            "session_order": True})
        self.assertEqual([(l["level"], l["verdict"], l["violations"])
                          for l in value["levels"]],
                         [(n, "holds", []) for n in
                          ("adya-read-committed", "read-committed",
                           "read-your-writes", "monotonic-reads",
                           "monotonic-writes", "writes-follow-reads",
                           "read-atomic", "causal", "prefix",
                           "parallel-snapshot-isolation",
                           "snapshot-isolation", "serializable")])
        self.assertEqual(value["strongest_holding"], ["serializable"])
        self.assertEqual(value["weakest_violated"], [])
        self.assertEqual(value["version"], 1)
        self.assertIs(value["stopped_at_first"], False)

    def test_a_cycle_closes_and_every_edge_has_its_reason(self):
        self.example("causal.txt")
        done, [value] = self.check("-i", "cc", "causal.txt")
        self.assertEqual(done.code, 1)
        [violation] = value["levels"][0]["violations"]
        self.assertEqual(violation["kind"], "writes-follow-reads-violation")
        self.assertEqual(violation["keys"], [1])
        edges = violation["edges"]
        for edge, following in zip(edges, edges[1:] + edges[:1]):
            self.assertEqual(edge["to"], following["from"])
        [inferred] = [e for e in edges if e["type"] == "inferred"]
        self.assertEqual(
            {k: inferred[k] for k in ("from", "to", "t1", "t2", "t3", "key",
                                      "axiom", "read", "write",
                                      "other_write")},
            {"from": "t6", "to": "t4", "t1": "t4", "t2": "t6", "t3": "t7",
             "key": 1, "axiom": "causal",
             "read": {"transaction": "t7", "type": "read", "key": 1,
                      "value": 3, "line": 10},
             "write": {"transaction": "t4", "type": "write", "key": 1,
                       "value": 3, "line": 5},
             "other_write": {"transaction": "t6", "type": "write", "key": 1,
                             "value": 4, "line": 7}})
        self.assertEqual([(s["from"], s["to"], s["type"])
                          for s in inferred["seen"]],
                         [("t6", "t3", "wr"), ("t3", "t7", "wr")])
        [t7] = [t for t in violation["transactions"] if t["name"] == "t7"]
        self.assertEqual(t7, {
            "name": "t7", "session": "4", "position": 1, "id": 7,
            "status": "committed", "line": 10, "operations_omitted": 0,
            "operations": [
                {"type": "read", "key": 1, "value": 3, "line": 10,
                 "from": "t4"},
                {"type": "read", "key": 2, "value": 1, "line": 11,
                 "from": "t3"}]})

    def test_a_wrong_read_names_read_write_and_lines(self):
        self.example("aborted.txt")
        done, [value] = self.check("-i", "rc", "aborted.txt")
        self.assertEqual(done.code, 1)
        [violation] = value["levels"][0]["violations"]
        self.assertEqual(violation["kind"], "aborted-read")
        self.assertEqual(violation["read"], {
            "transaction": "t3", "type": "read", "key": 1, "value": 99,
            "line": 4})
        self.assertEqual(violation["write"], {
            "transaction": "s2.aborted", "type": "write", "key": 1,
            "value": 99, "line": 6})
        self.assertIsNone(violation["other"])
        self.assertEqual(violation["edges"], [])

    def test_an_input_error_is_an_object_too(self):
        done, [value] = self.check("nowhere")
        self.assertEqual(done.code, 2)
        self.assertEqual(value, {
            "version": 1, "history": {"path": "nowhere"},
            "error": {"where": "nowhere", "message": "there is no such file",
                      "hint": "Check the path; use - to read standard input."}})
        self.assertEqual(done.err,
                         "nowhere: there is no such file\n"
                         "Check the path; use - to read standard input.\n")

    def test_several_histories_give_one_line_each_in_order(self):
        self.example("causal.txt")
        self.example("serializable.txt")
        done, values = self.check("causal.txt", "nowhere", "serializable.txt")
        self.assertEqual(done.code, 2)
        self.assertEqual([("error" in v, v["history"]["path"]) for v in values],
                         [(False, "causal.txt"), (True, "nowhere"),
                          (False, "serializable.txt")])

    def test_warnings_are_in_the_object_and_on_stderr(self):
        self.file("h", "w(1,1,1,1)\nr(1,1,2,1)\n")
        done, [value] = self.check("h")
        [warning] = value["warnings"]
        self.assertEqual(done.err, f"h: warning: {warning}\n")

    def test_numbers_keep_all_their_digits(self):
        self.file("h", "w(18446744073709551615,-9223372036854775808,1,1)\n"
                       "r(18446744073709551615,9223372036854775808,2,2)\n")
        _, [value] = self.check("-i", "rc", "h")
        [violation] = value["levels"][0]["violations"]
        self.assertEqual(violation["kind"], "thin-air-read")
        self.assertEqual(violation["keys"], [2**64 - 1])
        self.assertEqual(violation["read"]["value"], 2**63)

    def test_a_path_of_odd_bytes_is_quoted(self):
        name = 'a"b\\c\n\x01\x7f'
        self.file(name, "w(1,1,1,1)\n")
        _, [value] = self.check(name)
        self.assertEqual(value["history"]["path"], name)

    def test_a_path_that_is_not_utf8_is_still_valid_json(self):
        done, [value] = self.check(b"\xff\xfe.txt")
        self.assertEqual(done.code, 2)
        self.assertEqual(value["history"]["path"], "\ufffd\ufffd.txt")

    def test_first_lists_at_most_one_finding_per_level(self):
        self.file("h", "w(1,1,1,1)\nr(1,5,2,2)\nr(1,6,2,3)\n")
        _, [value] = self.check("--first", "h")
        self.assertIs(value["stopped_at_first"], True)
        self.assertEqual([len(l["violations"]) for l in value["levels"]],
                         [1] * 12)
        _, [value] = self.check("h")
        self.assertEqual([len(l["violations"]) for l in value["levels"]],
                         [2] * 12)

    def test_large_transactions_show_what_matters(self):
        self.file("h", "".join(f"w({i},1,1,1)\n" for i in range(1, 100))
                  + "r(1,7,1,1)\n")
        _, [value] = self.check("-i", "rc", "h")
        [violation] = value["levels"][0]["violations"]
        [txn] = violation["transactions"]
        self.assertEqual(txn["operations_omitted"], 99)
        self.assertEqual(txn["operations"],
                         [{"type": "read", "key": 1, "value": 7, "line": 100,
                           "from": None}])


if __name__ == "__main__":
    harness.main()
