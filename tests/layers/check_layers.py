#!/usr/bin/env python3
"""Proves the rules of the house that a compiler does not: which module may
include which, who may print, that headers stand alone, that every row of a
table has its page and its tests.

    check_layers.py [--root DIR] [--compiler g++] [CHECK...]

Each check is a function from the tree to a list of complaints; none given means
all. self_test.py plants one fault per rule and sees that it is found.
"""

import argparse
import concurrent.futures
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

# Modules without a single front door: shelves of independent headers.
SHELVES = {"base", "graph"}
# Modules with more doors than the header of their own name.
EXTRA_DOORS = {"history": {"builder.h", "image.h", "stamps.h", "text.h"},
               "witness": {"attribution.h", "judge_violation.h",
                           "phrases.h"},
               "format": {"json_value.h"}}
# What is installed for others: include/<face>, made of the C header alone. One
# module gives it a body; the rest of src does not see it.
FACE, FACE_OF = "awdit", "abi"
# Who must not reach whom, not even by way of others.
INDEPENDENT = {"witness": "check"}
# Who must not depend on whom itself: reports render what tell has made of a
# check, so that it is made once.
NEVER_ITSELF = {"report": {"check", "witness"}}
# What outside cli may print, abort or exit: our own bugs, and a forked child
# that could not become the program it should.
MAY_PRINT = {"base/assert.h", "server/child_process.cpp"}

MAX_LINES = 800
MAX_SOURCE_LINES = 500
MAX_MEDIAN_LINES = 150
MIN_ROOMS = 12


