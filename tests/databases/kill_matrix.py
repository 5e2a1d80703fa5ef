"""Signals at moments: awdit record is started, waited for until a certain
moment, and gets a signal. Nothing may be left, or, of SIGKILL, nothing after the
next start.

Moments are seen from outside: by what is in the temporary directory, what runs
there, and which files the recorder has opened.
"""

import os
import resource
import signal
import subprocess
import tempfile
import time
from pathlib import Path

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
           signal.SIGXCPU, signal.SIGKILL)
MOMENTS = ("before", "installing", "starting", "loading", "running", "writing")
DRIVERS = ("rocksdb", "sqlite", "postgres", "mariadb")

# Many rows to load; few conflicts while it runs.
WORKLOADS = {
    "loading": ("-w", "c-twitter", "-p", "users=5000", "--duration", "1s"),
    "running": ("-w", "mixed", "-p", "keys=5000", "-p", "distribution=0",
                "--duration", "100s"),
    "writing": ("-w", "mixed", "-p", "keys=5000", "-p", "distribution=0",
                "--duration", "600ms"),
}
BEFORE_THE_RUN = ("before", "installing", "starting", "loading")


def prepare():
    """No cores; and no signal is ignored, as it is behind a shell's &."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in SIGNALS[:-1]:
        signal.signal(number, signal.SIG_DFL)


def processes_in(place):
    """What runs in the directory or has its path on its command line: {process:
    command line}."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            words = Path(f"/proc/{entry}/cmdline").read_bytes()
            cwd = os.readlink(f"/proc/{entry}/cwd")
        except OSError:
            continue  # it is gone, or a zombie
        if str(place).encode() in words or cwd.startswith(str(place)):
            found[int(entry)] = words.replace(b"\0", b" ").decode()
    return found


def shared_memory():
    """Processes that have made segments which nobody uses."""
    lines = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    rows = [line.split() for line in lines]
    return {int(row[4]) for row in rows if row[6] == "0"}


