"""awdit with drivers of the user's: exec:COMMAND, sound and hostile ones."""

import concurrent.futures
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import harness
from harness import ROOT, CliTest

DRIVERS = ROOT / "contrib" / "drivers"
TOY = f"exec:{DRIVERS}/toy.py"
HOSTILE = f"exec:{ROOT}/tests/exec/hostile.py"

# What becomes of a recording, and what is said about it.
HOSTILES = {
    "garbage": (2, r"'Segmentation fault \x1b[31m(core dumped)'"),
    "binary": (2, r"'\x00\x01"),
    "deep": (2, "(5000000 bytes)"),
    "banner": (2, "JAVA_TOOL_OPTIONS"),
    "die-at-once": (2, "the database is on fire"),
    "endless-line": (2, "longer than 8 MiB"),
    "wrong-id": (2, "replies come in the order"),
    "twice": (2, "replies come in the order"),
    "unasked": (2, "replies come in the order"),
    "no-value": (2, 'without a "value"'),
    "decimal": (2, "floating point"),
    "odd-outcome": (2, "'maybe'"),
    "no-outcome": (2, 'without an "outcome"'),
    "hang-read": (0, "timeout"),
    "hang-commit": (0, "of unknown outcome; trouble: timeout"),
    "die-read": (0, "0 of unknown outcome|driver-ended"),
    "die-commit": (0, "of unknown outcome; trouble: driver-ended"),
    "close-stdout": (0, "timeout|driver-ended"),
    "deaf": (0, "timeout"),
    "hang-txn": (0, "of unknown outcome; trouble: timeout"),
    "die-txn": (0, "of unknown outcome; trouble: driver-ended"),
    "cut-txn": (2, 'without its "ops"'),
    "orphan": (0, "committed"),
}


