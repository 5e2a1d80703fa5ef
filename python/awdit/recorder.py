"""Records what the sessions of a test did, so that verdicts about it are sound.

Idea: what a transaction does is put into a list of its own; when it has ended it
becomes a line of awdit-jsonl, by the encoder that is written in C, and the lines
are handed to the library at once. A call by ctypes per operation would cost more
than everything else here, and a line is what a file would hold anyway.

What keeps verdicts sound (docs/recording.md says why):
  - values are made here, unique in the run and, by its number, over runs;
  - a write is recorded before it is sent, so that it is known whoever sees it;
  - times are of a monotonic clock: before anything is sent, after the last answer;
  - a transaction whose commit was not answered is of unknown outcome and ends
    its session: what follows is recorded as another one.

Threads: a session is used by one at a time, and sessions do not share anything
but the counter of values, whose step no other thread can interrupt.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import socket
import threading
from collections.abc import Callable, Iterable
from time import monotonic_ns
from types import TracebackType
from typing import Any

from .errors import Misuse, OutcomeUnknown
from .history import History, Path, parse
from .report import Report

Plain = int | str | None


class _Absent:
    def __repr__(self) -> str:
        return "awdit.ABSENT"


class _Unique:
    def __repr__(self) -> str:
        return "awdit.UNIQUE"


ABSENT = _Absent()
"""Read: the key does not exist, where that is told apart from a null."""
UNIQUE = _Unique()
"""Write, append: a value that the recorder makes."""

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_PLAIN = frozenset((int, str))
_VALUES_OF_A_RUN = 10**9
# Integers below 2^53 survive JSON and doubles: 9,007,199,254,740,991.
_RUNS = 9_000_000


def _plain(value: Any) -> Plain:
    """What can be a key or a value; others are refused where they come up."""
    if value is None or type(value) in _PLAIN:
        return value
    if isinstance(value, (bytes, bytearray)):
        try:
            return value.decode()
        except UnicodeDecodeError:
            pass
    elif isinstance(value, str):
        return str(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    raise TypeError(f"a key or value must be an integer, a text or None, not "
                    f"{value!r}. Record a text that stands for it, such as "
                    f"repr(value).")


class Transaction:
    """Operations that should take effect together; see Session.transaction."""

    __slots__ = ("_ops", "_session", "_begin", "_at", "status")

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ops: list[list[Any]] | None = None
        self._begin = 0
        self._at = 0  # how many lines the session had
        self.status: str | None = None
        """None while it is open, then "committed", "aborted" or "unknown"."""

    def __enter__(self) -> Transaction:
        session = self._session
        if session._current is not None:
            raise Misuse("the session has an open transaction", "",
                         "A session does one after the other; give each thread or "
                         "task a session of its own.")
        if self.status is not None or session._recorder._closed:
            raise Misuse("the recorder is closed" if self.status is None
                         else "a transaction is used once")
        self._at = len(session._lines)
        self._ops = []
        session._current = self
        self._begin = monotonic_ns()
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 value: BaseException | None, trace: TracebackType | None) -> None:
        if self._ops is None:
            return
        if kind is None:
            self._end("committed")
        elif (issubclass(kind, self._session._recorder._lost)
              or not issubclass(kind, Exception)):
            # Ctrl-C or the end of a task comes at any moment.
            self._end("unknown")
        else:
            self._end("aborted")

    def read(self, key: Any, value: Any) -> Any:
        """The store returned `value` for `key`; None or ABSENT: nothing.
        Returns it."""
        ops = self._ops
        if ops is None:
            raise _not_open(self)
        if type(key) in _PLAIN and type(value) in _PLAIN:
            ops.append(["r", key, value])
        elif value is ABSENT:
            ops.append(["r", _plain(key)])
        else:
            ops.append(["r", _plain(key), _plain(value)])
        return value

    def write(self, key: Any, value: Any = UNIQUE) -> Any:
        """Call it before you write. Returns the value to be written."""
        if value is UNIQUE:
            value = self._session._fresh()
        return self._change("w", key, value)

    def append(self, key: Any, value: Any = UNIQUE) -> Any:
        """Of a history of lists: adds an element, which is returned. Call it
        before you append."""
        if value is UNIQUE:
            value = self._session._fresh()
        return self._change("append", key, value)

    def _change(self, what: str, key: Any, value: Any) -> Any:
        ops = self._ops
        if ops is None:
            raise _not_open(self)
        if type(key) in _PLAIN and type(value) in _PLAIN:
            ops.append([what, key, value])
        else:
            ops.append([what, _plain(key), _plain(value)])
        return value

    def read_list(self, key: Any, values: Iterable[Any] | None) -> None:
        """The store returned this whole list; None: none."""
        ops = self._ops
        if ops is None:
            raise _not_open(self)
        ops.append(["r", _plain(key), [_plain(v) for v in values or ()]])

    def commit(self) -> None:
        """The answer to the commit is here. The end of the with block says the
        same, if nothing was raised."""
        self._end("committed")

    def abort(self) -> None:
        """It was rolled back, by whomever. An exception says the same."""
        self._end("aborted")

    def unknown(self) -> None:
        """The commit was sent, and its answer is lost. Raising OutcomeUnknown, or
        what the recorder was given as `lost`, says the same."""
        self._end("unknown")

    def _end(self, status: str) -> None:
        end = monotonic_ns()
        ops = self._ops
        if ops is None:
            raise _not_open(self)
        session = self._session
        # First: whoever sees that it has ended finds its line.
        session._lines.append(_line(session._shown, status, ops, self._begin, end))
        self._ops = None
        self.status = status
        session._current = None
        if status == "unknown":
            session._go_on_as_another()

    def _line_so_far(self) -> str | None:
        """Of a transaction that has not ended: it may yet commit."""
        ops = self._ops
        if ops is None:
            return None
        return _line(self._session._shown, "unknown", list(ops), self._begin, None)


def _line(session: str, status: str, ops: list[list[Any]], begin: int,
          end: int | None) -> str:
    times = f'[{begin},{"null" if end is None else end}]'
    if status == "committed":
        return f'{{"session":{session},"ops":{_encode(ops)},"times":{times}}}\n'
    return (f'{{"session":{session},"status":"{status}","ops":{_encode(ops)},'
            f'"times":{times}}}\n')


def _not_open(transaction: Transaction) -> Misuse:
    if transaction.status is not None:
        return Misuse(f"the transaction has ended: {transaction.status}")
    return Misuse("the transaction has not begun", "",
                  "Use `with session.transaction() as txn:`.")


class Session:
    """A client's connection: one transaction after the other."""

    __slots__ = ("_recorder", "_name", "_shown", "_turn", "_lines", "_current",
                 "_fresh")

    def __init__(self, recorder: Recorder, name: int | str) -> None:
        self._recorder = recorder
        self._name = name
        self._shown = _encode(name)
        self._turn = 1
        self._lines: list[str] = []
        self._current: Transaction | None = None
        self._fresh = recorder._fresh

    @property
    def name(self) -> int | str:
        return self._name

    def transaction(self) -> Transaction:
        """`with session.transaction() as txn:` is committed at its end, aborted by
        an exception (which goes on), of unknown outcome by OutcomeUnknown, an
        OSError (a lost connection, a time-out) or what is no Exception, such as
        KeyboardInterrupt. Commit the database's transaction inside."""
        return Transaction(self)

    def _until_now(self) -> list[str]:
        """The lines, and that of an open transaction, once each."""
        current = self._current
        last = current._line_so_far() if current is not None else None
        lines = list(self._lines)
        if current is None or last is None or len(lines) > current._at:
            return lines  # it has ended meanwhile
        return [*lines, last]

    def _go_on_as_another(self) -> None:
        self._turn += 1
        self._shown = _encode(f"{self._name}~{self._turn}")


