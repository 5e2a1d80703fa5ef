"""awdit stats: for people, for programs, on histories of every kind."""

import json
import os
import pty
import subprocess

import harness
from harness import CLEAN, ROOT, CliTest
from test_json import validate


class Text(CliTest):
    def test_a_small_history_byte_for_byte(self):
        self.file("h.txt", "w(1,1,1,1)\nw(2,2,1,1)\nr(1,1,2,2)\nr(2,2,2,2)\n"
                           "w(1,3,2,-1)\nr(3,0,1,3)\n")
        self.assert_run(self.awdit("stats", "h.txt"), 0, """\
h.txt  plume

  sessions         2
  transactions     4  3 committed, 1 aborted
  operations       6  3 reads (50 %), 3 writes
  keys             3  the most used one has 50 % of the operations
  initial reads    1  33 % of the reads found the initial state
  repeated writes  0  no key gets a value twice

Operations per transaction: 1 to 2, median 1
  1  2  ########################################
  2  2  ########################################

Operations per key: 1 to 3, median 2
    1  1  ####################
  2-3  2  ########################################

Transactions per session: always 2

Test power: chances to see a violation, and how rare one must be to hide
  non-monotonic reads  1  weak
  fractured reads      2  weak
  causal violations    2  weak

There was only 1 chance to see a non-monotonic read: a clean verdict says little
about that. Use fewer keys, or more reads per transaction.

There were only 2 chances to see a fractured read: a clean verdict says little
about that. Use fewer keys, or larger transactions.

There were only 2 chances to see a causal violation: a clean verdict says little
about that. Use fewer keys, or more transactions that both read and write.
""")

    def test_repeated_writes_are_counted_not_refused(self):
        self.file("h.txt", "w(1,1,1,1)\nw(1,1,1,2)\n")
        done = self.awdit("stats", "h.txt")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertIn("  repeated writes  1  of a value that the key got "
                      "before: check refuses this\n", done.out)
        self.assertTrue(done.out.endswith(
            "Test power: unknown, because reads cannot be attributed: key 1 "
            "gets the value 1\ntwice: by t1 (line 1) and by t2 (line 2).\n"),
            done.out)

    def test_standard_input_and_warnings(self):
        done = self.awdit("stats", "-", stdin="w(1,1,1,1)\nr(1,1,2,1)\n")
        self.assertTrue(done.out.startswith("<stdin>  plume\n"), done.out)
        self.assertTrue(done.err.startswith("<stdin>: warning: transaction id "),
                        done.err)

    def test_large_counts_stay_within_eighty_columns(self):
        made = self.awdit("generate", "--ops", "300k", "--keys", "100",
                          "--distribution", "zipf")
        done = self.awdit("stats", "-", stdin=made.out)
        self.assertIn("strong", done.out)
        self.assertIn("  operations       300,000  ", done.out)
        for line in done.out.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_bars_are_blocks_on_a_terminal_that_shows_them(self):
        self.example("causal.txt")
        for locale, blocks in (("C.UTF-8", True), ("C", False)):
            try:
                master, slave = pty.openpty()
            except OSError as reason:
                self.skipTest(f"no pseudo terminal here: {reason}")
            process = subprocess.Popen(
                [harness.BINARY, "stats", "causal.txt"], cwd=self.folder,
                env=CLEAN | {"TERM": "xterm", "LC_ALL": locale}, stdout=slave,
                stderr=slave)
            os.close(slave)
            shown = b""
            while True:
                try:
                    part = os.read(master, 4096)
                except OSError:
                    break
                if not part:
                    break
                shown += part
            os.close(master)
            self.assertEqual(process.wait(timeout=60), 0)
            self.assertEqual("█".encode() in shown, blocks)
            self.assertEqual(b"##" in shown, not blocks)


class Json(CliTest):
    def stats(self, *arguments, **extra):
        done = self.awdit("stats", "--json", *arguments, **extra)
        self.assertEqual(done.out.count("\n"), 1)
        value = json.loads(done.out)
        validate(value, "stats")
        return done, value

    def test_every_example_gives_a_valid_object(self):
        for path in sorted((ROOT / "examples").glob("*.txt")):
            self.example(path.name)
            done, value = self.stats(path.name)
            self.assertEqual((done.code, done.err), (0, ""))
            self.assertEqual(value["history"]["path"], path.name)
            history = value["history"]
            for field, total in (("operations_per_transaction", "operations"),
                                 ("operations_per_key", "operations"),
                                 ("transactions_per_session", "transactions")):
                spread = value[field]
                self.assertEqual(spread["total"], history[total])
                self.assertEqual(sum(b["count"] for b in spread["buckets"]),
                                 spread["count"])

    def test_numbers(self):
        self.example("fractured.txt")
        _, value = self.stats("fractured.txt")
        self.assertEqual(value["history"], {
            "path": "fractured.txt", "format": "plume", "sessions": 2,
            "transactions": 3, "committed": 3, "aborted": 0, "unknown": 0,
            "operations": 5, "reads": 2, "writes": 3, "keys": 2,
            "lists": False})
        self.assertEqual(value["operations_per_transaction"], {
            "count": 3, "total": 5, "least": 1, "median": 2, "most": 2,
            "buckets": [{"from": 1, "to": 1, "count": 1},
                        {"from": 2, "to": 3, "count": 2}]})
        self.assertEqual(value["power"], [
            {"anomaly": "non-monotonic-read", "chances": 0,
             "judgement": "none"},
            {"anomaly": "fractured-read", "chances": 3, "judgement": "weak"},
            {"anomaly": "causal-violation", "chances": 2,
             "judgement": "weak"}])
        self.assertIsNone(value["time"])

    def test_the_number_of_threads_changes_nothing(self):
        made = self.awdit("generate", "--ops", "20k", "--anomaly",
                          "causal-violation", "--order", "session").out
        values = [self.stats("-", "--threads", threads, stdin=made)[1]
                  for threads in ("1", "2", "7")]
        self.assertEqual(values[0], values[1])
        self.assertEqual(values[0], values[2])

    def test_an_unreadable_history_is_an_object_too(self):
        done, value = self.stats("nowhere")
        self.assertEqual(done.code, 2)
        self.assertEqual(value["error"]["message"], "there is no such file")
        self.assertEqual(done.err,
                         "nowhere: there is no such file\n"
                         "Check the path; use - to read standard input.\n")

    def test_unknown_power_is_null(self):
        _, value = self.stats("-", stdin="w(1,1,1,1)\nw(1,1,1,2)\n")
        self.assertIsNone(value["power"])
        self.assertEqual(value["repeated_writes"], 1)


class Mistakes(CliTest):
    def test_what_is_typed_wrong(self):
        for arguments, message in (
                ([], "no history given: name a file, or - for standard input"),
                (["h", "--threads", "0"],
                 "--threads takes a number from 1 to 1024; found '0'")):
            self.assert_run(self.awdit("stats", *arguments), 2, "",
                            f"awdit: {message}\ntry awdit stats --help\n")


if __name__ == "__main__":
    harness.main()
