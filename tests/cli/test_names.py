"""Names: explain knows every one that a report prints, and SQL's have answers.

The names are not listed here. They are read out of the reports: of every anomaly,
in every form, and out of what the program lists.
"""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import harness
from harness import ROOT, CliTest

GOLDEN = ROOT / "tests" / "report" / "golden"
FORMS = ("txt", "md", "json", "xml", "sarif", "edn", "html")
# What the literature calls anomalies and levels, wherever it stands.
CODES = re.compile(r"(?<![\w.-])((?:G0|G1[abc]?|G2|G-SI[ab]|G-[a-z]+|P[0-4]|A5[AB]"
                   r"|TAP-[a-z]|PL-[\d.+]+|PL-SI|PL-SS)"
                   r"(?:-item)?(?:-process|-realtime)?)(?![\w-])")
DATABASES = ("PostgreSQL", "MariaDB, MySQL", "Oracle", "SQL Server")


def names_in(prose):
    """"dirty read; Adya: G1a; Plume: aborted read (TAP-b)" as its names."""
    found = set()
    for part in prose.split(";"):
        part = part.split(": ", 1)[-1]
        for group in re.findall(r"\(([^)]*)\)", part):
            found.update(name.strip() for name in group.split(","))
        found.update(name.strip()
                     for name in re.sub(r"\([^)]*\)", "", part).split(","))
    return found - {""}


class Names(CliTest):
    def reports(self, case):
        (self.folder / case).mkdir()
        done = self.awdit("check", str(GOLDEN / case / "history.jsonl"),
                          *(f"--report={case}/r.{form}" for form in FORMS))
        self.assertIn(done.code, (0, 1), done.err)
        return {form: (self.folder / case / f"r.{form}").read_text()
                for form in FORMS}

    def printed(self):
        """Every name in the reports of every anomaly."""
        found = set()
        for path in sorted(GOLDEN.iterdir()):
            text = self.reports(path.name)
            # One value for the page, of which the rest is program.
            page = re.search(r'(?s)<script[^>]*application/json[^>]*>(.*?)'
                             r'</script>', text["html"]).group(1)
            for form in FORMS:
                found.update(CODES.findall(page if form == "html"
                                           else text[form]))
            for line in re.findall(r"(?m)^([a-z0-9-]+; .*(?:\n.+)*)\n\n",
                                   text["txt"]):
                found |= names_in(line.replace("\n", " "))
            for prose in (re.findall(r'"also":"([^"]*)"', page)
                          + re.findall(r'Elsewhere: (.*?)\.(?:"|\n|$)',
                                       text["sarif"] + text["md"])):
                found |= names_in(prose.replace("\\", ""))
            found.update(re.findall(r'"(?:kind|level)":"([a-z0-9-]+)"',
                                    text["json"]))
            sarif = json.loads(text["sarif"])
            for rule in sarif["runs"][0]["tool"]["driver"]["rules"]:
                found |= {rule["id"], rule["name"]}
            for words in re.findall(r":(?:anomaly-types|not|also-not) "
                                    r"(?:#\{|\[)([^\]}]*)", text["edn"]):
                found.update(words.split())  # with the colon
            found.update(re.findall(r'<testcase name="([a-z-]+)"',
                                    text["xml"]))
        return found

    def unknown(self, names):
        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda name: self.awdit("explain", name),
                                 names))
        return [name for name, run in zip(names, done)
                if run.code != 0 or not run.out or run.err]

    def test_explain_knows_every_name_that_a_report_prints(self):
        names = self.printed()
        for name in ("G1a", "G1b", "G1c", "G0", "P4", "A5A", "A5B", "G-single",
                     "G2-item", "dirty read", "lost update", "TAP-b",
                     ":strong-session-serializable",
                     ":G-nonadjacent-item-process",
                     "write-skew", "Write skew", "causal"):
            self.assertIn(name, names)  # or this test sees nothing
        self.assertEqual(self.unknown(sorted(names)), [])

    def test_explain_knows_every_name_that_a_list_prints(self):
        names = set()
        for line in self.awdit("list", "levels").out.splitlines():
            if match := re.fullmatch(r"(\S+)(?:  \(also: (.*)\))?", line):
                names.add(match.group(1))
                names.update((match.group(2) or "").split(", "))
        text = self.awdit("list", "anomalies").out
        for prose in re.findall(r"(?m)^    Also: (.*)$", text):
            names |= names_in(prose)
        self.assertGreater(len(names), 60)
        self.assertEqual(self.unknown(sorted(names - {""})), [])

    def test_names_that_people_know(self):
        self.assertEqual(self.unknown([
            "G2", "G-SIb", "G-nonadjacent", "SER", "SI", "RC", "RA", "PSI",
            "SSER", "PL-1", "PL-2", "PL-2+", "PL-2.99", "PL-3", "PL-SI",
            "PL-SS", "dirty write", "Dirty Read", "LOST UPDATE", "write skew",
            "Write_Skew", "long fork", "repeatable-read", "REPEATABLE READ",
            "read uncommitted", "snapshot", "Read Committed", "internal",
            "Causal Consistency", ":G-single-item-realtime",
            "G-nonadjacent-item-process", "monotonic-atomic-view"]), [])

    def test_an_alias_leads_to_its_entry(self):
        for name, entry in (("G1a", "aborted-read"), ("P4", "lost-update"),
                            ("a5b", "write-skew"), ("Dirty-Read", "aborted-read"),
                            ("G-SINGLE", "read-skew"), ("ser", "serializable"),
                            ("G0-realtime", "real-time-violation"),
                            ("pl-3", "serializable")):
            done = self.awdit("explain", name)
            self.assertEqual((done.code, done.err), (0, ""), name)
            self.assertTrue(done.out.startswith(entry + "\n")
                            or done.out.startswith(entry + " "), done.out)

    def test_a_name_of_several_tells_of_all(self):
        done = self.awdit("explain", "G1c")
        self.assertTrue(done.out.startswith(
            "Of these, each is called G1c by some:\n\ncausality-cycle\n"))
        self.assertIn("\ndependency-cycle\n", done.out)
        done = self.awdit("explain", "read skew")
        self.assertTrue(done.out.startswith("read-skew\n"))
        self.assertTrue(done.out.endswith(
            "\nOthers call fractured-read by this name: awdit explain "
            "fractured-read.\n"), done.out)


