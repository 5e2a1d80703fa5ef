"""On a terminal of 60 to 200 columns no line is longer than that."""

import json
import os
import re
import time
import unicodedata

import harness
from harness import ROOT, CliTest

WIDTHS = (60, 80, 120, 200)
GOLDEN = ROOT / "tests" / "report" / "golden"
COMMANDS = ("run", "record", "check", "verify", "report", "convert", "shrink",
            "generate", "stats", "explain", "list", "completions", "man",
            "help")
LISTS = ("levels", "formats", "anomalies", "reports", "drivers", "workloads",
         "faults", "bugs")


def columns(text):
    """As a terminal counts them."""
    return sum(0 if unicodedata.category(c) in ("Mn", "Me")
               else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


def lines(shown):
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode())
    return text.replace("\r\n", "\n").split("\n")


class Fits(CliTest):
    def fits(self, width, *arguments, code=None, **extra):
        """Runs it; returns its lines."""
        left, shown = self.on_terminal(*arguments, columns=width, **extra)
        if code is not None:
            self.assertEqual(left, code, shown.decode())
        found = lines(shown)
        for line in found:
            self.assertLessEqual(columns(line), width,
                                 f"{' '.join(arguments)}: {line!r}")
        return found

    def each(self, *arguments, **extra):
        return {width: self.fits(width, *arguments, **extra)
                for width in WIDTHS}

    def test_every_anomaly(self):
        for path in sorted(GOLDEN.iterdir()):
            history = str(path / "history.jsonl")
            for width in (60, 120):
                self.fits(width, "check", history)
            self.fits(60, "check", history, env={"LC_ALL": "C"})

    def test_long_and_wide_names(self):
        self.file("long.jsonl", "".join(json.dumps(line) + "\n" for line in (
            {"session": "s" * 30,
             "ops": [["w", "漢字" * 40, 1], ["w", "k" * 300, 1]]},
            {"session": "e\u0301\U0001F600" * 15,
             "ops": [["w", "漢字" * 40, 2], ["w", "k" * 300, 2]],
             "meta": {"note": "x" * 200, "other": "some words " * 20}},
            {"session": "c", "ops": [["r", "k" * 300, 2],
                                     ["r", "漢字" * 40, 1]]})))
        for env in ({"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}):
            self.each("check", "long.jsonl", code=1, env=env)
        self.each("check", "long.jsonl", "long.jsonl", code=1)

    def test_frames_are_straight_and_as_wide_as_there_is_room(self):
        history = str(GOLDEN / "causal-violation" / "history.jsonl")
        widest = {}
        for width, found in self.each("check", history).items():
            rows = [line for line in found if "\u2502" in line]
            self.assertEqual(len({columns(row) for row in rows}), 1, rows)
            widest[width] = columns(rows[0])
        self.assertLessEqual(widest[60], 60)

    def test_prose_is_broken_anew_not_twice(self):
        # Sixty columns must not look like eighty that were cut.
        found = self.fits(60, "check", "--help")
        short = [line for line in found if 0 < columns(line) < 12
                 and not line.startswith(" ") and not line.endswith(":")]
        self.assertLessEqual(len(short), 3, short)

    def test_help_and_lists(self):
        for width in (60, 80, 200):
            self.fits(width, "--help", code=0)
            for command in COMMANDS:
                self.fits(width, "help", command, code=0)
            for what in LISTS:
                self.fits(width, "list", what, code=0)

    def test_the_dictionary(self):
        found = self.fits(60, "explain", code=0)
        for word in (line.strip() for line in found
                     if line.startswith("  ")):
            self.fits(60, "explain", word, code=0)

    def test_statistics_and_certificates(self):
        self.awdit("generate", "--transactions", "3000", "-o", "h.txt")
        self.each("stats", "h.txt", code=0)
        self.awdit("check", "--certificate", "c", "-q", "h.txt")
        self.each("verify", "h.txt", "c", code=0)
        self.each("report", "c", "h.txt", code=0)
        proof = json.loads((self.folder / "c").read_text())
        for level in proof["levels"]:
            if "commit_order" in level:
                level["commit_order"].reverse()
        self.file("c", json.dumps(proof))
        found = self.fits(60, "verify", "h.txt", "c", code=1)
        self.assertTrue(any("REJECTED" in line for line in found))

    def test_messages(self):
        self.file("bad.txt", "w(1,1,1,1)\n" + "w(2,2,2,2) " * 30 + "\n")
        for width, found in self.each("check", "bad.txt", code=2).items():
            line, caret = next((a, b) for a, b in zip(found, found[1:])
                               if b.strip(" ") == "^")
            self.assertLess(caret.index("^"), len(line))
        self.each("check", "-i", "REPEATABLE READ", "x", code=2)
        self.each("check", "-i", "nonsense", "x", code=2)
        self.each("check", "no/such/" + "x" * 300, code=2)
        self.each("run", "--db", "simulated", "--transactions", "50", code=0)

    def test_columns_is_obeyed(self):
        history = str(GOLDEN / "lost-update" / "history.jsonl")
        for line in self.fits(200, "check", history, env={"COLUMNS": "66"}):
            self.assertLessEqual(columns(line), 66)

    def test_what_is_not_for_people_stays_as_it_is(self):
        history = str(GOLDEN / "lost-update" / "history.jsonl")
        for arguments in (("check", "--json", history), ("man",),
                          ("completions", "bash")):
            _, shown = self.on_terminal(*arguments, columns=60)
            self.assertEqual(shown.decode().replace("\r\n", "\n"),
                             self.awdit(*arguments).out)

    def test_the_progress_never_wraps(self):
        for width in (60, 24):
            read, write = os.pipe()
            pid = os.fork()
            if pid == 0:  # a recorder that takes its time
                time.sleep(2.5)
                os.write(write, b"w(1,1,1,1)\n")
                os._exit(0)
            os.close(write)
            code, shown = self.on_terminal("check", "-", stdin=read,
                                           columns=width)
            os.waitpid(pid, 0)
            os.close(read)
            self.assertEqual(code, 0)
            parts = shown.split(b"\r\x1b[K")[1:-1]
            self.assertTrue(any(b"reading" in part for part in parts), shown)
            for part in parts:
                self.assertLess(columns(part.decode()), width)

    def test_the_live_view_never_wraps(self):
        if "not built" in self.awdit("list", "drivers").out.split("\n")[0]:
            self.skipTest("rocksdb is not built")
        for width in (60, 30):
            _, shown = self.on_terminal(
                "record", "--duration", "1500ms", "--sessions", "2", "--pause",
                "20000", "-w", "c-twitter", "-o", f"h{width}.awdit",
                columns=width)
            frames = shown.decode().split("\x1b[J")[1:-1]
            self.assertGreater(len(frames), 0, shown)
            for frame in frames:
                for line in frame.split("\x1b[")[0].split("\r\n"):
                    self.assertLess(columns(line), width)


class Binary(CliTest):
    """Bytes that are not text do not go to a terminal."""

    def test_binary_formats_are_refused(self):
        self.example("write_skew.txt")
        self.awdit("convert", "write_skew.txt", "h.awdit")
        for arguments in (("shrink", "h.awdit", "-"),
                          ("shrink", "--to", "dbcop", "h.awdit", "-"),
                          ("convert", "--to", "awdit", "write_skew.txt", "-"),
                          ("convert", "--to", "dbcop", "write_skew.txt",
                           "/dev/tty"),
                          ("generate", "-f", "awdit", "--ops", "100")):
            if "/dev/tty" in arguments:
                continue  # whose it is depends on who runs this
            code, shown = self.on_terminal(*arguments, columns=200)
            self.assertEqual(code, 2, arguments)
            self.assertRegex(
                shown.decode(),
                r"^<stdout>: a history in the format (awdit|dbcop) is binary, "
                r"and this is a terminal\r\nName a file, write to a pipe, or "
                r"choose a format that is text, such as plume or awdit-jsonl\."
                r"\r\n$")

    def test_text_is_not(self):
        self.example("write_skew.txt")
        code, shown = self.on_terminal("convert", "--to", "plume",
                                       "write_skew.txt", "-")
        self.assertEqual((code, shown.decode().replace("\r\n", "\n")),
                         (0, (self.folder / "write_skew.txt").read_text()))

    def test_a_pipe_takes_them(self):
        self.example("write_skew.txt")
        self.awdit("convert", "write_skew.txt", "h.awdit")
        process = harness.subprocess.run(
            [harness.BINARY, "shrink", "h.awdit", "-"], cwd=self.folder,
            env=harness.CLEAN, capture_output=True, timeout=60, check=False)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(process.stdout)

    def test_a_recording_goes_to_no_terminal_at_all(self):
        code, _ = self.on_terminal("record", "--db", "simulated", "-o", "-")
        self.assertEqual(code, 2)


if __name__ == "__main__":
    harness.main()
