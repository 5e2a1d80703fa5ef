// The levels as one picture: the strongest on top, a line from each to those
// that it includes directly, and on each what became of it. A level that breaks
// because a weaker one does looks different from one that breaks by itself; mark
// and border say so as well as the colour. Which level implies which comes with
// the page's value; ranks and places follow from it.
//
// Rows are parts of a grid whose heights have known proportions, so that lines
// find the levels at any width, and on paper, without measuring.

import { button, count, el, grouped, listed, svg } from "./dom";
import { Level, Page } from "./model";

export type State = "holds" | "breaks" | "follows" | "undecided" | "unchecked";

const marks: { [state in State]: string } = { holds: "✓", breaks: "✗", follows: "↑", undecided: "?", unchecked: "–" };
const meanings: { [state in State]: string } = {
  holds: "holds",
  breaks: "breaks",
  follows: "breaks because a weaker one does",
  undecided: "undecided",
  unchecked: "not checked",
};
const states = Object.keys(marks) as State[];

export interface Lattice {
  element: HTMLElement;
  // Rings the weakest levels that the story on view breaks.
  show(broken: string[]): void;
}

// Those that are broken, or found to be, only there.
function own(level: Level): number {
  return (level.findings ?? 0) - (level.inherited ?? 0);
}

export function stateOf(level: Level): State {
  if (level.verdict === "not asked") return "unchecked";
  if (level.verdict !== "violated") return level.verdict;
  return own(level) > 0 ? "breaks" : "follows";
}

class Order {
  private readonly levels: Map<string, Level>;

  constructor(private readonly page: Page) {
    this.levels = new Map(page.levels.map((level) => [level.name, level]));
  }
  title(name: string): string {
    return this.levels.get(name)?.title ?? name;
  }
  implies(strong: string, weak: string): boolean {
    return strong === weak || (this.levels.get(strong)?.implies ?? []).some((below) => this.implies(below, weak));
  }
  // Without those that follow from others among them.
  directly(level: Level): string[] {
    return level.implies.filter((weak) => !level.implies.some((other) => other !== weak && this.implies(other, weak)));
  }
  // The length of the longest way down.
  rank(name: string): number {
    return Math.max(0, ...(this.levels.get(name)?.implies ?? []).map((below) => 1 + this.rank(below)));
  }
  // The weaker levels that break by themselves, of these the weakest.
  causes(level: Level): string[] {
    const broken = this.page.levels.filter((l) => l !== level && stateOf(l) === "breaks" && this.implies(level.name, l.name));
    return broken.filter((l) => !broken.some((other) => other !== l && this.implies(l.name, other.name))).map((l) => l.name);
  }
}

// "broken, because Causal Consistency is"
function verdictWords(level: Level, order: Order): string {
  switch (stateOf(level)) {
    case "holds":
      return level.because ? `holds, because ${order.title(level.because)} does` : "holds";
    case "undecided":
      return level.limit ? `undecided: ${level.limit}` : "undecided";
    case "unchecked":
      if (level.needs_times) return "not checked, for the history has no times";
      return level.needs_sessions ? "not checked, for the order of sessions is left out" : "not checked";
    case "follows": {
      const causes = order.causes(level);
      const titles = (causes.length > 0 ? causes : level.because ? [level.because] : []).map((name) => order.title(name));
      if (titles.length === 0) return "broken by the same";
      return `broken, because ${listed(titles)} ${titles.length > 1 ? "are" : "is"}${level.more ? "; there may be more" : ""}`;
    }
    case "breaks":
      return `broken, ${level.more ? "at least " : ""}${count(own(level), "violation")}${level.inherited ? " of its own" : ""}`;
  }
}

function wordsOf(level: Level, order: Order, hint: string): HTMLElement {
  return el(
    "p",
    { class: `words ${stateOf(level)}` },
    el("b", {}, level.title),
    " – ",
    level.summary,
    ". ",
    el("span", { class: "verdict" }, verdictWords(level, order).replace(/^./, (c) => c.toUpperCase()), "."),
    hint,
  );
}

function legendOf(levels: Level[]): HTMLElement {
  const there = new Set(levels.map(stateOf));
  return el(
    "ul",
    { class: "meanings", "aria-label": "Marks" },
    ...states.filter((state) => there.has(state)).map((state) => el("li", {}, el("span", { class: `mark ${state}`, "aria-hidden": "true" }, marks[state]), meanings[state])),
  );
}

// Long names unfold.
function setAside(sentence: string): HTMLElement {
  if (sentence.length <= 160) return el("p", { class: "set-aside" }, sentence);
  return el("details", { class: "set-aside" }, el("summary", {}, "Reads set aside to look further"), sentence);
}

