"""Running processes and what their times mean: whole processes, several rounds,
the commands of a comparison taking turns."""

import os
import platform
import random
import select
import shlex
import signal
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple


class Command(NamedTuple):
    argv: list
    expected: tuple = (0,)  # exit codes
    timeout: float = None   # seconds; of other people's programs only

    @property
    def is_guest(self):
        return self.timeout is not None


class Run(NamedTuple):
    seconds: float
    megabytes: float  # at the peak; never less than this script itself has
    processor: float  # seconds, user and system


class Times:
    """The runs of one command, or the trouble that it made."""

    def __init__(self):
        self.runs, self.trouble = [], None

    def of(self, field):
        return [getattr(run, field) for run in self.runs]

    @property
    def median(self):
        """Seconds; None if there was trouble."""
        return None if self.trouble else statistics.median(self.of("seconds"))

    @property
    def peak(self):
        return max(self.of("megabytes"))

    def point(self, x, field="seconds"):
        """(x, median, lowest, highest) for a plot. REQUIRES: no trouble."""
        values = self.of(field)
        return (x, statistics.median(values), min(values), max(values))

    def shown(self, field="seconds"):
        return self.trouble or seconds_text(statistics.median(self.of(field)))

    def spread(self, field="seconds"):
        if self.trouble:
            return "–"
        values = self.of(field)
        return f"{seconds_text(min(values))}–{seconds_text(max(values))}"


def seconds_text(seconds):
    """Three digits that mean something, for tables."""
    return f"{seconds:.2f}" if seconds >= 1 else f"{seconds:.3f}"


def run_process(command):
    """A Run, or a sentence about what went wrong with a guest. Our own programs
    must work: otherwise the whole benchmark ends here."""
    actions = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    if command.is_guest:
        actions.append((os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0))
    start = time.perf_counter()
    try:
        # A group of its own, so that a guest's children end with it.
        group = {"setpgroup": 0} if command.is_guest else {}
        pid = os.posix_spawnp(command.argv[0], command.argv, os.environ,
                              file_actions=actions, **group)
    except OSError as error:
        if command.is_guest:
            return f"failed: {error.strerror}"
        sys.exit(f"{command.argv[0]}: {error.strerror}")
    late = command.is_guest and not ends_within(pid, command.timeout)
    if late:
        os.killpg(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    if late:
        return f"> {command.timeout:g} s"
    if code not in command.expected:
        if command.is_guest:
            return f"failed: exit code {code}"
        sys.exit(f"{shlex.join(command.argv)}: exit code {code}")
    return Run(seconds, usage.ru_maxrss / 1024,
               usage.ru_utime + usage.ru_stime)


def ends_within(pid, seconds):
    """Whether a child ends in time; it stays there to be waited for."""
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    except KeyboardInterrupt:  # which its group does not hear of
        os.killpg(pid, signal.SIGKILL)
        raise
    finally:
        os.close(handle)


def take_turns(commands, rounds):
    """{name: Times} of {name: Command}. They take turns, so that a slow minute
    of the machine hurts all of them, and in another order each time, because a
    command finds the memory as the one before has left it: after a pause, fresh
    pages are dear on a virtual machine. Who made trouble is not asked again."""
    results = {name: Times() for name in commands}
    for number in range(rounds):
        order = random.Random(number).sample(list(commands), len(commands))
        for name in order:
            command, times = commands[name], results[name]
            if times.trouble:
                continue
            outcome = run_process(command)
            if isinstance(outcome, Run):
                times.runs.append(outcome)
            else:
                times.trouble = outcome
    return results


class Peer(NamedTuple):
    """Another tester: --peer NAME='cmd {level} {file}'."""
    name: str
    words: list
    timeout: float

    @staticmethod
    def parse(text, timeout):
        name, equals, command = text.partition("=")
        words = shlex.split(command)
        if not name or not equals or not words:
            sys.exit(f"--peer {text}: expected NAME='cmd {{level}} {{file}}'")
        return Peer(name, words, timeout)

    def command(self, level, path):
        # Testers disagree on whether a violation is a failure: 1 is fine.
        return Command([word.replace("{level}", level)
                        .replace("{file}", str(path)) for word in self.words],
                       (0, 1), self.timeout)


def machine():
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {os.cpu_count()} processors, {platform.system()}"
