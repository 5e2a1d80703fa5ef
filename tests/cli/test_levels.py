"""The whole lattice: which levels are asked, sessions, real time, limits."""

import json
import time

import harness
from harness import CliTest

GUARANTEES = ["read-your-writes", "monotonic-reads", "monotonic-writes",
              "writes-follow-reads"]
WEAK = ["adya-read-committed", "read-committed", *GUARANTEES, "read-atomic",
        "causal"]
# Three are promises to sessions.
WITHOUT_ORDER = [level for level in WEAK if level not in GUARANTEES[:3]]
STRONG = ["prefix", "parallel-snapshot-isolation", "snapshot-isolation",
          "serializable"]
TIMED = ["strong-snapshot-isolation", "strict-serializable"]

HOLDS = "w(1,1,1,1)\nr(1,1,2,2)\n"
LOST_UPDATE = "r(1,0,1,1)\nw(1,1,1,1)\nr(1,0,2,2)\nw(1,2,2,2)\n"
LONG_FORK = ("w(1,1,1,1)\nw(2,1,2,2)\nr(1,1,3,3)\nr(2,0,3,3)\n"
             "r(1,0,4,4)\nr(2,1,4,4)\n")
WRITE_SKEW = ("r(1,0,1,1)\nr(2,0,1,1)\nw(1,1,1,1)\n"
              "r(1,0,2,2)\nr(2,0,2,2)\nw(2,2,2,2)\n")
# A session that does not find what it wrote.
FORGETFUL = "w(1,1,1,1)\nr(1,0,1,2)\n"
# Nobody finds x, long after it was committed.
STALE = ('{"awdit":1,"initial":0,"clock":"milliseconds"}\n'
         '{"session":1,"id":1,"ops":[["w","x",1]],"times":[1,2]}\n'
         '{"session":2,"id":2,"ops":[["r","x",0]],"times":[8,9]}\n')


class LevelsTest(CliTest):
    def verdicts(self, *arguments, stdin=b""):
        """The exit code, and {level: verdict}."""
        done = self.awdit("check", "--json", *arguments, stdin=stdin)
        value = json.loads(done.out)
        return done.code, {level["level"]: level["verdict"]
                           for level in value["levels"]}

    def holding(self, history, *arguments):
        """The levels that hold, all others being violated."""
        self.file("h", history)
        _, found = self.verdicts(*arguments, "h")
        self.assertLessEqual(set(found.values()), {"holds", "violated"})
        return [level for level, verdict in found.items()
                if verdict == "holds"]


class Lattice(LevelsTest):
    def test_classic_anomalies_break_just_what_they_should(self):
        for history, holds in (
                (HOLDS, WEAK + STRONG),
                (WRITE_SKEW, WEAK + STRONG[:3]),
                (LONG_FORK, WEAK + ["parallel-snapshot-isolation"]),
                (LOST_UPDATE, WEAK + ["prefix"]),
                (LONG_FORK + LOST_UPDATE.replace("(1,", "(3,")
                 .replace(",1,1)", ",5,5)").replace(",2,2)", ",6,6)"), WEAK)):
            self.assertEqual(self.holding(history), holds, history)

    def test_what_is_made_is_what_is_found(self):
        for level in WEAK + STRONG:
            self.file("h", self.awdit("generate", "--level", level).out)
            code, found = self.verdicts("h")
            self.assertEqual(code, 0 if level == "serializable" else 1)
            strongest = [name for name, verdict in found.items()
                         if verdict == "holds"][-1]
            self.assertEqual(strongest, level)

    def test_a_level_alone_says_what_it_says_in_company(self):
        for history in (HOLDS, WRITE_SKEW, LONG_FORK, LOST_UPDATE, FORGETFUL):
            self.file("h", history)
            _, together = self.verdicts("h")
            for level, verdict in together.items():
                code, alone = self.verdicts("-i", level, "h")
                self.assertEqual(alone, {level: verdict}, history)
                self.assertEqual(code, 0 if verdict == "holds" else 1)


