#!/usr/bin/env python3
"""A check that cannot fail proves nothing. Builds a tiny tree that keeps every
rule of check_layers.py, then plants one fault at a time and sees that exactly
the rule meant for it complains."""

import argparse
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import check_layers  # noqa: E402

GOOD = {
    "ARCHITECTURE.md": "    base    : –\n    history : –\n    theory  : history\n"
                       "    check   : history\n    witness : history\n"
                       "    tell    : check\n    report  : tell\n"
                       "    format  : history\n    driver  : –\n"
                       "    workload : –\n    cli     : check format\n"
                       "    abi     : –\n",
    "CONTRIBUTING.md": "## Where is ...?\n| what | file |\n|---|---|\n" +
                       "| an assertion | `src/base/assert.h` |\n" * 12 +
                       "## Rules\n",
    "src/base/CMakeLists.txt": "awdit_module(NAME base SOURCES assert.cpp)\n",
    "src/base/assert.h": "#pragma once\n#include <cstdio>\n"
                         "inline void die() { std::fprintf(stderr, \"\"); }\n",
    "src/base/assert.cpp": '#include "base/assert.h"\n',
    "src/history/CMakeLists.txt":
        "awdit_module(NAME history\n  DEPENDS base SOURCES a.cpp)\n",
    "src/history/history.h": "#pragma once\n#include <vector>\n"
                             "std::vector<int> all();\n",
    "src/history/room.h": "#pragma once\n",
    "src/history/a.cpp": '#include <unistd.h>\n#include "history/room.h"\n',
    "src/check/CMakeLists.txt":
        "awdit_module(NAME check DEPENDS base history SOURCES check.cpp)\n",
    "src/check/check.h": '#pragma once\n#include "history/history.h"\n',
    "src/theory/CMakeLists.txt":
        "awdit_module(NAME theory DEPENDS base history SOURCES levels.cpp)\n",
    "src/theory/levels.cpp": '#include "history/history.h"\n'
                             'Row row{.name = "causal"};\n'
                             '// std::cout is only named here: exit(1)\n'
                             'const char* text = "printf(x)";\n',
    "src/witness/CMakeLists.txt":
        "awdit_module(NAME witness DEPENDS base history SOURCES verify.cpp)\n",
    "src/witness/verify.cpp": '#include "history/history.h"\n',
    "src/tell/CMakeLists.txt":
        "awdit_module(NAME tell DEPENDS base check SOURCES tell.cpp)\n",
    "src/tell/tell.h": "#pragma once\n",
    "src/tell/tell.cpp": '#include "tell/tell.h"\n#include "check/check.h"\n',
    "src/report/CMakeLists.txt":
        "awdit_module(NAME report DEPENDS base tell SOURCES text.cpp)\n",
    "src/report/text.cpp": '#include "tell/tell.h"\n',
    "src/format/CMakeLists.txt":
        "awdit_module(NAME format DEPENDS base history SOURCES formats.cpp)\n",
    "src/format/formats.cpp": 'Row row{.name = "awdit-test"};\n',
    "src/format/awdit_test.cpp": "",
    "src/driver/CMakeLists.txt":
        "awdit_module(NAME driver DEPENDS base SOURCES drivers.cpp)\n",
    "src/driver/drivers.cpp":
        'constexpr Knob kKnobs[] = {\n    {.name = "sync"},\n};\n'
        'constexpr Driver kDrivers[] = {\n    {.name = "key-store",\n'
        '     .knobs = kKnobs},\n};\n'
        'constexpr Fault kFaults[] = {\n    {.name = "kill"},\n};\n',
    "src/driver/key_store.cpp": "",
    "src/workload/CMakeLists.txt":
        "awdit_module(NAME workload DEPENDS base SOURCES workloads.cpp)\n",
    "src/workload/workloads.cpp":
        'constexpr Kind kWorkloads[] = {\n    {.name = "long-day"},\n};\n',
    "src/workload/long_day.cpp": "",
    "src/abi/CMakeLists.txt":
        "awdit_module(NAME abi DEPENDS base SOURCES abi.cpp)\n",
    "src/abi/abi.h": '#pragma once\n#include "awdit/awdit.h"\n',
    "src/abi/abi.cpp": '#include "abi/abi.h"\n',
    "include/awdit/awdit.h": "#include <stddef.h>\n",
    "include/awdit/awdit.hpp": '#include <string>\n#include "awdit/awdit.h"\n',
    "src/cli/CMakeLists.txt":
        "awdit_module(NAME cli DEPENDS base check format SOURCES main.cpp)\n",
    "src/cli/main.cpp": "#include <iostream>\nint main() { std::cout << 1; }\n",
    "docs/levels/causal.md": "x",
    "docs/formats/awdit-test.md": "x",
    "docs/drivers/README.md": "[key-store](key-store.md)",
    "docs/drivers/key-store.md": "x",
    "docs/workloads/README.md": "[long-day](long-day.md)",
    "docs/workloads/long-day.md": "x",
    "tests/golden/causal/a.txt": "x",
    "tests/oracle/oracle.cpp": 'levels["causal"]\n',
    "tests/format/awdit-test/accepted/a.expect": "x",
    "tests/format/awdit-test/rejected/a.expect": "x",
    "tests/fuzz/fuzz_awdit_test.cpp": "",
    "tests/fuzz/corpus/fuzz_awdit_test/a": "x",
}

