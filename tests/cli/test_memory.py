"""Under a cap on memory: small files that claim to be huge are refused for what
is wrong with them, not for want of memory; and of a history that is too much for
some levels the others are reported."""

import json
import resource

import harness
from harness import ROOT, CliTest

CAP = 128 << 20  # address space: the program itself, its libraries and stacks


def sanitized():
    """Address sanitizers reserve terabytes of address space."""
    with open(harness.BINARY, "rb") as file:
        return b"__asan_init" in file.read()


def cap_memory(cap=CAP):
    resource.setrlimit(resource.RLIMIT_AS, (cap, cap))


class UnderACap(CliTest):
    def setUp(self):
        super().setUp()
        if sanitized():
            self.skipTest("the sanitizer needs more address space than the cap")

    def assert_refused(self, path, form):
        command = ["check", "--threads", "1", "--format", form, str(path)]
        free = self.awdit(*command)
        capped = self.awdit(*command, preexec_fn=cap_memory)
        self.assertEqual(free.code, 2)
        self.assertIn(path.name, free.err)
        self.assert_run(capped, free.code, free.out, free.err)

    def test_the_cap_is_one(self):
        # 40 million operations, so that the tests below can fail.
        made = self.awdit("generate", "--ops", "40M", "--threads", "1",
                          "-o", "h.plume", preexec_fn=cap_memory)
        self.assertEqual(made.code, 2)
        self.assertIn("not enough memory", made.err)
        self.assertEqual(self.files(), [])

    def test_dbcop_of_2_to_60(self):
        samples = ROOT / "tests" / "format" / "dbcop" / "rejected"
        huge = sorted(samples.glob("*2_to_60.bincode"))
        self.assertEqual(len(huge), 4)
        for path in huge:
            with self.subTest(path.name):
                self.assertLess(path.stat().st_size, 200)
                self.assert_refused(path, "dbcop")

    def test_everything_that_is_refused(self):
        count = 0
        for folder in sorted((ROOT / "tests" / "format").glob("*/rejected")):
            form = folder.parent.name
            for expected in sorted(folder.glob("*.expect")):
                inputs = [path for path in folder.glob(expected.stem + ".*")
                          if path != expected]
                inputs += [path for path in folder.glob(expected.stem)
                           if path.is_dir()]
                for path in inputs:
                    with self.subTest(path.name, form=form):
                        self.assert_refused(path, form)
                        count += 1
        self.assertGreater(count, 300)


class LevelsUnderACap(CliTest):
    """8,000 transactions without session order: above causal each is compared
    with every other one, which takes at least 256 MB."""

    CAP = 256 << 20

    def setUp(self):
        super().setUp()
        if sanitized():
            self.skipTest("the sanitizer needs more address space than the cap")
        self.awdit("generate", "--transactions", "8000", "--sessions", "100",
                   "--keys", "50", "--reads", "0.05", "-o", "h.txt")
        self.awdit("convert", "--to", "dbcop", "h.txt", "h")

    def test_what_was_decided_is_reported(self):
        # By the limit that follows from the cap, and where memory runs out.
        for more in ([], ["--memory-limit", "0"]):
            with self.subTest(more):
                done = self.awdit(
                    "check", "--json", "-i", "ra,cc,si", "--no-session-order",
                    "--threads", "1", *more, "h",
                    preexec_fn=lambda: cap_memory(self.CAP))
                self.assertEqual((done.code, done.err), (3, ""))
                levels = json.loads(done.out)["levels"]
                self.assertEqual(
                    [(level["verdict"], level.get("limit"))
                     for level in levels],
                    [("holds", None), ("holds", None),
                     ("undecided", "memory")])


if __name__ == "__main__":
    harness.main()
