"""awdit shrink: what is written, what is said, and what is left alone."""

import json
import re

import harness
from harness import CliTest

# Half of t2 is seen, amid bystanders.
HISTORY = ("w(9,1,3,9)\n"
           "w(1,1,1,1)\n"
           "w(1,2,1,2)\n"
           "w(2,2,1,2)\n"
           "r(9,1,2,3)\n"
           "r(1,1,2,3)\n"
           "r(2,2,2,3)\n"
           "w(9,2,2,4)\n")
STORY = "w(1,1,1,1)\nw(1,2,1,2)\nw(2,2,1,2)\nr(1,1,2,3)\nr(2,2,2,3)\n"
SAID = ("h.txt: 8 operations in 5 transactions became 5 operations in 3 "
        "transactions: fractured-read at read-atomic\n"
        "h.txt: t3 read 1=1 from t1 although it also read 2=2 from t2, which "
        "had overwritten it with 1=2.\n")
# The same, and what nobody wrote; causal and all weaker levels are violated.
WORSE = HISTORY + "r(5,7,4,5)\nr(9,1,4,5)\n"


class Shrink(CliTest):
    def setUp(self):
        super().setUp()
        self.file("h.txt", HISTORY)

    def kinds(self, path, level):
        value = json.loads(self.awdit("check", "--json", "-i", level,
                                      path).out)
        return [v["kind"] for v in value["levels"][0]["violations"]]

    def test_writes_the_smallest_story(self):
        self.assert_run(self.awdit("shrink", "h.txt", "s.txt"), 0, "", SAID)
        self.assertEqual((self.folder / "s.txt").read_text(), STORY)
        self.assertEqual(self.kinds("s.txt", "read-atomic"),
                         ["fractured-read"])

    def test_to_standard_output_in_the_format_of_the_input(self):
        self.assert_run(self.awdit("shrink", "h.txt", "-"), 0, STORY, SAID)
        done = self.awdit("shrink", "-", "-", stdin=HISTORY)
        self.assert_run(done, 0, STORY, SAID.replace("h.txt", "<stdin>"))

    def test_a_name_that_does_not_tell_keeps_the_format(self):
        self.assert_run(self.awdit("shrink", "h.txt", "story"), 0, "", SAID)
        self.assertEqual((self.folder / "story").read_text(), STORY)

    def test_other_formats_by_name_and_by_option(self):
        self.awdit("convert", "h.txt", "h.jsonl")
        for arguments in (["h.txt", "s.jsonl"], ["h.txt", "s.edn"],
                          ["h.txt", "s.awdit"], ["h.jsonl", "s"],
                          ["--to", "cobra", "h.txt", "logs"],
                          ["--from", "plume", "h.txt", "s.txt.gz"]):
            with self.subTest(arguments):
                done = self.awdit("shrink", *arguments)
                self.assertEqual((done.code, done.out), (0, ""), done.err)
                self.assertIn("became 5 operations in 3 transactions",
                              done.err)
                self.assertEqual(self.kinds(arguments[-1], "read-atomic"),
                                 ["fractured-read"])

    def test_several_inputs_are_one_history(self):
        self.file("a.jsonl", self.awdit("convert", "--to", "awdit-jsonl",
                                        "h.txt", "-").out)
        done = self.awdit("convert", "--to", "cobra", "h.txt", "logs")
        self.assertEqual(done.code, 0)
        logs = sorted(str(p.relative_to(self.folder))
                      for p in (self.folder / "logs").iterdir())
        self.assertGreater(len(logs), 1)
        done = self.awdit("shrink", *logs, "s.jsonl")
        self.assertEqual(done.code, 0, done.err)
        self.assertIn(", ".join(logs) + ": 8 operations", done.err)

    def test_the_most_basic_kind_unless_told(self):
        self.file("w.txt", WORSE)
        done = self.awdit("shrink", "w.txt", "-")
        self.assertEqual((done.code, done.out), (0, "r(5,7,4,5)\n"))
        self.assertIn("became 1 operation in 1 transaction: thin-air-read at "
                      "adya-read-committed\n", done.err)
        # It has its name at every level that forbids it.
        done = self.awdit("shrink", "-i", "cc", "--kind", "fractured-read",
                          "w.txt", "-")
        self.assertEqual((done.code, done.out), (0, STORY))
        self.assertIn(": fractured-read at causal\n", done.err)
        done = self.awdit("shrink", "-i", "cc", "--kind", "causal-violation",
                          "w.txt", "-")
        self.assertEqual((done.code, done.out), (1, ""))
        # The weakest of the levels that were named.
        done = self.awdit("shrink", "-i", "cc,ra", "--kind", "thin-air-read",
                          "w.txt", "-")
        self.assertIn(": thin-air-read at read-atomic\n", done.err)

    def test_what_is_minimal_stays(self):
        self.file("s.txt", STORY)
        done = self.awdit("shrink", "s.txt", "-")
        self.assertEqual((done.code, done.out), (0, STORY))
        self.assertIn("s.txt: 5 operations in 3 transactions cannot be made "
                      "smaller: fractured-read at read-atomic\n", done.err)

    def test_nothing_violated_nothing_written(self):
        self.assert_run(
            self.awdit("shrink", "-i", "rc", "h.txt", "s.txt"), 1, "",
            "h.txt: read-committed holds: there is nothing to shrink, and "
            "nothing is written\n")
        self.assert_run(
            self.awdit("shrink", "-i", "rc,arc", "h.txt", "-"), 1, "",
            "h.txt: adya-read-committed and read-committed hold: there is "
            "nothing to shrink, and nothing is written\n")
        self.assertEqual(self.files(), ["h.txt"])

    def test_no_violation_of_that_kind(self):
        self.assert_run(
            self.awdit("shrink", "--kind", "aborted-read", "h.txt", "s.txt"),
            1, "",
            "h.txt: no aborted-read was found, only fractured-read at "
            "read-atomic; nothing is written\n")
        self.assertEqual(self.files(), ["h.txt"])

    def test_a_format_that_cannot_show_it_is_refused(self):
        self.file("a.txt", "w(1,1,1,-1)\nr(1,1,2,2)\nw(2,2,2,2)\n")
        self.file("old", "precious")
        self.assert_run(
            self.awdit("shrink", "--to", "awdit-test", "a.txt", "old"), 2, "",
            "a.txt: awdit-test cannot show this: aborted-read at "
            "adya-read-committed\n"
            "Nothing was written. Choose a format that holds everything: "
            "awdit-jsonl or awdit.\n")
        self.assertEqual((self.folder / "old").read_text(), "precious")

    def test_losses_are_named(self):
        done = self.awdit("shrink", "--to", "awdit-test", "h.txt", "-")
        self.assertEqual((done.code, done.out),
                         (0, "w 1 1\n-----\nw 1 2\nw 2 2\n=====\n"
                             "r 1 1\nr 2 2\n"))
        self.assertEqual(done.err, "h.txt: lost in awdit-test: the ids of "
                                   "transactions\n" + SAID)

    def test_unknown_outcomes_keep_their_witness(self):
        # Session 1 forgot its own write; that t2 took effect is known from t4.
        head = '{"awdit":1,"initial":0,"clock":"none"}\n'
        story = ('{"session":1,"id":1,"ops":[["w","x",1]]}\n'
                 '{"session":1,"id":2,"status":"unknown",'
                 '"ops":[["w","x",2],["w","y",2]]}\n'
                 '{"session":1,"id":3,"ops":[["r","x",1]]}\n'
                 '{"session":2,"id":4,"ops":[["r","y",2]]}\n')
        self.file("u.jsonl", head + story.replace('[["r","x",1]]',
                                                  '[["r","x",1],["w","z",1]]')
                  + '{"session":3,"id":5,"ops":[["r","z",1]]}\n')
        done = self.awdit("shrink", "u.jsonl", "-")
        self.assertEqual((done.code, done.out), (0, head + story), done.err)

    def test_everything_that_is_known_stays(self):
        head = '{"awdit":1,"initial":null,"clock":"milliseconds"}\n'
        story = ('{"session":"a","id":7,"ops":[["w","x","red"]],'
                 '"times":[1,5],"ticks":[3,null],"node":"n1",'
                 '"meta":{"sql":["begin"]}}\n'
                 '{"session":"a","id":9,"ops":[["r","x",null]],'
                 '"times":[6,9]}\n')
        self.file("k.jsonl", head + story.replace('[["r"',
                                                  '[["w","y",1],["r"')
                  + '{"session":2,"id":10,"node":"n2","ops":[["r","y",1]]}\n')
        done = self.awdit("shrink", "k.jsonl", "-")
        self.assertEqual((done.code, done.out), (0, head + story), done.err)

    def test_a_transaction_without_operations_may_be_what_it_rests_on(self):
        head = '{"awdit":1,"initial":null,"clock":"nanoseconds"}\n'
        story = '{"session":0,"ops":[],"times":[1,2]}\n'
        late = '{"session":0,"ops":[["r","x",null]],"times":[5,5]}\n'
        self.file("s.jsonl", head + late + story
                  + '{"session":1,"ops":[],"times":[1,9]}\n')
        done = self.awdit("shrink", "-i", "sser", "s.jsonl", "-")
        # The read does not matter either.
        smallest = head + late.replace('["r","x",null]', "") + story
        self.assertEqual((done.code, done.out), (0, smallest), done.err)

    def test_lists_stay_lists(self):
        head = '{"awdit":1,"initial":null,"clock":"none"}\n'
        story = ('{"session":1,"id":1,"ops":[["append","x",1]]}\n'
                 '{"session":1,"id":2,"ops":[["append","x",2]]}\n'
                 '{"session":2,"id":3,"ops":[["r","x",[1,2]]]}\n'
                 '{"session":3,"id":4,"ops":[["r","x",[2]]]}\n')
        self.file("l.jsonl", head + story
                  + '{"session":3,"id":5,"ops":[["r","x",[1,2]]]}\n')
        done = self.awdit("shrink", "l.jsonl", "-")
        self.assertEqual((done.code, done.out), (0, head + story), done.err)

    def test_the_input_is_never_overwritten(self):
        self.assert_run(self.awdit("shrink", "h.txt", "h.txt"), 2, "",
                        "h.txt: the output would overwrite the history\n"
                        "Choose another name.\n")
        self.assertEqual((self.folder / "h.txt").read_text(), HISTORY)

    def test_bad_input_leaves_nothing_behind(self):
        self.file("bad.txt", "w(1,1,1,1)\nw(1,\n")
        done = self.awdit("shrink", "bad.txt", "out.txt")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith("bad.txt:2:5: "), done.err)
        self.file("twice.txt", "w(1,1,1,1)\nw(1,1,2,2)\n")
        done = self.awdit("shrink", "twice.txt", "out.txt")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith("twice.txt:2"), done.err)
        self.assertEqual(self.files(), ["bad.txt", "h.txt", "twice.txt"])

    def test_mistakes(self):
        for arguments, message in (
                (["h.txt"], "an input and an output are needed"),
                (["-", "-", "x"], "standard input (-) can be read only once"),
                (["-i", "casual", "h.txt", "x"],
                 "unknown level 'casual'; did you mean 'causal'? Known: "
                 "adya-read-committed, read-committed, read-your-writes, "
                 "monotonic-reads, monotonic-writes, writes-follow-reads, "
                 "read-atomic, causal, "
                 "prefix, parallel-snapshot-isolation, snapshot-isolation, "
                 "serializable, strong-snapshot-isolation, "
                 "strict-serializable"),
                (["-i", "rc,", "h.txt", "x"], "there is an empty name in 'rc,'")):
            self.assert_run(self.awdit("shrink", *arguments), 2, "",
                            f"awdit: {message}\ntry awdit shrink --help\n")
        done = self.awdit("shrink", "--kind", "fractured-reed", "h.txt", "x")
        self.assertEqual(done.code, 2)
        self.assertTrue(done.err.startswith(
            "awdit: unknown kind 'fractured-reed'; did you mean "
            "'fractured-read'? Known: thin-air-read, "), done.err)
        done = self.awdit("shrink", "--knd", "x", "h.txt", "x")
        self.assertIn("did you mean '--kind'?", done.err)
        done = self.awdit("shrnk", "h.txt", "x")
        self.assertIn("did you mean 'shrink'?", done.err)
        self.assertEqual(self.files(), ["h.txt"])

    def test_every_planted_anomaly_becomes_a_handful(self):
        listed = self.awdit("generate", "--help").out
        table = listed.split("Anomalies:\n")[1].split("\n\n")[0]
        for name in re.findall(r"(?m)^  (\S+)", table):
            with self.subTest(name):
                lists = ["--lists"] if name in (
                    "duplicate-element", "incompatible-order") else []
                self.awdit("generate", "--anomaly", name, "--ops", "2k",
                           *lists, "-o", "big.jsonl")
                done = self.awdit("shrink", "big.jsonl", "small.jsonl")
                if done.code == 1:  # no level of ours forbids it
                    self.assertIn(name, ("long-fork", "lost-update",
                                         "write-skew"))
                    continue
                self.assertEqual(done.code, 0, done.err)
                counts = re.search(r"became (\d+) operations? in (\d+) ",
                                   done.err)
                self.assertLessEqual(int(counts.group(1)), 6, done.err)
                kind = re.search(r": (\S+) at (\S+)\n", done.err)
                self.assertEqual(set(self.kinds("small.jsonl",
                                                kind.group(2))),
                                 {kind.group(1)})


if __name__ == "__main__":
    harness.main()
