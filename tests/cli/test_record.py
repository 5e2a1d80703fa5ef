"""awdit record and awdit run, on databases that need no server."""

import json
import re
import signal
import subprocess
import time

import harness
from harness import CliTest

SIMULATED = ("--db", "simulated", "--sessions", "4", "--transactions", "300")


class Recording(CliTest):
    def test_a_file_or_a_directory(self):
        self.assertEqual(self.awdit("record", "-q", *SIMULATED, "-o",
                                    "one.awdit").code, 0)
        self.assertEqual(self.awdit("record", "-q", *SIMULATED, "-o",
                                    "many").code, 0)
        # Nothing else is left.
        self.assertEqual(self.files(), ["many", "one.awdit"])
        names = sorted(p.name for p in (self.folder / "many").iterdir())
        self.assertEqual(names, ["run.jsonl"] + [
            f"session-000{n}.jsonl" for n in (1, 2, 3, 4)]
            + ["session-last.jsonl"])
        values = []
        for path in ("one.awdit", "many"):
            done = self.awdit("check", "--json", "-i", "ser", path)
            self.assertEqual((done.code, done.err), (0, ""))
            value = json.loads(done.out)
            for part in ("path", "format"):
                del value["history"][part]
            values.append(value)
        self.assertEqual(*values)
        self.assertIn("workload mixed, 4 sessions, seed 1",
                      values[0]["history"]["recorded"][0])

    def test_equal_seeds_give_equal_simulations(self):
        for name, seed in (("a.jsonl", "7"), ("b.jsonl", "7"),
                           ("c.jsonl", "8")):
            done = self.awdit("record", "-q", *SIMULATED, "--seed", seed, "-o",
                              name)
            self.assertEqual(done.code, 0, done.err)
        a, b, c = ((self.folder / f"{name}.jsonl").read_bytes()
                   for name in "abc")
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)

    def test_nothing_is_overwritten(self):
        (self.folder / "full").mkdir()
        self.file("full/precious", "x")
        done = self.awdit("record", "-q", *SIMULATED, "-o", "full")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith(
            "full: already exists and is not an empty directory"), done.err)
        self.assertEqual((self.folder / "full" / "precious").read_text(), "x")

    def test_two_runs_never_share_a_place(self):
        # A mixture of two recordings looks broken, and no database was.
        for pair in range(12):
            out = f"r{pair}" if pair % 2 == 0 else f"r{pair}.awdit"
            runs = [subprocess.Popen(
                [harness.BINARY, "run", "-q", "--db", "simulated",
                 "--sessions", "4", "--transactions", "2000", "--seed", seed,
                 "-i", "ser", "-o", out],
                cwd=self.folder, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE) for seed in ("1", "2")]
            done = [(run.communicate(timeout=120), run.returncode)
                    for run in runs]
            codes = sorted(code for _, code in done)
            # A file may be recorded anew when the first run is over.
            expected = ([0, 2],) if pair % 2 == 0 else ([0, 2], [0, 0])
            self.assertIn(codes, expected, done)
            for (_, err), code in done:
                if code == 2:
                    self.assertRegex(
                        err.decode(), rf"^{out}(\.recording)?: (another run is "
                        "recording here|already exists)")
            check = self.awdit("check", "-q", "-i", "ser", out)
            self.assertEqual((check.code, check.err), (0, ""))

    def test_a_summary_goes_to_standard_error(self):
        done = self.awdit("record", *SIMULATED, "-o", "h.awdit")
        self.assertEqual((done.code, done.out), (0, ""))
        self.assertRegex(done.err, r"^h\.awdit: \d+ transactions in .* "
                                   r"committed, .* aborted")

    def test_every_format_that_can_be_written(self):
        for name in ("h.awdit", "h.jsonl", "h.jsonl.gz", "h.edn", "h.txt"):
            done = self.awdit("record", "-q", *SIMULATED, "-o", name)
            self.assertEqual(done.code, 0, done.err)
            # Serializable it is, but not strictly so.
            self.assertEqual(self.awdit("check", "-q", "-i", "ser",
                                        name).code, 0)

    def test_lists(self):
        done = self.awdit("record", "-q", *SIMULATED, "-w", "list-append",
                          "-o", "h.awdit")
        self.assertEqual(done.code, 0, done.err)
        value = json.loads(self.awdit("stats", "--json", "h.awdit").out)
        self.assertIs(value["history"]["lists"], True)

    def test_ctrl_c_ends_it_in_good_order(self):
        if "not built" in self.awdit("list", "drivers").out.split("\n")[0]:
            self.skipTest("rocksdb is not built")
        process = subprocess.Popen(
            [harness.BINARY, "run", "--duration", "100s", "-w", "mixed",
             "--json", "-o", "h.awdit"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        place = self.folder / "h.awdit.recording"
        while not (place.is_dir() and any(
                p.stat().st_size > 4096 for p in place.iterdir())):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn(b"; stopped", err)
        self.assertGreater(json.loads(out)["history"]["transactions"], 0)
        self.assertEqual(self.files(), ["h.awdit"])


class Running(CliTest):
    def test_what_a_database_claims_is_checked(self):
        for level, deepest in (
                ("read-committed", "read-committed"), ("causal", "causal"),
                ("prefix", "prefix"), ("serializable", "serializable"),
                ("parallel-snapshot-isolation", "parallel-snapshot-isolation"),
                ("snapshot-isolation", "snapshot-isolation")):
            done = self.awdit("run", "-q", *SIMULATED, "--level", level,
                              "--json")
            self.assertEqual(done.code, 0, done.out)
            levels = json.loads(done.out)["levels"]
            self.assertEqual(levels[-1]["level"], deepest)

    def test_a_planted_bug_is_found_by_name(self):
        done = self.awdit("run", "-q", *SIMULATED, "-w", "fracture", "--set",
                          "bug=fractured", "--json")
        self.assertEqual(done.code, 1)
        verdicts = {level["level"]: level for level in
                    json.loads(done.out)["levels"]}
        self.assertEqual(verdicts["read-committed"]["verdict"], "holds")
        self.assertEqual(
            {v["kind"] for v in verdicts["read-atomic"]["violations"]},
            {"fractured-read"})

    def test_leaves_nothing_but_what_was_asked_for(self):
        done = self.awdit("run", "-q", *SIMULATED, "--report", "r.html",
                          env={"TMPDIR": str(self.folder)})
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(self.files(), ["r.html"])

    def test_a_certificate_is_about_the_history_that_is_kept(self):
        done = self.awdit("run", "-q", *SIMULATED, "-o", "h.awdit",
                          "--certificate", "p.json")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(self.awdit("verify", "h.awdit", "p.json").code, 0)
        self.assertEqual(self.awdit("run", *SIMULATED, "--certificate",
                                    "q.json").code, 2)


class Usage(CliTest):
    def refused(self, *arguments):
        done = self.awdit(*arguments)
        self.assertEqual((done.code, done.out), (2, ""))
        return done.err.split("\n")[0]

    def test_mistakes_are_named(self):
        for arguments, message in (
                (("record",), "where should the history go?"),
                (("run", "--db", "oracle"), "unknown database 'oracle'"),
                (("run", "--db", "rockdb"), "did you mean 'rocksdb'?"),
                (("run", "-w", "c-twiter"), "did you mean 'c-twitter'?"),
                (("run", "--level", "chaos"), "unknown rocksdb level 'chaos'"),
                (("run", "--set", "x=1"), "rocksdb has no setting 'x'"),
                (("run", "--set", "sync"), "--set takes NAME=VALUE"),
                (("run", "-p", "keys"), "--parameter takes NAME=NUMBER"),
                (("run", "-p", "kees=3"), "did you mean 'keys'?"),
                (("run", "-p", "keys=0"), "keys of mixed must be"),
                (("run", "--sessions", "0"), "--sessions takes"),
                (("run", "--duration", "5 s"), "--duration takes a time"),
                (("run", "--timeout", "0"), "--timeout takes a time"),
                (("run", "--timeout", "10 sec"), "--timeout takes a time"),
                (("run", "--faults", "earthquake"), "unknown fault"),
                (("run", "--calm", "1s"), "work only with --faults"),
                (("run", "--start"), "runs inside awdit"),
                (("run", "--db", "simulated", "--duration", "5s"),
                 "has no clock"),
                (("run", "--db", "rocksdb", "--db", "sqlite"),
                 "are not the same database"),
                (("record", "-o", "-"), "needs a file or a directory"),
                (("record", "--no-record", "-o", "x"), "cannot be combined")):
            with self.subTest(" ".join(arguments)):
                if "not built" in self.awdit("list", "drivers").out:
                    self.skipTest("not all drivers are built")
                self.assertIn(message, self.refused(*arguments))

    def test_faults_that_are_not_possible(self):
        self.assertIn("the fault 'kill' is not possible here",
                      self.refused("run", *SIMULATED, "--faults", "kill"))
        self.assertIn("--hop needs more than one node",
                      self.refused("run", *SIMULATED, "--hop"))

    def test_passwords_are_not_shown(self):
        done = self.awdit("run", "--db",
                          "postgres://me:sesame@127.0.0.1:1/none")
        self.assertEqual(done.code, 2)
        self.assertNotIn("sesame", done.out + done.err)
        done = self.awdit("run", "--db", "postgres://me:sesame@127.0.0.1:1/x",
                          "--db", "rocksdb")
        self.assertNotIn("sesame", done.out + done.err)

    def test_lists_name_every_row(self):
        for what, row in (("drivers", "rocksdb"), ("workloads", "c-twitter"),
                          ("faults", "kill"), ("bugs", "fractured")):
            done = self.awdit("list", what)
            self.assertEqual((done.code, done.err), (0, ""))
            self.assertTrue(re.search(rf"(?m)^{row}\b", done.out), what)


if __name__ == "__main__":
    harness.main()