# rule -> the faults it must find: {file: new text, or None to remove it}
FAULTS = {
    "includes": [
        {"src/history/a.cpp": '#include "check/check.h"\n'},
        {"src/witness/verify.cpp": '#include "check/check.h"\n'},
        {"src/report/text.cpp": '#include "check/check.h"\n'},
        {"src/theory/levels.cpp": '#include "history/room.h"\n'
                                 'Row row{.name = "causal"};\n'},
        {"src/history/a.cpp": '#include "room.h"\n'},
        {"src/history/a.cpp": '#include "nowhere/room.h"\n'},
        {"src/undeclared/a.cpp": "int x;\n"},
        {"src/history/a.cpp": '#include "awdit/awdit.h"\n'},
        {"src/abi/abi.cpp": '#include "abi/abi.h"\n'
                            '#include "awdit/awdit.hpp"\n'},
        {"src/loose.cpp": "int x;\n"},
    ],
    "no-module-cycle": [
        {"src/history/CMakeLists.txt":
            "awdit_module(NAME history DEPENDS theory SOURCES a.cpp)\n",
         "ARCHITECTURE.md": GOOD["ARCHITECTURE.md"].replace(
             "history : –", "history : theory")},
    ],
    "independence": [
        # By way of format.
        {"src/witness/CMakeLists.txt":
            "awdit_module(NAME witness DEPENDS base history format "
            "SOURCES verify.cpp)\n",
         "src/format/CMakeLists.txt":
            "awdit_module(NAME format DEPENDS base history check "
            "SOURCES formats.cpp)\n",
         "ARCHITECTURE.md": GOOD["ARCHITECTURE.md"].replace(
             "witness : history", "witness : history format").replace(
             "format  : history", "format  : history check")},
        # Through tell it may, but not itself.
        {"src/report/CMakeLists.txt":
            "awdit_module(NAME report DEPENDS base tell check "
            "SOURCES text.cpp)\n",
         "ARCHITECTURE.md": GOOD["ARCHITECTURE.md"].replace(
             "report  : tell", "report  : tell check")},
    ],
    "architecture-table": [
        {"ARCHITECTURE.md": GOOD["ARCHITECTURE.md"].replace(
            "check   : history", "check   : history format")},
        {"ARCHITECTURE.md": GOOD["ARCHITECTURE.md"] + "    graph : –\n"},
    ],
    "own-header-first": [
        {"src/base/assert.cpp": '#include <vector>\n#include "base/assert.h"\n'},
    ],
    "third-party": [
        {"src/history/room.h": "#pragma once\n#include <fmt/core.h>\n"},
    ],
    "face": [
        {"include/awdit/awdit.hpp": "#include <fmt/core.h>\n"},
        {"include/awdit/awdit.hpp": '#include "history/history.h"\n'},
        {"include/awdit/awdit.hpp": "inline int f() { AWDIT_ASSERT(true); }\n"},
    ],
    "silence": [
        {"src/history/a.cpp": 'void f() { std::printf("x"); }\n'},
        {"src/history/a.cpp": "#include <iostream>\n"},
        {"src/history/a.cpp": "void f() { std::exit(1); }\n"},
        {"src/history/a.cpp": 'void f() { fmt::print("x"); }\n'},
    ],
    "process-wide": [
        {"src/history/a.cpp": "int mask() { return umask(0); }\n"},
        {"src/history/a.cpp": "void f() { std::filesystem::remove_all(x); }\n"},
    ],
    "headers-alone": [
        {"src/history/room.h": "#pragma once\nstd::vector<int> two();\n"},
        # The file of its name is not built.
        {"src/history/room.h": "#pragma once\nstd::vector<int> two();\n",
         "src/history/room.cpp": '#include "history/room.h"\n'},
    ],
    "rows": [
        {"docs/levels/causal.md": None},
        {"tests/golden/causal/a.txt": None},
        {"tests/oracle/oracle.cpp": ""},
        {"docs/formats/awdit-test.md": None},
        {"tests/format/awdit-test/accepted/a.expect": None},
        {"tests/format/awdit-test/rejected/a.expect": None},
        {"tests/fuzz/fuzz_awdit_test.cpp": None},
        {"tests/fuzz/corpus/fuzz_awdit_test/a": None},
        {"src/format/awdit_test.cpp": None},
        {"src/theory/levels.cpp": '#include "history/history.h"\n'},
    ],
    "driver-rows": [
        {"src/driver/key_store.cpp": None},
        {"docs/drivers/key-store.md": None},
        {"docs/drivers/README.md": "nothing"},
        {"src/driver/drivers.cpp": GOOD["src/driver/drivers.cpp"].replace(
            "kDrivers", "kOther")},
    ],
    "workload-rows": [
        {"src/workload/long_day.cpp": None},
        {"docs/workloads/long-day.md": None},
        {"docs/workloads/README.md": None},
        {"src/workload/workloads.cpp": "nothing\n"},
    ],
    "machine-paths": [
        {"docs/levels/causal.md": "see /hom" + "e/me/notes\n"},
    ],
    "lengths": [
        {"tests/oracle/oracle.cpp": '"causal"\n' * 801},
        {"src/history/a.cpp": "\n" * 501},
        # More of them than there are short ones.
        {f"src/base/long{number}.cpp": "\n" * 400 for number in range(40)},
    ],
    "names": [
        {"src/history/Upper.cpp": ""},
        {"tests/golden_util.h": "#pragma once\n"},
    ],
    "one-definition": [
        {"src/history/twin.h": "#pragma once\nnamespace awdit {\nstruct Twin {\n"
                            "  int a = 0;\n};\n}  // namespace awdit\n",
         "src/format/other.h": "#pragma once\nnamespace awdit {\nclass Twin {\n"
                           "};\n}  // namespace awdit\n"},
    ],
    "rooms": [
        {"CONTRIBUTING.md": GOOD["CONTRIBUTING.md"].replace(
            "## Rules", "| lost things | `src/history/lost_things.cpp` |\n"
            "## Rules")},
        {"CONTRIBUTING.md": GOOD["CONTRIBUTING.md"].replace(
            "## Rules", "| lost things | `src/base/assert.cpp` |\n## Rules")},
        {"CONTRIBUTING.md": "| an assertion | `src/base/assert.h` |\n" * 12},
    ],
    "nothing-undone": [
        {"src/history/a.cpp": "// TO" + "DO: later\n"},
    ],
}

compiler = "g++"


# Compiles every header, so it is left out where the fault is another one.
SLOW = "headers-alone"


def complaints(files, rules=frozenset(check_layers.CHECKS)):
    """{rule: complaints} about a tree made of `files`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            if text is not None:
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        tree = check_layers.Tree(folder, compiler)
        found = {rule: list(check(tree))
                 for rule, check in check_layers.CHECKS.items()
                 if rule in rules}
    return {rule: texts for rule, texts in found.items() if texts}


class SelfTest(unittest.TestCase):
    def test_a_good_tree_has_no_complaints(self):
        self.assertEqual(complaints(GOOD), {})

    def test_every_rule_has_a_fault(self):
        self.assertEqual(set(FAULTS), set(check_layers.CHECKS))

    def test_each_fault_is_found_by_its_rule_alone(self):
        for rule, faults in FAULTS.items():
            rules = set(FAULTS) - {SLOW} | {rule}
            for fault in faults:
                with self.subTest(rule=rule, fault=fault):
                    found = complaints({**GOOD, **fault}, rules)
                    self.assertEqual(set(found), {rule})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default=compiler)
    options, rest = parser.parse_known_args()
    compiler = options.compiler
    unittest.main(argv=sys.argv[:1] + rest)
