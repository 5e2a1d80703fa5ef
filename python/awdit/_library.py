"""libawdit.so.1 by ctypes: finding it, its functions, its handles.

Why ctypes: it is in Python itself, so that installing takes no compiler and no
other package, and one pure package serves every Python from 3.11 on. Its calls
are slow (a microsecond, cffi's compiled ones a fraction of that), which does not
matter: they are few, as a recorder hands over a whole history at once.

The library is loaded when it is first needed, not by `import awdit`: recording
needs none, and a pytest plugin must not end test runs that do not use it.

Ctrl-C: a signal handler of Python runs between two of its instructions, hence
not within a call that takes minutes; and what it raises as a callback of ctypes
begins is dropped. So the main thread lets another thread make the call, and
waits in Python, where KeyboardInterrupt reaches it.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sysconfig
import threading
from collections.abc import Callable, Iterator
from ctypes import (POINTER, byref, c_char_p, c_double, c_int32, c_size_t,
                    c_uint32, c_uint64, c_void_p)
from pathlib import Path
from typing import Any, NamedTuple

from .errors import Cancelled, Error, LibraryNotFound, Misuse

ABI = 1
FILE = f"libawdit.so.{ABI}"
MISUSE, CANCELLED, NO_MEMORY, NOTHING = 2, 3, 4, 5


class Progress(NamedTuple):
    """How far a call has come."""

    stage: str  # "reading", "checking", "shrinking"
    at: str  # a level, or ""
    done: int  # bytes; they count in reading only
    total: int  # 0: not known
    seconds: float  # since the call began


class _Progress(ctypes.Structure):
    _fields_ = [("stage", c_char_p), ("at", c_char_p), ("done", c_uint64),
                ("total", c_uint64), ("seconds", c_double)]


_ProgressFn = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(_Progress))

# name: (what it returns, what it takes). What is handed out, and the error, are
# pointers to pointers.
_S, _P, _T, _N, _I = c_int32, c_void_p, c_char_p, c_size_t, c_int32
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "abi": (c_uint32, []),
    "version": (_T, []),
    "error_message": (_T, [_P]),
    "error_where": (_T, [_P]),
    "error_hint": (_T, [_P]),
    "error_text": (_T, [_P]),
    "error_free": (None, [_P]),
    "bytes_data": (c_void_p, [_P]),
    "bytes_size": (_N, [_P]),
    "bytes_free": (None, [_P]),
    "table_size": (_N, [_I]),
    "table_name": (_T, [_I, _N]),
    "table_summary": (_T, [_I, _N]),
    "table_alias": (_T, [_I, _N, _N]),
    "cancel_new": (_S, [c_uint32, _P, _P]),
    "cancel_now": (None, [_P]),
    "cancel_free": (None, [_P]),
    "options_new": (_S, [c_uint32, _P, _P]),
    "options_free": (None, [_P]),
    "options_threads": (_S, [_P, c_uint32]),
    "options_time_limit": (_S, [_P, c_double]),
    "options_memory_limit": (_S, [_P, c_uint64]),
    "options_first": (_S, [_P, _I]),
    "options_only_first_level": (_S, [_P, _I]),
    "options_session_order": (_S, [_P, _I]),
    "options_certificate": (_S, [_P, _I]),
    "options_findings": (_S, [_P, c_uint32]),
    "options_terminal": (_S, [_P, _I, _I, c_uint32]),
    "options_name": (_S, [_P, _T]),
    "options_progress": (_S, [_P, _ProgressFn, _P]),
    "options_cancel": (_S, [_P, _P]),
    "history_read": (_S, [c_uint32, POINTER(_T), _N, _T, _P, _P, _P]),
    "history_parse": (_S, [c_uint32, _T, _N, _T, _P, _P, _P]),
    "history_write": (_S, [_P, _T, _P, _P, _P, _P]),
    "history_stats": (_S, [_P, _T, _P, _P, _P]),
    "history_sessions": (c_uint64, [_P]),
    "history_transactions": (c_uint64, [_P]),
    "history_operations": (c_uint64, [_P]),
    "history_keys": (c_uint64, [_P]),
    "history_format": (_T, [_P]),
    "history_warning": (_T, [_P, _N]),
    "history_free": (None, [_P]),
    "check": (_S, [_P, _T, _P, _P, _P]),
    "report_of": (_S, [_P, _T, _N, _P, _P, _P]),
    "report_worst": (_I, [_P]),
    "report_conclusion": (_T, [_P]),
    "report_levels": (_N, [_P]),
    "report_level": (_T, [_P, _N]),
    "report_verdict": (_I, [_P, _N]),
    "report_limit": (_T, [_P, _N]),
    "report_violations": (_N, [_P, _N]),
    "report_violation": (_T, [_P, _N, _N]),
    "report_verdict_on": (_I, [_P, _T]),
    "report_render": (_S, [_P, _T, _P, _P, _P]),
    "report_certificate": (_S, [_P, _P, _P]),
    "report_free": (None, [_P]),
    "verify": (_S, [_P, _T, _N, _P, _P, _P]),
    "checks_accepted": (_I, [_P]),
    "checks_levels": (_N, [_P]),
    "checks_level": (_T, [_P, _N]),
    "checks_verdict": (_I, [_P, _N]),
    "checks_objection": (_T, [_P, _N]),
    "checks_render": (_S, [_P, _T, _T, _P, _P, _P]),
    "checks_free": (None, [_P]),
    "shrink": (_S, [_P, _T, _T, _T, _P, _P, _P]),
    "shrunk_history": (_S, [_P, _P, _P]),
    "shrunk_level": (_T, [_P]),
    "shrunk_kind": (_T, [_P]),
    "shrunk_headline": (_T, [_P]),
    "shrunk_minimal": (_I, [_P]),
    "shrunk_free": (None, [_P]),
}


def _candidates() -> Iterator[str]:
    """AWDIT_LIBRARY alone; otherwise the prefix that this file is installed in,
    then where the loader looks."""
    if named := os.environ.get("AWDIT_LIBRARY"):
        yield named
        return
    packages = Path(__file__).resolve().parents[1]
    if packages.name in ("dist-packages", "site-packages"):
        # PREFIX/lib/python3*/site-packages; nobody else's directories are tried.
        lib = packages.parents[1]
        multiarch = sysconfig.get_config_var("MULTIARCH") or "."
        for folder in (lib, lib / multiarch, lib.parent / "lib64"):
            if (folder / FILE).exists():
                yield str(folder / FILE)
    yield FILE


@functools.cache
def library() -> Any:
    """The library; LibraryNotFound says what to do."""
    wrong = []
    for path in _candidates():
        try:
            lib = ctypes.CDLL(path)
            lib.awdit_abi.restype = c_uint32
            abi = lib.awdit_abi()
        except (OSError, AttributeError) as error:
            wrong.append(str(error))
            continue
        if abi != ABI:
            raise LibraryNotFound(
                f"the library is for ABI {abi}, this package for {ABI}", path,
                "Install the library and the package of one version of awdit.")
        try:
            for name, (returns, takes) in _FUNCTIONS.items():
                function = getattr(lib, "awdit_" + name)
                function.restype, function.argtypes = returns, takes
        except AttributeError as error:
            raise LibraryNotFound(
                f"the library is older than this package: {error}", path,
                "Install the library and the package of one version of awdit."
            ) from None
        return lib
    raise LibraryNotFound(
        f"{FILE} cannot be loaded ({'; '.join(wrong)})", "",
        "Install it with `cmake --install build/release --prefix PREFIX`, and set "
        f"AWDIT_LIBRARY=PREFIX/lib/{FILE} if PREFIX is not searched by the "
        "loader.")


class Handle:
    """One thing of the library's. Freed when nobody holds it any more, calls
    that are under way included: those hold their arguments."""

    __slots__ = ("_as_parameter_", "_free")

    def __init__(self, kind: str) -> None:
        self._free = getattr(library(), f"awdit_{kind}_free")
        self._as_parameter_ = c_void_p()

    def __del__(self) -> None:
        try:
            self._free(self._as_parameter_)
        except AttributeError:  # the library was not found
            pass

    def out(self) -> Any:
        """For the function that fills it."""
        return byref(self._as_parameter_)


def text(raw: bytes | None) -> str:
    """A text of the library's, which is UTF-8 where the history was."""
    return (raw or b"").decode("utf-8", "replace")


