"""AWDIT: tests whether a database kept its isolation promise.

    import awdit
    with awdit.Recorder() as recorder:
        session = recorder.session("alice")
        with session.transaction() as txn:
            txn.read("x", store.get("x"))
            store.put("x", txn.write("x"))    # a unique value
    report = recorder.history().check("serializable")
    assert report.holds("serializable"), report.text()

docs/python.md has more.
"""

from ._library import Progress, library, table, text
from .errors import (Cancelled, Error, LibraryNotFound, Misuse,
                     OutcomeUnknown)
from .history import History, Shrunk, parse, read, verify
from .recorder import ABSENT, UNIQUE, Recorder, Session, Transaction
from .report import Checks, Report, Verdict

__all__ = [
    "ABSENT", "UNIQUE", "Cancelled", "Checks", "Error", "History",
    "LibraryNotFound", "Misuse", "OutcomeUnknown", "Progress", "Recorder",
    "Report", "Session", "Shrunk", "Transaction", "Verdict", "anomalies",
    "formats", "levels", "parse", "read", "reports", "verify", "version",
]


def version() -> str:
    """Of the library: "0.1.0"."""
    return text(library().awdit_version())


def levels() -> dict[str, str]:
    """{name: summary}, weakest first."""
    return table(0)


def formats() -> dict[str, str]:
    return table(1)


def anomalies() -> dict[str, str]:
    """Most basic first."""
    return table(2)


def reports() -> dict[str, str]:
    return table(3)
