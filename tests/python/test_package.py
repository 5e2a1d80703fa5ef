#!/usr/bin/env python3
"""The package in front of the library: reading, checking, evidence, errors, and
how it finds the library.

    test_package.py BUILD SOURCE
"""

import importlib.util
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
import unittest

from staged import BUILD, ENVIRONMENT, LIBRARY, PACKAGES, SOURCE, WORK, python

import awdit
from awdit import _library

CAUSAL = SOURCE / "examples/causal.txt"


def long_history():
    """Each round's transactions are unordered, so some levels are a search."""
    draw, lines, transaction, sessions = random.Random(1), [], 0, 12
    for number in range(1, 4001):
        for session in range(sessions):
            transaction += 1
            for _ in range(3):
                of = draw.randrange(sessions)
                if number > 1:
                    lines.append(f"r({of},{number - 1},{session},{transaction})")
            lines.append(f"w({session},{number},{session},{transaction})")
    return awdit.parse("\n".join(lines) + "\n", "plume")


class Package(unittest.TestCase):
    def test_it_is_the_staged_one(self):
        self.assertEqual(awdit.__file__, str(PACKAGES / "awdit/__init__.py"))
        self.assertTrue((PACKAGES / "awdit/py.typed").exists())

    def test_what_is_exported_is_there(self):
        for name in awdit.__all__:
            self.assertTrue(hasattr(awdit, name), name)

    def test_tables(self):
        self.assertEqual(list(awdit.levels())[-1], "strict-serializable")
        self.assertIn("awdit-jsonl", awdit.formats())
        self.assertIn("lost-update", awdit.anomalies())
        self.assertIn("html", awdit.reports())
        self.assertTrue(all(awdit.reports().values()))

    def test_functions_are_those_of_the_header(self):
        header = (SOURCE / "include/awdit/awdit.h").read_text()
        declared = set(re.findall(r"\bawdit_(\w+)\(", header))
        self.assertLessEqual(set(_library._FUNCTIONS), declared)
        self.assertIn(f"#define AWDIT_ABI {_library.ABI}\n", header)

    def test_a_history_is_checked(self):
        with awdit.read(CAUSAL) as history:
            self.assertEqual((history.sessions, history.transactions,
                              history.operations, history.keys), (4, 7, 11, 3))
            self.assertEqual(history.format, "plume")
            report = history.check("read-atomic,causal")
        self.assertEqual([(v.level, v.verdict) for v in report.verdicts],
                         [("read-atomic", "holds"), ("causal", "violated")])
        self.assertTrue(report.holds("read-atomic"))
        self.assertFalse(report.holds("causal"))
        self.assertEqual(report.worst, "violated")
        self.assertEqual(report.conclusion, "Strongest level that holds: "
                         "read-atomic. Weakest that breaks: causal.")
        with self.assertRaisesRegex(awdit.Misuse, "no verdict on 'prefix'"):
            report.holds("prefix")
        violation = report.violations[0]
        self.assertEqual(violation["level"], "causal")
        self.assertIn(violation["kind"], report.verdicts[1].kinds)
        self.assertIn(violation["headline"].split()[0], report.text())
        with self.assertRaisesRegex(awdit.Misuse, "closed"):
            history.check("causal")

    def test_reports(self):
        report = awdit.read(CAUSAL).check(["causal"])
        for name in awdit.reports():
            self.assertTrue(report.render(name), name)
        self.assertIn("<html", report.html())
        self.assertEqual(json.loads(report.json())["levels"][0]["level"], "causal")
        self.assertNotEqual(report.text(columns=60), report.text())
        with self.assertRaisesRegex(awdit.Error, "nonsense"):
            report.render("nonsense")

    def test_evidence_is_verified(self):
        history = awdit.read(CAUSAL)
        certificate = history.check("all", certificate=True).certificate()
        checks = awdit.verify(history, certificate)
        self.assertTrue(checks.accepted)
        self.assertEqual(set(checks.objections.values()), {""})
        self.assertIn("causal", checks.text())
        self.assertTrue(json.loads(checks.json()))
        self.assertEqual(history.report(certificate).verdict("causal"), "violated")
        # Of another history it proves nothing.
        other = awdit.parse("w(1,1,1,1)\n")
        try:
            self.assertFalse(other.verify(certificate).accepted)
        except awdit.Error:
            pass
        with self.assertRaisesRegex(awdit.Misuse, "certificate=True"):
            history.check("causal").certificate()

    def test_shrinking(self):
        shrunk = awdit.read(CAUSAL).shrink("causal")
        self.assertEqual(shrunk.level, "causal")
        self.assertTrue(shrunk.minimal)
        self.assertLessEqual(shrunk.history.operations, 11)
        self.assertFalse(shrunk.history.check("causal").holds("causal"))
        self.assertIsNone(awdit.read(CAUSAL).shrink("read-atomic"))

    def test_transactions_as_dicts(self):
        history = awdit.parse(b'{"session":1,"ops":[["w","x",1]]}\n'
                              b'{"session":"a","status":"aborted","ops":[["r","x"]]}\n')
        first, second = history
        self.assertEqual((first["session"], first["status"], first["ops"]),
                         (1, "committed", [["w", "x", 1]]))
        self.assertEqual(second["status"], "aborted")
        self.assertEqual(list(history.by_session()), [1, "a"])
        again = awdit.parse(history.write())
        self.assertEqual(list(again), [first, second])
        self.assertTrue(history.losses("plume"))
        self.assertEqual(history.losses("awdit-jsonl"), [])
        self.assertIn("sessions", history.stats())

    def test_errors_say_what_where_and_what_to_do(self):
        with self.assertRaises(awdit.Error) as caught:
            awdit.parse("w(1,1,1,1)\nw(1,nil,1,1)\n", "plume", name="mine")
        self.assertTrue(caught.exception.where.startswith("mine:2:"))
        self.assertIn(caught.exception.message, str(caught.exception))
        with self.assertRaises(awdit.Error) as caught:
            awdit.read(WORK / "not there")
        self.assertIn("not there", str(caught.exception))
        with self.assertRaisesRegex(awdit.Error, "(?s)'serial'.*serializable"):
            awdit.read(CAUSAL).check("serial")
        with self.assertRaisesRegex(TypeError, "no option 'thread'.*threads"):
            awdit.read(CAUSAL).check("causal", thread=1)
        with self.assertRaises(ValueError):
            awdit.read(CAUSAL).check("causal", threads=-1)
        with self.assertRaises(awdit.Misuse):
            awdit.read(CAUSAL).check("causal", threads=5000)

    def test_options(self):
        history = awdit.read(CAUSAL)
        report = history.check("all", threads=1, first=True, time_limit=5,
                               memory_limit=10**9, only_first_level=True,
                               findings=1)
        self.assertEqual(report.worst, "violated")
        # Without the order of sessions nothing is wrong with it.
        self.assertEqual(history.check("all", session_order=False).worst, "holds")

    def test_progress_may_cancel(self):
        heard = []

        def stop(progress):
            heard.append(progress)
            return False

        def broken(progress):
            heard.append(progress)
            raise ZeroDivisionError

        # A machine may be fast enough to be done first, or just then.
        history = long_history()
        for callback, expected in ((stop, awdit.Cancelled),
                                   (broken, ZeroDivisionError)):
            heard.clear()
            try:
                history.check("all", progress=callback, time_limit=30)
                self.assertTrue(heard == [] or callback is stop)
            except expected:
                self.assertEqual(heard[0].stage, "checking")

    def test_interrupt_stops_a_call(self):
        # The call waits for the flag that Ctrl-C sets: nothing is a matter of time.
        begun, cancelled = threading.Event(), threading.Event()
        lib = _library.library()
        lib.awdit_cancel_asked.argtypes = [_library.c_void_p]
        options = _library.Options({})

        def call(name, *arguments, nothing=False):
            begun.set()
            while not lib.awdit_cancel_asked(options._cancel):
                time.sleep(0.001)
            cancelled.set()
            raise awdit.Cancelled("this was cancelled")

        def interrupt():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)

        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        usual, _library.call = _library.call, call
        other = threading.Thread(target=interrupt)
        other.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                options.run("check")
        finally:
            _library.call = usual
            signal.signal(signal.SIGINT, before)
            other.join()
        self.assertTrue(cancelled.is_set())

    def test_threads_check_at_the_same_time(self):
        history, worst = awdit.read(CAUSAL), []

        def check():
            for _ in range(20):
                worst.append(history.check("causal").worst)

        threads = [threading.Thread(target=check) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(worst, ["violated"] * 80)


class Finding(unittest.TestCase):
    WHICH = "import awdit; print(awdit.version())"

    def test_named_by_the_environment(self):
        self.assertEqual(
            python("-c", self.WHICH, PYTHONPATH=str(SOURCE / "python"),
                   AWDIT_LIBRARY=str(LIBRARY)), (0, "0.1.0\n"))

    def test_a_missing_one_is_an_import_error_with_a_remedy(self):
        code = ("import awdit\n"
                "recorder = awdit.Recorder()\n"
                "with recorder.transaction() as txn: txn.write('x')\n"
                "recorder.write('recorded.jsonl')\n"
                "try: recorder.history()\n"
                "except ImportError as error: print(error)\n")
        status, output = python("-c", code, AWDIT_LIBRARY="/nowhere/lib.so")
        self.assertEqual(status, 0, output)
        self.assertIn("cannot be loaded (/nowhere/lib.so", output)
        self.assertIn("cmake --install", output)
        self.assertEqual(awdit.read(WORK / "recorded.jsonl").operations, 1)

    def test_another_abi_is_refused(self):
        source, other = WORK / "other.c", WORK / "other.so"
        source.write_text("unsigned awdit_abi(void) { return 7; }\n")
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("no C compiler")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", other, source],
                       check=True)
        status, output = python("-c", self.WHICH, AWDIT_LIBRARY=str(other))
        self.assertEqual(status, 1)
        self.assertIn("the library is for ABI 7, this package for 1", output)

    def test_what_is_no_such_library_is_refused(self):
        for path in (SOURCE / "README.md", BUILD):
            status, output = python("-c", self.WHICH, AWDIT_LIBRARY=str(path))
            self.assertEqual(status, 1)
            self.assertIn("LibraryNotFound", output)

    def test_pip_installs_it(self):
        if any(importlib.util.find_spec(name) is None
               for name in ("pip", "setuptools", "wheel")):
            self.skipTest("no pip, setuptools or wheel")
        tree, target = WORK / "tree", WORK / "target"
        shutil.copytree(SOURCE / "python", tree,
                        ignore=shutil.ignore_patterns("build", "*.egg-info"))
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--no-index",
             "--no-deps", "--no-build-isolation", "--no-cache-dir",
             "--disable-pip-version-check", "--root-user-action=ignore",
             "--target", target, tree], cwd=WORK, text=True, check=False,
            env={n: v for n, v in ENVIRONMENT.items() if n != "PYTHONPATH"}
            | {"HOME": str(WORK)},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue((target / "awdit/py.typed").exists())
        self.assertEqual(
            python("-c", self.WHICH, PYTHONPATH=str(target),
                   AWDIT_LIBRARY=str(LIBRARY)), (0, "0.1.0\n"))

    def test_names_and_versions_agree(self):
        with open(SOURCE / "python/pyproject.toml", "rb") as file:
            project = tomllib.load(file)["project"]
        self.assertEqual(project["version"], awdit.version())
        staged = PACKAGES / f"awdit-{awdit.version()}.dist-info"
        metadata = (staged / "METADATA").read_text()
        self.assertIn(f"\nVersion: {project['version']}\n", metadata)
        self.assertIn(f"\nRequires-Python: {project['requires-python']}\n", metadata)
        for group, entries in project["entry-points"].items():
            text = f"[{group}]\n" + "".join(
                f"{name} = {target}\n" for name, target in entries.items())
            self.assertEqual((staged / "entry_points.txt").read_text(), text)


class Page(unittest.TestCase):
    def test_what_it_shows_prints_what_it_says(self):
        page = (SOURCE / "docs/python.md").read_text()
        shown = re.findall(r"```python\n(import awdit\n.*?)```\n\n```text\n(.*?)```",
                           page, re.S)
        self.assertEqual(len(shown), 1)
        for code, output in shown:
            self.assertLessEqual(len(code.splitlines()), 10)
            self.assertEqual(python("-c", code), (0, output + "\n"))

    def test_what_it_names_is_there(self):
        page = (SOURCE / "docs/python.md").read_text()
        for name in set(re.findall(r"awdit\.(\w+)\(", page)) | set(
                re.findall(r"`awdit\.(\w+)`", page)):
            self.assertTrue(hasattr(awdit, name), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
