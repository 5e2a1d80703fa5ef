"""Histories: what client sessions read and wrote. They never change."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple

from ._library import (ABI, NOTHING, Handle, Options, c_char_p, call, library,
                       make, names, taken, text)
from .errors import Misuse
from .report import Checks, Report

Path = str | os.PathLike[str]


class Shrunk(NamedTuple):
    """The smallest part of a history that still shows a violation."""

    history: History
    level: str
    kind: str
    headline: str  # one sentence about the violation
    minimal: bool  # nothing can be left out; or not everything was tried


class History:
    """Made by `read`, `parse` or a Recorder. May be used by many threads.

    `close()`, or the end of a with block, gives its memory back; so does
    forgetting it."""

    def __init__(self, handle: Handle) -> None:
        self._handle: Handle | None = handle

    @property
    def _open(self) -> Handle:
        if self._handle is None:
            raise Misuse("the history is closed")
        return self._handle

    def close(self) -> None:
        self._handle = None

    def __enter__(self) -> History:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def sessions(self) -> int:
        return int(library().awdit_history_sessions(self._open))

    @property
    def transactions(self) -> int:
        return int(library().awdit_history_transactions(self._open))

    @property
    def operations(self) -> int:
        return int(library().awdit_history_operations(self._open))

    @property
    def keys(self) -> int:
        return int(library().awdit_history_keys(self._open))

    @property
    def format(self) -> str:
        """What it was read from."""
        return text(library().awdit_history_format(self._open))

    @property
    def warnings(self) -> list[str]:
        """What the reader had to say, a sentence each."""
        found: list[str] = []
        while raw := library().awdit_history_warning(self._open, len(found)):
            found.append(text(raw))
        return found

    def __repr__(self) -> str:
        if self._handle is None:
            return "<awdit.History, closed>"
        return (f"<awdit.History of {self.sessions} sessions, {self.transactions} "
                f"transactions, {self.operations} operations>")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The transactions as dicts, as docs/formats/awdit-jsonl.md says:
        {"session": "alice", "ops": [["r", "x", None], ["w", "x", 7]], ...};
        those of a session in its order."""
        for line in self.write("awdit-jsonl").splitlines():
            value = json.loads(line)
            if "ops" in value:
                value.setdefault("status", "committed")
                yield value

    def by_session(self) -> dict[int | str, list[dict[str, Any]]]:
        """The transactions of each session, in its order."""
        found: dict[int | str, list[dict[str, Any]]] = {}
        for transaction in self:
            found.setdefault(transaction["session"], []).append(transaction)
        return found

    def check(self, levels: str | list[str] | tuple[str, ...] | None = None,
              **options: Any) -> Report:
        """Decides levels: "causal", "causal,serializable", a list of names, or
        "all"; None: all that can be asked of this history.

        Options: threads, time_limit (seconds per level), memory_limit (bytes),
        first, only_first_level, session_order, certificate, findings, name, and
        progress: called about ten times a second with a Progress; it cancels by
        returning False. Ctrl-C stops a check of the main thread."""
        report = Handle("report")
        given = Options(options)
        given.run("check", self._open, names(levels), given.handle, report.out())
        return Report(report)

    def verify(self, certificate: bytes, **options: Any) -> Checks:
        """Whether the evidence proves what it claims, without checking again."""
        given = Options(options)
        return Checks(make("checks", "verify", self._open, certificate,
                           len(certificate), given.handle))

    def report(self, certificate: bytes, **options: Any) -> Report:
        """What a certificate says of this history, if it proves it."""
        given = Options(options)
        return Report(make("report", "report_of", self._open, certificate,
                           len(certificate), given.handle))

    def shrink(self, levels: str | list[str] | tuple[str, ...] | None = None,
               kind: str | None = None, format: str | None = None,
               **options: Any) -> Shrunk | None:
        """The smallest part that shows a violation of the weakest violated level
        among `levels`, of this kind or the most basic one. None: there is none.
        `format`: what it is to be written in."""
        shrunk = Handle("shrunk")
        given = Options(options)
        status = given.run("shrink", self._open, names(levels), names(kind),
                           names(format), given.handle, shrunk.out(),
                           nothing=True)
        if status == NOTHING:
            return None
        lib = library()
        return Shrunk(History(make("history", "shrunk_history", shrunk)),
                      text(lib.awdit_shrunk_level(shrunk)),
                      text(lib.awdit_shrunk_kind(shrunk)),
                      text(lib.awdit_shrunk_headline(shrunk)),
                      lib.awdit_shrunk_minimal(shrunk) == 1)

    def write(self, format: str = "awdit-jsonl") -> bytes:
        """The bytes of a file of this format. What it cannot hold is lost:
        `losses` tells."""
        data = Handle("bytes")
        call("history_write", self._open, names(format), None, data.out(), None)
        return taken(data)

    def losses(self, format: str) -> list[str]:
        """What `write(format)` would lose, a line each."""
        data, lost = Handle("bytes"), Handle("bytes")
        call("history_write", self._open, names(format), None, data.out(),
             lost.out())
        return taken(lost).decode().splitlines()

    def stats(self, report: str = "text") -> str:
        """What it holds and what a check of it could show; "text" or "json"."""
        return taken(make("bytes", "history_stats", self._open, names(report),
                          None)).decode("utf-8", "replace")


def read(*paths: Path, format: str | None = None, **options: Any) -> History:
    """A file, a directory, or several files that are one history together;
    packed or not, in any format that `awdit list formats` names."""
    given = Options(options)
    array = (c_char_p * len(paths))(*[os.fsencode(path) for path in paths])
    history = Handle("history")
    given.run("history_read", ABI, array, len(paths), names(format), given.handle,
              history.out())
    return History(history)


def parse(data: bytes | str, format: str | None = None,
          **options: Any) -> History:
    """The bytes of such a file."""
    raw = data.encode() if isinstance(data, str) else bytes(data)
    given = Options(options)
    history = Handle("history")
    given.run("history_parse", ABI, raw, len(raw), names(format), given.handle,
              history.out())
    return History(history)


def verify(history: History, certificate: bytes, **options: Any) -> Checks:
    """Whether the evidence proves what it claims of this history."""
    return history.verify(certificate, **options)