def names(value: str | list[str] | tuple[str, ...] | None) -> bytes | None:
    """Names with commas between them."""
    if value is None or isinstance(value, str):
        return None if value is None else value.encode()
    return ",".join(value).encode()


def call(name: str, *arguments: Any, nothing: bool = False) -> int:
    """Calls what hands out an error last. With `nothing`, NOTHING is returned."""
    lib = library()
    error = Handle("error")
    status: int = getattr(lib, "awdit_" + name)(*arguments, error.out())
    if status == 0 or (nothing and status == NOTHING):
        return status
    if status == NO_MEMORY:
        raise MemoryError(text(lib.awdit_error_message(error)))
    kind = {MISUSE: Misuse, CANCELLED: Cancelled}.get(status, Error)
    raise kind(text(lib.awdit_error_message(error)),
               text(lib.awdit_error_where(error)),
               text(lib.awdit_error_hint(error)),
               text(lib.awdit_error_text(error)).rstrip())


def make(kind: str, function: str, *arguments: Any) -> Handle:
    """The handle that a function hands out as its last argument but the error."""
    handle = Handle(kind)
    call(function, *arguments, handle.out())
    return handle


def taken(handle: Handle) -> bytes:
    """What awdit_bytes hold."""
    lib = library()
    return ctypes.string_at(lib.awdit_bytes_data(handle),
                            lib.awdit_bytes_size(handle))


