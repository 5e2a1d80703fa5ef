// Every version of a key in a row: who wrote it, who read it.

import { count, el, grouped, listed } from "./dom";
import { Story, Strip, Version } from "./model";

const orders = {
  time: "in the order of time: when their transactions ended",
  picture: "in the order of the picture above",
  input: "in the order of the input",
};

// A list has been read up to its last element: that is the version it is of.
function readersOf(version: Version, lists: boolean): string {
  const more = version.more_readers ? ` and ${grouped(version.more_readers)} more` : "";
  const readers = version.readers.join(", ") + more;
  if (lists) return readers ? `the last that ${readers} read` : "nobody read a list that ends here";
  return readers ? `read by ${readers}` : "read by nobody";
}

function versionView(version: Version, label: string, role: string, words: string, lists: boolean): HTMLElement {
  const initial = version.status === "initial";
  return el(
    "li",
    { class: `version ${role} ${version.named ? "named" : ""} ${version.status}` },
    el("bdi", { class: "label" }, label),
    el(
      "span",
      {},
      initial ? "there at the start" : "by ",
      initial ? null : el("b", {}, version.writer),
      version.session ? ` in ${version.session}` : "",
      version.time ? ` at ${version.time}` : "",
      version.status === "aborted" ? ", aborted" : "",
    ),
    el("span", { class: "readers" }, readersOf(version, lists)),
    words ? el("em", {}, words) : null,
  );
}

// Operations (of the initial state: negative) and who is to be named with them.
class Named {
  private readonly names = new Map<number, Set<string>>();

  add(op: number | undefined, name: string): void {
    if (op === undefined) return;
    if (!this.names.has(op)) this.names.set(op, new Set());
    this.names.get(op)!.add(name);
  }
  two(op: number): boolean {
    return this.names.get(op)?.size === 2;
  }
  of(op: number): string {
    return listed([...(this.names.get(op) ?? [])]);
  }
}

function stripView(strip: Strip, story: Story, lists: boolean): HTMLElement {
  const due = new Named();
  const missed = new Named();
  const got = new Named();
  const names = story.transactions.map((t) => t.name);
  const circle = story.arrows.some((arrow) => arrow.type === "missed");
  for (const arrow of story.arrows) {
    if (arrow.type === "missed") missed.add(arrow.to_op, names[arrow.from]);
    if (arrow.type === "must" && !circle && arrow.derivation) due.add(arrow.from_op, arrow.derivation.reader);
    if (arrow.type === "read" && arrow.to_op !== undefined && story.guilty.includes(arrow.to_op)) {
      got.add(arrow.from_op, names[arrow.to]);
    }
  }
  // The initial values of several keys are told apart by their operations.
  const initial = story.transactions
    .find((t) => t.status === "initial")
    ?.operations.find((op) => op.key === strip.key)?.id;
  const row = el("ol", { class: "strip" });
  let told = 0; // writes, shown or counted in gaps
  const gap = (skipped: number) => {
    if (skipped > 0) row.append(el("li", { class: "gap" }, `${grouped(skipped)} more`));
  };
  for (const version of strip.shown) {
    // Numbers that do not ascend say nothing about what lies in between.
    if (strip.order !== "picture") {
      gap(version.number - 1 - told);
      told = version.number;
    } else if (version.status !== "initial") {
      ++told;
    }
    const op = version.operation ?? (version.status === "initial" ? initial : undefined) ?? NaN;
    const [role, words] = due.of(op)
      ? ["newer", `what ${due.of(op)} had to see`]
      : missed.of(op)
        ? ["newer", `what ${missed.of(op)} missed`]
        : got.of(op)
          ? ["stale", got.two(op) ? `what ${got.of(op)} both read` : `what ${got.of(op)} got`]
          : ["", ""];
    row.append(versionView(version, lists ? version.value : `${strip.key}=${version.value}`, role, words, lists));
  }
  gap(strip.total - told);
  return el(
    "div",
    { class: "key-versions" },
    el("h3", {}, "Key ", el("bdi", { class: "label" }, strip.key), el("small", {}, `${count(strip.total, lists ? "append" : "write")}${strip.total > 1 ? `, ${orders[strip.order]}` : ""}`)),
    row,
  );
}

export function versionsOf(story: Story, lists: boolean): HTMLElement[] {
  const strips = story.versions.filter((strip) => strip.shown.length > 0);
  if (strips.length === 0) return [];
  return [
    el("h2", {}, lists ? "What was appended, and where each read ended" : "Every value, who wrote it and who read it"),
    ...strips.map((strip) => stripView(strip, story, lists)),
  ];
}