def left_over(tag):
    """The processes that have this word on their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes().decode("utf-8",
                                                                "replace")
            except OSError:
                continue
            if tag in words:
                found.append(words.replace("\0", " "))
    return found


class Sound(CliTest):
    def run_toy(self, *arguments, driver=TOY, transactions="200"):
        done = self.awdit("run", "--json", "--db", driver, "--sessions", "4",
                          "--transactions", transactions, *arguments)
        self.assertEqual(done.code, 0, done.err + done.out)
        return json.loads(done.out)

    def test_every_workload(self):
        small = {"tpcc": ["items=100", "customers=10", "orders=20"]}
        names = [line for line in self.awdit("list", "workloads").out.split("\n")
                 if line and not line.startswith(" ")]
        self.assertEqual(len(names), 13)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            runs = {name: pool.submit(
                self.run_toy, "-w", name, *[
                    word for setting in small.get(name, [])
                    for word in ("-p", setting)])
                for name in (line.split()[0] for line in names)}
        for name, run in runs.items():
            levels = {row["level"]: row["verdict"]
                      for row in run.result()["levels"]}
            # What the driver claims, and no more.
            self.assertEqual(levels["serializable"], "holds", name)
            self.assertNotIn("strict-serializable", levels)

    def test_a_process_for_each_session(self):
        value = self.run_toy(driver=f"exec:{DRIVERS}/sqlite.py t.db")
        self.assertIn("SQLite 3", value["history"]["recorded"][0])

    def test_whole_transactions(self):
        # Lines of the recording are longer than its windows.
        value = self.run_toy("-w", "blindw", "-p", "size=4000", "-p",
                             "keys=9000", transactions="60",
                             driver=TOY + " --batch")
        self.assertEqual(value["history"]["operations"] % 4000, 0)
        self.run_toy("-w", "list-append", "--set", "x=y",
                     driver=TOY + " --batch")
        done = self.awdit("run", "-w", "bank", "--db", TOY + " --batch")
        self.assertEqual(done.code, 2)
        self.assertIn("bank decides what it writes by what it has read",
                      done.err)
        self.assertIn("These work: mixed,", done.err)

    def test_levels_are_the_drivers(self):
        done = self.awdit("run", "--db", TOY, "--level", "gold")
        self.assertEqual(done.code, 2)
        self.assertIn("the driver does not offer 'gold'\nIt offers: "
                      "serializable.", done.err)

    def test_what_is_broken_is_found(self):
        done = self.awdit("run", "-q", "--json", "--db", TOY + " --bug no-begin")
        self.assertEqual(done.code, 1)

    def test_the_manual_shows_a_driver_as_it_is(self):
        page = (ROOT / "docs" / "drivers" / "exec.md").read_text()
        shown = page.split("```python\n")[1].split("```")[0]
        driver = (DRIVERS / "sqlite.py").read_text()
        self.assertEqual(shown, driver[driver.index("import json"):])

    def test_standard_error_can_be_kept(self):
        self.run_toy("--set", "log=log.txt",
                     driver=f"exec:echo hello >&2; exec {DRIVERS}/toy.py")
        self.assertEqual((self.folder / "log.txt").read_text(), "hello\n")


class Hostile(CliTest):
    def meet(self, how):
        folder = self.folder / how
        folder.mkdir()
        done = self.awdit("record", "--timeout", "1s", "-w", "rw-register",
                          "--sessions", "2", "--transactions", "14", "-o",
                          f"{how}.awdit", "--db",
                          f"{HOSTILE} {how} {self.folder}",
                          env={"TMPDIR": str(folder)})
        return how, done

    def test_each_has_a_defined_end(self):
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            for how, done in pool.map(self.meet, HOSTILES):
                code, words = HOSTILES[how]
                with self.subTest(how):
                    self.assertEqual(done.code, code, done.err)
                    self.assertTrue(any(word in done.err
                                        for word in words.split("|")), done.err)
                    kept = [p.name for p in (self.folder / how).iterdir()]
                    # A log that the message names, or nothing.
                    self.assertEqual([name for name in kept
                                      if name not in done.err], [])
                    if code == 0:
                        check = self.awdit("check", "-q", "-i", "rc",
                                           f"{how}.awdit")
                        self.assertEqual((check.code, check.err), (0, ""))
        self.assertEqual(left_over(str(self.folder)), [])

    def test_nobody_outlives_awdit(self):
        for how, number, child in (("orphan", signal.SIGINT, False),
                                   ("hang-commit", signal.SIGTERM, False),
                                   ("hang-commit", signal.SIGKILL, False),
                                   ("orphan", signal.SIGKILL, True)):
            with self.subTest(f"{how} {number.name}"):
                tag = f"{self.folder}/{how}{int(number)}"
                process = subprocess.Popen(
                    [harness.BINARY, "record", "-q", "--duration", "100s",
                     "--timeout", "1s", "--sessions", "3", "-o", tag, "--db",
                     f"{HOSTILE} {how} {tag}"], cwd=self.folder,
                    env=harness.CLEAN | {"TMPDIR": str(self.folder)},
                    stderr=subprocess.DEVNULL)
                while len(left_over(tag)) < 5:
                    time.sleep(0.01)
                victim = process.pid
                if child:
                    children = Path(f"/proc/{victim}/task/{victim}/children")
                    victim = int(children.read_text().split()[0])
                os.kill(victim, number)
                process.wait(timeout=60)
                deadline = time.monotonic() + 10
                while left_over(tag) and time.monotonic() < deadline:
                    time.sleep(0.02)
                self.assertEqual(left_over(tag), [])


# What the first trial that fails says of each mistake that the toy can make.
BUGS = {
    "no-begin": "is BEGIN sent",
    "autocommit": "autocommit is on",
    "rounding": "integers are rounded",
    "cut": "a text of 4000 bytes came back as a text of 83 bytes",
    "order": "replies come in the order",
    "rollback": "although it was rolled back",
    "reset": "still there after reset",
    "own-writes": "see its own writes",
    "false-ok": "refused it and the driver said ok",
    "zero": "is read as null",
    "banner": "'toy store 1.0 is ready'",
    "leak": "the transaction after one that was refused failed",
}


class Conformance(CliTest):
    def test_a_sound_driver_passes(self):
        for driver in (TOY, TOY + " --batch", f"exec:{DRIVERS}/sqlite.py t.db",
                       "simulated", "sqlite"):
            done = self.awdit("driver-test", "--timeout", "1s", driver)
            self.assertEqual((done.code, done.err), (0, ""),
                             driver + done.out)
            self.assertIn("Nothing is wrong", done.out)

    def test_each_mistake_is_told_in_words(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            runs = {bug: pool.submit(self.awdit, "driver-test",
                                     f"{TOY} --bug {bug}") for bug in BUGS}
        for bug, run in runs.items():
            done = run.result()
            with self.subTest(bug):
                self.assertEqual(done.code, 2 if bug == "banner" else 1)
                first = (done.out.split("WRONG")[1] if bug != "banner"
                         else done.err)
                self.assertIn(BUGS[bug], " ".join(first.split()))

    def test_passwords_are_not_shown(self):
        done = self.awdit("driver-test", f"{TOY} #postgres://me:secret@host/db")
        self.assertEqual(done.code, 0, done.err)
        self.assertNotIn("secret", done.out)

    def test_needs_a_driver(self):
        self.assert_run(self.awdit("driver-test"), 2, "",
                        "awdit: which driver? exec:COMMAND, as behind --db\n"
                        "try awdit driver-test --help\n")


if __name__ == "__main__":
    harness.main()
