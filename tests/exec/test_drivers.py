"""The drivers of contrib/drivers against real servers, those that are installed.

    test_drivers.py PATH-OF-AWDIT

Each passes driver-test; then what runs at its levels show is what its README
says. By day only those whose server starts at once; with AWDIT_LONG=1 all of
them, and longer.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DRIVERS = ROOT / "contrib" / "drivers"
JARS = "/usr/share/java/h2.jar:/usr/share/java/gson.jar"
LONG = os.environ.get("AWDIT_LONG") == "1"
# Debian's packages are for Debian's Python.
PYTHON = "/usr/bin/python3"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Drivers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="awdit-exec-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # Servers that do not run as root must get here.
        self.folder.chmod(0o755)

    def need(self, package, there):
        if not there:
            self.skipTest(f"no {package}")

    def need_long(self):
        if not LONG:
            self.skipTest("only with AWDIT_LONG=1")

    def start(self, *words):
        """A server that is ended with the test."""
        with open(self.folder / "server.log", "ab") as log:
            server = subprocess.Popen(words, cwd=self.folder, stdout=log,
                                      stderr=log, start_new_session=True)

        def end():
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
        self.addCleanup(end)

    def wait_for(self, port):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.02)
        self.fail((self.folder / "server.log").read_text())

    def build(self, *words, env=None):
        done = subprocess.run(words, check=False, cwd=self.folder, timeout=300,
                              env=os.environ | (env or {}), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)

    def awdit(self, *words):
        return subprocess.run([BINARY, *words], cwd=self.folder, check=False,
                              capture_output=True, text=True, timeout=600)

    def examine(self, command, levels, waits=False):
        """`levels`: level of the driver -> {level of ours: verdict}, over all
        workloads together. `waits`: writers do, so that driver-test takes long.
        """
        transactions = "1000" if LONG else "400"
        for level, expected in levels.items():
            if LONG or not waits:
                done = self.awdit("driver-test", "--timeout", "1s", "--level",
                                  level, "exec:" + command)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            found = {}
            for workload in ("mixed",) + (("bank", "rw-register", "fracture",
                                           "write-skew") if LONG else ()):
                done = self.awdit("run", "--json", "-q", "-i", "all", "-w",
                                  workload, "--level", level, "--db",
                                  "exec:" + command, "--transactions",
                                  transactions)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                for row in json.loads(done.stdout)["levels"]:
                    if row["verdict"] == "violated" or row["level"] not in found:
                        found[row["level"]] = row["verdict"]
            for name, verdict in expected.items():
                self.assertEqual(found[name], verdict, f"{level}: {name}")

    STRICT = {"strict-serializable": "holds"}
    SNAPSHOT = {"strong-snapshot-isolation": "holds",
                "serializable": "violated"}
    COMMITTED = {"read-committed": "holds", "read-atomic": "violated"}

    def test_redis(self):
        self.need("redis-server", shutil.which("redis-server"))
        self.need("python3-redis", subprocess.run(
            [PYTHON, "-c", "import redis"], check=False,
            capture_output=True).returncode == 0)
        port = free_port()
        self.start("redis-server", "--port", str(port), "--bind", "127.0.0.1",
                   "--save", "", "--appendonly", "no")
        self.wait_for(port)
        self.examine(f"{PYTHON} {DRIVERS}/redis_watch.py "
                     f"redis://127.0.0.1:{port}", {"watch": self.STRICT})

    def test_lmdb(self):
        self.need("liblmdb-dev", Path("/usr/include/lmdb.h").exists())
        self.need("g++", shutil.which("g++"))
        self.build("g++", "-std=c++20", str(DRIVERS / "lmdb.cpp"), "-o", "lmdb",
                   "-llmdb", "-lsimdjson")
        self.examine("./lmdb test.mdb", {"serializable": self.STRICT},
                     waits=True)

    def test_etcd(self):
        self.need_long()
        self.need("etcd-server", shutil.which("etcd"))
        ports = [(free_port(), free_port()) for _ in range(3)]
        cluster = ",".join(f"n{i}=http://127.0.0.1:{peer}"
                           for i, (_, peer) in enumerate(ports))
        for i, (client, peer) in enumerate(ports):
            mine = [f"http://127.0.0.1:{client}", f"http://127.0.0.1:{peer}"]
            self.start("etcd", "--name", f"n{i}", "--data-dir", f"d{i}",
                       "--listen-client-urls", mine[0],
                       "--advertise-client-urls", mine[0],
                       "--listen-peer-urls", mine[1],
                       "--initial-advertise-peer-urls", mine[1],
                       "--initial-cluster", cluster, "--unsafe-no-fsync")
        for client, _ in ports:
            self.wait_for(client)
        self.wait_for_leader(ports[0][0])
        places = ",".join(f"127.0.0.1:{client}" for client, _ in ports)
        self.examine(f"{PYTHON} {DRIVERS}/etcd.py {places}",
                     # That it is not strict takes luck to see.
                     {"linearizable": self.STRICT,
                      "serializable": {"serializable": "holds"}})

    def wait_for_leader(self, port):
        for _ in range(600):
            try:
                with urllib.request.urlopen(urllib.request.Request(
                        f"http://127.0.0.1:{port}/v3/maintenance/status",
                        b"{}"), timeout=5) as reply:
                    if json.load(reply).get("leader"):
                        return
            except OSError:
                pass
            time.sleep(0.1)
        self.fail("etcd has no leader")

    def test_h2(self):
        self.need_long()
        self.need("openjdk-17-jdk-headless", shutil.which("javac"))
        for jar in JARS.split(":"):
            self.need("libh2-java and libgoogle-gson-java", Path(jar).exists())
        self.build("javac", "-cp", JARS, "-d", ".", str(DRIVERS / "H2.java"))
        self.examine(f"java -cp {JARS}:. H2 jdbc:h2:mem:test",
                     {"serializable": self.SNAPSHOT, "snapshot": self.SNAPSHOT,
                      "repeatable read": self.SNAPSHOT,
                      "read committed": self.COMMITTED})

    def postgres(self):
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        self.need("postgresql", programs)
        data = self.folder / "data"
        data.mkdir()
        as_whom = []
        if os.geteuid() == 0:
            shutil.chown(data, "postgres")
            as_whom = ["setpriv", "--reuid=postgres", "--regid=postgres",
                       "--clear-groups"]
        self.build(*as_whom, str(programs[-1] / "initdb"), "-D", str(data),
                   "-A", "trust", "-U", "postgres", "--no-sync")
        port = free_port()
        self.start(*as_whom, str(programs[-1] / "postgres"), "-D", str(data),
                   "-p", str(port), "-c", "listen_addresses=127.0.0.1", "-k",
                   str(data), "-c", "fsync=off")
        self.wait_for(port)
        return f"postgres://postgres@127.0.0.1:{port}/postgres"

    POSTGRES = {"serializable": STRICT, "repeatable-read": SNAPSHOT,
                "read-committed": COMMITTED}

    def test_go_and_postgres(self):
        self.need_long()
        self.need("golang-go", shutil.which("go"))
        self.need("golang-github-lib-pq-dev",
                  Path("/usr/share/gocode/src/github.com/lib/pq").exists())
        self.build("go", "build", "-o", "driver", str(DRIVERS / "postgres.go"),
                   env={"GO111MODULE": "off", "GOPATH": "/usr/share/gocode",
                        "GOCACHE": str(self.folder / "cache")})
        self.examine(f"./driver {self.postgres()}?sslmode=disable",
                     self.POSTGRES)

    def test_node_and_postgres(self):
        self.need_long()
        # NODE_PATH may lead to a copy where node is not Debian's.
        path = {"NODE_PATH": os.environ.get("NODE_PATH",
                                            "/usr/share/nodejs")}
        os.environ |= path
        self.need("nodejs and node-pg", shutil.which("node") and subprocess.run(
            ["node", "-e", "require('pg')"], check=False,
            capture_output=True).returncode == 0)
        self.examine(f"{DRIVERS}/postgres.js {self.postgres()}", self.POSTGRES)


class Sizes(unittest.TestCase):
    def test_a_driver_is_short(self):
        for path in DRIVERS.iterdir():
            if path.name != "README.md" and path.name != "toy.py":
                lines = len(path.read_text().splitlines())
                self.assertLess(lines, 120, path.name)

    def test_each_is_in_the_table(self):
        table = (DRIVERS / "README.md").read_text()
        for path in DRIVERS.iterdir():
            if path.name != "README.md":
                self.assertIn(f"({path.name})", table)


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
