"""What is read: files of every kind, good and bad."""

import json
import os
import resource
import subprocess
import unittest
from pathlib import Path

import harness
from harness import CliTest

HISTORY = "w(1,1,1,1)\nr(1,1,2,2)\n"


class Readable(CliTest):
    def holds(self, done, header):
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertEqual(done.out.splitlines()[0], header)

    def test_a_file_is_recognised_by_its_content(self):
        self.file("h", HISTORY)
        self.holds(self.awdit("check", "h"),
                   "h  plume  2 sessions  2 transactions  2 operations")
        self.file("h", "w 1 1\n===\nr 1 1\n")
        self.holds(self.awdit("check", "h"),
                   "h  awdit-test  2 sessions  2 transactions  2 operations")

    def test_a_format_may_be_named_by_any_of_its_names(self):
        self.file("h", HISTORY)
        for name in ("plume", "polysi", "plume-text"):
            self.holds(self.awdit("check", "-f", name, "h"),
                       "h  plume  2 sessions  2 transactions  2 operations")

    def test_a_dash_is_standard_input(self):
        self.holds(self.awdit("check", "-", stdin=HISTORY),
                   "<stdin>  plume  2 sessions  2 transactions  2 operations")

    def test_a_file_whose_name_begins_with_a_dash(self):
        self.file("-h", HISTORY)
        self.holds(self.awdit("check", "--", "-h"),
                   "-h  plume  2 sessions  2 transactions  2 operations")
        self.holds(self.awdit("check", "./-h"),
                   "./-h  plume  2 sessions  2 transactions  2 operations")

    def test_crlf_blank_lines_blanks_and_a_missing_newline_change_nothing(self):
        self.file("h", HISTORY)
        plain = self.awdit("check", "h")
        self.file("h", "\r\n w( 1, 1,1 ,1 )\r\n\r\n\tr(1,1,2,2)")
        odd = self.awdit("check", "h")
        self.assertEqual((odd.code, odd.out, odd.err),
                         (plain.code, plain.out, plain.err))

    def test_an_id_used_by_two_sessions_is_a_warning_and_names_change(self):
        self.file("h", "w(1,1,1,1)\nr(1,1,2,1)\n")
        done = self.awdit("check", "h")
        self.assertEqual(done.code, 0)
        self.assertEqual(
            done.err,
            "h: warning: transaction id 1 is used by sessions 1 and 2; they "
            "are taken as different transactions, named by session and "
            "position.\n")


class Unreadable(CliTest):
    def test_a_missing_file(self):
        self.assert_run(
            self.awdit("check", "nowhere.txt"), 2, "",
            "nowhere.txt: there is no such file\n"
            "Check the path; use - to read standard input.\n")

    def test_a_directory(self):
        (self.folder / "d").mkdir()
        self.assert_run(self.awdit("check", "d"), 2, "",
                        "d: this directory is empty\n"
                        "Did the recorder run?\n")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_file_without_permission(self):
        self.file("h", HISTORY)
        (self.folder / "h").chmod(0)
        self.assert_run(self.awdit("check", "h"), 2, "",
                        "h: permission denied\n"
                        "Check who may read the file.\n")

    def test_an_empty_file(self):
        self.file("h", "")
        done = self.awdit("check", "h")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith("h:1:1: the file is empty\n"))
        self.assertEqual(self.awdit("check", "-").code, 2)

    def test_blank_lines_only(self):
        self.file("h", "\n\n \n")
        for arguments in ([], ["-f", "plume"]):
            done = self.awdit("check", *arguments, "h")
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertTrue(done.err.startswith("h:1:1: "), done.err)

    def test_binary_junk_is_refused_without_touching_the_terminal(self):
        self.file("h", bytes(range(256)) * 40)
        for arguments in ([], ["-f", "plume"], ["-f", "awdit-test"]):
            done = self.awdit("check", *arguments, "h")
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertTrue(done.err.startswith("h:1:1: "), done.err)
            self.assertTrue(done.err.replace("\n", "").isprintable())

    def test_a_truncated_line_is_shown_with_its_place(self):
        self.file("h", "w(1,1,1,1)\nr(1,1,2\n")
        done = self.awdit("check", "h")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertEqual(
            done.err.splitlines()[:3],
            ['h:2:8: expected ",", found the end of the line',
             "    r(1,1,2", "           ^"])

    def test_a_word_instead_of_a_number(self):
        self.file("h", "w(1,1,1,1)\nr(17,nil,3,912)\n")
        done = self.awdit("check", "h")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertEqual(
            done.err.splitlines()[:3],
            ['h:2:6: expected a number, found "nil"',
             "    r(17,nil,3,912)", "         ^"])

    def test_a_value_written_twice_names_both_places(self):
        self.file("h", "w(17,5,1,41)\nw(1,1,1,41)\nr(17,5,3,3)\n"
                       "w(17,5,2,88)\n")
        done = self.awdit("check", "h")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertRegex(done.err, r"\Ah:4:1: key 17 gets the value 5 twice")
        for part in ("t41", "line 1", "t88", "line 4"):
            self.assertIn(part, done.err)

    def test_memory_that_runs_out_is_an_error_not_a_crash(self):
        if sanitized():
            self.skipTest("sanitizers need more memory than this allows")
        lines = [f"w({i},1,{i % 7},{i})\n" for i in range(300_000)]
        self.file("h", "".join(lines))
        for megabytes in range(4, 20, 3):
            limit = megabytes << 20
            for threads in ("1", "2"):
                done = self.awdit(
                    "check", "--threads", threads, "h",
                    preexec_fn=lambda: resource.setrlimit(
                        resource.RLIMIT_DATA, (limit, limit)))
                self.assertEqual((done.code, done.out), (2, ""), done.err)
                self.assertIn("not enough memory", done.err)


