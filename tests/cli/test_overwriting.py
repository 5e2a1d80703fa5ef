"""One rule about what is there already, for every command that writes.

A file is replaced, in one step and when the new one is complete, but never one of
the inputs. A directory must be new or empty. No two things go to one place.
"""

import os

import harness
from harness import CliTest

SIMULATED = ("--db", "simulated", "--sessions", "2", "--transactions", "50")
REFUSED = "would overwrite the history"


class Files(CliTest):
    def setUp(self):
        super().setUp()
        self.example("write_skew.txt")
        self.example("write_skew.txt")
        self.awdit("check", "-q", "--certificate", "proof", "write_skew.txt")

    def commands(self, target):
        """Every way to write the file `target`."""
        return {
            "check --report": ("check", "-q", "write_skew.txt", "--report",
                               f"{target}.html"),
            "check --certificate": ("check", "-q", "write_skew.txt",
                                    "--certificate", target),
            "report --report": ("report", "proof", "write_skew.txt",
                                "--report", f"{target}.md"),
            "convert": ("convert", "--to", "awdit-jsonl", "write_skew.txt",
                        target),
            "convert --mapping": ("convert", "--to", "awdit-jsonl",
                                  "write_skew.txt", "other.jsonl",
                                  "--mapping", target),
            "shrink": ("shrink", "--to", "plume", "write_skew.txt", target),
            "generate": ("generate", "--ops", "50", "-f", "plume", "-o",
                         target),
            "record": ("record", "-q", *SIMULATED, "-o", f"{target}.jsonl"),
            "run": ("run", "-q", *SIMULATED, "-o", f"{target}.jsonl"),
            "run --report": ("run", "-q", *SIMULATED, "--report",
                             f"{target}.html"),
            "run --certificate": ("run", "-q", *SIMULATED, "-o", "run.jsonl",
                                  "--certificate", target),
        }

    @staticmethod
    def written(arguments, target):
        return next(a for a in arguments if a.startswith(target))

    def test_a_file_is_replaced_in_one_step(self):
        for name, arguments in self.commands("out").items():
            with self.subTest(name):
                path = self.folder / self.written(arguments, "out")
                path.write_text("old")
                os.link(path, self.folder / "kept")
                done = self.awdit(*arguments)
                self.assertIn(done.code, (0, 1), done.err)
                self.assertNotEqual(path.read_bytes(), b"old")
                # Another file under the same name: nobody saw half of it.
                self.assertEqual((self.folder / "kept").read_text(), "old")
                (self.folder / "kept").unlink()
                path.unlink()

    def test_a_directory_is_not_replaced_and_this_is_said_first(self):
        for name, arguments in self.commands("place").items():
            with self.subTest(name):
                path = self.folder / self.written(arguments, "place")
                path.mkdir()
                done = self.awdit(*arguments)
                self.assertEqual(done.code, 2, done.err)
                self.assertRegex(done.err, f"^{path.name}: the .* cannot be "
                                           "written: Is a directory\n")
                self.assertEqual(list(path.iterdir()), [])
                path.rmdir()
        self.assertFalse([n for n in self.files() if "recording" in n])

    def test_an_input_is_never_replaced(self):
        before = (self.folder / "write_skew.txt").read_bytes()
        os.link(self.folder / "write_skew.txt", self.folder / "twin.md")
        os.symlink("write_skew.txt", self.folder / "link.txt")
        for arguments in (
                ("check", "write_skew.txt", "--report", "write_skew.txt"),
                ("check", "write_skew.txt", "--report", "twin.md"),
                ("check", "write_skew.txt", "--certificate", "link.txt"),
                ("report", "proof", "write_skew.txt", "--report",
                 "./write_skew.txt"),
                ("convert", "write_skew.txt", "link.txt"),
                ("convert", "write_skew.txt", "o.jsonl", "--mapping",
                 "write_skew.txt"),
                ("shrink", "write_skew.txt", "./write_skew.txt")):
            done = self.awdit(*arguments)
            self.assertEqual(done.code, 2, arguments)
            self.assertIn(REFUSED, done.err)
            self.assertEqual((self.folder / "write_skew.txt").read_bytes(),
                             before)

    def test_nor_is_a_file_of_a_directory_that_is_one(self):
        self.awdit("record", "-q", *SIMULATED, "-o", "recording")
        part = "recording/session-0001.jsonl"
        before = (self.folder / part).read_bytes()
        for arguments in (("convert", "recording", part),
                          ("shrink", "recording/", part),
                          ("check", "recording", "--certificate", part)):
            done = self.awdit(*arguments)
            self.assertEqual(done.code, 2, arguments)
            self.assertIn(REFUSED, done.err)
            self.assertEqual((self.folder / part).read_bytes(), before)
        # A report beside them is none of them, the second time as the first.
        for _ in range(2):
            done = self.awdit("check", "-q", "-i", "ser", "recording",
                              "--report", "recording/report.html")
            self.assertEqual((done.code, done.err), (0, ""))

    def test_no_two_things_go_to_one_place(self):
        for command, arguments in (
                ("check", ("write_skew.txt", "--report", "a.txt",
                           "--certificate", "./a.txt")),
                ("check", ("write_skew.txt", "--report", "a.md", "--report",
                           "./a.md")),
                ("convert", ("--to", "plume", "write_skew.txt", "a",
                             "--mapping", "./a")),
                ("run", (*SIMULATED, "-o", "a.txt", "--report", "a.txt")),
                ("run", (*SIMULATED, "-o", "a.jsonl", "--certificate",
                         "./a.jsonl"))):
            done = self.awdit(command, *arguments)
            self.assertEqual((done.code, done.out), (2, ""), arguments)
            self.assertRegex(done.err, "^awdit: '.*' can be written only once"
                                       f"\ntry awdit {command} --help\n$")
        self.assertEqual(self.files(), ["proof", "write_skew.txt"])


class Directories(CliTest):
    def test_one_must_be_new_or_empty(self):
        self.example("serializable.txt")
        for arguments in (
                ("convert", "--to", "cobra", "serializable.txt"),
                ("generate", "--ops", "50", "-f", "viper", "-o"),
                ("record", "-q", *SIMULATED, "-o"),
                ("run", "-q", *SIMULATED, "-o")):
            with self.subTest(arguments[0]):
                path = self.folder / f"{arguments[0]}-d"
                self.assertEqual(self.awdit(*arguments, path.name).code, 0)
                before = sorted(p.name for p in path.iterdir())
                done = self.awdit(*arguments, path.name)
                self.assertEqual(done.code, 2)
                self.assertTrue(done.err.startswith(
                    f"{path.name}: already exists and is not an empty "
                    "directory\n"), done.err)
                self.assertEqual(sorted(p.name for p in path.iterdir()),
                                 before)
                empty = self.folder / f"{arguments[0]}-e"
                empty.mkdir()
                done = self.awdit(*arguments, empty.name)
                self.assertEqual(done.code, 0, done.err)
                self.assertTrue(list(empty.iterdir()))

    def test_a_file_is_not_made_a_directory(self):
        self.example("serializable.txt")
        self.file("precious", "x")
        for arguments in (("convert", "--to", "cobra", "serializable.txt"),
                          ("record", "-q", *SIMULATED, "-o")):
            done = self.awdit(*arguments, "precious")
            self.assertEqual(done.code, 2)
            self.assertIn("already exists and is not an empty directory",
                          done.err)
        self.assertEqual((self.folder / "precious").read_text(), "x")


if __name__ == "__main__":
    harness.main()
