"""What is read: files of every kind, good and bad."""

import os
import resource
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
        if b"__asan_init" in Path(harness.BINARY).read_bytes() or \
                b"__tsan_init" in Path(harness.BINARY).read_bytes():
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


if __name__ == "__main__":
    harness.main()
