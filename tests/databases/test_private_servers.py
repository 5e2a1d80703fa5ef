"""A server that awdit starts is nobody's way to anything: an account that root
lends it cannot make root write or delete what it likes, and what the user's
environment says about other servers reaches neither it nor us.

    test_private_servers.py PATH-OF-AWDIT
"""

import os
import pwd
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import kill_matrix
import verdicts

ACCOUNTS = {"postgres": "postgres", "mariadb": "mysql"}

# What awdit ever made, as root, in the directory of a server.
NAMES = ("setup.log", "primary.log", "pg_hba.conf", "proxy", "install.log",
         "log0", "recover.log", "copy.log", "certificate.log", "processes",
         "proxy0", "rsync.secrets", "bin", "node0.cnf")

HOSTILE = {
    "PGPASSWORD": "hostile", "PGSERVICE": "hostile", "PGHOST": "/hostile",
    "PGREQUIREPEER": "hostile", "PGOPTIONS": "--hostile", "PGTZ": "hostile",
    "PGDATESTYLE": "hostile", "MYSQL_PWD": "hostile",
    "MYSQL_HOST": "hostile", "MYSQL_UNIX_PORT": "/hostile",
    "MYSQL_TCP_PORT": "1", "LD_LIBRARY_PATH": "/hostile",
    "PERL5OPT": "hostile", "HTTP_PROXY": "hostile",
}


def attack(tmp, victim, treasury):
    """What the account does, for ever: each name that may be written or removed
    becomes a link to what is not its own; directories become links and links
    directories while they are removed."""
    while True:
        for top in list(tmp.glob("awdit-*")):
            for place in (top, top / "d", top / "primary", top / "d/primary"):
                for name in NAMES:
                    plant(place / name, victim)
                swap(place, treasury)
            for rules in (top / "primary/data/pg_hba.conf",
                          top / "d/primary/data/pg_hba.conf",
                          top / "data0/galera.cache",
                          top / "d/data0/galera.cache"):
                quietly(replace, rules, victim)
        time.sleep(0.0005)


def quietly(work, *arguments):
    try:
        work(*arguments)
    except OSError:
        pass


def replace(path, target):
    """A file that is complete, so that the server goes on."""
    if not path.is_symlink() and path.stat().st_size > 0:
        os.unlink(path)
        os.symlink(target, path)


def plant(path, target):
    quietly(os.symlink, target, path)
    # A log that root has opened for it may be replaced for the next time.
    if path.suffix == ".log" and not path.is_symlink():
        quietly(os.unlink, path)
        quietly(os.symlink, target, path)


def swap(place, treasury):
    quietly(os.symlink, treasury, place / "link")
    quietly(os.mkdir, place / "directory")
    quietly(os.rename, place / "directory", place / "other")
    quietly(os.rename, place / "link", place / "directory")
    quietly(os.unlink, place / "directory")
    quietly(os.rmdir, place / "other")
    quietly(os.symlink, treasury, place / "link")


class PrivateServers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="awdit-p-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        os.chmod(self.folder, 0o711)
        self.tmp = self.folder / "t"
        self.tmp.mkdir()
        os.chmod(self.tmp, 0o1777)
        # The account can list the directories of servers, but not these.
        self.victim = self.folder / "victim"
        self.victim.write_text("precious")
        os.chmod(self.victim, 0o600)
        self.treasury = self.folder / "treasury"
        (self.treasury / "chest").mkdir(parents=True)
        (self.treasury / "chest/gold").write_text("gold")
        (self.treasury / "file").write_text("silver")
        os.chmod(self.treasury, 0o755)

    def start_attack(self, account):
        """Returns the process."""
        entry = pwd.getpwnam(account)
        child = os.fork()
        if child != 0:
            self.addCleanup(self.end, child)
            return child
        try:
            os.setgroups([])
            os.setgid(entry.pw_gid)
            os.setuid(entry.pw_uid)
            attack(self.tmp, self.victim, self.treasury)
        finally:
            os._exit(1)

    def end(self, child):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    def record(self, driver, **extra):
        """Runs it, looking at the servers' environment; returns how long it
        took."""
        began = time.monotonic()
        process = subprocess.Popen(
            [BINARY, "record", "-q", "--db", driver, "--start", "-w",
             "session", "--sessions", "2", "--transactions", "200", "-o",
             str(self.folder / "h.awdit"), *extra.pop("arguments", ())],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | HOSTILE | {"TMPDIR": str(self.tmp)}, **extra)
        seen = {}
        while process.poll() is None:
            for server in kill_matrix.processes_in(self.tmp):
                try:
                    environment = Path(f"/proc/{server}/environ").read_bytes()
                    user = os.stat(f"/proc/{server}").st_uid
                    program = os.readlink(f"/proc/{server}/exe")
                except OSError:
                    continue
                if "awdit" not in os.path.basename(program) and \
                        "python" not in program:
                    seen[server] = (user, environment)
            time.sleep(0.02)
        text = process.communicate()[0].decode()
        self.assertEqual(process.returncode, 0, text)
        self.assertTrue(seen)
        for user, environment in seen.values():
            self.assertNotIn(b"hostile", environment)
            if os.geteuid() == 0:
                self.assertEqual(user, pwd.getpwnam(ACCOUNTS[driver]).pw_uid)
        return time.monotonic() - began

    def assert_untouched(self):
        self.assertEqual(self.victim.read_text(), "precious")
        about = self.victim.stat()
        self.assertEqual((about.st_mode & 0o777, about.st_uid),
                         (0o600, os.geteuid()))
        self.assertEqual((self.treasury / "chest/gold").read_text(), "gold")
        self.assertEqual((self.treasury / "file").read_text(), "silver")
        self.assertEqual(self.treasury.stat().st_uid, os.geteuid())
        self.assertEqual(list(self.tmp.iterdir()), [])

    def examine(self, driver):
        if not verdicts.is_built(BINARY, driver):
            self.skipTest(f"{driver} is not built")
        if os.geteuid() == 0:
            self.start_attack(ACCOUNTS[driver])
        # Not the three minutes that a refused password takes.
        self.assertLess(self.record(driver), 60)
        self.assert_untouched()

    def test_postgres(self):
        self.examine("postgres")

    def test_mariadb(self):
        self.examine("mariadb")


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
