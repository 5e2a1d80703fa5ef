// The story as a history of its own: to copy, to keep, to send to the vendor.

import { button, el } from "./dom";
import { Page, Story } from "./model";

export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages from files may not use the clipboard everywhere.
    const area = el("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

export function reproducerOf(page: Page, story: Story, number: number): HTMLElement[] {
  const base = `${page.history.path.replace(/^.*\//, "").replace(/[^\w.-]+/g, "_").replace(/\.[^.]*$/, "").slice(0, 60) || "history"}-${story.kind}-${number}`;
  const json = button("Download the story as JSON", () => download(`${base}.json`, "application/json", JSON.stringify(story, null, 2)));
  const small = story.reproducer;
  const level = page.levels.find((l) => l.name === story.level)?.title ?? story.level;
  if (!small) {
    return [
      el("h2", {}, "Take it with you"),
      el("p", {}, "As a history of its own this one would be too long for a page."),
      el("div", { class: "buttons" }, json),
    ];
  }
  const copied = button("Copy", async () => {
    copied.textContent = (await copy(small.text)) ? "Copied" : "Select and copy it below";
    setTimeout(() => (copied.textContent = "Copy"), 2000);
  });
  return [
    el("h2", {}, "The smallest history that shows it"),
    el(
      "p",
      {},
      `In the format ${small.format}. Save it and run awdit check ${page.history.session_order ? "--no-session-order " : ""}on it: it breaks ${level} in the same way, on its own, and nothing in it can be left out.`,
    ),
    el("pre", { tabindex: 0 }, small.text),
    el(
      "div",
      { class: "buttons" },
      copied,
      button("Download", () => download(`${base}${small.format === "plume" ? ".txt" : ".jsonl"}`, "text/plain", small.text)),
      json,
    ),
  ];
}
