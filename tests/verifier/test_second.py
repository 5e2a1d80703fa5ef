"""The second verifier, contrib/verify.py, and the first, `awdit verify`: both accept
what `awdit check` certifies, and about every other certificate they agree. Where they
do not, one of the two is wrong, or docs/certificate.md says too little.

Most of the time would go into starting processes. So all the changed claims about a
history are levels of one certificate, and the second verifier runs in this process."""

import contextlib
import copy
import io
import json
import os
import random
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE.parents[1] / "contrib")]

import forgery  # noqa: E402
import harness  # noqa: E402
import histories  # noqa: E402
import mutations  # noqa: E402
import verify  # noqa: E402
from harness import ROOT, CliTest  # noqa: E402

LONG = 30 if os.environ.get("AWDIT_LONG") == "1" else 1
ANOMALIES = """thin-air-read aborted-read future-read own-write-ignored stale-own-write
intermediate-read duplicate-element incompatible-order causality-cycle non-monotonic-read
non-repeatable-read fractured-read causal-violation dependency-cycle read-skew
g-nonadjacent long-fork lost-update write-skew g2-item""".split() + [
    f"{level}-violation" for level in verify.GUARANTEES]
OF_LISTS = {"duplicate-element", "incompatible-order", "dependency-cycle"}


