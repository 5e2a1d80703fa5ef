"""Histories in compressed files, archives and directories."""

import bz2
import gzip
import io
import lzma
import resource
import tarfile
import zipfile

import harness
from harness import CliTest

HISTORY = ("w(1,10,1,1)\n"
           "w(2,20,1,1)\n"
           "r(2,20,1,2)\n"
           "r(1,10,2,3)\n")
FIRST, SECOND = HISTORY.splitlines(True)[:3], HISTORY.splitlines(True)[3:]


def tar_of(files, mode="w"):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return data.getvalue()


def zip_of(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


class Containers(CliTest):
    def conclusion(self, *arguments, stdin=b""):
        done = self.awdit("check", "-i", "cc", *arguments, stdin=stdin)
        self.assertEqual((done.code, done.err), (0, ""))
        return done.out.splitlines()[0]

    def test_every_compression_is_recognised_by_its_bytes(self):
        data = HISTORY.encode()
        packed = {"gzip": gzip.compress(data), "xz": lzma.compress(data),
                  "bzip2": bz2.compress(data)}
        for name, content in packed.items():
            with self.subTest(name):
                # The name says nothing, on purpose.
                self.file("history", content)
                self.assertEqual(self.conclusion("history"),
                                 "history  plume  2 sessions  3 transactions"
                                 "  4 operations")

    def test_convert_compresses_what_its_name_says(self):
        self.file("h.txt", HISTORY)
        magics = {"gz": b"\x1f\x8b", "xz": b"\xfd7zXZ",
                  "zst": b"\x28\xb5\x2f\xfd"}
        for suffix, magic in magics.items():
            with self.subTest(suffix):
                name = f"packed.txt.{suffix}"
                self.assert_run(self.awdit("convert", "h.txt", name), 0, "")
                content = (self.folder / name).read_bytes()
                self.assertTrue(content.startswith(magic), content[:8])
                self.assertEqual(self.conclusion(name).split("  ", 1)[1],
                                 "plume  2 sessions  3 transactions"
                                 "  4 operations")

    def test_a_compressed_history_on_standard_input(self):
        packed = gzip.compress(HISTORY.encode())
        self.assertEqual(self.conclusion("-", stdin=packed),
                         "<stdin>  plume  2 sessions  3 transactions"
                         "  4 operations")

    def test_archives_and_directories_of_one_history(self):
        files = {"run/a.txt": "".join(FIRST).encode(),
                 "run/b.txt": "".join(SECOND).encode(),
                 "run/notes": b"Nothing to see here.\n",
                 "run/.hidden": b"w(1,1,1,1)\n"}
        self.file("h.tar", tar_of(files))
        self.file("h.tgz", tar_of(files, "w:gz"))
        self.file("h.txz", tar_of(files, "w:xz"))
        self.file("h.zip", zip_of(files))
        (self.folder / "run").mkdir()
        for name, content in files.items():
            self.file(name, content)
        packed = {name: gzip.compress(content)
                  for name, content in files.items()}
        self.file("packed.tar", tar_of(packed))
        for name in ("h.tar", "h.tgz", "h.txz", "h.zip", "run", "packed.tar"):
            with self.subTest(name):
                self.assertEqual(self.conclusion(name),
                                 f"{name}  plume  2 sessions  3 transactions"
                                 "  4 operations")

    def test_several_files_joined_are_one_history(self):
        self.file("a.txt", "".join(FIRST))
        self.file("b.txt", "".join(SECOND))
        self.assertEqual(self.conclusion("--join", "a.txt", "b.txt"),
                         "a.txt, b.txt  plume  2 sessions  3 transactions"
                         "  4 operations")
        done = self.awdit("check", "-i", "cc", "a.txt", "b.txt")
        self.assertEqual(done.code, 1)  # b alone reads what nobody wrote
        self.assert_run(self.awdit("convert", "a.txt", "b.txt", "all.txt"),
                        0, "")
        self.assertEqual((self.folder / "all.txt").read_text(), HISTORY)

    def test_files_are_taken_in_the_order_of_their_numbers(self):
        files = {f"T{n}.txt": f"w(1,{n},{n},{n})\n".encode()
                 for n in (10, 2, 1)}
        self.file("h.tar", tar_of(files))
        self.assert_run(self.awdit("convert", "--to", "plume", "h.tar", "-"),
                        0, "w(1,1,1,1)\nw(1,2,2,2)\nw(1,10,10,10)\n")


class Refused(CliTest):
    def test_damaged_data(self):
        packed = gzip.compress(HISTORY.encode() * 1000)
        self.file("cut.gz", packed[:len(packed) // 2])
        done = self.awdit("check", "cut.gz")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith(
            "cut.gz: the compressed data is damaged or ends too early"),
            done.err)

    def test_files_of_which_each_is_a_history(self):
        files = {"a": b"w 1 1\n---\nr 1 1\n", "b": b"w 1 1\n---\nr 1 1\n"}
        self.file("h.tar", tar_of(files))
        self.assert_run(
            self.awdit("check", "h.tar"), 2, "",
            "h.tar: there are 2 awdit-test files here, each a history of its "
            "own\n"
            "Name one of them:\n  h.tar/a\n  h.tar/b\n")

    def test_files_of_different_formats(self):
        files = {"a": b"w 1 1\n---\nr 1 1\n", "b": b"w(1,1,1,1)\n"}
        self.file("h.tar", tar_of(files))
        self.assert_run(
            self.awdit("check", "h.tar"), 2, "",
            "h.tar: h.tar/a looks like awdit-test, but h.tar/b like plume\n"
            "The files of a directory or an archive are one history. Say "
            "which one is meant with --format, or name the file.\n")
        done = self.awdit("check", "--format", "plume", "h.tar")
        self.assertEqual(done.code, 0)

    def test_an_archive_without_a_history(self):
        self.file("h.tar", tar_of({"a": b"Dear diary,\n"}))
        done = self.awdit("check", "h.tar")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith(
            "h.tar: no file in here looks like a history"), done.err)
        self.file("empty.tar", tar_of({"d/.keep": b""}))
        self.assert_run(
            self.awdit("check", "empty.tar"), 2, "",
            "empty.tar: there is no file in here\n"
            "A history needs at least one operation; did the recorder run?\n")

    @staticmethod
    def packed(line, megabytes):
        """Many times the same line."""
        return lzma.compress(line * ((1 << 20) // len(line))) * megabytes

    def test_a_file_that_unpacks_beyond_all_measure(self):
        self.file("bomb.xz", self.packed(b"w(1,1,1,1)\n", 80))
        done = self.awdit("check", "bomb.xz")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("bytes unpack to more than 200 times as many", done.err)
        self.assertIn("unpack it by hand and name the result", done.err)

    def test_what_is_no_history_is_not_unpacked_to_its_end(self):
        # 4 GB in a megabyte.
        self.file("blanks.xz", self.packed(b" ", 4096))
        done = self.awdit("check", "blanks.xz", preexec_fn=lambda:
                          resource.setrlimit(resource.RLIMIT_CPU, (5, 5)))
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("this does not look like a history", done.err)

    def test_an_archive_of_bombs_has_one_measure(self):
        files = {f"{n}.xz": self.packed(b"w(1,1,1,1)\n", 30)
                 for n in range(3)}
        self.file("h.tar", tar_of(files))
        done = self.awdit("check", "h.tar")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("bytes unpack to more than 200 times as many", done.err)

    def test_a_large_namesake_that_looks_like_nothing_is_refused(self):
        files = {"T1.txt": b"w(1,1,1,1)\n",
                 "T2.txt": b"# a note\n" * 200_000,
                 "notes": b"# a note\n" * 200_000}
        self.file("h.tar.gz", tar_of(files, "w:gz"))
        done = self.awdit("check", "h.tar.gz")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertTrue(done.err.startswith(
            "h.tar.gz/T2.txt: this does not look like plume"), done.err)


if __name__ == "__main__":
    harness.main()
