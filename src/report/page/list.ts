// The list of violations, with search and filters; shown if there are several.

import { button, count, el, grouped } from "./dom";
import { Page, Story } from "./model";

export interface List {
  element: HTMLElement;
  select(index: number): void;
  // The neighbour of a story among those that pass the filters; -1: none.
  neighbour(index: number, by: 1 | -1): number;
}

const mostChoices = 300;
const few = 6; // are found without search and filters

function choices(name: string, values: string[], change: () => void): HTMLSelectElement {
  const sorted = [...new Set(values)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const select = el("select", { "aria-label": name }, el("option", { value: "" }, `any ${name}`));
  for (const value of sorted.slice(0, mostChoices)) {
    const short = value.length > 40 ? value.slice(0, 40) + "…" : value;
    select.append(el("option", { value }, short));
  }
  select.addEventListener("change", change);
  return select;
}

function sessionsOf(story: Story): string[] {
  return story.lanes.map((lane) => lane.session);
}

export function listOf(page: Page, choose: (index: number) => void): List {
  const stories = page.stories;
  const texts = stories.map((story) =>
    [story.kind, story.name, story.headline, ...story.keys, ...sessionsOf(story), ...story.transactions.map((t) => t.name)].join(" ").toLowerCase(),
  );
  const rows = stories.map((_, i) =>
    button("", () => choose(i), { class: "row", role: "option", "aria-selected": "false", tabindex: -1 }),
  );
  stories.forEach((story, i) => {
    rows[i].append(
      el("span", { class: "kind" }, story.name, story.count > 1 ? el("span", { class: "times", title: "alike: same keys, same sessions" }, `×${grouped(story.count)}`) : ""),
      el("span", { class: "headline", title: story.headline }, story.headline),
      el("span", { class: "breaks" }, `breaks ${story.level}`),
    );
  });
  const rowList = el("div", { class: "rows", role: "listbox", "aria-label": "Violations" }, ...rows);
  const found = el("span", { class: "found", "aria-live": "polite" });
  let passing = stories.map((_, i) => i);
  let selected = 0;

  const search = el("input", { type: "search", placeholder: "Search: a key, a session, a transaction …", "aria-label": "Search violations" });
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter((w) => w);
    passing = stories
      .map((_, i) => i)
      .filter((i) => {
        const story = stories[i];
        return (
          words.every((word) => texts[i].includes(word)) &&
          (!kind.value || story.kind === kind.value) &&
          (!level.value || story.level === level.value) &&
          (!key.value || story.keys.includes(key.value)) &&
          (!session.value || sessionsOf(story).includes(session.value))
        );
      });
    const shown = new Set(passing);
    rows.forEach((row, i) => (row.hidden = !shown.has(i)));
    found.textContent =
      passing.length === stories.length ? "" : passing.length === 0 ? "none fits" : `${grouped(passing.length)} of ${grouped(stories.length)}`;
    if (passing.length > 0 && !shown.has(selected)) choose(passing[0]);
    focusable();
  };
  const kind = choices("kind", stories.map((s) => s.kind), filter);
  const level = choices("level", stories.map((s) => s.level), filter);
  const key = choices("key", stories.flatMap((s) => s.keys), filter);
  const session = choices("session", stories.flatMap(sessionsOf), filter);
  search.addEventListener("input", filter);

  // One row takes part in the order of the tabulator.
  const focusable = () => {
    const at = passing.includes(selected) ? selected : passing[0];
    rows.forEach((row, i) => (row.tabIndex = i === at ? 0 : -1));
  };
  rowList.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const ends = event.key === "Home" ? passing[0] : event.key === "End" ? passing[passing.length - 1] : -1;
    const to = by !== 0 ? passing[passing.indexOf(selected) + by] : ends;
    if (to === undefined || to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    choose(to);
    rows[to].focus();
  });

  const total = page.left_out.reduce((sum, rest) => sum + rest.groups, 0);
  const rest = page.left_out.map((r) => `${count(r.groups, "group")} of ${r.kind}`).join(", ");
  const element = el(
    "section",
    { class: "card list", "aria-label": "Violations" },
    el(
      "div",
      { class: "card-head" },
      el("h2", {}, `${count(page.violations, "violation")}`, page.violations !== page.groups ? el("small", {}, `in ${count(page.groups, "group")}: alike in kind, keys and sessions`) : ""),
    ),
    stories.length <= few ? null : el("div", { class: "filters" }, search, kind, level, key, session, found),
    rowList,
    total > 0
      ? el(
          "details",
          { class: "left-out" },
          el("summary", {}, `${count(total, "more group")} ${total === 1 ? "is" : "are"} not on this page`),
          el("p", {}, `${rest}. All of them: `, el("code", {}, "awdit check --limit 0"), " in words, ", el("code", {}, "awdit check --json"), " for programs."),
        )
      : null,
  );
  focusable();
  return {
    element,
    select(index) {
      rows[selected].setAttribute("aria-selected", "false");
      selected = index;
      rows[selected].setAttribute("aria-selected", "true");
      const row = rows[selected];
      if (row.offsetTop < rowList.scrollTop || row.offsetTop + row.offsetHeight > rowList.scrollTop + rowList.clientHeight) {
        rowList.scrollTop = row.offsetTop - 8;
      }
      focusable();
    },
    neighbour(index, by) {
      return passing[passing.indexOf(index) + by] ?? -1;
    },
  };
}
