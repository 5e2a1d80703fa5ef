"""Where output goes: pipes, terminals, full disks, escape codes."""

import json
import os
import subprocess
import time
import unittest

import harness
from harness import CLEAN, CliTest


def many_findings(count):
    return "w(1,1,1,1)\n" + "".join(
        f"r(1,{i + 100},2,{i + 2})\n" for i in range(count))


class Pipes(CliTest):
    def test_a_reader_who_leaves_is_not_an_error(self):
        self.file("h", many_findings(50_000))
        for arguments in (["--json"], ["--limit", "0"]):
            process = subprocess.Popen(
                [harness.BINARY, "check", *arguments, "h"], cwd=self.folder,
                env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdout.read(10)
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            process.stderr.close()
            self.assertEqual(process.wait(timeout=60), 1)

    def test_a_pipe_closed_before_the_start_is_not_an_error(self):
        self.file("h", "w(1,1,1,1)\n")
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([harness.BINARY, "check", "h"], cwd=self.folder,
                              env=CLEAN, stdout=write, stderr=subprocess.PIPE,
                              timeout=60, check=False)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_an_error(self):
        self.file("h", "w(1,1,1,1)\n")
        for arguments in (["check", "h"], ["check", "--json", "h"],
                          ["check", "h", "h"], ["--help"], ["list", "levels"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([harness.BINARY, *arguments],
                                      cwd=self.folder, env=CLEAN, stdout=full,
                                      stderr=subprocess.PIPE, timeout=60,
                                      check=False)
            self.assertEqual(
                (done.returncode, done.stderr),
                (2, b"standard output: No space left on device\n"
                    b"The output is incomplete.\n"), arguments)

    def test_a_closed_standard_output_is_an_error_and_harms_no_file(self):
        self.file("h", "w(1,1,1,1)\n")
        done = subprocess.run(
            ["sh", "-c", '"$0" check --certificate p h >&-', harness.BINARY],
            cwd=self.folder, env=CLEAN, stderr=subprocess.PIPE, timeout=60,
            check=False)
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("plume  1 session", (self.folder / "p").read_text())


class Terminals(CliTest):
    def setUp(self):
        super().setUp()
        self.example("causal.txt")

    def test_verdicts_are_coloured_on_a_terminal(self):
        code, shown = self.on_terminal("check", "causal.txt")
        self.assertEqual(code, 1)
        self.assertIn(b"\x1b[1;31mVIOLATED\x1b[0m", shown)
        self.assertIn(b"\x1b[32mholds\x1b[0m", shown)

    def test_colour_does_not_change_the_words(self):
        self.example("fractured.txt")  # of which no line is too long
        asked = "check", "-i", "ra,cc", "fractured.txt"
        _, shown = self.on_terminal(*asked, env={"LC_ALL": "C"})
        for code in (b"\x1b[1;31m", b"\x1b[32m", b"\x1b[1m", b"\x1b[2m",
                     b"\x1b[0m"):
            shown = shown.replace(code, b"")
        self.assertEqual(shown.replace(b"\r\n", b"\n").decode(),
                         self.awdit(*asked).out)

    def test_operations_are_framed_where_the_terminal_has_the_characters(self):
        for env, framed in (({"LC_ALL": "C.UTF-8"}, True),
                            ({"LC_ALL": "C"}, False)):
            _, shown = self.on_terminal("check", "causal.txt", env=env)
            text = shown.decode()
            for code in ("\x1b[1;31m", "\x1b[32m", "\x1b[1m", "\x1b[2m",
                         "\x1b[0m"):
                text = text.replace(code, "")
            self.assertEqual("\u256d" in text, framed)
            if not framed:
                continue
            rows = [line for line in text.splitlines() if "\u2502" in line]
            self.assertEqual(len({len(row) for row in rows}), 1, rows)
            self.assertEqual(len(rows), 5)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80)
        done = self.awdit("check", "causal.txt", env={"LC_ALL": "C.UTF-8"})
        self.assertNotIn("\u256d", done.out)

    def test_no_escape_codes_if_unwanted(self):
        for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            _, shown = self.on_terminal("check", "causal.txt", env=env)
            self.assertNotIn(b"\x1b", shown)
        _, shown = self.on_terminal("check", "--json", "causal.txt")
        self.assertNotIn(b"\x1b", shown)

    def test_controls_in_a_history_reach_no_output_raw(self):
        # U+009B begins a sequence as ESC [ does; DEL and ESC, too.
        key = "k\x9b31m\x7f\x1b\x85"
        self.file("h.jsonl", json.dumps(
            {"session": 1, "id": 1, "ops": [["r", key, "v\x9b"]],
             "meta": {"m\x9b": "\x80"}}, ensure_ascii=False).replace(
                 "\x1b", "\\u001b") + "\n")
        controls = [chr(c) for c in (*range(0x20), *range(0x7F, 0xA0))
                    if c != 0x0A]
        outputs = {"text": self.awdit("check", "h.jsonl").out}
        for kind in ("json", "edn", "markdown", "sarif", "junit", "dot"):
            outputs[kind] = self.awdit("check", "-o", kind, "h.jsonl").out
        for name in ("jsonl", "edn"):
            done = self.awdit("convert", "h.jsonl", f"out.{name}")
            self.assertEqual(done.code, 0, done.err)
            outputs["convert " + name] = (
                self.folder / f"out.{name}").read_text()
        self.awdit("check", "--certificate", "proof", "h.jsonl")
        outputs["certificate"] = (self.folder / "proof").read_text()
        for kind, output in outputs.items():
            with self.subTest(kind):
                self.assertNotEqual(output, "")
                self.assertEqual([c for c in controls if c in output], [])
        # And they are all still there.
        back = [json.loads(line)
                for line in outputs["convert jsonl"].splitlines()]
        self.assertEqual(back[-1]["ops"], [["r", key, "v\x9b"]])
        self.assertEqual(back[-1]["meta"], {"m\x9b": "\x80"})
        again = self.awdit("convert", "out.edn", "--to", "awdit-jsonl", "-")
        self.assertIn(json.dumps(key)[1:-1], again.out)

    def test_no_escape_codes_in_pipes(self):
        done = self.awdit("check", "causal.txt", env={"TERM": "xterm"})
        self.assertNotIn("\x1b", done.out + done.err)

    def test_odd_bytes_in_a_path_are_shown_not_obeyed(self):
        name = "a\x1b[31mb\nc\u202e"
        self.file(name, "w(1,1,1,1)\n")
        done = self.awdit("check", name)
        self.assertEqual(done.out.splitlines()[0],
                         r"a\x1b[31mb\nc\u{202e}  plume  1 session  "
                         "1 transaction  1 operation")
        self.assertIn(r"\xff", self.awdit("check", b"\xff").err)

    def test_slow_work_is_announced_and_the_announcement_erased(self):
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        pid = os.fork()
        if pid == 0:  # a recorder that takes its time
            time.sleep(1.6)
            os.write(write, b"w(1,1,1,1)\n")
            os._exit(0)
        os.close(write)
        code, shown = self.on_terminal("check", "-", stdin=read)
        os.waitpid(pid, 0)
        self.assertEqual(code, 0)
        self.assertIn(b"reading <stdin> ... 1 s", shown)
        before, after = shown.rsplit(b"\r\x1b[K", 1)
        self.assertIn(b"reading", before)
        self.assertTrue(after.startswith(b"<stdin>  plume  "), after)

    def test_quick_work_is_not_announced(self):
        _, shown = self.on_terminal("check", "causal.txt")
        self.assertNotIn(b"reading", shown)
        self.assertNotIn(b"checking", shown)


if __name__ == "__main__":
    harness.main()
