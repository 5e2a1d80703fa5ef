#!/usr/bin/env python3
"""The library as others get it: installed into an empty prefix, then found by a
C compiler, pkg-config, CMake and ctypes; its symbols and signatures against
what was promised.

    test_library.py BUILD SOURCE [--update]

--update accepts the symbols and signatures as they are now.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

UPDATE = "--update" in sys.argv
BUILD, SOURCE = [Path(a).resolve()
                 for a in sys.argv[1:] if a != "--update"][:2]
HERE = SOURCE / "tests/library"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True,
                          text=True, check=False, **options)
    if done.returncode != 0 or done.stderr.strip():
        raise AssertionError(f"{' '.join(map(str, command))}\n"
                             f"{done.stdout}{done.stderr}")
    return done.stdout


def declarations(header):
    """What a header promises, a line each, however it is formatted."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    text = re.sub(r"static inline.*?\n}", " ", text, flags=re.S)
    lines = re.findall(r"^#define (AWDIT_(?:ABI|NO_\w+) .*)$", text, re.M)
    text = re.sub(r"^#.*$", " ", text, flags=re.M)
    text = re.sub(r"\b(AWDIT_API|AWDIT_NOEXCEPT|extern \"C\" {)", " ", text)
    text = " ".join(text.split())
    for found in re.finditer(r"(?:typedef struct \w+ {.*?} \w+|enum {.*?}|"
                             r"[^;{}]+);", text):
        lines.append(re.sub(r"(?<=\() | (?=[),;])", "", found.group()).strip())
    return sorted(set(lines))


class Staged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="awdit-library-")
        cls.work = Path(cls.folder.name)
        cls.prefix = cls.work / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.lib = next(cls.prefix.glob("**/libawdit.so.1")).parent
        cls.environment = {
            **os.environ,
            "PKG_CONFIG_PATH": str(cls.lib / "pkgconfig"),
            # Our flags in the environment are not the consumer's.
            "CFLAGS": "", "CXXFLAGS": "",
            "LD_LIBRARY_PATH": str(cls.lib)}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_client(self, *command):
        self.assertEqual(run(*command, env=self.environment), "")

    def flags(self, *options):
        return run("pkg-config", *options, "awdit",
                   env=self.environment).split()

    def test_c_by_pkg_config(self):
        client = self.work / "c_client"
        run("cc", "-std=c99", *WARNINGS, HERE / "client.c",
            *self.flags("--cflags", "--libs"), "-o", client,
            env=self.environment)
        self.run_client(client)

    def test_cpp_by_pkg_config_and_the_archive(self):
        client = self.work / "cpp_client"
        private = [f for f in self.flags("--static", "--libs")
                   if f != "-lawdit"]
        run("c++", "-std=c++17", "-O0", *WARNINGS, HERE / "client.cpp",
            *self.flags("--cflags"), self.lib / "libawdit.a", *private,
            "-o", client, env=self.environment)
        self.run_client(client)
        self.assertNotIn("libawdit", run("ldd", client))

    def test_cpp_by_cmake(self):
        folder = self.work / "consumer"
        run("cmake", "-S", HERE / "consumer", "-B", folder,
            f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCLIENT={HERE / 'client.cpp'}", env=self.environment)
        run("cmake", "--build", folder, env=self.environment)
        self.run_client(folder / "by_package")

    def test_what_the_page_shows_prints_what_it_says(self):
        page = (SOURCE / "docs/library.md").read_text()
        shown = re.findall(r"```(c|cpp)\n(.*?)```\n\n```text\n(.*?)```", page,
                           re.S)
        self.assertEqual([kind for kind, _, _ in shown], ["c", "cpp"])
        for kind, code, output in shown:
            source = self.work / f"shown.{kind}"
            source.write_text(code)
            compiler = (["cc", "-std=c99"] if kind == "c"
                        else ["c++", "-std=c++17", "-O0"])
            program = self.work / f"shown_{kind}"
            run(*compiler, *WARNINGS, source,
                *self.flags("--cflags", "--libs"), "-o", program,
                env=self.environment)
            self.assertEqual(run(program, env=self.environment), output)

    def test_python_by_ctypes(self):
        self.run_client(sys.executable, "-B", HERE / "ctypes_client.py",
                        self.lib / "libawdit.so.1")

    def test_each_header_compiles_alone_and_names_nobody(self):
        headers = sorted((self.prefix / "include/awdit").iterdir())
        self.assertGreater(len(headers), 5)
        include = f"-I{self.prefix / 'include'}"
        for header in headers:
            for line in header.read_text().splitlines():
                if line.startswith("#include"):
                    self.assertRegex(line, r'<[a-z_.]+>$|"awdit/\w+\.h(pp)?"$')
        everything = "".join(f'#include "awdit/{h.name}"\n' for h in headers)
        run("c++", "-std=c++20", *WARNINGS, "-Wshadow", "-Wconversion",
            "-Wold-style-cast", include, "-fsyntax-only", "-x", "c++", "-",
            input=everything)
        for header in headers:
            if header.suffix == ".hpp":
                run("c++", "-std=c++17", *WARNINGS, include, "-fsyntax-only",
                    "-x", "c++", "-", input=f'#include "awdit/{header.name}"\n')
        run("cc", "-std=c99", *WARNINGS, include, "-fsyntax-only", "-x", "c",
            "-", input='#include "awdit/awdit.h"\n')

    def test_it_exports_what_was_promised_and_nothing_else(self):
        listed = run("nm", "-D", "--defined-only", self.lib / "libawdit.so.1")
        symbols = sorted(line.split()[-1].split("@")[0]
                         for line in listed.splitlines()
                         if line.split()[-2] != "A")
        self.compare("symbols.txt", symbols)

    def test_signatures_are_what_was_promised(self):
        header = (self.prefix / "include/awdit/awdit.h").read_text()
        self.compare("signatures.txt", declarations(header))

    def compare(self, name, lines):
        path = HERE / name
        text = "".join(line + "\n" for line in lines)
        if UPDATE:
            path.write_text(text)
        self.assertEqual(text, path.read_text(),
                         f"{name} differs. What is there stays; a new function "
                         "is accepted by --update.")

    def test_it_links_no_driver_of_a_database(self):
        needed = run("readelf", "-d", self.lib / "libawdit.so.1")
        for database in ("rocksdb", "sqlite", "libpq", "mariadb"):
            self.assertNotIn(database, needed)
        self.assertIn("SONAME", needed)
        self.assertIn("[libawdit.so.1]", needed)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
