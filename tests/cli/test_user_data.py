"""What belongs to the user stays the user's: tables, files, directories and
passwords. On databases that need no server."""

import re
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import harness
from harness import CliTest

SMALL = ("--sessions", "2", "--transactions", "40", "-q")


class SqliteFiles(CliTest):
    def setUp(self):
        super().setUp()
        if "not built" in self.awdit("list", "drivers").out:
            self.skipTest("not all drivers are built")

    def run_on(self, name, *more):
        return self.awdit("run", "--db", f"sqlite:{name}", *SMALL, *more)

    def sql(self, name, *statements):
        with sqlite3.connect(self.folder / name) as connection:
            for statement in statements:
                rows = connection.execute(statement).fetchall()
        connection.close()
        return rows

    def tables(self, name):
        return [row[0] for row in self.sql(
            name, "SELECT name FROM sqlite_master WHERE type = 'table' "
                  "ORDER BY name")]

    def test_a_table_of_somebody_else_is_not_dropped(self):
        # Of the very shape of ours, even.
        for table in ("awdit_kv (k TEXT PRIMARY KEY, wid INTEGER NOT NULL,"
                      " payload BLOB NOT NULL) WITHOUT ROWID",
                      "AWDIT_Lists (a)"):
            with self.subTest(table):
                (self.folder / "mine.db").unlink(missing_ok=True)
                self.sql("mine.db", f"CREATE TABLE {table}")
                before = (self.folder / "mine.db").read_bytes()
                for more in ((), ("--drop",)):
                    done = self.run_on("mine.db", *more)
                    self.assertEqual((done.code, done.out), (2, ""))
                    self.assertRegex(
                        done.err, r"^mine\.db: there is a table awdit_\w+ "
                        r"that awdit did not make; it stays as it is\n")
                    self.assertIn("DROP TABLE awdit_", done.err)
                    self.assertEqual((self.folder / "mine.db").read_bytes(),
                                     before)

    def test_our_own_tables_are_made_anew(self):
        self.sql("mine.db", "CREATE TABLE precious (a)",
                 "INSERT INTO precious VALUES (1)")
        for _ in range(2):
            self.assertEqual(self.run_on("mine.db").code, 0)
        self.assertEqual(self.tables("mine.db"),
                         ["awdit_kv", "awdit_lists", "precious"])
        self.assertEqual(self.sql("mine.db", "SELECT a FROM precious"), [(1,)])

    def test_drop_leaves_what_was_there(self):
        self.sql("mine.db", "CREATE TABLE precious (a)")
        done = self.run_on("mine.db", "--drop")
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertEqual(self.tables("mine.db"), ["precious"])
        # A file that was not there before goes as a whole.
        for journal in ("wal", "rollback"):
            done = self.run_on("new.db", "--drop", "--set",
                               f"journal={journal}")
            self.assertEqual((done.code, done.err), (0, ""))
            self.assertEqual(self.files(), ["mine.db"])

    def test_files_keep_their_journal(self):
        for mode in ("delete", "wal"):
            for wanted in ((), ("--set", "journal=wal"),
                           ("--set", "journal=rollback")):
                with self.subTest(f"{mode} {wanted}"):
                    name = f"{mode}.db"
                    self.sql(name, f"PRAGMA journal_mode={mode}",
                             "CREATE TABLE IF NOT EXISTS precious (a)")
                    self.assertEqual(self.run_on(name, *wanted).code, 0)
                    self.assertEqual(self.sql(name, "PRAGMA journal_mode"),
                                     [(mode,)])
                    # Nor is a file of a journal left.
                    self.assertEqual([f for f in self.files() if "-" in f],
                                     [])

    def test_a_killed_run_does_not_change_the_journal(self):
        self.sql("mine.db", "PRAGMA journal_mode=delete",
                 "CREATE TABLE precious (a)")
        process = self.start("mine.db")
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual(self.sql("mine.db", "PRAGMA journal_mode"),
                         [("delete",)])

    def start(self, name):
        """A long run that has its tables."""
        process = subprocess.Popen(
            [harness.BINARY, "record", "--db", f"sqlite:{name}", "--duration",
             "100s", "-q", "-o", "recording"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        place = self.folder / "recording"
        while process.poll() is None and not (place.is_dir() and any(
                p.stat().st_size > 4096 for p in place.iterdir())):
            time.sleep(0.01)
        return process

    def test_two_runs_do_not_share_a_file(self):
        process = self.start("mine.db")
        try:
            done = self.run_on("mine.db")
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertTrue(done.err.startswith(
                "mine.db: another run of awdit uses this file"), done.err)
            # Itself, or the one that does its work.
            owner = re.search(r": process (\d+)\n", done.err)[1]
            parent = re.search(r"PPid:\t(\d+)", Path(
                f"/proc/{owner}/status").read_text())[1]
            self.assertIn(str(process.pid), (owner, parent))
        finally:
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        # The other one did not notice.
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertEqual(self.run_on("mine.db").code, 0)


class RocksdbDirectories(CliTest):
    def setUp(self):
        super().setUp()
        if "not built" in self.awdit("list", "drivers").out:
            self.skipTest("not all drivers are built")

    def run_on(self, name, *more):
        return self.awdit("run", "--db", f"rocksdb:{name}", *SMALL, *more)

    def test_a_marker_is_known_by_what_it_says(self):
        # Somebody has cloned AWDIT there.
        (self.folder / "src" / "AWDIT").mkdir(parents=True)
        (self.folder / "other").mkdir()
        self.file("other/AWDIT", "my notes on it\n")
        for name in ("src", "other"):
            done = self.run_on(name)
            self.assertEqual((done.code, done.out), (2, ""), name)
            self.assertRegex(done.err, f"^{name}: ")
            self.assertEqual([p.name for p in
                              (self.folder / name).iterdir()], ["AWDIT"])

    def test_drop_leaves_what_was_there(self):
        (self.folder / "mine").mkdir()
        for name in ("mine", "new/one"):
            self.assertEqual(self.run_on(name).code, 0)
            self.assertEqual(self.run_on(name, "--drop").code, 0)
        self.assertEqual(list((self.folder / "mine").iterdir()), [])
        # There when it was dropped.
        self.assertEqual(list((self.folder / "new" / "one").iterdir()), [])
        self.assertEqual(self.run_on("new/two", "--drop").code, 0)
        self.assertEqual([p.name for p in (self.folder / "new").iterdir()],
                         ["one"])

    def test_two_runs_do_not_share_a_directory(self):
        process = subprocess.Popen(
            [harness.BINARY, "record", "--db", "rocksdb:mine", "--duration",
             "100s", "-q", "-o", "recording"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        place = self.folder / "recording"
        while process.poll() is None and not (place.is_dir() and any(
                p.stat().st_size > 4096 for p in place.iterdir())):
            time.sleep(0.01)
        try:
            done = self.run_on("mine")
            self.assertEqual((done.code, done.out), (2, ""))
            self.assertTrue(done.err.startswith(
                "mine: another run of awdit, or another program, uses this "
                "directory\n"), done.err)
        finally:
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, b""))


class Passwords(CliTest):
    # What people type, and what they should have escaped.
    PASSWORDS = ("S3SAME", "S3SAME@", "x@S3SAME", "S3SAME/x", "x/S3SAME",
                 "1234/S3SAME", "x:S3SAME", "x?S3SAME", "x@y/S3SAME?z=S3SAME",
                 "S3SAME%", "S3SAME#x", "x S3SAME", "S3SAME'x", 'S3SAME"')

    def untold(self, *arguments, **extra):
        done = self.awdit(*arguments, **extra)
        self.assertEqual(done.code, 2, arguments)
        self.assertNotEqual(done.err, "")
        self.assertNotIn("S3SAME", done.out + done.err)
        return done.err

    def test_wherever_a_url_is_typed(self):
        for password in self.PASSWORDS:
            url = f"://me:{password}@127.0.0.1:1/none"
            for arguments in (("run", "--db", "postgres" + url),
                              ("run", "--db", "mariadb" + url),
                              ("record", "postgres" + url, "-o", "x")):
                with self.subTest(" ".join(arguments)):
                    self.untold(*arguments)

    def test_whatever_it_is_typed_for(self):
        url = "postgres://me:x@y/S3SAME@127.0.0.1:1/none"
        for arguments in (
                (url,), ("check", url), ("check", "-i", url, "x"),
                ("check", "--format", url, "x"), ("convert", url, "x"),
                ("stats", url), ("verify", url, url), ("report", url),
                ("shrink", url, "x"), ("explain", url), ("list", url),
                ("run", "--level", url), ("run", "-w", url),
                ("run", "--set", url), ("run", "--faults", url),
                ("run", "-p", url), ("run", "--report", url),
                ("run", "--db", "rocksdb", "--db", url),
                ("run", "--db", "simulated", "--db", "simulated:" + url),
                ("run", "--timeout", url), ("run", "--seed", url),
                ("generate", "--seed", url), ("run", "me:S3SAME@host/x"),
                ("run", "--db", "postgres://me:S3SAME"),
                ("run", "--db", "mariadb://me:S3SAME"),
                ("run", "--db", "mariadb:me:S3SAME@127.0.0.1"),
                ("run", "--db", "postgres:host=/none password=S3SAME x")):
            with self.subTest(" ".join(arguments)):
                self.untold(*arguments)

    def test_a_forgotten_option_is_named(self):
        self.assertEqual(
            self.untold("run", "postgres://me:S3SAME@host/x"),
            "awdit: unknown argument 'postgres://me:***@host/x'; a database is "
            "named with --db\ntry awdit run --help\n")

    def test_what_to_do_about_it(self):
        for scheme, place in (("postgres", "~/.pgpass or PGPASSWORD"),
                              ("mysql", "MYSQL_PWD or my.cnf")):
            err = self.untold("run", "--db", f"{scheme}://me:S3SAME/x@host/d")
            self.assertIn("an @ behind its first /", err)
            self.assertIn(f"/ as %2F, : as %3A and % as %25 in a password, or "
                          f"put it into {place}.", err)


class Silence(CliTest):
    def test_quiet_prints_nothing(self):
        simulated = ("--db", "simulated", "--sessions", "4", "--transactions",
                     "300", "-w", "fracture", "-q")
        for bug, code in (("none", 0), ("fractured", 1)):
            self.assert_run(self.awdit("run", *simulated, "--set",
                                       f"bug={bug}"), code, "")
        # But for what was asked for.
        done = self.awdit("run", *simulated, "--json")
        self.assertEqual((done.code, done.out[:1], done.err), (0, "{", ""))
        done = self.awdit("run", *simulated, "--output", "text")
        self.assertIn("fracture on simulated", done.out)
        done = self.awdit("run", *simulated, "--report", "r.html")
        self.assert_run(done, 0, "")
        self.assertEqual(self.files(), ["r.html"])


class Doubts(CliTest):
    """A run that cannot mean much says so."""

    def doubts(self, *arguments):
        done = self.awdit("run", "--db", "simulated", *arguments)
        self.assertIn(done.code, (0, 1), done.err)
        return [line for line in done.err.splitlines()
                if line.startswith("warning: ")]

    def test_too_small(self):
        self.assertEqual(
            self.doubts("--transactions", "20"),
            [line for line in self.doubts("--transactions", "20")
             if "too few to mean anything" in line])
        self.assertEqual(len(self.doubts("--transactions", "20")), 1)

    def test_sessions_that_never_meet(self):
        found = self.doubts("-p", "keys=1M", "-p", "distribution=0",
                            "--transactions", "300", "--no-last-reads")
        self.assertEqual(len(found), 1, found)
        self.assertIn("returned what another session had written", found[0])
        self.assertIn("fewer keys", found[0])
        found = self.doubts("--sessions", "1", "--transactions", "300")
        self.assertEqual(len(found), 1, found)
        self.assertIn("use more --sessions", found[0])

    def test_most_are_refused(self):
        found = self.doubts("--set", "aborts=95", "--transactions", "5000")
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"only \d+ of [\d,]+ transactions "
                                   r"committed, most often because of ")

    def test_a_good_run_is_not_doubted(self):
        self.assertEqual(self.doubts(), [])


if __name__ == "__main__":
    harness.main()