class RealTime(LevelsTest):
    def test_levels_that_need_times_are_left_out_without_them(self):
        for arguments in ([], ["-i", "all"], ["-i", "rc,all"]):
            self.file("h", HOLDS)
            code, found = self.verdicts(*arguments, "h")
            self.assertEqual((code, list(found)), (0, WEAK + STRONG))

    def test_and_are_an_error_if_they_are_named(self):
        self.file("h", HOLDS)
        for arguments, level in (("sser", "strict-serializable"),
                                 ("rc,strong-si", "strong-snapshot-isolation"),
                                 ("all,sser", "strict-serializable")):
            done = self.awdit("check", "-i", arguments, "h")
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertTrue(done.err.startswith(f"h: {level} needs to know "),
                            done.err)

    def test_a_clock_without_times_is_none(self):
        header = '{"awdit":1,"clock":"nanoseconds"}\n'
        for ops in ('"ops":[["w","x",1]]',
                    '"ops":[["w","x",1]],"times":[null,null]'):
            self.file("h.jsonl", header + '{"session":1,%s}\n' % ops)
            self.assertEqual(
                self.awdit("convert", "h.jsonl", "h.awdit").code, 0)
            for path in ("h.jsonl", "h.awdit"):
                done = self.awdit("check", "-i", "sser", path)
                self.assertEqual((done.code, done.out), (2, ""))
                self.assertTrue(done.err.startswith(
                    f"{path}: strict-serializable needs to know "), done.err)
                self.assertEqual(list(self.verdicts(path)[1]), WEAK + STRONG)

    def test_times_of_two_clocks_are_not_compared(self):
        header = '{"awdit":1,"initial":0%s}\n'
        first, second = STALE.splitlines(keepends=True)[-2:]
        for relation, code in (("", 0), ("4,2", 0), ("3,2", 1),
                               ("-4,1", 1), ("20,0", 0)):
            related = (f',"clock_relations":[["a","b",{relation}]]'
                       if relation else "")
            self.file("a.jsonl", header % ',"clock_domain":"a"' + first)
            self.file("b.jsonl",
                      header % (',"clock_domain":"b"' + related) + second)
            done = self.awdit("check", "-i", "sser", "--join", "a.jsonl",
                              "b.jsonl")
            self.assertEqual(done.code, code, done.out)
            self.assertEqual(
                done.err, "" if relation else
                "a.jsonl, b.jsonl: warning: nothing relates the clocks of a "
                "and b: their times are not compared, and levels about real "
                "time demand nothing between their transactions.\n")
            # One file of both says the same; its certificate is accepted.
            for name in ("h.jsonl", "h.awdit"):
                self.awdit("convert", "a.jsonl", "b.jsonl", name)
                again = self.awdit("check", "-i", "sser", "--certificate",
                                   "c.json", name)
                self.assertEqual(again.code, code, again.out)
                self.assertEqual(self.awdit("verify", name, "c.json").code, 0)
            # Formats of one clock would make up an order.
            done = self.awdit("convert", "h.awdit", "h.edn")
            self.assertIn("the times of 2 transactions, which are of several "
                          "clocks", done.err)

    def test_they_are_decided_where_there_are_times(self):
        self.file("h", STALE)
        code, found = self.verdicts("h")
        self.assertEqual(list(found), WEAK + STRONG + TIMED)
        self.assertEqual(code, 1)
        self.assertEqual([level for level, verdict in found.items()
                          if verdict == "violated"], TIMED)
        self.file("h", STALE.replace("[8,9]", "[1,9]"))
        self.assertEqual(self.awdit("check", "h").code, 0)

    def test_each_history_has_its_own_levels(self):
        self.file("timed", STALE)
        self.file("plain", HOLDS)
        done = self.awdit("check", "--json", "plain", "timed")
        self.assertEqual(
            [len(json.loads(line)["levels"])
             for line in done.out.splitlines()], [12, 14])