class Case:
    """One run in a folder of its own; `go` returns what is wrong, or ""."""

    def __init__(self, binary, driver, moment, number):
        self.binary, self.driver = binary, driver
        self.moment, self.number = moment, number
        self.process = None

    def go(self):
        with tempfile.TemporaryDirectory(prefix="awdit-k-") as folder:
            # A server of root's runs as somebody else.
            os.chmod(folder, 0o711)
            self.tmp = Path(folder, "t")
            self.out = Path(folder, "out")
            self.tmp.mkdir(mode=0o711)
            self.out.mkdir()
            try:
                return self.run()
            finally:
                if self.process.poll() is None:
                    self.process.kill()
                    self.process.communicate()

    def start(self, *arguments):
        return subprocess.Popen(
            [self.binary, "record", "-q", *arguments], cwd=self.out,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"TMPDIR": str(self.tmp), "PATH": os.environ["PATH"]},
            preexec_fn=prepare)

    def run(self):
        start = () if self.driver in ("rocksdb", "sqlite") else ("--start",)
        self.process = self.start(
            "--db", self.driver, *start, "--sessions", "4", "-o", "h.awdit",
            *WORKLOADS.get(self.moment, WORKLOADS["running"]))
        deadline = time.monotonic() + 120
        while not getattr(self, self.moment)():
            if self.process.poll() is not None:
                text = self.process.communicate()[0].decode()
                return f"ended by itself: {self.process.returncode} {text}"
            if time.monotonic() > deadline:
                return "the moment does not come"
            time.sleep(0.001)
        makers = self.roll()
        self.process.send_signal(self.number)
        text = self.process.communicate(timeout=100)[0].decode()
        if self.number == signal.SIGKILL:
            return self.judge_killed(makers)
        return self.judge(text) or self.judge_rest()

    # -- moments --------------------------------------------------------------

    def top(self):
        return next(iter(self.tmp.iterdir()), None)

    def exists(self, *names):
        top = self.top()
        return top is not None and any(any(top.glob(name)) for name in names)

    def roll(self):
        top = self.top()
        try:
            return {int(word)
                    for word in (top / "processes").read_text().split()}
        except (OSError, TypeError):
            return set()

    def before(self):
        return True

    def installing(self):
        return self.exists("setup.log", "install.log") if self.serves() \
            else self.top() is not None

    def starting(self):
        return self.exists("primary.log", "log0", "*.sqlite", "data", "*/LOCK",
                           "LOCK")

    def loading(self):
        if self.driver == "postgres":
            return self.exists("d/primary/.s.PGSQL.5432",
                               "primary/.s.PGSQL.5432") and any(
                words.startswith("postgres: awdit") and "[local] COPY" in words
                for words in processes_in(self.tmp).values())
        return self.exists("d/data0/awdit/awdit_kv.ibd",
                           "data0/awdit/awdit_kv.ibd", "*.sqlite-wal",
                           "CURRENT", "*/CURRENT")

    def running(self):
        place = self.out / "h.awdit.recording"
        if not place.is_dir() or not any(place.iterdir()):
            return False
        time.sleep(0.05)
        return True

    def writing(self):
        """The recorder has opened the file that all goes to."""
        try:
            children = Path(f"/proc/{self.process.pid}/task/"
                            f"{self.process.pid}/children").read_text().split()
            for child in children:
                for number in os.listdir(f"/proc/{child}/fd"):
                    name = os.readlink(f"/proc/{child}/fd/{number}")
                    if name.startswith(f"{self.out}/") and \
                            ".recording" not in name:
                        return True
        except OSError:
            pass
        return False

    def serves(self):
        return self.driver in ("postgres", "mariadb")

    # -- what is left ---------------------------------------------------------

    def judge(self, text):
        """After a signal that can be handled."""
        code = self.process.returncode
        files = sorted(p.name for p in self.out.iterdir())
        if self.moment in BEFORE_THE_RUN:
            if code != -self.number:
                return f"exit code {code}: {text}"
            return f"left: {files}" if files else ""
        if self.moment == "running":
            if code != 0:
                return f"exit code {code}: {text}"
            return f"left: {files}" if files != ["h.awdit"] else ""
        if code not in (0, -self.number):
            return f"exit code {code}: {text}"
        return self.judge_history(files)

    def judge_history(self, files):
        """The history is under one of its two names, and can be read."""
        if files not in (["h.awdit"], ["h.awdit.recording"]):
            return f"left: {files}"
        done = subprocess.run([self.binary, "stats", files[0]],
                              cwd=self.out, capture_output=True, check=False)
        return "" if done.returncode == 0 else done.stderr.decode()

    def judge_rest(self):
        left = list(self.tmp.iterdir())
        if left:
            return f"left: {left}"
        running = processes_in(self.tmp)
        return f"running: {running}" if running else ""

    def judge_killed(self, makers):
        """What there was cannot be helped; the next start sweeps."""
        if self.process.returncode != -signal.SIGKILL:
            return f"exit code {self.process.returncode}"
        files = sorted(p.name for p in self.out.iterdir())
        fresh = self.moment in BEFORE_THE_RUN
        wrong = "" if fresh else self.judge_history(files)
        # If nothing was recorded, the place can be used again.
        done = self.start("--db", "simulated", "--transactions", "10", "-o",
                          "h.awdit" if fresh else "other.awdit")
        text = done.communicate(timeout=100)[0].decode()
        if done.returncode != 0:
            return f"the next start: {text}"
        if fresh:
            files = sorted(p.name for p in self.out.iterdir())
            wrong = f"left: {files}" if files != ["h.awdit"] else ""
        segments = makers & shared_memory()
        if segments:
            wrong = wrong or f"shared memory of {segments}"
        return wrong or self.judge_rest()