class Sql(CliTest):
    def asked(self, level):
        self.file("h.txt", "w(1,1,1,1)\nr(1,1,2,2)\n")
        return self.awdit("check", "-i", level, "h.txt")

    def test_a_name_of_sql_is_answered_with_what_it_is_where(self):
        for name in ("REPEATABLE READ", "repeatable-read", "Repeatable Read",
                     "rr", "READ UNCOMMITTED", "SNAPSHOT"):
            done = self.asked(name)
            self.assertEqual((done.code, done.out), (2, ""), name)
            self.assertTrue(done.err.startswith(
                f"awdit: '{name}' does not name one level: what it promises "
                "depends on the database\n"), done.err)
            for database in DATABASES:
                self.assertIn(f"\n  {database} ", done.err)
            self.assertTrue(done.err.endswith("try awdit check --help\n"))

    def test_the_answer(self):
        self.assert_run(
            self.asked("REPEATABLE READ"), 2, "",
            "awdit: 'REPEATABLE READ' does not name one level: what it "
            "promises depends on the database\n"
            "  PostgreSQL        -i snapshot-isolation: a snapshot for each "
            "transaction\n"
            "  MariaDB, MySQL    -i snapshot-isolation: only with\n"
            "                    innodb_snapshot_isolation=ON, the default "
            "from MariaDB\n"
            "                    11.6.2 on; otherwise, and in MySQL, updates "
            "can be lost and\n"
            "                    no level fits\n"
            "  Oracle            not offered\n"
            "  SQL Server        -i serializable: rows that were read stay "
            "locked until the\n"
            "                    end; phantoms are possible, but a history "
            "does not show them\n"
            "try awdit check --help\n")

    def test_names_that_are_one_level_of_ours_are_that_level(self):
        for name, level in (("SERIALIZABLE", "serializable"),
                            ("READ COMMITTED", "read-committed"),
                            ("Snapshot Isolation", "snapshot-isolation"),
                            ("SI", "snapshot-isolation"),
                            ("PL-3", "serializable")):
            self.assertEqual(self.asked(name).out.splitlines()[-1],
                             f"{level} holds.")

    def test_explain_has_the_same_table(self):
        done = self.awdit("explain", "repeatable read")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertTrue(done.out.startswith("repeatable-read  (also: rr"))
        for name in ("serializable", "read committed", "snapshot",
                     "read uncommitted"):
            done = self.awdit("explain", name)
            for database in DATABASES:
                self.assertIn(f"\n  {database} ", done.out)

    def test_the_table_of_the_readme_is_the_one_of_the_program(self):
        text = (ROOT / "README.md").read_text()
        rows = re.findall(r"(?m)^\| ([A-Z ]+) \|(.*)\|$", text)
        self.assertEqual(len(rows), 5)
        head = re.search(r"(?m)^\| your level \|(.*)\|$", text).group(1)
        self.assertEqual(tuple(cell.strip() for cell in head.split("|")),
                         DATABASES)
        levels = re.findall(r"(?m)^(\S+)", self.awdit("list", "levels").out)
        for name, cells in rows:
            shown = self.awdit("explain", name.lower()).out
            for database, cell in zip(DATABASES, cells.split("|")):
                line = re.search(rf"(?m)^  {database} +(\S.*)$", shown)
                found = line.group(1).split(":")[0]
                level = cell.strip(" \u00b9\u00b2`")
                self.assertEqual(level, found if found in levels else "-",
                                 f"{name} {database}")

    def test_a_database_s_level_may_be_typed_as_in_sql(self):
        done = self.awdit("run", "-q", "--db", "simulated", "--level",
                          "Snapshot Isolation", "--transactions", "20",
                          "--json")
        self.assertEqual(done.code, 0, done.err)


class Help(CliTest):
    def test_help_is_a_command(self):
        self.assert_run(self.awdit("help"), 0, self.awdit("--help").out)
        commands = re.findall(
            r"(?m)^  ([a-z]+)  ", self.awdit("--help").out
            .split("Subcommands:")[1].split("Examples:")[0])
        self.assertIn("help", commands)
        for command in commands:
            self.assert_run(self.awdit("help", command), 0,
                            self.awdit(command, "--help").out)

    def test_help_about_nothing(self):
        self.assert_run(self.awdit("help", "chekc"), 2, "",
                        "awdit: unknown command 'chekc'; did you mean "
                        "'check'?\ntry awdit --help\n")
        self.assert_run(self.awdit("help", "check", "run"), 2, "",
                        "awdit: unknown argument 'run'\n"
                        "try awdit help --help\n")


if __name__ == "__main__":
    harness.main()
