"""What can go wrong, as exceptions.

What is wrong with a history is no exception: it is a verdict of a Report.
"""

from __future__ import annotations


class Error(Exception):
    """The input, the world or a rule of the library: what, where, and a remedy.

    `message` is one sentence without a full stop, `where` is "file:line:column",
    "file" or "", `hint` says in full sentences what to do, or is "".
    """

    def __init__(self, message: str, where: str = "", hint: str = "",
                 text: str = "") -> None:
        self.message = message
        self.where = where
        self.hint = hint
        lines = [f"{where}: {message}" if where else message, hint]
        super().__init__(text or "\n".join(line for line in lines if line))


class Misuse(Error):
    """A rule of the recorder or of the library was broken by its caller."""


class Cancelled(Error):
    """It was cancelled by what the progress callback returned."""


class LibraryNotFound(Error, ImportError):
    """libawdit.so.1 cannot be loaded."""


class OutcomeUnknown(Exception):
    """Raise it in a transaction whose commit was sent, but not answered."""