class Recorder:
    """Collects what sessions do.

    run      a number below 9,000,000 that values begin with, drawn by lot, so
             that values that an earlier run left in the store are not taken for
             those of this one. 0 makes short values, for a store that is empty.
    values   int (below 2^53) or str: what a made value is.
    initial  what a read returns before anybody wrote the key.
    lost     exceptions that leave the outcome of a transaction unknown.
    about    how it was recorded: any JSON value. Reports show it.
    """

    def __init__(self, *, run: int | None = None, values: type = int,
                 initial: Plain = None,
                 lost: tuple[type[BaseException], ...] = (OSError,),
                 about: Any = None) -> None:
        if run is None:
            run = random.SystemRandom().randrange(1, _RUNS)
        if not 0 <= run < _RUNS:
            raise ValueError(f"run must be from 0 to {_RUNS - 1}")
        if values not in (int, str):
            raise ValueError("values must be int or str")
        self.run = run
        counter = itertools.count(run * _VALUES_OF_A_RUN + 1)
        self._fresh: Callable[[], int | str] = counter.__next__
        if values is str:
            self._fresh = lambda: f"v{next(counter)}"
        self._lost = (*lost, OutcomeUnknown)
        header: dict[str, Any] = {"awdit": 1, "initial": _plain(initial)}
        header["clock_domain"] = socket.gethostname() or "localhost"
        self._head = _encode(header) + "\n"
        if about is not None:
            self._head += _encode({"about": about}) + "\n"
        self._lock = threading.Lock()
        self._sessions: dict[int | str, Session] = {}
        self._mine = threading.local()
        self._closed = False

    def session(self, name: int | str | None = None) -> Session:
        """The session of this name, new or not; None: a new one, 1, 2, 3 ..."""
        if name is not None and type(name) not in _PLAIN:
            raise TypeError("a session is named by an integer or a text")
        with self._lock:
            if name is None:
                name = len(self._sessions) + 1
                while name in self._sessions:
                    name += 1
            if name not in self._sessions:
                self._sessions[name] = Session(self, name)
            return self._sessions[name]

    def transaction(self) -> Transaction:
        """Of the session that the calling thread has for itself."""
        session = getattr(self._mine, "session", None)
        if session is None:
            session = self._mine.session = self.session()
        return Transaction(session)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """No transaction can begin any more."""
        self._closed = True

    def jsonl(self) -> bytes:
        """What was recorded until now, as awdit-jsonl; open transactions are of
        unknown outcome. To be called when the sessions rest: what one does
        meanwhile may be missing, while what another read from it is there."""
        with self._lock:
            sessions = list(self._sessions.values())
        pieces = [self._head]
        for session in sessions:
            pieces += session._until_now()
        return "".join(pieces).encode()

    def write(self, path: Path) -> None:
        """Into a file, for `awdit check`."""
        with open(os.fspath(path), "wb") as file:
            file.write(self.jsonl())

    def history(self, name: str | None = None) -> History:
        """What was recorded until now; `name`: what reports call it."""
        return parse(self.jsonl(), "awdit-jsonl", name=name or "recorded")

    def check(self, levels: str | list[str] | tuple[str, ...] | None = None,
              **options: Any) -> Report:
        """`history().check(...)`."""
        return self.history(options.get("name")).check(levels, **options)
