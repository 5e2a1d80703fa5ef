// Every version of a key in a row: who wrote it, who read it.

import { count, el, grouped } from "./dom";
import { Story, Strip, Version } from "./model";

// A list has been read up to its last element: that is the version it is of.
function readersOf(version: Version, lists: boolean): string {
  const more = version.more_readers ? ` and ${grouped(version.more_readers)} more` : "";
  const readers = version.readers.join(", ") + more;
  if (lists) return readers ? `the last that ${readers} read` : "nobody read a list that ends here";
  return readers ? `read by ${readers}` : "read by nobody";
}

function versionView(version: Version, label: string, role: string, reader: string, lists: boolean): HTMLElement {
  const initial = version.status === "initial";
  return el(
    "li",
    { class: `version ${role} ${version.named ? "named" : ""} ${version.status}` },
    el("bdi", { class: "label", title: label }, label),
    el(
      "span",
      {},
      initial ? "there at the start" : "by ",
      initial ? null : el("b", {}, version.writer),
      version.session ? ` in ${version.session}` : "",
      version.status === "aborted" ? ", aborted" : "",
    ),
    el("span", { class: "readers" }, readersOf(version, lists)),
    role === "stale" ? el("em", {}, `what ${reader} got`) : null,
    role === "newer" ? el("em", {}, `what ${reader} had to see`) : null,
  );
}

function stripView(strip: Strip, story: Story, lists: boolean): HTMLElement {
  const newer = new Set<number>();
  const stale = new Set<number>();
  for (const arrow of story.arrows) {
    if (arrow.type === "must" && arrow.from_op !== undefined) newer.add(arrow.from_op);
    if (arrow.to_op !== undefined && story.guilty.includes(arrow.to_op) && arrow.type === "read") {
      if (arrow.from_op !== undefined) stale.add(arrow.from_op);
    }
  }
  // Who read what it must not have, if it is one.
  const names = new Set(
    story.transactions.filter((t) => t.operations.some((op) => story.guilty.includes(op.id))).map((t) => t.name),
  );
  const reader = names.size === 1 ? [...names][0] : "the reader";
  const staleInitial = [...stale].some((op) => op < 0);
  const row = el("ol", { class: "strip" });
  let next = 0;
  const gap = (skipped: number) => {
    if (skipped > 0) row.append(el("li", { class: "gap" }, `${grouped(skipped)} more`));
  };
  for (const version of strip.shown) {
    if (version.number > next && next > 0) gap(version.number - next);
    else if (next === 0 && version.number > 1) gap(version.number - 1);
    next = version.number + 1;
    const op = version.operation ?? NaN;
    const role = newer.has(op)
      ? "newer"
      : stale.has(op) || (version.status === "initial" && staleInitial)
        ? "stale"
        : "";
    row.append(versionView(version, lists ? version.value : `${strip.key}=${version.value}`, role, reader, lists));
  }
  gap(strip.total + 1 - Math.max(1, next));
  return el(
    "div",
    { class: "key-versions" },
    el("h3", {}, "Key ", el("bdi", { class: "label" }, strip.key), el("small", {}, `${count(strip.total, lists ? "append" : "write")}, in the order of the input`)),
    row,
  );
}

export function versionsOf(story: Story, lists: boolean): HTMLElement | null {
  const strips = story.versions.filter((strip) => strip.shown.length > 0);
  if (strips.length === 0) return null;
  return el(
    "section",
    { class: "card versions", "aria-label": "Versions" },
    el("h2", {}, lists ? "What was appended, and where each read ended" : "Every value, who wrote it and who read it"),
    ...strips.map((strip) => stripView(strip, story, lists)),
  );
}
