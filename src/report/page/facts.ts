// What was checked: the numbers of the history, what a clean verdict says, the
// glossary.

import { count, el, grouped, listed } from "./dom";
import { Page } from "./model";

export function factsOf(page: Page): HTMLElement {
  const h = page.history;
  const list = el("dl", { class: "facts" });
  const fact = (name: string, value: string, note = "") =>
    list.append(el("div", {}, el("dt", {}, name), el("dd", {}, value, note ? el("small", {}, note) : "")));
  const outcomes = [`${grouped(h.committed)} committed`];
  if (h.aborted) outcomes.push(`${grouped(h.aborted)} aborted`);
  if (h.unknown) outcomes.push(`${grouped(h.unknown)} of unknown outcome`);
  fact("Sessions", grouped(h.sessions));
  fact("Transactions", grouped(h.transactions), outcomes.join(", "));
  fact("Operations", grouped(h.operations), `${count(h.reads, "read")}, ${count(h.writes, h.lists ? "append" : "write")}`);
  fact("Keys", grouped(h.keys));
  fact("Reads judged", grouped(h.judged_reads), "those of committed transactions");
  fact("Format", h.format);
  if (h.time_span) fact("Time", h.time_span, `clock: ${h.clock}`);
  const notes: string[] = [];
  if (h.promoted) notes.push(`${count(h.promoted, "transaction")} of unknown outcome ${h.promoted === 1 ? "counts" : "count"} as committed: a committed one read from ${h.promoted === 1 ? "it" : "them"}.`);
  if (h.dropped) notes.push(`${count(h.dropped, "transaction")} of unknown outcome ${h.dropped === 1 ? "is" : "are"} left out: nobody read from ${h.dropped === 1 ? "it" : "them"}.`);
  if (h.session_order) notes.push(h.session_order);
  if (page.stopped_at_first) notes.push("The search stopped at the first violation of each level; there may be more.");
  return el(
    "section",
    { class: "card", "aria-label": "The history" },
    el("h2", {}, "The history"),
    el("p", { class: "path" }, el("bdi", {}, h.path)),
    ...(h.recorded ?? []).map((sentence) => el("p", {}, sentence)),
    list,
    ...notes.map((note) => el("p", {}, note)),
    ...h.warnings.map((warning) => el("p", { class: "warning" }, el("b", {}, "Warning "), warning)),
  );
}

export function glossaryOf(page: Page): HTMLElement | null {
  if (page.terms.length === 0) return null;
  const list = el("dl", {});
  for (const term of page.terms) {
    list.append(el("div", {}, el("dt", {}, term.word), el("dd", {}, term.meaning)));
  }
  return el("section", { class: "card glossary", "aria-label": "In these words" }, el("h2", {}, "In these words"), list);
}

// What a page says first if it has no story to tell.
export function cleanOf(page: Page): HTMLElement {
  const h = page.history;
  if (page.violations > 0) {
    return el(
      "div",
      { class: "hero" },
      el("p", { class: "kicker bad" }, count(page.violations, "violation")),
      el("h1", {}, page.conclusion),
      el("p", { class: "lead" }, "What was found is too long for a page. In words: ", el("code", {}, "awdit check"), ", for programs: ", el("code", {}, "awdit check --json"), "."),
    );
  }
  const asked = page.levels.filter((l) => l.findings !== undefined);
  const strongest = asked[asked.length - 1];
  const undecided = asked.some((l) => l.verdict === "undecided");
  const open = page.levels.filter((l) => l.verdict === "not asked" && !l.needs_times && !l.needs_sessions).map((l) => l.title);
  const who = `${count(h.committed + h.promoted, "committed transaction")}`;
  return el(
    "div",
    { class: "hero" },
    el("p", { class: undecided ? "kicker" : "kicker ok" }, undecided ? "Not everything could be decided" : "No violation was found"),
    el("h1", {}, undecided ? page.conclusion : `${strongest?.title ?? "Every level"} holds${strongest ? `: ${strongest.summary}.` : "."}`),
    el(
      "p",
      { class: "lead" },
      h.judged_reads === 0
        ? `Checked: ${who} without a single read, so nothing could be seen to break.`
        : `Checked: ${count(h.judged_reads, "read")} by ${who} on ${count(h.keys, "key")}.${undecided ? "" : ` ${page.conclusion}`}${open.length > 0 ? ` Not asked for: ${listed(open)}. What only ${open.length > 1 ? "these forbid" : "this forbids"} would not show.` : ""}`,
    ),
  );
}

export function nextOf(): HTMLElement {
  const command = (text: string) => el("code", {}, text);
  return el(
    "section",
    { class: "card", "aria-label": "What a clean verdict is worth" },
    el("h2", {}, "What a clean verdict is worth"),
    el("p", {}, "Only what is read can be seen to break. ", command("awdit stats"), " counts the chances this history had to show each kind of violation, and says how to get more of them."),
    el("p", {}, "To keep the proof: ", command("awdit check --certificate"), " writes a commit order that anybody can check with ", command("awdit verify"), "."),
  );
}
