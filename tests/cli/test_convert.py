"""awdit convert: what is written, what is said, and what is left alone."""

import json
import signal
import subprocess

import harness
from harness import CliTest

HISTORY = ("w(1,10,1,1)\n"
           "w(2,20,1,1)\n"
           "r(2,20,1,2)\n"
           "r(1,10,2,3)\n"
           "r(2,0,2,3)\n"
           "w(1,99,2,-1)\n")


class Convert(CliTest):
    def setUp(self):
        super().setUp()
        self.file("h.txt", HISTORY)

    def test_names_what_is_lost(self):
        self.assert_run(
            self.awdit("convert", "--to", "awdit-test", "h.txt", "-"), 0,
            "w 2 0\n=====\nw 1 10\nw 2 20\n-----\nr 2 20\n=====\n"
            "r 1 10\nr 2 0\n",
            "h.txt: lost in awdit-test: 1 aborted transaction; reads of their "
            "writes become thin-air reads\n"
            "h.txt: lost in awdit-test: the ids of transactions\n"
            "h.txt: lost in awdit-test: the initial state of 1 key: an "
            "ordinary first transaction writes 0\n")

    def test_lossless_refuses_and_writes_nothing(self):
        self.file("old.txt", "precious")
        self.assert_run(
            self.awdit("convert", "--lossless", "--to", "awdit-test", "h.txt",
                       "old.txt"), 2, "",
            "h.txt: awdit-test cannot hold everything; this would be lost:\n"
            "    1 aborted transaction; reads of their writes become thin-air "
            "reads\n"
            "    the ids of transactions\n"
            "    the initial state of 1 key: an ordinary first transaction "
            "writes 0\n"
            "Nothing was written. Convert to awdit-jsonl or awdit, which hold "
            "everything, or leave out --lossless.\n")
        self.assertEqual((self.folder / "old.txt").read_text(), "precious")
        self.assertEqual(self.files(), ["h.txt", "old.txt"])

    def test_what_promoted_transactions_read_is_kept(self):
        # t3 missed x=1 although it saw what followed it; Jepsen's formats tell
        # of no unknown operation that it read nil.
        self.file("h.jsonl",
                  '{"session":1,"id":1,"ops":[["w","x",1]],"times":[1,2]}\n'
                  '{"session":2,"id":2,"ops":[["r","x",1],["w","z",1]],'
                  '"times":[3,4]}\n'
                  '{"session":3,"id":3,"status":"unknown","ops":[["r","z",1],'
                  '["r","x",null],["w","y",1]],"times":[5,6]}\n'
                  '{"session":4,"id":4,"ops":[["r","y",1]],"times":[5,9]}\n'
                  '{"session":5,"id":5,"status":"unknown","ops":'
                  '[["r","x",null],["w","q",1]],"times":[5,null]}\n')
        before = self.awdit("check", "--json", "h.jsonl")
        self.assertEqual(before.code, 1)
        for name, format in (("h.edn", "jepsen-edn"), ("h.json", "elle-json")):
            done = self.awdit("convert", "--to", format, "h.jsonl", name)
            self.assertEqual(
                done.err,
                f"h.jsonl: lost in {format}: the unknown outcome of 1 "
                "transaction: written as committed, because their writes were "
                "read and they read nil\n"
                f"h.jsonl: lost in {format}: 1 read of nil by transactions "
                "that did not commit\n")
            after = self.awdit("check", "--json", "--format", format, name)
            verdicts = [[(level["level"], level["verdict"])
                         for level in json.loads(run.out)["levels"]]
                        for run in (before, after)]
            self.assertEqual(*verdicts)

    def test_lossless_is_content_where_everything_fits(self):
        self.assert_run(self.awdit("convert", "--lossless", "h.txt", "o.txt"),
                        0, "")
        self.assertEqual((self.folder / "o.txt").read_text(), HISTORY)

    def test_values_are_renumbered_only_where_they_must(self):
        # -5 is no value of awdit-test's, so the values of all keys change.
        self.file("n.txt", "w(7,-5,1,1)\nw(7,9,1,2)\nr(7,-5,2,3)\n")
        done = self.awdit("convert", "--to", "awdit-test", "--mapping",
                          "map.jsonl", "n.txt", "-")
        self.assertEqual(done.out, "w 7 1\n-----\nw 7 2\n=====\nr 7 1\n")
        lines = (self.folder / "map.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line) for line in lines],
                         [{"session": 1, "written_as": 1},
                          {"session": 2, "written_as": 2},
                          {"key": 7, "value": 9, "written_as": 2},
                          {"key": 7, "value": -5, "written_as": 1}])
        self.assertNotIn("values", done.err)
        done = self.awdit("convert", "--to", "awdit-test", "n.txt", "-")
        self.assertIn("n.txt: lost in awdit-test: the values: numbered per "
                      "key from 1 in their order\n", done.err)

    def test_the_input_is_never_overwritten(self):
        self.assert_run(self.awdit("convert", "h.txt", "h.txt"), 2, "",
                        "h.txt: the output would overwrite the history\n"
                        "Choose another name.\n")
        self.assertEqual((self.folder / "h.txt").read_text(), HISTORY)

    def test_bad_input_leaves_nothing_behind(self):
        self.file("bad.txt", "w(1,1,1,1)\nw(1,\n")
        done = self.awdit("convert", "bad.txt", "out.txt", "--mapping", "m")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith("bad.txt:2:5: "), done.err)
        self.assertEqual(self.files(), ["bad.txt", "h.txt"])

    def test_the_target_must_be_known(self):
        self.assert_run(
            self.awdit("convert", "h.txt", "out.xyz"), 2, "",
            "awdit: the name 'out.xyz' does not say which format to write: use "
            "--to\n"
            "try awdit convert --help\n")
        self.assert_run(
            self.awdit("convert", "h.txt"), 2, "",
            "awdit: an input and an output are needed\n"
            "try awdit convert --help\n")

    def test_a_signal_leaves_nothing_half_written(self):
        # The reader of standard input waits; the output exists by then.
        process = subprocess.Popen(
            [harness.BINARY, "convert", "--from", "plume", "-", "out.txt",
             "--mapping", "m"], stdin=subprocess.PIPE, cwd=self.folder)
        self.wait_for_outputs(process, 2)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        process.stdin.close()
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(self.files(), ["h.txt"])


if __name__ == "__main__":
    harness.main()