class Tree:
    """The working tree at `root`; `compiler` compiles headers."""

    def __init__(self, root, compiler="g++"):
        self.root = Path(root)
        self.compiler = compiler

    def read(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def files(self, under, *suffixes):
        """Paths relative to the root, sorted."""
        found = []
        for folder, names, entries in os.walk(self.root / under):
            names[:] = [n for n in names if n not in {".git", "build",
                                                      "__pycache__"}]
            for entry in entries:
                if entry == ".git":  # of a worktree: a file
                    continue
                if not suffixes or entry.endswith(suffixes):
                    path = Path(folder, entry).relative_to(self.root)
                    found.append(path.as_posix())
        return sorted(found)

    def sources(self, under="src"):
        return self.files(under, ".h", ".cpp")

    def modules(self):
        """{module: set of modules it may include}, from the CMakeLists."""
        result = {}
        for path in self.files("src", "CMakeLists.txt"):
            for call in re.findall(r"awdit_module\((.*?)\)", self.read(path),
                                   re.S):
                words = call.split()
                name, depends, section = None, set(), None
                for word in words:
                    if word in {"NAME", "DEPENDS", "SOURCES", "LINK", "NEVER"}:
                        section = word
                    elif section == "NAME":
                        name = word
                    elif section == "DEPENDS":
                        depends.add(word)
                result[name] = depends
        return result

    def rows(self, path, table=None):
        """The names of the rows of a table, e.g. src/theory/levels.cpp; of the
        array `table` alone if the file has others."""
        if not (self.root / path).exists():
            return []
        text = self.read(path)
        if table:
            # The formatter puts the end of an array at the beginning of a line.
            found = re.search(rf"\b{table}\[\] = {{\n(.*?)^}};", text,
                              re.S | re.M)
            text = found.group(1) if found else ""
        return re.findall(r'\.name\s*=\s*"([^"]+)"', text)


def code_of(text):
    """The text without comments and without the insides of strings; lines
    stay where they are."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
        r"|'(?:\\.|[^'\\\n])'", re.S)

    def blank(match):
        kept = '""' if '"' in match.group()[:2] else " "
        return kept + "\n" * match.group().count("\n")

    return pattern.sub(blank, text)


def includes_of(tree, path):
    """(line number, '"' or '<', target) of each #include."""
    for number, line in enumerate(tree.read(path).splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(1), match.group(2)


def is_door(module, header):
    return (module in SHELVES or header == module + ".h"
            or header in EXTRA_DOORS.get(module, ()))


def module_of(path):
    return path.split("/")[1]


def check_includes(tree):
    """Includes follow DEPENDS, and enter other modules by the front door."""
    modules = tree.modules()
    for path in tree.sources():
        if path.count("/") < 2:
            yield f"{path}: belongs to no module"
            continue
        own = module_of(path)
        if own not in modules:
            yield f"{path}: src/{own}/CMakeLists.txt declares no module {own}"
            continue
        for line, kind, target in includes_of(tree, path):
            if kind != '"':
                continue
            where = f"{path}:{line}"
            module, _, header = target.partition("/")
            if module == FACE:
                if own != FACE_OF or header != f"{FACE}.h":
                    yield f"{where}: {target} is for those outside of src"
            elif not header:
                yield f"{where}: write the path from src/: \"{own}/{target}\""
            elif module not in modules:
                yield f"{where}: there is no module {module}"
            elif module == own:
                pass
            elif module != "base" and module not in modules[own]:
                yield (f"{where}: {own} may not include {module}: it is not "
                       f"in DEPENDS of src/{own}/CMakeLists.txt")
            elif not is_door(module, header):
                yield f"{where}: {target} is a private room of {module}"


def check_no_module_cycle(tree):
    """Layers point one way."""
    modules = tree.modules()
    settled = set()
    while True:
        free = {m for m in modules if m not in settled
                and modules[m] <= settled | {m}}
        if not free:
            break
        settled |= free
    for module in sorted(set(modules) - settled):
        yield f"src/{module}: its DEPENDS lead back to it or to no module"


def check_independence(tree):
    """The verifier cannot call the checker, by whatever way; a report cannot
    name it."""
    modules = tree.modules()
    for module, forbidden in INDEPENDENT.items():
        reached, pending = set(), [module]
        while pending:
            for further in modules.get(pending.pop(), ()):
                if further not in reached:
                    reached.add(further)
                    pending.append(further)
        if forbidden in reached:
            yield f"src/{module}: its DEPENDS lead to {forbidden}"
    for module, forbidden in NEVER_ITSELF.items():
        for name in sorted(forbidden & modules.get(module, set())):
            yield f"src/{module}: its DEPENDS name {name}"


def check_architecture_table(tree):
    """The table in ARCHITECTURE.md says what DEPENDS says."""
    table = {}
    for match in re.finditer(r"^ {4}(\w+) +: +(.+)$",
                             tree.read("ARCHITECTURE.md"), re.M):
        table[match.group(1)] = set(re.findall(r"\w+", match.group(2)))
    for module, depends in sorted(tree.modules().items()):
        if table.get(module) != depends - {"base"}:
            yield (f"ARCHITECTURE.md: the row of {module} should list: "
                   + (" ".join(sorted(depends - {"base"})) or "–"))
    for module in sorted(set(table) - set(tree.modules())):
        yield f"ARCHITECTURE.md: there is no module {module}"


def includes_first(tree, path, header):
    first = next((t for _, _, t in includes_of(tree, path)), None)
    return first == header.removeprefix("src/")


def check_own_header_first(tree):
    """A .cpp includes its own header first, so that it is self-sufficient."""
    for path in tree.sources():
        header = path[:-len(".cpp")] + ".h"
        if not path.endswith(".cpp") or not (tree.root / header).exists():
            continue
        if not includes_first(tree, path, header):
            yield f"{path}: include \"{header.removeprefix('src/')}\" first"


def check_third_party(tree):
    """Headers include the standard library and ourselves, nothing else."""
    for path in tree.files("src", ".h"):
        for line, kind, target in includes_of(tree, path):
            if kind == "<" and not re.fullmatch(r"[a-z_0-9]+", target):
                yield f"{path}:{line}: <{target}> belongs into a .cpp file"


def check_face(tree):
    """What is installed includes the standard library and itself, says so in a
    way that holds wherever it is put, and uses no macro of ours."""
    for path in tree.files(f"include/{FACE}"):
        for line, kind, target in includes_of(tree, path):
            good = (r"[a-z_]+(\.h)?" if kind == "<"
                    else rf"{FACE}/[a-z_]+\.(h|hpp)")
            if not re.fullmatch(good, target):
                yield f"{path}:{line}: {target} is nothing that others have"
        for number, line in enumerate(code_of(tree.read(path)).splitlines(), 1):
            match = re.search(r"\bAWDIT_(ASSERT|CHECKED|VERSION)\b|\bfmt::", line)
            if match:
                yield f"{path}:{number}: '{match.group()}' is ours"


def check_silence(tree):
    """Only cli prints and exits."""
    noisy = re.compile(
        r"\bstd::(cout|cerr|clog|cin)\b|\b(printf|fprintf|vprintf|puts|fputs"
        r"|putchar|perror)\s*\(|\bfmt::print\b|\b(exit|_exit|_Exit|quick_exit"
        r"|abort|terminate)\s*\(|#\s*include\s*<iostream>")
    for path in tree.sources():
        if module_of(path) == "cli" or path.removeprefix("src/") in MAY_PRINT:
            continue
        for number, line in enumerate(code_of(tree.read(path)).splitlines(), 1):
            match = noisy.search(line)
            if match:
                yield (f"{path}:{number}: '{match.group().strip()}': only cli "
                       "prints and exits")


def check_process_wide(tree):
    """Nobody changes for all threads what one of them wants to know (a umask is
    read by setting it), or removes trees by paths, which links lead astray."""
    better = {"umask": "let the kernel apply it",
              "remove_all": "base/remove_tree.h follows no link"}
    for path in tree.sources():
        for number, line in enumerate(code_of(tree.read(path)).splitlines(), 1):
            for match in re.finditer(r"\b(umask|remove_all)\s*\(", line):
                yield (f"{path}:{number}: '{match.group(1)}': "
                       f"{better[match.group(1)]}")


def is_proven_by_build(tree, header):
    """What users build, and at night all of the tests' release build, compiles
    src plainly, so that a .cpp that begins with its own header compiled it
    alone."""
    source = Path(header).with_suffix(".cpp")
    folder = source.parent / "CMakeLists.txt"
    return (header.startswith("src/") and (tree.root / source).exists()
            and (tree.root / folder).exists()
            and source.name in re.findall(r"[\w.]+", tree.read(folder))
            and includes_first(tree, source.as_posix(), header))


def check_headers_alone(tree):
    """Every header compiles on its own."""
    def compile_header(path):
        done = subprocess.run(
            [tree.compiler, "-std=c++20", "-Wall", "-Wextra", "-fsyntax-only",
             "-I" + str(tree.root / "src"), "-I" + str(tree.root),
             "-I" + str(tree.root / "include"),
             "-I" + str(tree.root / "tests"), "-x", "c++", "-"],
            input=f'#include "{tree.root / path}"\n', text=True,
            capture_output=True, check=False)
        return "" if done.returncode == 0 else done.stderr.strip()

    headers = [path for folder in ("src", "tests", "bench")
               for path in tree.files(folder, ".h")
               if not is_proven_by_build(tree, path)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, trouble in zip(headers, pool.map(compile_header, headers)):
            if trouble:
                yield f"{path}: does not compile alone:\n{trouble}"


def has_files(tree, folder, suffix):
    return any(tree.files(folder, suffix))


def check_rows(tree):
    """One name, one row, one doc page, one folder of tests."""
    oracle = "".join(tree.read(p) for p in tree.sources("tests/oracle"))
    levels = tree.rows("src/theory/levels.cpp")
    formats = tree.rows("src/format/formats.cpp")
    if not levels:
        yield "src/theory/levels.cpp: no rows found"
    if not formats:
        yield "src/format/formats.cpp: no rows found"
    for name in levels:
        if not (tree.root / f"docs/levels/{name}.md").exists():
            yield f"level {name}: docs/levels/{name}.md is missing"
        if not has_files(tree, f"tests/golden/{name}", ".txt"):
            yield f"level {name}: tests/golden/{name}/ has no history"
        if f'"{name}"' not in oracle:
            yield f"level {name}: tests/oracle does not name it"
    for name in formats:
        file = name.replace("-", "_")
        if not (tree.root / f"src/format/{file}.cpp").exists():
            yield f"format {name}: src/format/{file}.cpp is missing"
        if not (tree.root / f"docs/formats/{name}.md").exists():
            yield f"format {name}: docs/formats/{name}.md is missing"
        for kind in ("accepted", "rejected"):
            if not has_files(tree, f"tests/format/{name}/{kind}", ".expect"):
                yield f"format {name}: tests/format/{name}/{kind}/ is empty"
        if not (tree.root / f"tests/fuzz/fuzz_{file}.cpp").exists():
            yield f"format {name}: tests/fuzz/fuzz_{file}.cpp is missing"
        if not has_files(tree, f"tests/fuzz/corpus/fuzz_{file}", ""):
            yield f"format {name}: tests/fuzz/corpus/fuzz_{file}/ is empty"


def rows_with_pages(tree, what, table):
    """The rows of src/<what>/<what>s.cpp: one name, one file, one doc page that
    the overview links."""
    source = f"src/{what}/{what}s.cpp"
    names = tree.rows(source, table)
    if not names:
        yield f"{source}: no rows found"
    docs = f"docs/{what}s"
    overview = (tree.read(f"{docs}/README.md")
                if (tree.root / docs / "README.md").exists() else "")
    for name in names:
        file = name.replace("-", "_")
        if not (tree.root / f"src/{what}/{file}.cpp").exists():
            yield f"{what} {name}: src/{what}/{file}.cpp is missing"
        if not (tree.root / f"{docs}/{name}.md").exists():
            yield f"{what} {name}: {docs}/{name}.md is missing"
        if f"({name}.md)" not in overview:
            yield f"{what} {name}: {docs}/README.md does not link it"


def check_driver_rows(tree):
    """Every driver has its file and its page."""
    return rows_with_pages(tree, "driver", "kDrivers")


def check_workload_rows(tree):
    """Every workload has its file and its page."""
    return rows_with_pages(tree, "workload", "kWorkloads")


def check_machine_paths(tree):
    """Nothing in the tree knows the machine it was written on."""
    # Spelled so that this file does not accuse itself.
    pattern = re.compile(r"(?:^|[^A-Za-z0-9_.$}])/(?:" + "|".join(
        ["wor" + "k", "far" + "m", "hom" + "e", "roo" + "t",
         "tm" + "p/build"]) + r")[/-]")
    for path in tree.files("."):
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            if pattern.search(line):
                yield f"{path}:{number}: a path of some machine: {line.strip()}"


def check_lengths(tree):
    """A file is one idea."""
    lengths = []
    for path in tree.files(".", ".h", ".cpp", ".py", ".sh", ".cmake"):
        lines = len(tree.read(path).splitlines())
        most = MAX_LINES
        if path.startswith("src/"):
            lengths.append(lines)
            most = MAX_SOURCE_LINES
        if lines > most:
            yield f"{path}: {lines} lines, more than {most}"
    if lengths and statistics.median(lengths) > MAX_MEDIAN_LINES:
        yield (f"src: the median file has {statistics.median(lengths):.0f} "
               f"lines, more than {MAX_MEDIAN_LINES}")


def check_names(tree):
    """Files are snake_case and say what they hold."""
    empty = {"util", "utils", "common", "misc", "helper", "helpers", "manager"}
    for path in [p for f in ("src", "tests", "bench") for p in tree.sources(f)]:
        stem = Path(path).stem
        if not re.fullmatch(r"[a-z][a-z0-9_]*", stem):
            yield f"{path}: file names are snake_case"
        if empty & set(stem.split("_")):
            yield f"{path}: this name says nothing"


def check_rooms(tree):
    """What CONTRIBUTING.md says where something is: in a file of that name.
    Every word of the file's name begins a word of what it is asked for."""
    contributing = "CONTRIBUTING.md"
    found = re.search(r"^## Where is \.\.\.\?$(.*?)^## ",
                      tree.read(contributing), re.S | re.M)
    rooms = re.findall(r"^\| (.+?) \| `([^`]+)` \|$",
                       found.group(1) if found else "", re.M)
    if len(rooms) < MIN_ROOMS:
        yield f"{contributing}: fewer than {MIN_ROOMS} rows of where is what"
    for what, path in rooms:
        if not (tree.root / path).exists():
            yield f"{contributing}: {what}: there is no {path}"
        asked = re.findall(r"[a-z]+", what.lower())
        for word in Path(path).stem.split("_"):
            if not any(other.startswith(word) for other in asked):
                yield f"{contributing}: {what}: is not {path} by its name"


def check_one_definition(tree):
    """A type has one definition: two of a name in one namespace would be mixed
    up by the linker without a word."""
    found = {}
    for path in tree.files("src", ".h"):
        text = tree.read(path)
        spaces = re.findall(r"(?m)^namespace ([\w:]+) \{", text)
        for name in re.findall(
                r"(?m)^(?:struct|class|enum class) ([A-Z]\w*)\b(?!::)[^;{]*\{",
                text):
            key = (spaces[0] if spaces else "", name)
            if found.setdefault(key, path) != path:
                yield f"{path}: {name} is defined in {found[key]}, too"


def check_nothing_undone(tree):
    """What is in the tree is finished."""
    pattern = re.compile(r"\b(?:" + "|".join(
        ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
    for path in [p for f in ("src", "tests", "bench", "tools")
                 for p in tree.files(f, ".h", ".cpp", ".py", ".sh", ".cmake",
                                     "CMakeLists.txt")]:
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            if pattern.search(line):
                yield f"{path}:{number}: left undone: {line.strip()}"


CHECKS = {name.removeprefix("check_").replace("_", "-"): function
          for name, function in list(globals().items())
          if name.startswith("check_")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--root", default=Path(__file__).parents[2])
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("checks", nargs="*", metavar="CHECK",
                        help="one of: " + ", ".join(CHECKS))
    options = parser.parse_args()
    unknown = set(options.checks) - set(CHECKS)
    if unknown:
        parser.error("no such check: " + ", ".join(sorted(unknown)))
    tree = Tree(options.root, options.compiler)
    complaints = 0
    for name in options.checks or CHECKS:
        found = list(CHECKS[name](tree))
        complaints += len(found)
        print(f"{name}: " + (f"{len(found)} complaints" if found else "ok"))
        for complaint in found:
            print(f"  {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
