"""How the binary was built: what makes a mistake of ours harder to exploit is
read off it, not believed. Sanitizer builds are made to be loud instead."""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

import harness


def readelf(*arguments, file=None):
    done = subprocess.run(["readelf", "--wide", *arguments,
                           file or harness.BINARY],
                          capture_output=True, check=True, text=True)
    return done.stdout


@unittest.skipUnless(shutil.which("readelf"), "needs readelf")
class Hardening(unittest.TestCase):
    def setUp(self):
        self.content = Path(harness.BINARY).read_bytes()
        if b"__asan_init" in self.content or b"__tsan_init" in self.content:
            self.skipTest("a sanitizer build")

    def symbols(self):
        """Names of what other libraries are to bring."""
        rows = [line.split() for line in readelf("--dyn-syms").splitlines()]
        return {row[7].split("@")[0] for row in rows
                if len(row) > 7 and row[6] == "UND"}

    def test_it_is_loaded_anywhere(self):
        self.assertRegex(readelf("--file-header"), r"Type:\s+DYN")
        self.assertRegex(readelf("--dynamic"), r"FLAGS_1\).*\bPIE\b")

    def test_what_the_loader_wrote_is_read_only(self):
        self.assertIn("GNU_RELRO", readelf("--program-headers"))
        self.assertRegex(readelf("--dynamic"),
                         r"\(BIND_NOW\)|FLAGS.*\b(BIND_)?NOW\b")

    def test_the_stack_is_guarded_and_not_executable(self):
        self.assertIn("__stack_chk_fail", self.symbols())
        stack = re.search(r"GNU_STACK(.*)", readelf("--program-headers"))
        self.assertNotIn("E", stack.group(1).split()[-2])
        self.assertNotIn("RWE", stack.group(1))

    def test_so_are_drivers(self):
        drivers = Path(harness.BINARY).resolve().parents[1] / "lib" / "awdit"
        for file in sorted(drivers.glob("*.so")):
            with self.subTest(file.name):
                segments = readelf("--program-headers", file=file)
                self.assertIn("GNU_RELRO", segments)
                self.assertNotIn("RWE", segments)
                self.assertRegex(readelf("--dynamic", file=file),
                                 r"\(BIND_NOW\)|FLAGS.*\b(BIND_)?NOW\b")
                self.assertIn("__stack_chk_fail",
                              readelf("--dyn-syms", file=file))

    def test_the_c_library_checks_sizes(self):
        self.assertTrue([name for name in self.symbols()
                         if name.endswith("_chk") and
                         name != "__stack_chk_fail"])

    def test_the_standard_library_checks_indices(self):
        self.assertIn("_ZSt21__glibcxx_assert_failPKciS0_S0_", self.symbols())

    def test_jumps_land_where_they_may(self):
        """CET: indirect jumps lead to an endbr64. (Whether the note of the
        binary says so is up to the system's own start-up files.)"""
        machine = re.search(r"Machine:\s+(.*)", readelf("--file-header"))
        if "X86-64" not in machine.group(1):
            self.skipTest("only on x86-64")
        main = next(line.split() for line in
                    readelf("--symbols").splitlines()
                    if line.split()[-1:] == ["main"])
        address = int(main[1], 16)
        for line in readelf("--program-headers").splitlines():
            part = line.split()
            if part[:1] != ["LOAD"]:
                continue
            offset, start = int(part[1], 16), int(part[2], 16)
            if start <= address < start + int(part[4], 16):
                at = offset + address - start
                self.assertEqual(self.content[at:at + 4], b"\xf3\x0f\x1e\xfa")
                return
        self.fail("main lies nowhere")


if __name__ == "__main__":
    harness.main()
