"""What a check found: verdicts, evidence, and reports of them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ._library import Handle, Options, library, make, names, taken, text
from .errors import Misuse

_VERDICTS = ("holds", "violated", "undecided")


class Verdict(NamedTuple):
    """On one level."""

    level: str
    verdict: str  # "holds", "violated", "undecided"
    limit: str  # why it is undecided: "time", "memory", "proof"; otherwise ""
    kinds: tuple[str, ...]  # what was found, a name per violation


class Report:
    """The verdicts of a check with their evidence. Never changes."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    @property
    def verdicts(self) -> list[Verdict]:
        """Weakest level first."""
        lib, report = library(), self._handle
        return [Verdict(text(lib.awdit_report_level(report, i)),
                        _VERDICTS[lib.awdit_report_verdict(report, i)],
                        text(lib.awdit_report_limit(report, i)),
                        tuple(text(lib.awdit_report_violation(report, i, j))
                              for j in range(
                                  lib.awdit_report_violations(report, i))))
                for i in range(lib.awdit_report_levels(report))]

    def verdict(self, level: str) -> str:
        """"holds", "violated" or "undecided"."""
        number = library().awdit_report_verdict_on(self._handle, names(level))
        if number < 0:
            raise Misuse(f"this report has no verdict on {level!r}", "",
                         "It is about "
                         + ", ".join(v.level for v in self.verdicts) + ".")
        return _VERDICTS[number]

    def holds(self, level: str) -> bool:
        """False: it is violated or undecided."""
        return self.verdict(level) == "holds"

    @property
    def worst(self) -> str:
        """The worst of all: violated, then undecided, then holds."""
        return _VERDICTS[library().awdit_report_worst(self._handle)]

    @property
    def conclusion(self) -> str:
        """"Strongest level that holds: ..." """
        return text(library().awdit_report_conclusion(self._handle))

    @property
    def violations(self) -> list[dict[str, Any]]:
        """Each with its level, kind, headline, keys, transactions and edges, as
        docs/json.md says."""
        found = []
        for level in json.loads(self.render("json"))["levels"]:
            for violation in level.get("violations", ()):
                found.append({"level": level["level"], **violation})
        return found

    def render(self, report: str, /, **options: Any) -> bytes:
        """The bytes of a report: "text", "html", "json", "markdown", "junit",
        "sarif", "edn", "dot", "svg". Options: findings; of the text columns,
        colour and blocks."""
        given = Options(options)
        return taken(make("bytes", "report_render", self._handle, names(report),
                          given.handle))

    def text(self, **options: Any) -> str:
        return self.render("text", **options).decode("utf-8", "replace")

    def html(self, **options: Any) -> str:
        """A page that needs nothing else."""
        return self.render("html", **options).decode("utf-8", "replace")

    def json(self, **options: Any) -> str:
        return self.render("json", **options).decode("utf-8", "replace")

    def certificate(self) -> bytes:
        """The evidence; of a check(..., certificate=True) only."""
        try:
            return taken(make("bytes", "report_certificate", self._handle))
        except Misuse as error:
            raise Misuse(error.message, error.where,
                         "Check with certificate=True.") from None

    def __repr__(self) -> str:
        return f"<awdit.Report: {self.conclusion}>"


class Checks:
    """What the verifier says about each level of a certificate."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    @property
    def accepted(self) -> bool:
        """All of it."""
        return bool(library().awdit_checks_accepted(self._handle) == 1)

    @property
    def objections(self) -> dict[str, str]:
        """What is wrong with the evidence, by level; "": nothing."""
        lib, checks = library(), self._handle
        return {text(lib.awdit_checks_level(checks, i)):
                text(lib.awdit_checks_objection(checks, i))
                for i in range(lib.awdit_checks_levels(checks))}

    def render(self, name: str, certificate: str = "certificate") -> bytes:
        """As "text" or "json"; `certificate` is what it is called there."""
        return taken(make("bytes", "checks_render", self._handle, names(name),
                          names(certificate), None))

    def text(self) -> str:
        return self.render("text").decode("utf-8", "replace")

    def json(self) -> str:
        return self.render("json").decode("utf-8", "replace")