class SessionOrder(LevelsTest):
    def test_counts_unless_told_otherwise(self):
        self.assertEqual(self.holding(FORGETFUL), WEAK[:2] + GUARANTEES[1:])
        self.assertEqual(self.holding(FORGETFUL, "--no-session-order"),
                         WITHOUT_ORDER + STRONG)

    def test_promises_to_sessions_need_it(self):
        self.file("h", FORGETFUL)
        for level in GUARANTEES[:3]:
            self.assert_run(
                self.awdit("check", "--no-session-order", "-i", level, "h"),
                2, "", f"h: {level} is a promise to sessions, but session "
                "order is left out\nCheck it with session order, or ask for "
                "another level.\n")

    def test_counts_above_causal_too(self):
        # Each session's second transaction misses the other's first.
        skew = "w(1,1,1,1)\nr(2,0,1,2)\nw(2,1,2,3)\nr(1,0,2,4)\n"
        self.assertEqual(self.holding(skew), WEAK + STRONG[1:2])
        self.assertEqual(self.holding(skew, "--no-session-order"),
                         WITHOUT_ORDER + STRONG)

    def test_names_of_transactions_stay(self):
        self.file("h.jsonl", '{"awdit":1,"initial":0,"clock":"none"}\n'
                  '{"session":"a","ops":[["w","x",1]]}\n'
                  '{"session":"a","ops":[["r","y",7]]}\n')
        with_it = self.awdit("check", "-i", "rc", "h.jsonl").out
        without = self.awdit("check", "-i", "rc", "--no-session-order",
                             "h.jsonl").out
        for shown in (with_it, without):
            self.assertIn("a.2 read y=7", shown)

    def test_shrink_keeps_the_reading_and_the_sessions(self):
        # Fractured even if sessions do not count; t4 matters only if they do.
        self.file("h.txt", "w(3,1,2,9)\nw(1,1,1,1)\nr(1,1,1,2)\nw(1,2,1,2)\n"
                  "w(2,2,1,2)\nr(1,1,2,3)\nr(2,2,2,3)\nr(3,0,2,4)\n")
        done = self.awdit("shrink", "--no-session-order", "h.txt", "s.txt")
        self.assertEqual((done.code, done.out), (0, ""), done.err)
        self.assertIn("fractured-read at read-atomic", done.err)
        # t2 read from t1, so that it came later, by whatever reading.
        self.assertEqual((self.folder / "s.txt").read_text(),
                         "w(1,1,1,1)\nr(1,1,1,2)\nw(1,2,1,2)\nw(2,2,1,2)\n"
                         "r(1,1,2,3)\nr(2,2,2,3)\n")
        for arguments in ([], ["--no-session-order"]):
            self.assertEqual(self.awdit("check", "-i", "ra", *arguments,
                                        "s.txt").code, 1)

    def test_shrink_finds_nothing_where_only_sessions_object(self):
        self.file("h.txt", FORGETFUL)
        self.assertEqual(self.awdit("shrink", "h.txt", "s.txt").code, 0)
        done = self.awdit("shrink", "--no-session-order", "h.txt", "t.txt")
        self.assertEqual((done.code, self.files()), (1, ["h.txt", "s.txt"]))