def table(number: int) -> dict[str, str]:
    """{name: summary}."""
    lib = library()
    return {text(lib.awdit_table_name(number, row)):
            text(lib.awdit_table_summary(number, row))
            for row in range(lib.awdit_table_size(number))}


# Seconds. A signal that comes just before the wait would be seen after it only.
_LOOK_UP = 0.1
_FLAGS = ("first", "only_first_level", "session_order", "certificate")
_NUMBERS = ("threads", "memory_limit", "findings")
OPTIONS = (*_FLAGS, *_NUMBERS, "time_limit", "name", "progress", "columns",
           "colour", "blocks")


class Options:
    """How a call is done, by keywords; what is not given is usual.

    `run(function)` calls a function that may take long: progress is told and
    Ctrl-C stops it."""

    def __init__(self, given: dict[str, Any]) -> None:
        for name in given:
            if name not in OPTIONS:
                raise TypeError(f"there is no option {name!r}; there are "
                                + ", ".join(sorted(OPTIONS)))
        self.handle = make("options", "options_new", ABI)
        self._cancel = make("cancel", "cancel_new", ABI)
        self._raised: BaseException | None = None
        self._told: Callable[[Progress], object] | None = given.get("progress")
        self._set("cancel", self._cancel)
        for name in _FLAGS:
            if given.get(name) is not None:
                self._set(name, int(bool(given[name])))
        for name in _NUMBERS:
            if given.get(name) is not None:
                number = given[name]
                if not isinstance(number, int) or not 0 <= number < 2**(
                        64 if name == "memory_limit" else 32):
                    raise ValueError(f"{name} is no number from 0 on: {number!r}")
                self._set(name, number)
        if given.get("time_limit") is not None:
            self._set("time_limit", float(given["time_limit"]))
        if given.get("name") is not None:
            self._set("name", str(given["name"]).encode())
        if any(given.get(n) is not None for n in ("columns", "colour", "blocks")):
            self._set("terminal", int(bool(given.get("colour"))),
                      int(bool(given.get("blocks"))), given.get("columns") or 0)
        if self._told is not None:
            self._callback = _ProgressFn(self._on_progress)
            self._set("progress", self._callback, None)

    def _set(self, name: str, *values: Any) -> None:
        if getattr(library(), f"awdit_options_{name}")(self.handle, *values):
            raise Misuse(f"{name} cannot be "
                         + ", ".join(str(value) for value in values))

    def _on_progress(self, _user: object, progress: Any) -> int:
        try:
            raw = progress.contents
            assert self._told is not None
            # False means stop; None, as of a function that returns nothing, go on.
            return int(self._told(Progress(text(raw.stage), text(raw.at), raw.done,
                                           raw.total, raw.seconds)) is False)
        except BaseException as raised:  # raised again by run()
            self._raised = raised
            return 1

    def run(self, name: str, *arguments: Any, nothing: bool = False) -> int:
        if threading.current_thread() is not threading.main_thread():
            return self._ended(self._attempt(name, arguments, nothing))
        claim, ended = threading.Lock(), threading.Event()
        result: list[Any] = []
        interrupted: BaseException | None = None

        def work() -> None:
            if claim.acquire(blocking=False):
                result.append(self._attempt(name, arguments, nothing))
                ended.set()

        thread = threading.Thread(target=work, name="awdit", daemon=True)
        try:
            thread.start()
            while not ended.wait(_LOOK_UP):
                pass
        except BaseException as raised:  # KeyboardInterrupt, or a handler's
            interrupted = raised
            library().awdit_cancel_now(self._cancel)
            if claim.acquire(blocking=False):
                raise  # the call was not made, and will not be
        while not ended.is_set():
            try:
                ended.wait(_LOOK_UP)
            except BaseException as raised:
                interrupted = interrupted or raised
                library().awdit_cancel_now(self._cancel)
        if interrupted is not None:
            raise interrupted
        return self._ended(result[0])

    def _attempt(self, name: str, arguments: Any, nothing: bool) -> Any:
        try:
            return call(name, *arguments, nothing=nothing)
        except BaseException as error:
            return error

    def _ended(self, result: Any) -> int:
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised
        if isinstance(result, BaseException):
            raise result
        return int(result)
