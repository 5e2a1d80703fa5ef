"""Drivers are files beside the program. What is wrong with them is said, with a
remedy, and whoever needs none never loads one."""

import shutil
import subprocess
import unittest
from pathlib import Path

import harness


def folder_of_drivers():
    return Path(harness.BINARY).resolve().parents[1] / "lib" / "awdit"


class Drivers(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file_of = folder_of_drivers() / "sqlite.so"
        if not self.file_of.exists():
            self.skipTest("sqlite is not built")

    def moved(self):
        """The program alone, in another place; the drivers' place there."""
        (self.folder / "bin").mkdir()
        drivers = self.folder / "lib" / "awdit"
        drivers.mkdir(parents=True)
        shutil.copy2(harness.BINARY, self.folder / "bin" / "awdit")
        return self.folder / "bin" / "awdit", drivers

    def record(self, program, **extra):
        done = subprocess.run(
            [program, "record", "-q", "--db", "sqlite", "--sessions", "2",
             "--transactions", "10", "-o", "out.awdit"], cwd=self.folder,
            capture_output=True, text=True, check=False, timeout=120,
            env=harness.CLEAN, **extra)
        return done.returncode, done.stderr

    def test_are_found_wherever_all_of_it_is(self):
        program, drivers = self.moved()
        shutil.copy2(self.file_of, drivers)
        link = self.folder / "link"
        link.symlink_to(program)
        self.assertEqual(self.record(link), (0, ""))

    def test_a_missing_one_is_said(self):
        program, drivers = self.moved()
        # Neither there nor elsewhere does anybody look for it.
        shutil.copy2(self.file_of, self.folder)
        code, err = self.record(program)
        self.assertEqual(code, 2)
        self.assertIn(f"{drivers}/sqlite.so: the driver sqlite is missing", err)
        self.assertIn("cmake --install", err)
        self.assertFalse((self.folder / "out.awdit").exists())

    def test_one_of_another_build_is_not_used(self):
        program, drivers = self.moved()
        stamps = subprocess.run(
            ["strings", "-n", "64", self.file_of], capture_output=True,
            check=True).stdout.split() if shutil.which("strings") else []
        stamp = [word for word in stamps
                 if len(word) == 64 and set(word) <= set(b"0123456789abcdef")]
        if len(stamp) != 1:
            self.skipTest("the stamp is not found")
        content = self.file_of.read_bytes()
        (drivers / "sqlite.so").write_bytes(
            content.replace(stamp[0], stamp[0][::-1]))
        code, err = self.record(program)
        self.assertEqual(code, 2)
        self.assertIn("the driver sqlite is of another build", err)
        self.assertIn("cmake --install", err)

    def test_a_damaged_one_is_said(self):
        program, drivers = self.moved()
        (drivers / "sqlite.so").write_bytes(b"\x7fELF and no more")
        code, err = self.record(program)
        self.assertEqual(code, 2)
        self.assertIn("the driver sqlite cannot be loaded: ", err)

    def test_without_them_the_rest_works(self):
        program, _ = self.moved()
        shown = [subprocess.run([path, "list", "drivers"], check=True,
                                capture_output=True, env=harness.CLEAN).stdout
                 for path in (program, harness.BINARY)]
        self.assertEqual(*shown)
        done = subprocess.run(
            [program, "run", "-q", "--db", "simulated", "--transactions", "50"],
            cwd=self.folder, capture_output=True, check=False, timeout=120,
            env=harness.CLEAN)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(Path("/proc/self/maps").exists() and
                         shutil.which("ldd"), "needs ldd")
    def test_no_client_library_is_linked(self):
        linked = subprocess.run(["ldd", harness.BINARY], capture_output=True,
                                check=True, text=True).stdout
        for library in ("libpq", "libmariadb", "librocksdb", "libsqlite3",
                        "libarchive", "libxml2"):
            self.assertNotIn(library, linked)


if __name__ == "__main__":
    harness.main()
