"""awdit-jsonl and awdit: the schema, the examples in the documents, and what a
recorder leaves behind."""

import json
import re

import harness
from harness import ROOT, CliTest

try:
    import jsonschema
except ImportError:
    jsonschema = None

SAMPLES = ROOT / "tests" / "format" / "awdit-jsonl"
PAGE = ROOT / "docs" / "formats" / "awdit-jsonl.md"


def complete_lines(path):
    lines = path.read_text(encoding="utf-8-sig", errors="surrogateescape")
    # Zeros are what a mapped file has behind its end.
    lines = lines.split("\0")[0]
    return [line for line in lines.split("\n")[:-1] if line.strip()]


def validator():
    schema = json.loads((PAGE.parent / "awdit-jsonl.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


class Schema(CliTest):
    def setUp(self):
        super().setUp()
        if jsonschema is None:
            self.skipTest("python3-jsonschema is not installed")

    def test_allows_what_is_accepted(self):
        schema, lines = validator(), 0
        for path in sorted((SAMPLES / "accepted").rglob("*.jsonl")):
            for line in complete_lines(path):
                # Deeper than this library follows; any "meta" is allowed.
                if line.count("[") > 1000:
                    continue
                with self.subTest(path.name):
                    schema.validate(json.loads(line))
                    lines += 1
        self.assertGreater(lines, 40)

    def test_forbids_what_is_refused_on_a_line_of_its_own(self):
        schema = validator()
        for name in ("misspelt_field", "unknown_field", "misspelt_status",
                     "session_missing", "ops_missing", "empty_object",
                     "array_of_transactions", "fraction", "too_large",
                     "too_small", "truth_value", "object_as_value",
                     "unknown_operation", "operation_without_key",
                     "operation_with_four_parts", "list_written",
                     "list_in_a_list", "nameless_committed", "lowest_id",
                     "id_as_text", "newer_version", "unknown_clock",
                     "misspelt_header_field", "one_time", "time_too_large"):
            with self.subTest(name):
                path = SAMPLES / "rejected" / f"{name}.jsonl"
                self.assertFalse(all(schema.is_valid(json.loads(line))
                                     for line in complete_lines(path)))

    def test_allows_what_is_written(self):
        self.example("aborted.txt")
        sources = ["aborted.txt",
                   *sorted((SAMPLES / "accepted").glob("*.jsonl"))]
        for source in sources:
            done = self.awdit("convert", "--to", "awdit-jsonl", str(source),
                              "-")
            self.assertEqual(done.code, 0, done.err)
            for line in done.out.splitlines():
                if line.count("[") < 1000:
                    validator().validate(json.loads(line))


class Documents(CliTest):
    def test_the_example_in_python_records_a_history(self):
        [code] = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE.read_text())
        self.assertLessEqual(code.count("\n"), 12)

        class Database:
            def get(self, key):
                return vars(self).get(key)

            def put(self, key, value):
                vars(self)[key] = value

            def commit(self):
                return "committed"

        scope = {"open": lambda name, mode: open(self.folder / name, mode)}
        exec(code, scope)
        database = Database()
        for _ in range(3):
            scope["transfer"](database)
        scope["log"].close()
        done = self.awdit("check", "client-3.jsonl")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertIn("awdit-jsonl  1 session  3 transactions  6 operations",
                      done.out)


class Binary(CliTest):
    def test_checks_the_same_as_what_it_was_made_from(self):
        for name in ("causal.txt", "fractured.txt", "serializable.txt",
                     "aborted.txt"):
            self.example(name)
            self.assert_run(self.awdit("convert", name, "h.awdit"), 0, "")
            text = self.awdit("check", name)
            binary = self.awdit("check", "h.awdit")
            self.assertEqual(binary.code, text.code)
            # Lines of the input are kept as well.
            self.assertEqual(
                binary.out.replace("h.awdit  awdit ", f"{name}  plume "),
                text.out)

    def test_from_standard_input_and_compressed(self):
        self.example("causal.txt")
        self.assert_run(self.awdit("convert", "causal.txt", "h.awdit.zst"), 0,
                        "")
        data = (self.folder / "h.awdit.zst").read_bytes()
        done = self.awdit("check", "-", stdin=data)
        self.assertEqual((done.code, done.err), (1, ""))
        self.assertIn("<stdin>  awdit  4 sessions", done.out)

    def test_a_damaged_file_is_refused_with_the_place(self):
        self.example("causal.txt")
        self.awdit("convert", "causal.txt", "h.awdit")
        data = bytearray((self.folder / "h.awdit").read_bytes())
        data[-1] ^= 1
        self.file("h.awdit", bytes(data))
        done = self.awdit("check", "h.awdit")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith(
            "h.awdit:byte 64: the data are damaged"), done.err)


class Cobra(CliTest):
    def test_a_directory_is_written_and_read_again(self):
        self.example("serializable.txt")
        done = self.awdit("convert", "--to", "cobra", "serializable.txt",
                          "logs")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(sorted(p.name for p in (self.folder / "logs")
                                .iterdir()), ["T1.log", "T2.log", "T3.log"])
        done = self.awdit("check", "logs")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertIn("logs  cobra  3 sessions", done.out)

    def test_one_log_alone_is_questioned(self):
        self.example("serializable.txt")
        self.awdit("convert", "--to", "cobra", "serializable.txt", "logs")
        done = self.awdit("check", "logs/T1.log")
        self.assertIn("only the log of one client was read, T1; if those of "
                      "others lie beside it, name the directory.",
                      " ".join((done.out + done.err).split()))


if __name__ == "__main__":
    harness.main()
