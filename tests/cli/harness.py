"""Runs the binary in a directory of its own and looks at what it did.

    test_check.py PATH-OF-AWDIT [unittest arguments]
"""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = None

# What a test says about the outside world must not depend on ours.
CLEAN = {k: v for k, v in os.environ.items()
         if k not in {"NO_COLOR", "TERM", "COLUMNS"}} | {"LC_ALL": "C.UTF-8"}


class Done:
    """What a run left behind."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


class CliTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="awdit-cli-")
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def file(self, name, content):
        """Writes a file into the directory; text or bytes."""
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)
        return name

    def example(self, name):
        return self.file(name, (ROOT / "examples" / name).read_bytes())

    def awdit(self, *arguments, stdin=b"", env=None, **extra):
        """Runs awdit; stdout and stderr come back as text."""
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        done = subprocess.run(
            [BINARY, *arguments], input=data, capture_output=True,
            cwd=self.folder, env=CLEAN | (env or {}), timeout=120,
            check=False, **extra)
        return Done(done.returncode, done.stdout.decode("utf-8", "strict"),
                    done.stderr.decode("utf-8", "strict"))

    def on_terminal(self, *arguments, env=None, stdin=None, columns=0):
        """stdout and stderr on one pseudo terminal that has so many columns, or
        does not say; returns code and bytes."""
        try:
            master, slave = pty.openpty()
        except OSError as reason:  # a bare chroot has no /dev/pts
            self.skipTest(f"no pseudo terminal here: {reason}")
        fcntl.ioctl(slave, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24 if columns else 0, columns, 0, 0))
        process = subprocess.Popen(
            [BINARY, *arguments], cwd=self.folder,
            env=CLEAN | {"TERM": "xterm"} | (env or {}), stdin=stdin,
            stdout=slave, stderr=slave)
        os.close(slave)
        shown = b""
        while True:
            ready, _, _ = select.select([master], [], [], 60)
            try:
                data = os.read(master, 65536) if ready else b""
            except OSError:  # the last writer is gone
                data = b""
            if not data:
                break
            shown += data
        os.close(master)
        return process.wait(timeout=60), shown

    def assert_run(self, done, code, out, err=""):
        """Byte for byte."""
        self.assertEqual((done.code, done.out, done.err), (code, out, err))

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())

    def wait_for_outputs(self, process, count):
        """Until a process that was started in the directory has opened as many
        files in it to write to. They may have no name yet."""
        place = f"/proc/{process.pid}/fd"
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            found = set()
            for number in os.listdir(place):
                try:
                    target = os.readlink(f"{place}/{number}")
                    mode = os.lstat(f"{place}/{number}").st_mode
                except OSError:
                    continue
                if target.startswith(f"{self.folder}/") and mode & 0o200:
                    found.add(target)
            if len(found) >= count:
                return
            time.sleep(0.002)
        self.fail(f"{count} outputs have not been opened")


def main():
    global BINARY
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit("usage: TEST.py PATH-OF-AWDIT [unittest arguments]")
    BINARY = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(module="__main__")