function isCrowded(rank: Level[]): boolean {
  return rank.length > 3;
}

// `evidence` tells which story shows that a level is broken (-1: none on this
// page), `choose` shows it.
export function latticeOf(page: Page, evidence: (level: Level) => number, choose: (story: number) => void): Lattice {
  const order = new Order(page);
  const ranks: Level[][] = [];
  for (const level of page.levels) (ranks[order.rank(level.name)] ??= []).push(level);
  ranks.reverse();
  // Titles that share a row take two lines, in a crowded one three.
  const weights = ranks.map((rank) => (isCrowded(rank) ? 2.1 : rank.length > 1 ? 1.42 : 1));
  const place = new Map<string, { x: number; y: number }>();
  let height = 0;
  ranks.forEach((rank, r) => {
    rank.forEach((level, i) => place.set(level.name, { x: (100 * (i + 0.5)) / rank.length, y: height + weights[r] / 2 }));
    height += weights[r];
  });
  // One that includes only some of the row below stands above these, out of the
  // way of lines to the others.
  ranks.forEach((rank, r) => {
    const under = (ranks[r + 1] ?? []).filter((weak) => order.directly(rank[0]).includes(weak.name));
    if (rank.length > 1 || under.length === (ranks[r + 1] ?? []).length) return;
    const x = under.reduce((sum, weak) => sum + place.get(weak.name)!.x, 0) / under.length;
    place.set(rank[0].name, { x, y: place.get(rank[0].name)!.y });
  });

  const lines = svg("svg", { class: "lines", viewBox: `0 0 100 ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const level of page.levels) {
    for (const weak of order.directly(level)) {
      const from = place.get(level.name);
      const to = place.get(weak);
      if (!from || !to) continue;
      lines.append(svg("line", { class: stateOf(level), x1: from.x, y1: from.y, x2: to.x, y2: to.y, "data-from": level.name, "data-to": weak }));
    }
  }

  // Words lie over the legend: nothing moves while a pointer passes.
  const spoken = el("div", { class: "spoken" });
  const below = el("div", { class: "below" }, legendOf(page.levels), spoken);
  let pinned: Level | null = null;
  const tell = (level: Level | null) => {
    const hint = level?.verdict !== "violated" ? "" : evidence(level) < 0 ? " Its evidence is not on this page." : " Click for the evidence.";
    spoken.replaceChildren(level ? wordsOf(level, order, hint) : "");
  };
  const nodes = new Map<string, HTMLElement>();
  const nodeOf = (level: Level) => {
    const state = stateOf(level);
    const weaker = order.directly(level).map((name) => order.title(name));
    const number = own(level);
    const node = button(
      "",
      () => {
        pinned = level;
        tell(level);
        const index = evidence(level);
        if (level.verdict === "violated" && index >= 0) choose(index);
      },
      {
        class: `level ${state}`,
        "data-level": level.name,
        "data-state": state,
        "aria-label": `${level.title}: ${verdictWords(level, order)}. It promises: ${level.summary}.${weaker.length > 0 ? ` It includes ${listed(weaker)}.` : ""}`,
      },
    );
    node.append(
      el("span", { class: `mark ${state}`, "aria-hidden": "true" }, marks[state]),
      el("span", { class: "title" }, level.title),
      state === "breaks" ? el("span", { class: "number", "aria-hidden": "true" }, `${grouped(number)}${level.more ? "+" : ""}`) : "",
    );
    node.addEventListener("mouseenter", () => tell(level));
    node.addEventListener("mouseleave", () => tell(pinned));
    node.addEventListener("focus", () => tell(level));
    node.addEventListener("blur", () => tell((pinned = null)));
    nodes.set(level.name, node);
    return node;
  };
  const rows = el("div", { class: "ranks", role: "list", "aria-label": "Isolation levels, the strongest first; each includes those that a line leads down to" });
  rows.style.gridTemplateRows = weights.map((weight) => `${weight}fr`).join(" ");
  for (const rank of ranks) {
    const row = el("div", { class: isCrowded(rank) ? "rank crowded" : "rank", role: "presentation" }, ...rank.map((level) => el("div", { role: "listitem" }, nodeOf(level))));
    if (rank.length === 1) row.style.left = `${(place.get(rank[0].name)?.x ?? 50) - 50}%`;
    rows.append(row);
  }
  const element = el(
    "section",
    { class: "card levels", "aria-label": "Isolation levels" },
    el("h2", {}, "Isolation levels"),
    el("div", { class: "lattice" }, lines, rows),
    below,
    page.set_aside ? setAside(page.set_aside) : null,
  );
  return {
    element,
    show(broken) {
      nodes.forEach((node, name) => node.classList.toggle("now", broken.includes(name)));
    },
  };
}