class Limits(LevelsTest):
    def hard(self):
        """Hardly anything tells the order of the writes: few reads, and
        neither ids nor the order of the file."""
        self.awdit("generate", "--transactions", "4000", "--sessions", "100",
                   "--keys", "50", "--reads", "0.05", "-o", "h.txt")
        self.awdit("convert", "--to", "dbcop", "h.txt", "h")
        (self.folder / "h.txt").unlink()

    def test_a_search_that_takes_too_long_is_undecided(self):
        self.hard()
        # Nothing has to be inferred for the first one.
        code, found = self.verdicts("-i", "arc,si", "--time-limit", "1ms",
                                    "h")
        self.assertEqual((code, found), (3, {
            "adya-read-committed": "holds",
            "snapshot-isolation": "undecided"}))

    def test_so_is_one_that_takes_too_much(self):
        self.hard()
        code, found = self.verdicts("-i", "cc,si", "--memory-limit", "1M", "h")
        self.assertEqual((code, found), (3, {
            "causal": "holds", "snapshot-isolation": "undecided"}))

    def test_a_violation_outweighs_what_is_undecided(self):
        self.hard()
        self.file("bad", FORGETFUL)
        done = self.awdit("check", "-i", "si", "--time-limit", "1ms", "h",
                          "bad")
        self.assertEqual(done.code, 1)

    def test_shrink_says_so_too(self):
        self.hard()
        done = self.awdit("shrink", "-i", "si", "--time-limit", "1ms", "h",
                          "s")
        self.assertEqual((done.code, done.out), (3, ""))
        self.assertEqual(
            done.err, "h: snapshot-isolation is undecided (see --time-limit "
            "and --memory-limit), and nothing is known to be violated: "
            "nothing is written\n")
        self.assertEqual(self.files(), ["h"])

    def alone(self, count, stale):
        """Each transaction in a session of its own, so that nothing but reads
        orders them; every so many reads return what was overwritten."""
        lines, values, last = [], {}, 0
        for txn in range(count):
            key = txn * 7919 % 1000
            versions = values.setdefault(key, [])
            if versions:
                back = 1 + (txn % stale == 0 and len(versions) > 1)
                lines.append(f"r({key},{versions[-back]},{txn},{txn})")
            last += 1
            written = (txn * 104729 + 1) % 1000
            if written != key:
                values.setdefault(written, []).append(last)
                lines.append(f"w({written},{last},{txn},{txn})")
        self.file("h", "\n".join(lines) + "\n")

    def limited(self, *arguments):
        """Verdicts, their limits, and the seconds that all of it took."""
        begin = time.monotonic()
        done = self.awdit("check", "--json", *arguments)
        seconds = time.monotonic() - begin
        levels = json.loads(done.out)["levels"]
        return ({level["level"]: (level["verdict"], level.get("limit"))
                 for level in levels}, seconds)

    # These took minutes and gigabytes, or did not end. How long is "at once" on
    # a machine with other things to do? Tests give them half a minute more.

    def test_sessions_of_one_transaction(self):
        self.alone(80_000, stale=3)
        found, seconds = self.limited("--time-limit", "3", "--memory-limit",
                                      "0", "h")
        # The order of the input has snapshots; a serial one must be searched.
        for level in ("read-atomic", "prefix", "snapshot-isolation"):
            self.assertEqual(found[level], ("holds", None))
        self.assertEqual(found["serializable"], ("undecided", "time"))
        self.assertLess(seconds, 35)
        # What was seen is near, and is looked for instead of counted.
        found, _ = self.limited("-i", "causal", "--time-limit", "30", "h")
        self.assertEqual(found["causal"], ("holds", None))

    def test_memory_for_sessions_of_one_transaction(self):
        self.alone(80_000, stale=3)
        found, seconds = self.limited("-i", "ser", "--time-limit", "10",
                                      "--memory-limit", "4M", "h")
        self.assertEqual(found["serializable"], ("undecided", "memory"))
        self.assertLess(seconds, 35)

    def test_without_session_order(self):
        self.hard()
        found, seconds = self.limited("-i", "si,ser", "--no-session-order",
                                      "--time-limit", "50ms", "h")
        for level in ("snapshot-isolation", "serializable"):
            self.assertEqual(found[level], ("undecided", "time"))
        self.assertLess(seconds, 35)

    def ring(self, count):
        """Each one missed the next one's write: no part of it is wrong."""
        self.file("h", "".join(
            f"r({i},0,{i},{i})\nw({(i + 1) % count},1,{i},{i})\n"
            for i in range(count)))

    def test_proof(self):
        self.ring(6000)
        found, seconds = self.limited("-i", "ser", "--time-limit", "1", "h")
        self.assertEqual(found["serializable"], ("undecided", "time"))
        self.assertLess(seconds, 35)

    def test_no_limit_no_mention(self):
        self.ring(100)
        found, _ = self.limited("--time-limit", "0", "--memory-limit", "0",
                                "h")
        self.assertNotIn("undecided", {verdict for verdict, _ in
                                       found.values()})

    def test_any_way_to_say_it(self):
        self.file("h", WRITE_SKEW)
        for arguments in (["--time-limit", "0"], ["--time-limit", "90"],
                          ["--time-limit", "2m"], ["--time-limit=1.5s"],
                          ["--memory-limit", "0"], ["--memory-limit", "4G"],
                          ["--memory-limit=512M"]):
            self.assertEqual(self.awdit("check", *arguments, "h").code, 1,
                             arguments)

    def test_mistakes(self):
        for command, paths in (("check", ["h"]), ("shrink", ["h", "s"]),
                               ("run", [])):
            for value in ("soon", "-1", "5d"):
                self.refused(command, f"--time-limit={value}", paths,
                             "--time-limit takes a time, such as 90s or 2m, 0 "
                             f"for no limit; found '{value}'")
            for value in ("much", "-1G", "4", "1.5"):
                self.refused(command, f"--memory-limit={value}", paths,
                             "--memory-limit takes bytes, such as 512M or 4G, "
                             "at least 1M, 0 for no limit; found "
                             f"'{value}'")

    def refused(self, command, option, paths, message):
        self.assert_run(self.awdit(command, option, *paths), 2, "",
                        f"awdit: {message}\ntry awdit {command} --help\n")


if __name__ == "__main__":
    harness.main()
