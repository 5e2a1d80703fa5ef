"""Files that somebody truncates or overwrites while they are read.

A race cannot be staged, so it is run often: 50 times by day, ten for each kind;
with AWDIT_LONG=1 50 times for each. Whatever the moment, the program ends by
itself; and if it met the change, it says so. (What must happen if it does meet
it is in tests/unit/base/input_test.cpp.)
"""

import os
import random
import subprocess
import threading
import time
import unittest

import harness
from harness import CLEAN, CliTest

ROUNDS = 50 if os.environ.get("AWDIT_LONG") else 10
CHANGED = "the file changed while it was read"


class Races(CliTest):
    def make(self, name):
        """A history of some megabytes, so that files are mapped."""
        made = self.awdit("generate", "--ops", "250k", "--seed", "16",
                          "--keys", "1000", "-o", name)
        self.assertEqual(made.code, 0, made.err)  # notes what the format loses
        content = (self.folder / name).read_bytes()
        self.assertGreater(len(content), 2 << 20)
        return content

    def race(self, name, change):
        """Runs `change` at some moment of a check."""
        content = self.make(name)
        path = self.folder / name
        command = [harness.BINARY, "check", "-i", "read-committed",
                   "--threads", "2", name]
        began = time.monotonic()
        subprocess.run(command, cwd=self.folder, env=CLEAN, check=True,
                       capture_output=True, timeout=60)
        usual = time.monotonic() - began
        chance = random.Random(name)
        for _ in range(ROUNDS):
            path.write_bytes(content)
            with subprocess.Popen(command, cwd=self.folder, env=CLEAN,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                time.sleep(usual * chance.uniform(0.05, 0.9))
                change(path, content, chance)
                _, err = process.communicate(timeout=60)
            err = err.decode()
            # A negative code is the signal that ended it.
            self.assertIn(process.returncode, (0, 1, 2), err)
            self.assertNotIn("Sanitizer", err)
            if CHANGED in err:
                self.assertEqual(process.returncode, 2)
                self.assertEqual(err.splitlines(), [
                    f"{name}: {CHANGED}",
                    "Whatever writes it is not done yet. Try again when it "
                    "is, or copy the file and name the copy."])

    @staticmethod
    def truncate(path, content, chance):
        os.truncate(path, chance.randrange(len(content)))

    @staticmethod
    def overwrite(path, content, chance):
        """Other bytes of the same kind, in place."""
        at = chance.randrange(len(content) // 2)
        with open(path, "r+b") as file:
            file.seek(at)
            file.write(content[::-1][:len(content) - at])

    def test_plume_is_truncated(self):
        self.race("h.txt", self.truncate)

    def test_jsonl_is_truncated(self):
        self.race("h.jsonl", self.truncate)

    def test_edn_is_truncated(self):
        self.race("h.edn", self.truncate)

    def test_awdit_is_truncated(self):
        self.race("h.awdit", self.truncate)

    def test_awdit_is_overwritten(self):
        self.race("h.awdit", self.overwrite)

    @unittest.skipUnless(os.environ.get("AWDIT_LONG"), "at night only")
    def test_texts_are_overwritten(self):
        for name in ("h.txt", "h.jsonl", "h.edn", "h.json", "h.bincode",
                     "h.hist"):
            with self.subTest(name):
                self.race(name, self.overwrite)


class Told(CliTest):
    def test_a_file_that_keeps_changing(self):
        """Somebody writes as long as we read: no verdict."""
        made = self.awdit("generate", "--ops", "250k", "-o", "h.txt")
        self.assertEqual((made.code, made.err), (0, ""))
        over = threading.Event()

        def write():
            with open(self.folder / "h.txt", "r+b") as file:
                while not over.wait(0.001):
                    os.pwrite(file.fileno(), b"w", 0)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            done = self.awdit("check", "-i", "read-committed", "h.txt")
        finally:
            over.set()
            writer.join()
        self.assert_run(
            done, 2, "",
            f"h.txt: {CHANGED}\n"
            "Whatever writes it is not done yet. Try again when it is, or "
            "copy the file and name the copy.\n")


if __name__ == "__main__":
    harness.main()
