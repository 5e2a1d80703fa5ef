"""The expected verdicts: awdit run against every database that is installed.

    test_verdicts.py PATH-OF-AWDIT DRIVER
"""

import sys
import unittest
from pathlib import Path

import verdicts

HOLDS = {level: "holds" for level in verdicts.LEVELS}
ABOVE_RC = HOLDS | {"read-atomic": "violated", "causal": "violated"}
NONE = {level: "violated" for level in verdicts.LEVELS}
# Above causal. What real time makes of them is judged where it is the point.
SERIALIZABLE = HOLDS | {level: "holds" for level in verdicts.STRONG[:4]}
SNAPSHOT = SERIALIZABLE | {"serializable": "violated"}
LOSES_UPDATES = SNAPSHOT | {"parallel-snapshot-isolation": "violated",
                            "snapshot-isolation": "violated"}

SMALL = ("--sessions", "8", "--transactions", "2000")

CONFIGURATIONS = {
    "rocksdb": {
        "plain get, fractured": (
            ("--level", "plain-get", "-w", "fracture", *SMALL), ABOVE_RC),
        "snapshot, fractured": (
            ("--level", "snapshot", "-w", "fracture", *SMALL), HOLDS),
        "snapshot, mixed": (
            ("--level", "snapshot", "-w", "mixed", *SMALL), HOLDS),
        "snapshot, optimistic": (
            ("--level", "snapshot", "--set", "transactions=optimistic",
             "-w", "mixed", *SMALL), HOLDS),
        "get for update": (
            ("--level", "get-for-update", "-w", "mixed", *SMALL), HOLDS),
        # Nothing but speed makes snapshots change under their readers.
        "unordered writes": (
            ("--level", "snapshot", "--set", "transactions=optimistic",
             "--set", "unordered-write=on", "-w", "fracture", "--pause", "0",
             "--sessions", "16", "--duration", "3s"), NONE),
        "unordered writes, prepared": (
            ("--level", "snapshot", "--set", "write-policy=prepared",
             "--set", "unordered-write=on", "-w", "fracture", "--pause", "0",
             "--sessions", "16", "--duration", "3s"), HOLDS),
    },
    "sqlite": {
        "write-ahead log": (("-w", "mixed", *SMALL), HOLDS),
        "rollback journal": (
            ("--set", "journal=rollback", "-w", "mixed", "--sessions", "4",
             "--transactions", "400"), HOLDS),
        "read uncommitted, with aborts": (
            ("--level", "read-uncommitted", "-w", "mixed", *SMALL), NONE),
    },
    "postgres": {
        "read committed, fractured": (
            ("--level", "read-committed", "-w", "fracture", *SMALL), ABOVE_RC),
        "repeatable read, fractured": (
            ("--level", "repeatable-read", "-w", "fracture", *SMALL), HOLDS),
        "repeatable read, mixed": (
            ("--level", "repeatable-read", "-w", "mixed", *SMALL),
            SERIALIZABLE | {"serializable": "violated"}),
        "serializable, fractured": (
            ("--level", "serializable", "-w", "fracture", *SMALL),
            SERIALIZABLE),
        "serializable, lists": (
            ("--level", "serializable", "-w", "list-append", *SMALL),
            SERIALIZABLE),
        "repeatable read, write skew": (
            ("--level", "repeatable-read", "-w", "write-skew", *SMALL),
            SNAPSHOT | {"strong-snapshot-isolation": "holds",
                        "strict-serializable": "violated"}),
        "serializable, write skew": (
            ("--level", "serializable", "-w", "write-skew", *SMALL),
            SERIALIZABLE | {"strong-snapshot-isolation": "holds"}),
        # Stale snapshots: whoever asks the standby does not see what was
        # committed before, by others or by itself.
        "snapshots of a standby that lags": (
            ("--level", "repeatable-read", "-w", "session", "--set",
             "standbys=1", "--hop", "--faults", "stale", "--calm", "200ms",
             "--trouble", "1s", "--sessions", "8", "--duration", "4s"),
            {"read-committed": "holds",
             "strong-snapshot-isolation": "violated",
             "strict-serializable": "violated"}),
        "sessions hop to a standby that lags": (
            ("--level", "repeatable-read", "-w", "session", "--set",
             "standbys=1", "--hop", "--faults", "stale", "--calm", "200ms",
             "--trouble", "1s", "--sessions", "8", "--duration", "4s"),
            ABOVE_RC),
        "commits that were acknowledged too early, kill -9": (
            ("--level", "serializable", "-w", "session", "--set",
             "synchronous-commit=off", "--faults", "kill", "--calm", "800ms",
             "--trouble", "100ms", "--sessions", "8", "--duration", "5s"),
            ABOVE_RC),
    },
    "mariadb": {
        # A locking read returns the newest version, a plain one that follows
        # returns the snapshot's: not even monotonic.
        "repeatable read, with locking reads": (
            ("--level", "repeatable-read", "-w", "fracture", "-p", "locks=50",
             *SMALL), NONE),
        "repeatable read, plain reads only": (
            ("--level", "repeatable-read", "-w", "fracture", *SMALL), HOLDS),
        # Plain reads do not lock, and the last writer wins.
        "repeatable read, lost updates": (
            ("--level", "repeatable-read", "-w", "bank", *SMALL),
            LOSES_UPDATES),
        "snapshot isolation, with locking reads": (
            ("--level", "repeatable-read", "--set", "snapshot-isolation=on",
             "-w", "fracture", "-p", "locks=50", *SMALL), HOLDS),
        "commits that were acknowledged too early, kill -9": (
            ("--level", "repeatable-read", "-w", "session", "--set",
             "flush-log=0", "--faults", "kill", "--calm", "800ms",
             "--trouble", "100ms", "--sessions", "8", "--duration", "6s"),
            ABOVE_RC),
        "all faults at once": (
            ("--level", "repeatable-read", "-w", "mixed", "--faults",
             "kill,pause,terminate,drop-commit", "--calm", "300ms",
             "--trouble", "200ms", "--sessions", "8", "--duration", "6s"),
            HOLDS),
        "serializable, fractured": (
            ("--level", "serializable", "-w", "fracture", *SMALL), HOLDS),
        "serializable, mixed": (
            ("--level", "serializable", "-w", "mixed", *SMALL), SERIALIZABLE),
        "read committed, fractured": (
            ("--level", "read-committed", "-w", "fracture", *SMALL), ABOVE_RC),
        "read uncommitted, with aborts": (
            ("--level", "read-uncommitted", "-w", "mixed", *SMALL), NONE),
    },
    # A cluster whose nodes do not wait for each other, and one whose do.
    "galera": {
        "sessions hop": (
            ("-w", "session", "--hop", "--sessions", "9", "--duration", "5s"),
            ABOVE_RC),
        "sessions hop and wait": (
            ("-w", "session", "--hop", "--set", "sync-wait=1", "--sessions",
             "9", "--duration", "5s"), HOLDS),
    },
}

SERVERS = {"postgres", "mariadb", "galera"}
# Those that are not drivers of their own.
DRIVERS = {"galera": "mariadb"}
LIBRARIES = {"galera": "/usr/lib/galera/libgalera_smm.so"}
SEEDS = {"holds": (1,), "violated": (1, 2, 3, 4, 5)}


class Verdicts(unittest.TestCase):
    maxDiff = None

    def test_are_the_expected_ones(self):
        if not verdicts.is_built(BINARY, DRIVERS.get(DRIVER, DRIVER)):
            self.skipTest(f"{DRIVER} is not built")
        if not Path(LIBRARIES.get(DRIVER, "/")).exists():
            self.skipTest(f"{DRIVER} is not installed")
        database = ["--db", DRIVER]
        if DRIVER in SERVERS:
            database.append("--start")
        for name, (arguments, expected) in CONFIGURATIONS[DRIVER].items():
            with self.subTest(name):
                seeds = SEEDS["violated" if "violated" in expected.values()
                              else "holds"]
                wrong = verdicts.examine(BINARY, [*database, *arguments],
                                         expected, seeds)
                self.assertEqual(wrong, "")


if __name__ == "__main__":
    BINARY, DRIVER = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
