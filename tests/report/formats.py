"""Reads reports as their consumers do: each function returns what it understood
and raises if the document is not what its standard says."""

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

from harness import ROOT  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None


def validate(value, path):
    if jsonschema is not None:
        schema = json.loads(path.read_text())
        jsonschema.Draft202012Validator(schema).validate(value)


def read_json(text):
    """The objects, one per line."""
    assert text.endswith("\n")
    values = [json.loads(line) for line in text.splitlines()]
    for value in values:
        validate(value, ROOT / "docs" / "check-output.schema.json")
    return values


# -- JUnit --------------------------------------------------------------------

# Element: (required attributes, optional ones, children); the elements that
# Jenkins' junit-10.xsd and GitLab's reader have in common.
JUNIT = {
    "testsuites": (set(), {"name"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors"}, {"skipped", "time"},
                  {"properties", "testcase"}),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": ({"name", "classname"}, set(), {"failure", "error", "skipped"}),
    "failure": (set(), {"message", "type"}, set()),
    "error": (set(), {"message", "type"}, set()),
    "skipped": (set(), {"message"}, set()),
}


def read_junit(text):
    """The root element."""
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites", root.tag

    def look(element):
        required, optional, children = JUNIT[element.tag]
        names = set(element.attrib)
        assert required <= names <= required | optional, (element.tag, names)
        for child in element:
            assert child.tag in children, (element.tag, child.tag)
            look(child)

    look(root)
    for suite in root:
        cases = suite.findall("testcase")
        counts = {"tests": len(cases),
                  **{name + ending: sum(c.find(name) is not None
                                        for c in cases)
                     for name, ending in (("failure", "s"), ("error", "s"),
                                          ("skipped", ""))}}
        for name, count in counts.items():
            assert suite.get(name) == str(count), (suite.attrib, name)
    return root


# -- SARIF --------------------------------------------------------------------

def read_sarif(text):
    """The one run."""
    value = json.loads(text)
    validate(value, HERE / "sarif.schema.json")
    [run] = value["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        ids = [place["id"] for place in result["relatedLocations"]]
        assert len(ids) == len(set(ids))
        for place in result["locations"] + result["relatedLocations"]:
            region = place["physicalLocation"].get("region")
            if region and "endLine" in region:
                assert region["startLine"] <= region["endLine"]
    return run


# -- EDN ----------------------------------------------------------------------

class Keyword(str):
    """:name, with its colon."""


class Symbol(str):
    pass


class Frozen(dict):
    """A map that may be an element of a set."""

    def __hash__(self):
        return hash(frozenset(self))


TOKEN = re.compile(r"""(?x) [\s,]* (?: (?P<open> \#?\{ | \[ | \( )
    | (?P<close> [\]\)\}] ) | "(?P<string> (?: [^"\\] | \\. )* )"
    | (?P<number> [+-]?[0-9]+ N? (?= [\s,\]\)\}] | $ ) )
    | (?P<keyword> :[A-Za-z*!_?$%&=<>+.\-][A-Za-z0-9*!_?$%&=<>+.\-/#:']* )
    | (?P<symbol> [A-Za-z*!_?$%&=<>.\-][A-Za-z0-9*!_?$%&=<>+.\-/#:']* ) )""")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


def unescape(text):
    return re.sub(r"\\(?:u([0-9a-f]{4})|(.))",
                  lambda m: chr(int(m[1], 16)) if m[1] else ESCAPES[m[2]],
                  text, flags=re.S)


def read_edn(text):
    """The one form: maps, lists, sets, keywords, symbols, texts, integers."""
    stack, at = [("top", [])], 0
    while at < len(text.rstrip()):
        match = TOKEN.match(text, at)
        assert match, f"not EDN: {text[at:at + 40]!r}"
        at = match.end()
        if match["open"]:
            stack.append((match["open"], []))
            continue
        if match["close"]:
            opened, items = stack.pop()
            assert {"{": "}", "#{": "}", "[": "]", "(": ")"}[opened] \
                == match["close"]
            if opened == "{":
                assert len(items) % 2 == 0
                value = Frozen(zip(items[::2], items[1::2]))
                assert len(value) == len(items) // 2, "a key stands there twice"
            elif opened == "#{":
                value = frozenset(items)
                assert len(value) == len(items), "an element stands there twice"
            else:
                value = tuple(items)
        elif match["string"] is not None:
            value = unescape(match["string"])
        elif match["number"]:
            value = int(match["number"].rstrip("N"))
        elif match["keyword"]:
            value = Keyword(match["keyword"])
        else:
            value = {"nil": None, "true": True, "false": False}.get(
                match["symbol"], Symbol(match["symbol"]))
        stack[-1][1].append(value)
    [(_, [form])] = stack
    return form


def look_at_op(op):
    assert {":index", ":type", ":process", ":f", ":value"} <= set(op), op
    assert op[":type"] in {":ok", ":fail", ":info"} and op[":f"] == ":txn"
    for f, _, _ in op[":value"]:
        assert f in {":r", ":w", ":append"}


def look_at_result(result):
    """That a map is what Elle's checkers return."""
    if result[":valid?"] is True or ":error" in result:
        assert ":anomalies" not in result
        return
    assert result[":valid?"] in (False, ":unknown")
    if result[":valid?"] == ":unknown":
        return
    anomalies = result[":anomalies"]
    assert sorted(anomalies) == list(result[":anomaly-types"])
    assert isinstance(result[":not"], frozenset) and result[":not"]
    assert not result[":not"] & result[":also-not"]
    shapes = {":G1a": {":op", ":writer", ":mop"},
              ":G1b": {":op", ":writer", ":mop"},
              ":internal": {":op", ":mop", ":expected"},
              ":duplicate-elements": {":op", ":mop", ":duplicates"},
              ":incompatible-order": {":key", ":values"},
              ":lost-update": {":key", ":value", ":txns"}}
    for kind, found in anomalies.items():
        for entry in found:
            keys = {k for k in entry if not k.startswith(":awdit/")}
            if ":cycle" in keys:
                assert keys == {":cycle", ":steps", ":type"}, keys
                assert entry[":type"] == kind
                cycle = entry[":cycle"]
                assert cycle[0] == cycle[-1]
                assert len(entry[":steps"]) == len(cycle) - 1
                for op in cycle:
                    look_at_op(op)
                for step, a, b in zip(entry[":steps"], cycle, cycle[1:]):
                    assert step[":type"] in {":wr", ":ww", ":rw", ":process",
                                             ":realtime"}
                    for index, op in ((":a-mop-index", a), (":b-mop-index", b)):
                        if index in step:
                            mop = op[":value"][step[index]]
                            assert mop[1] == step[":key"]
            else:
                assert keys - {":element"} == shapes.get(kind, {":op", ":mop"})
            for name in (":op", ":writer"):
                if name in entry:
                    look_at_op(entry[name])
            if ":mop" in entry:
                assert entry[":mop"] in entry[":op"][":value"]


# -- pictures -----------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def read_svg(text):
    """The root element; everything in it lies inside the picture."""
    root = ElementTree.fromstring(text)
    assert root.tag == SVG + "svg"
    width, height = float(root.get("width")), float(root.get("height"))
    allowed = {SVG + name for name in
               ("svg", "title", "style", "defs", "marker", "path", "rect", "g",
                "text", "circle")}
    for element in root.iter():
        assert element.tag in allowed, element.tag
        for name, value in element.attrib.items():
            assert not name.startswith("on") and "href" not in name
            if name in {"x", "cx"}:
                assert 0 <= float(value) <= width
            if name in {"y", "cy"}:
                assert -20 <= float(value) <= height
    return root


def run_dot(text):
    """What Graphviz makes of it, as SVG; None where it is not installed."""
    if shutil.which("dot") is None:
        return None
    done = subprocess.run(["dot", "-Tsvg"], input=text.encode(), check=False,
                          capture_output=True)
    assert done.returncode == 0 and not done.stderr, done.stderr.decode()
    return done.stdout.decode()


# -- Markdown -----------------------------------------------------------------

def read_markdown(text):
    """The lines outside fences; tables keep their columns, HTML is our own."""
    lines, fence = [], None
    for line in text.splitlines():
        match = re.match(r"`{3,}", line)
        if fence is None and match:
            fence = match.group()
        elif fence is not None:
            if line == fence:
                fence = None
        else:
            lines.append(line)
    assert fence is None, "a fence is open"
    columns = 0
    for line in lines:
        if not line.startswith("|"):
            columns = 0
            continue
        cells = len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) - 1
        assert columns in (0, cells), line
        columns = cells
    rest = "\n".join(lines)
    rest = re.sub(r"(?<!\\)(?:\\\\)*`[^`\n]*`", "", rest)
    rest = re.sub(r"\\.", "", rest)
    for tag in re.findall(r"<[^>]*>?", rest):
        assert tag in {"<details>", "</details>", "<summary>", "</summary>",
                       "<br>", "<code>", "</code>", "<!-- -->"}, tag
    return lines


def reproducers(text):
    """(format, history) of each."""
    return re.findall(r"as a history \(([\w-]+)\)</summary>\n\n"
                      r"(`{3,})text\n(.*?)\n\2\n", text, re.S)
