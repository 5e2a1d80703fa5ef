"""Signals and limits: whatever ends awdit, nothing half-written stays, and a
recording ends in good order."""

import json
import os
import pty
import resource
import signal
import subprocess
import time
from pathlib import Path

import harness
from harness import CLEAN, CliTest

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
          signal.SIGXCPU)

SIMULATED = ("--db", "simulated", "--sessions", "4")


def prepare():
    """No cores; and no signal is ignored, as it is behind a shell's &."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)


def children_of(process):
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(word) for word in path.read_text().split()]


def state_of(pid):
    stat = Path(f"/proc/{pid}/stat").read_text()
    return stat[stat.rindex(")") + 2]


class Writers(CliTest):
    """What writes files, while it waits for its input."""

    def start(self, *arguments):
        process = subprocess.Popen(
            [harness.BINARY, *arguments], cwd=self.folder, env=CLEAN,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, preexec_fn=prepare)
        self.addCleanup(process.stdin.close)
        return process

    def end(self, process, number):
        process.send_signal(number)
        self.assertEqual(process.wait(timeout=60), -number)

    def test_files(self):
        for number in ENDING + (signal.SIGKILL,):
            for outputs, arguments in (
                    (2, ("check", "--report", "a.md", "--certificate", "c",
                         "-")),
                    (1, ("convert", "--from", "plume", "-", "out.jsonl")),
                    (1, ("convert", "--from", "plume", "-", "out.txt.gz"))):
                process = self.start(*arguments)
                self.wait_for_outputs(process, outputs)
                self.end(process, number)
                self.assertEqual(self.files(), [], (number, arguments))

    def test_a_file_that_is_there_stays_as_it_was(self):
        self.file("out.jsonl", "precious")
        for number in ENDING + (signal.SIGKILL,):
            process = self.start("convert", "--from", "plume", "-",
                                 "out.jsonl")
            self.wait_for_outputs(process, 1)
            self.end(process, number)
            self.assertEqual(self.files(), ["out.jsonl"])
            self.assertEqual((self.folder / "out.jsonl").read_text(),
                             "precious")

    def test_directories(self):
        arguments = ("convert", "--from", "plume", "--to", "cobra", "-", "out")
        for number in ENDING + (signal.SIGKILL,):
            process = self.start(*arguments)
            while not any(self.folder.glob("*/files")):
                self.assertIsNone(process.poll())
                time.sleep(0.002)
            self.end(process, number)
            if number != signal.SIGKILL:
                self.assertEqual(self.files(), [], number)
        # What SIGKILL has left is swept by the next who writes there.
        self.assertEqual(len(self.files()), 1)
        done = self.awdit(*arguments, stdin="w(1,1,1,1)\n")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(self.files(), ["out"])

    def test_directories_while_files_are_written(self):
        for number in ENDING:
            process = subprocess.Popen(
                [harness.BINARY, "generate", "--sessions", "2000", "--ops",
                 "500k", "--format", "viper", "-o", "out"], cwd=self.folder,
                env=CLEAN, preexec_fn=prepare)
            while process.poll() is None and not any(
                    self.folder.glob("*/files/*")):
                time.sleep(0.002)
            process.send_signal(number)
            self.assertIn(process.wait(timeout=60), (-number, 0))
            self.assertIn(self.files(), ([], ["out"]))


class Limits(CliTest):
    """ulimit -f: an error of writing, not a signal."""

    def limited(self, *arguments, **extra):
        return self.awdit(*arguments, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (4096, 4096)), **extra)

    def test_a_file_that_may_not_grow(self):
        done = self.limited("generate", "--ops", "10k", "-o", "out.txt")
        self.assert_run(
            done, 2, "", "out.txt: the output cannot be written: File too "
            "large\nFiles may not grow that large here: see ulimit -f.\n")
        self.assertEqual(self.files(), [])

    def test_standard_output(self):
        with open(self.folder / "out", "wb") as out:
            done = subprocess.run(
                [harness.BINARY, "generate", "--ops", "10k"], stdout=out,
                cwd=self.folder, env=CLEAN, stderr=subprocess.PIPE,
                timeout=60, check=False, preexec_fn=lambda:
                resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"standard output: File too large\n"
                             b"The output is incomplete.\n"))

    def test_a_recording(self):
        done = self.limited("record", "-q", *SIMULATED, "-o", "h.awdit",
                            env={"TMPDIR": str(self.folder)})
        self.assertEqual(done.code, 2)
        self.assertIn("cannot record: File too large", done.err)
        self.assertEqual(self.files(), [])

    def test_a_directory(self):
        done = self.limited("generate", "--ops", "10k", "--format", "cobra",
                            "-o", "out")
        self.assertEqual(done.code, 2)
        self.assertIn("File too large", done.err)
        self.assertEqual(self.files(), [])


class Recording(CliTest):
    """Two processes: one records, the other tidies up after it."""

    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def start(self, *arguments, **extra):
        return subprocess.Popen(
            [harness.BINARY, *arguments], cwd=self.folder, preexec_fn=prepare,
            env=CLEAN | {"TMPDIR": str(self.temporary)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **extra)

    def wait_for_recording(self, process, place):
        """Until a session has written lines: files are large from the
        beginning, with nothing in them."""
        while not any(p.read_bytes()[:4096].count(b"\n") > 1
                      for p in place.glob("session-*.jsonl")):
            self.assertIsNone(process.poll())
            time.sleep(0.005)

    def long(self, *arguments, **extra):
        process = self.start("record", *SIMULATED, "--transactions", "1000M",
                             "-o", "h.awdit", *arguments, **extra)
        self.wait_for_recording(process, self.folder / "h.awdit.recording")
        return process

    def assert_whole(self, process):
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn(b"; stopped", err)
        self.assertEqual(self.files(), ["h.awdit", "tmp"])
        self.assertEqual(self.awdit("stats", "h.awdit").code, 0)
        self.assertEqual(list(self.temporary.iterdir()), [])
        (self.folder / "h.awdit").unlink()

    def test_every_signal_ends_it_in_good_order(self):
        for number in ENDING:
            process = self.long()
            process.send_signal(number)
            self.assert_whole(process)

    def test_a_signal_to_the_whole_group_counts_once(self):
        # Ctrl-C, or timeout(1), which signals its child and then the group.
        process = self.long(start_new_session=True)
        process.send_signal(signal.SIGSTOP)
        os.killpg(process.pid, signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        self.assert_whole(process)

    def test_a_second_signal_ends_it_at_once(self):
        process = self.long()
        worker, = children_of(process)
        # The first is taken when the process goes on, and both by then.
        os.kill(worker, signal.SIGSTOP)
        os.kill(worker, signal.SIGTERM)
        os.kill(worker, signal.SIGINT)
        os.kill(worker, signal.SIGCONT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (-signal.SIGINT, -signal.SIGTERM))
        self.assertEqual(list(self.temporary.iterdir()), [])
        # What was recorded so far can be checked.
        self.assertEqual(self.files(), ["h.awdit.recording", "tmp"])
        self.assertEqual(
            self.awdit("stats", "h.awdit.recording").code, 0)

    def test_ctrl_z(self):
        process = self.long()
        worker, = children_of(process)
        process.send_signal(signal.SIGTSTP)
        for pid in (process.pid, worker):
            while state_of(pid) != "T":
                time.sleep(0.005)
        process.send_signal(signal.SIGCONT)
        while state_of(worker) == "T":
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        self.assert_whole(process)

    def test_a_terminal(self):
        # The recorder is not in the foreground: it may write nevertheless, and
        # what is typed reaches it.
        drivers = self.awdit("list", "drivers").out.splitlines()
        if any("not built" in line for line in drivers
               if line.startswith("sqlite")):
            self.skipTest("sqlite is not built")
        child, terminal = pty.fork()
        if child == 0:
            prepare()
            os.chdir(self.folder)
            os.execve("/bin/sh", [
                "sh", "-c", 'stty tostop; exec "$0" "$@"', harness.BINARY,
                "record", "--db", "sqlite", "--sessions", "4", "--duration",
                "100s", "-o", "h.awdit"],
                CLEAN | {"TMPDIR": str(self.temporary), "TERM": "xterm"})
        shown = b""
        while b"sqlite" not in shown or not (
                self.folder / "h.awdit.recording").is_dir():
            shown += os.read(terminal, 4096)
        os.write(terminal, b"\x03")
        try:
            while True:
                shown += os.read(terminal, 4096)
        except OSError:
            pass  # nobody has it open any more
        os.close(terminal)
        _, status = os.waitpid(child, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0, shown)
        self.assertIn(b"; stopped", shown)
        self.assertEqual(self.files(), ["h.awdit", "tmp"])
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_who_was_told_to_ignore_a_signal_does(self):
        process = subprocess.Popen(
            ["nohup", harness.BINARY, "record", *SIMULATED,
             "--transactions", "1000M", "-o", "h.awdit"], cwd=self.folder,
            env=CLEAN | {"TMPDIR": str(self.temporary)}, preexec_fn=prepare,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_recording(process, self.folder / "h.awdit.recording")
        process.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assert_whole(process)

    def test_the_recorder_alone_is_killed(self):
        process = self.start("run", *SIMULATED, "--transactions", "1000M")
        while True:
            places = list(self.temporary.iterdir())
            if places and any(p.stat().st_size > 4096
                              for p in places[0].iterdir()):
                break
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        worker, = children_of(process)
        os.kill(worker, signal.SIGKILL)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_both_are_killed_and_the_next_start_sweeps(self):
        process = self.start("run", *SIMULATED, "--transactions", "1000M")
        while not list(self.temporary.iterdir()):
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        worker, = children_of(process)
        process.kill()
        process.communicate(timeout=60)
        while os.path.exists(f"/proc/{worker}"):
            time.sleep(0.005)
        self.assertEqual(len(list(self.temporary.iterdir())), 1)
        done = self.awdit("run", "-q", *SIMULATED, "--transactions", "10",
                          env={"TMPDIR": str(self.temporary)})
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_an_error_leaves_no_empty_directory(self):
        for out in ("h.awdit", "made/on/the/way", "h"):
            done = self.awdit("record", "-q", "--db",
                              "sqlite:/no/such/directory/x", "-o", out)
            self.assertEqual(done.code, 2)
            self.assertEqual(self.files(), ["tmp"])
        # What was there before stays.
        (self.folder / "mine").mkdir()
        done = self.awdit("record", "-q", "--db",
                          "sqlite:/no/such/directory/x", "-o", "mine")
        self.assertEqual(done.code, 2)
        self.assertEqual(self.files(), ["mine", "tmp"])

    def test_exit_codes_and_output_come_through(self):
        done = self.awdit("run", "-q", *SIMULATED, "-w", "fracture", "--set",
                          "bug=fractured", "--json",
                          env={"TMPDIR": str(self.temporary)})
        self.assertEqual(done.code, 1)
        self.assertGreater(json.loads(done.out)["history"]["transactions"], 0)


if __name__ == "__main__":
    harness.main()
