"""The documents tell the truth.

Every ```console block in README.md and docs/ is run from the top of the tree and
must print what it shows. A ```console live block drives a real database, which never
does the same twice: standard output must be the same up to numbers and names. Every ```plume block must have the verdict or the finding
that its first line names.

    test_documents.py PATH-OF-AWDIT --update [--live]    writes down what is printed
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import harness
from harness import CLEAN, ROOT, CliTest

CONSOLE = re.compile(r"(?ms)^```console\n(.*?)^```$")
LIVE = re.compile(r"(?ms)^```console live\n(.*?)^```$")
PLUME = re.compile(r"(?ms)^```plume (\w+): (\S+)\n(.*?)^```$")


def documents():
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in found if path.exists()]


def replay(block, errors=subprocess.STDOUT):
    """The block with each command's real output."""
    env = CLEAN | {"PATH": str(Path(harness.BINARY).parent) + os.pathsep
                   + os.environ["PATH"]}
    text = ""
    for line in block.splitlines():
        if not line.startswith("$ "):
            continue
        done = subprocess.run(["sh", "-c", line[2:]], cwd=ROOT, env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=errors, timeout=60, check=False)
        text += line + "\n" + done.stdout.decode()
    return text


def live(block):
    """The same without how long it took, which goes to standard error."""
    return replay(block, subprocess.DEVNULL)


def shape(text):
    """What stays the same when a database does its work again."""
    text = re.sub(r"\d+ transactions? aborted; nobody may read what \w+ wrote\.",
                  "", text)
    text = re.sub(r"skew:\d+:[ab]", "skew:N", text)
    text = re.sub(r"\d[\d.,]*\d|\d", "N", text)
    # After a run with much contention a few may be left to be counted.
    text = text.replace("at least N", "N")
    # Where lines end depends on how long the numbers are.
    return re.sub(r"\s+", " ", text)


def can_start(driver):
    """Whether there is a server that --start could start, and the driver."""
    listed = subprocess.run([harness.BINARY, "list", "drivers"], check=True,
                            capture_output=True, text=True, timeout=60).stdout
    line = next(line for line in listed.splitlines()
                if line.startswith(driver))
    return "not built" not in line and any(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"))


class Documents(CliTest):
    def test_console_sessions_are_real(self):
        blocks = 0
        for path in documents():
            for match in CONSOLE.finditer(path.read_text()):
                blocks += 1
                with self.subTest(path.relative_to(ROOT)):
                    self.assertEqual(match.group(1), replay(match.group(1)))
        self.assertGreater(blocks, 8)

    def test_live_sessions_are_real_up_to_numbers(self):
        blocks = [match.group(1) for path in documents()
                  for match in LIVE.finditer(path.read_text())]
        self.assertEqual(len(blocks), 1)
        for block in blocks:
            if "--db postgres" in block and not can_start("postgres"):
                self.skipTest("PostgreSQL is not installed")
            self.assertEqual(shape(block), shape(live(block)))

    def test_the_first_screen_has_what_a_stranger_needs(self):
        text = (ROOT / "README.md").read_text()
        screen = "\n".join(text.splitlines()[:24])
        for words in ("    ./quickstart ", "    ./runtests ", "$ awdit run "):
            self.assertIn(words, screen)
        shown = LIVE.search(text).group(1)
        self.assertIn("write skew", shown)
        self.assertLess(len(text.splitlines()), 170)

    def test_example_histories_are_what_they_are_said_to_be(self):
        blocks = 0
        for path in documents():
            for what, name, history in PLUME.findall(path.read_text()):
                blocks += 1
                with self.subTest(f"{path.relative_to(ROOT)} {name}"):
                    done = self.awdit("check", "--json", "-", stdin=history)
                    value = json.loads(done.out)
                    if what == "holds":
                        self.assertEqual(value["strongest_holding"], [name])
                        continue
                    first = next(level for level in value["levels"]
                                 if level["verdict"] == "violated")
                    self.assertEqual({v["kind"] for v in first["violations"]},
                                     {name})
        self.assertGreaterEqual(blocks, 11)

    def test_the_table_of_examples_is_right(self):
        rows = re.findall(r"(?m)^\| `(\S+)` \|.*\| ([^|]+) \|$",
                          (ROOT / "examples" / "README.md").read_text())
        self.assertEqual(sorted(name for name, _ in rows),
                         sorted(p.name for p in ROOT.glob("examples/*.*")
                                if p.name != "README.md"))
        for name, levels in rows:
            done = self.awdit("check", "--json", self.example(name))
            self.assertEqual(json.loads(done.out)["strongest_holding"],
                             [] if levels == "none" else re.split(", | and ", levels),
                             name)

    def test_links_between_documents_lead_somewhere(self):
        for path in documents():
            for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
                self.assertTrue((path.parent / target).exists(),
                                f"{path.relative_to(ROOT)}: {target}")


def update():
    for path in documents():
        text = path.read_text()
        fresh = CONSOLE.sub(
            lambda m: "```console\n" + replay(m.group(1)) + "```", text)
        if "--live" in sys.argv:
            fresh = LIVE.sub(lambda m: "```console live\n"
                             + live(m.group(1)) + "```", fresh)
        if fresh != text:
            path.write_text(fresh)
            print(f"updated {path.relative_to(ROOT)}")


if __name__ == "__main__":
    if "--update" in sys.argv:
        harness.BINARY = str(Path(sys.argv[1]).resolve())
        update()
    else:
        harness.main()