def sanitized():
    content = Path(harness.BINARY).read_bytes()
    return b"__asan_init" in content or b"__tsan_init" in content


class Endless(CliTest):
    """Streams that never end are not read for ever."""

    def test_zeros(self):
        for arguments in (["/dev/zero"], ["-f", "plume", "/dev/zero"],
                          ["-f", "awdit-jsonl", "/dev/zero"]):
            with self.subTest(arguments):
                done = self.awdit("check", *arguments)
                self.assertEqual((done.code, done.out), (2, ""))
                self.assertTrue(done.err.startswith("/dev/zero"), done.err)
        with open("/dev/zero", "rb") as zeros:
            done = subprocess.run([harness.BINARY, "check", "-"], stdin=zeros,
                                  capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertTrue(done.stderr.startswith(
            b"<stdin>:1:1: this does not look like a history"), done.stderr)

    def test_what_looks_like_nothing(self):
        done = self.awdit("check", "/dev/urandom")
        self.assertEqual((done.code, done.out), (2, ""))

    def test_certificates(self):
        self.file("h", HISTORY)
        for command in (["verify", "h", "/dev/zero"], ["report", "/dev/zero"]):
            with self.subTest(command):
                done = self.awdit(*command)
                self.assertEqual((done.code, done.out), (2, ""))

    def test_a_history_without_end(self):
        if sanitized():
            self.skipTest("sanitizers need more memory than this allows")
        limit = 200 << 20
        with subprocess.Popen(["yes", "w(1,1,1,1)"],
                              stdout=subprocess.PIPE) as yes:
            done = subprocess.run(
                [harness.BINARY, "check", "-"], stdin=yes.stdout,
                capture_output=True, timeout=60, check=False,
                preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_DATA, (limit, limit)))
            yes.terminate()
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertEqual(
            done.stderr,
            b"<stdin>: the input takes up more than 100 MB, half of the "
            b"memory there is\n"
            b"Write it to a file and name that: files are not held.\n")


class NamedByACertificate(CliTest):
    """The path in a certificate is somebody else's choice."""

    def report(self, *paths):
        self.file("proof", json.dumps(
            {"format": "awdit-certificate", "version": 1,
             "history": {"paths": list(paths), "format": "plume",
                         "sessions": 2, "transactions": 2, "operations": 2},
             "levels": [{"level": "read-committed", "verdict": "holds",
                         "commit_order": [0, 1]}]}))
        return self.awdit("report", "proof")

    def test_a_history_is_told(self):
        self.file("h", HISTORY)
        self.assertEqual(self.report("h").code, 0)

    def test_nothing_of_another_file_is_told(self):
        self.file("secret", "hunter2:x:0:0:secret\nsecond line\n")
        done = self.report("secret")
        self.assert_run(
            done, 2, "",
            "proof: the history that the certificate names, secret, cannot be "
            "read: it does not parse as a history\n"
            "If it is elsewhere, name it: awdit report HISTORY proof.\n"
            "awdit check secret says what is wrong with it.\n")
        # Named by the user, it is shown where it is wrong.
        self.assertIn("hunter2", self.awdit("report", "proof", "secret",
                                            "-f", "plume").err)

    def test_devices_and_pipes_are_not_opened(self):
        os.mkfifo(self.folder / "pipe")
        for name in ("/dev/zero", "pipe", "/dev/tty"):
            with self.subTest(name):
                done = self.report(name)
                self.assertEqual((done.code, done.out), (2, ""))
                self.assertIn("cannot be read", done.err)
        self.assertIn("it is not a regular file", self.report("pipe").err)

    def test_a_missing_file(self):
        self.assertIn("there is no such file", self.report("gone").err)


if __name__ == "__main__":
    harness.main()
