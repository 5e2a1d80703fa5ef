"""The fixture `isolation`: records, checks when the test ends, and fails it.

    @pytest.mark.isolation(level="serializable", allow=["write-skew"])
    def test_transfers(isolation, store):
        session = isolation.session("alice")
        with session.transaction() as txn:
            txn.read("x", store.get("x"))
            store.put("x", txn.write("x"))

The fixture is a Recorder. It is checked as soon as the test function has
returned, so that the test itself is what fails (and `xfail` works), or at
teardown where something else ran the function. A test that fails by itself gets
the report as a section of its output.

Idle unless a test asks for the fixture; the library is loaded by then only.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from . import Error, Recorder, anomalies

LEVEL = "serializable"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("awdit", "isolation levels, by awdit")
    group.addoption("--awdit-report", metavar="DIR",
                    help="write a page (HTML) and the history of each test that "
                    "breaks its level into DIR")
    parser.addini("awdit_level", default=LEVEL,
                  help="level that the fixture isolation asks for, where no marker "
                  f"does: {LEVEL} if not set")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "isolation(level=..., allow=[...], **options): the levels that "
        "the fixture `isolation` asks for, the anomalies that do not fail the test, "
        "and options of Recorder and of History.check")


_OF_RECORDER = ("run", "values", "initial", "lost", "about")


class _Watched:
    """A recorder with what is asked of it."""

    def __init__(self, item: Any) -> None:
        marker = item.get_closest_marker("isolation")
        asked = dict(marker.kwargs) if marker else {}
        if marker and marker.args:
            asked["level"], = marker.args
        self.item = item
        self.levels = asked.pop("level", item.config.getini("awdit_level"))
        self.allow = asked.pop("allow", ())
        if isinstance(self.allow, str):
            self.allow = self.allow.split(",")
        self.recorder = Recorder(**{name: asked.pop(name)
                                    for name in _OF_RECORDER if name in asked})
        self.options = asked
        self.checked = False

    def problem(self) -> str | None:
        """Why the test fails, or None."""
        self.checked = True
        self.recorder.close()
        data = self.recorder.jsonl()
        try:
            known = anomalies()
            for kind in self.allow:
                if kind not in known:
                    return (f"isolation: there is no anomaly {kind!r} to allow; "
                            f"there are {', '.join(known)}")
            with self.recorder.history(self.item.name) as history:
                report = history.check(self.levels, **self.options)
        except Error as error:
            return f"isolation: nothing is concluded\n{error}"
        failed = [v for v in report.verdicts if v.verdict == "undecided"
                  or (v.verdict == "violated"
                      and (not v.kinds or set(v.kinds) - set(self.allow)))]
        if not failed:
            return None
        folder = self.item.config.getoption("--awdit-report")
        return report.text() + (self._keep(Path(folder), data, report)
                                if folder else "")

    def _keep(self, folder: Path, data: bytes, report: Any) -> str:
        name = re.sub(r"[^\w.-]+", "-", self.item.nodeid).strip("-.")[:200]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.jsonl").write_bytes(data)
        (folder / f"{name}.html").write_bytes(report.render("html"))
        return f"The page: {folder / name}.html, the history: {name}.jsonl beside it\n"


_KEY = pytest.StashKey[_Watched]()


@pytest.fixture
def isolation(request: pytest.FixtureRequest) -> Generator[Recorder, None, None]:
    """An awdit.Recorder, checked when the test ends: see the marker isolation."""
    watched = _Watched(request.node)
    request.node.stash[_KEY] = watched
    yield watched.recorder
    if not watched.checked and (problem := watched.problem()):
        pytest.fail(problem, pytrace=False)


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    # Last: the test function has returned, and not raised.
    watched = item.stash.get(_KEY, None)
    if watched is not None and (problem := watched.problem()):
        pytest.fail(problem, pytrace=False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]
                              ) -> Generator[None, Any, None]:
    report = (yield).get_result()
    watched = item.stash.get(_KEY, None)
    if call.when != "call" or watched is None or watched.checked:
        return
    if call.excinfo is None:
        return  # something else ran it: teardown is left
    watched.checked = True
    if report.failed and (problem := watched.problem()):
        report.sections.append(("isolation", problem))