class Verifiers(CliTest):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(self.id())
        self.accepted = self.rejected = 0

    def certify(self, text, *options):
        """The history as the second verifier knows it, and the certificate, which it
        accepts; or None, if both refuse the history."""
        self.file("h.jsonl", text)
        done = self.awdit("check", "--certificate", "proof", *options, "h.jsonl")
        if done.code == 2:
            with self.assertRaises(verify.BadInput, msg=done.err):
                verify.History(text)
            return None
        history = verify.History(text)
        proof = (self.folder / "proof").read_text()
        for level, verdict, why in verify.verify(history, proof):
            self.assertIsNone(why, f"{level} {verdict}\n{text}\n{proof}")
        return history, json.loads(proof)

    def agree(self, text, history, certificate, claims):
        """Both verifiers say the same about each of the claims."""
        if not claims:
            return
        forged = json.dumps(dict(certificate, levels=claims))
        self.file("h.jsonl", text)
        self.file("forged", forged)
        done = self.awdit("verify", "--json", "h.jsonl", "forged")
        try:
            ours = verify.verify(history or verify.History(text), forged)
        except verify.BadInput as refused:
            value = json.loads(done.out)
            self.assertFalse(value.get("accepted", False), f"{refused}\n{text}\n{forged}")
            return
        self.assertIn(done.code, (0, 1), f"{done.err}\n{text}\n{forged}")
        for claim, theirs, (_, _, why) in zip(
                claims, json.loads(done.out)["levels"], ours, strict=True):
            self.assertEqual(
                theirs["accepted"], why is None,
                f"\n{text}\n{json.dumps(claim)}\nthe first: {theirs.get('objection')}"
                f"\nthe second: {why}")
            self.accepted += why is None
            self.rejected += why is not None

    def changed(self, certificate, most):
        """At most so many changed claims per level, and some changed twice."""
        claims = []
        for claim in certificate["levels"]:
            found = mutations.mutations(claim, certificate["history"])
            found = self.rng.sample(found, min(most, len(found)))
            once = [mutations.apply(claim, mutation) for mutation in found]
            for again in self.rng.choices(once, k=1 + most // 10):
                found = mutations.mutations(again, certificate["history"])
                once.append(mutations.apply(again, self.rng.choice(found)))
            claims += filter(mutations.readable, once)
        return claims

    def examine(self, text, *options, most=12):
        certified = self.certify(text, *options)
        if certified is None:
            return
        history, certificate = certified
        claims = self.changed(certificate, most)
        for forge in (forgery.orders, forgery.cycles):
            claims += forge(self.rng, history, certificate, 2 * most)
        self.agree(text, history, certificate, claims)

    def examined(self, accepted, rejected):
        """There was something to agree about."""
        self.assertGreater(self.accepted, accepted * LONG)
        self.assertGreater(self.rejected, rejected * LONG)


class OfHistories(Verifiers):
    def test_golden(self):
        paths = [path for path in sorted((ROOT / "tests" / "golden").glob("*/*.txt"))
                 if path.name != "CMakeLists.txt"]
        self.assertGreater(len(paths), 110)
        for path in paths:
            text = histories.golden_to_jsonl(path.read_text())
            self.examine(text, most=6 * LONG)

    def test_generated(self):
        for number in range(3 * LONG):
            for anomaly in ANOMALIES:
                lists = anomaly in OF_LISTS or number % 3 == 1
                sizes = ["--transactions", str(self.rng.randint(1, 8)), "--sessions",
                         str(self.rng.randint(4, 5)), "--keys", "3", "--txn-ops", "1-4"]
                planted = [anomaly, self.rng.choice(ANOMALIES)]
                if not lists:
                    planted = [name for name in planted if name not in OF_LISTS]
                made = self.awdit(
                    "generate", "--format", "awdit-jsonl", "--seed", str(number), *sizes,
                    "--aborted", "10%", "--unknown", "20%", "--order",
                    self.rng.choice(["time", "session"]), *["--lists"] * lists,
                    "--anomaly", ",".join(planted))
                self.assertEqual((made.code, made.err), (0, ""))
                self.examine(made.out, most=8)
        self.examined(500, 3000)

    def test_random(self):
        for _ in range(100 * LONG):
            options = self.rng.choice([(), (), (), ("--no-session-order",), ("--first",),
                                       ("--only-first-level",)])
            self.examine(histories.random_history(self.rng), *options)
        self.examined(1000, 5000)

    def test_of_another_history(self):
        """The certificate is right, but one thing in the history is another."""
        for _ in range(60 * LONG):
            text = histories.random_history(self.rng)
            certified = self.certify(text)
            if certified is not None:
                other = histories.changed_history(self.rng, text)
                self.agree(other, None, certified[1], certified[1]["levels"])
        self.examined(60, 60)


# t0 and t2 write x in a session each; t1 read the initial x behind t0 in the session.
TWO_WRITERS = histories.lines_to_text([
    {"awdit": 1, "initial": 0},
    {"session": 1, "ops": [["w", "x", 1]]},
    {"session": 1, "ops": [["r", "y", 0], ["w", "x", 2]]},
    {"session": 2, "ops": [["r", "x", 1], ["w", "y", 1]]}])


class OfCertificates(Verifiers):
    def setUp(self):
        super().setUp()
        self.history, self.proof = self.certify(TWO_WRITERS)
        self.text = json.dumps(self.proof)

    def refused(self, text):
        """Both say that this is no certificate of the history: exit code 2."""
        self.file("forged", text)
        self.assertEqual(self.awdit("verify", "h.jsonl", "forged").code, 2, text)
        with self.assertRaises(ValueError, msg=text):
            verify.verify(self.history, text)

    def test_a_field_that_is_there_twice(self):
        for old, new in (('"version": 1', '"version": 1, "version": 1'),
                         ('"verdict": "violated"',
                          '"verdict": "violated", "verdict": "holds"'),
                         ('"sessions": 2', '"sessions": 2, "sessi\\u006fns": 2'),
                         ('"version": 1', '"version": 1, "new": {"a": 1, "a": 1}')):
            self.assertIn(old, self.text)
            self.refused(self.text.replace(old, new, 1))

    def test_what_is_no_certificate(self):
        for text in ("", "{", "[]", "{}", "1", '{"version": 1}', self.text[:-1],
                     self.text + "{}", "[" * 100000,
                     self.text.replace('"version": 1', '"version": 2'),
                     self.text.replace('"version": 1', '"version": 1.0'),
                     self.text.replace("awdit-certificate", "certificate"),
                     json.dumps(dict(self.proof, levels=[]))):
            self.refused(text)

    def test_the_counts_of_another_history(self):
        for field in ("sessions", "transactions", "operations"):
            for value in (self.proof["history"][field] + 1, 0, None, "2", True, -1):
                self.refused(json.dumps(dict(self.proof, history=dict(
                    self.proof["history"], **{field: value}))))
        self.refused(json.dumps(dict(self.proof, session_order=False)))

    def test_values_of_the_wrong_type(self):
        """Whatever field of the evidence it is."""
        wrong = [None, True, 1.0, -1, 4294967295, "0", {}, [[]]]
        found = [(level, number, container, name) for level in self.proof["levels"]
                 for number, (container, name) in enumerate(mutations.places(level))
                 if isinstance(container[name], (int, list))]
        for level, number, _, name in self.rng.choices(found, k=25 * LONG):
            claim = copy.deepcopy(level)
            list(mutations.places(claim))[number][0][name] = self.rng.choice(wrong)
            text = json.dumps(dict(self.proof, levels=[claim]))
            self.file("forged", text)
            done = self.awdit("verify", "h.jsonl", "forged")
            self.assertNotEqual(done.code, 0, text)
            try:
                self.assertTrue(verify.verify(self.history, text)[0][2], text)
            except ValueError:
                pass
        lemmas = copy.deepcopy(self.proof["levels"][-1])
        self.assertTrue(lemmas["violations"][0].pop("lemmas"))
        for kind in ({}, "", None, 0, True):
            lemmas["violations"][0]["lemmas"] = kind
            self.refused(json.dumps(dict(self.proof, levels=[lemmas])))

    def test_names_and_fields_that_nobody_knows(self):
        level = self.proof["levels"][0]
        for name, value in (("level", "best"), ("verdict", "maybe"),
                            ("follows_from", "best")):
            self.refused(json.dumps(dict(self.proof, levels=[dict(level, **{name: value})])))
        strange = dict(self.proof, new={"read": None}, levels=[dict(
            level, level="arc", new=[True], read=0)])
        self.agree(TWO_WRITERS, self.history, strange, strange["levels"])
        self.assertEqual((self.accepted, self.rejected), (1, 0))

    def test_256_assumptions_within_each_other_and_no_more(self):
        serializable = next(level for level in self.proof["levels"]
                            if level["level"] == "serializable")
        self.assertEqual(serializable["violations"][0]["kind"], "write-skew")
        for depth, accepted in ((255, True), (256, True), (257, False)):
            claim = copy.deepcopy(serializable)
            lemma = claim["violations"][0]["lemmas"][0]
            nested = copy.deepcopy(lemma)
            for _ in range(depth - 1):
                nested = dict(lemma, under=[nested])
            claim["violations"][0]["lemmas"] = [nested]
            self.agree(TWO_WRITERS, self.history, self.proof, [claim])
            self.assertEqual(self.accepted + self.rejected, 1)
            self.assertEqual(self.accepted, accepted)
            self.accepted = self.rejected = 0

    def test_a_dependency_cycle_has_no_inferred_edges(self):
        """At causal there are some, but not in cycles of this kind."""
        text = histories.lines_to_text([
            {"session": 1, "ops": [["append", "x", 1]]},
            {"session": 2, "ops": [["append", "x", 2]]},
            {"session": 3, "ops": [["r", "x", [1, 2]]]},
            {"session": 3, "ops": [["r", "x", [1]]]}])
        history, proof = self.certify(text)
        older = {"key": 0, "older": 0, "newer": 1, "shown": 2}
        edges = [{"from": 0, "to": 1, "reason": "version-order", "write": 0,
                  "other_write": 1, "key": 0},
                 {"from": 1, "to": 0, "reason": "inferred", "write": 0, "read": 3,
                  "other_write": 1, "reader": 3, "key": 0,
                  "seen": [{"from": 1, "to": 2, "reason": "reads-from", "write": 1,
                            "read": 2}, {"from": 2, "to": 3, "reason": "session-order"}]}]
        self.agree(text, history, proof, [
            {"level": "causal", "verdict": "violated", "violations": [
                {"kind": kind, "edges": edges, "lemmas": [older]}]}
            for kind in ("monotonic-reads-violation", "causal-violation",
                         "dependency-cycle")])
        self.assertEqual((self.accepted, self.rejected), (1, 2))


class Program(Verifiers):
    def run_it(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = verify.main([str(self.folder / name) for name in arguments])
        return code, out.getvalue(), err.getvalue()

    def test_exit_codes_and_what_it_prints(self):
        _, proof = self.certify(TWO_WRITERS)
        self.assertEqual(self.run_it("h.jsonl", "proof")[::2], (0, ""))
        proof["levels"] = proof["levels"][:1]
        proof["levels"][0]["commit_order"].reverse()
        self.file("proof", json.dumps(proof))
        self.assertEqual(self.run_it("h.jsonl", "proof"), (
            1, "adya-read-committed          holds     "
            "REJECTED: 1 comes before its session's past\n", ""))
        for arguments in (["h.jsonl", "nowhere"], ["nowhere", "proof"], ["h.jsonl"], [],
                          ["h.jsonl", "h.jsonl"], ["proof", "h.jsonl"]):
            code, out, err = self.run_it(*arguments)
            self.assertEqual((code, out), (2, ""))
            self.assertTrue(err)

    def test_it_stays_small(self):
        lines = (ROOT / "contrib" / "verify.py").read_text().splitlines()
        self.assertLessEqual(len(lines), 600)
        self.assertLess(max(map(len, lines)), 100)

    def test_histories_that_are_none_are_refused(self):
        folder = ROOT / "tests" / "format" / "awdit-jsonl" / "rejected"
        matter = ["misspelt_field", "unknown_field", "misspelt_status", "session_missing",
                  "ops_missing", "empty_object", "fraction", "truth_value",
                  "object_as_value", "unknown_operation", "operation_without_key",
                  "operation_with_four_parts", "list_written", "list_in_a_list",
                  "newer_version", "misspelt_header_field", "one_time"]
        for name in matter:
            with self.assertRaises(verify.BadInput, msg=name):
                verify.History((folder / f"{name}.jsonl").read_text())


class Convert(Verifiers):
    """Certificates speak of transactions, operations and keys by their numbers. What
    `awdit convert` makes of a history has the same ones."""

    def same_numbers(self, path, form):
        done = self.awdit("check", "--format", form, "--certificate", "proof", str(path))
        if done.code == 2:
            self.assertIn("twice", done.err)
            return
        made = self.awdit("convert", "--from", form, str(path), "made.jsonl")
        self.assertEqual(made.code, 0, made.err)
        history = verify.History((self.folder / "made.jsonl").read_text())
        proof = (self.folder / "proof").read_text()
        for level, verdict, why in verify.verify(history, proof):
            self.assertIsNone(why, f"{path}: {level} {verdict}\n{proof}")
            self.accepted += 1

    def test_every_sample_of_a_format(self):
        paths = [path for path in sorted((ROOT / "tests" / "format").glob("*/accepted/*"))
                 if path.suffix != ".expect"]
        for path in paths if LONG > 1 else paths[::3]:
            self.same_numbers(path, path.parent.parent.name)
        self.assertGreater(self.accepted, 500)

    def test_what_breaks_names_the_same_operations_and_keys(self):
        """Keys are written in another order than they are numbered; the transactions of
        sessions are interleaved."""
        for form in ("plume", "jepsen-edn", "elle-json", "dbcop", "dbcop-json", "viper",
                     "chronos", "cobra", "awdit"):
            self.awdit("generate", "--transactions", "40", "--sessions", "5", "--keys",
                       "12", "--txn-ops", "1-4", "--unknown", "10%", "--anomaly",
                       ",".join(name for name in ANOMALIES if name not in OF_LISTS),
                       "--format", form, "-o", f"made-{form}")
            self.same_numbers(self.folder / f"made-{form}", form)


if __name__ == "__main__":
    harness.main()
