// The levels of a page, and the values of its keys.
"use strict";

const marks = { holds: "✓", breaks: "✗", follows: "↑", undecided: "?", unchecked: "–" };
const order = ["adya-read-committed", "read-committed", "read-your-writes", "monotonic-reads", "monotonic-writes",
  "writes-follow-reads", "read-atomic", "causal", "prefix", "parallel-snapshot-isolation",
  "snapshot-isolation", "serializable", "strong-snapshot-isolation", "strict-serializable"];

// `states` of the levels, weakest first.
async function seeLevels(page, name, states, { expect, equal }) {
  const value = JSON.parse(await page.locator("#value").textContent());
  const seen = await page.evaluate(() => [...document.querySelectorAll(".level")].map((node) => {
    const box = node.getBoundingClientRect();
    return { name: node.dataset.level, state: node.dataset.state, mark: node.querySelector(".mark").textContent, label: node.getAttribute("aria-label"), y: box.top + box.height / 2, x: box.left + box.width / 2 };
  }));
  const of = (level) => seen.find((s) => s.name === level);
  equal(order.map((level) => of(level)?.state), states, `${name}: states of the levels`);
  for (const level of value.levels) {
    const node = of(level.name);
    equal(node.mark, marks[node.state], `${name}: the mark of ${level.name}`);
    const words = { holds: /: holds/, breaks: /: broken, (at least )?[\d,]+ violation/, follows: /: broken, because /, undecided: /: undecided/, unchecked: /: not checked/ }[node.state];
    expect(node.label.startsWith(level.title) && words.test(node.label) && node.label.includes(level.summary), `${name}: what is said of ${level.name}: ${node.label}`);
    for (const weak of level.implies) expect(of(weak).y > node.y + 10, `${name}: ${weak} stands below ${level.name}`);
  }
  // Lines go from level to level.
  const lines = await page.evaluate(() => [...document.querySelectorAll(".lines line")].map((line) => {
    const matrix = line.getScreenCTM();
    const at = (x, y) => new DOMPoint(line[x].baseVal.value, line[y].baseVal.value).matrixTransform(matrix);
    const [from, to] = [at("x1", "y1"), at("x2", "y2")];
    return { from: line.dataset.from, to: line.dataset.to, ends: [from.x, from.y, to.x, to.y] };
  }));
  equal(lines.map((l) => `${l.from} ${l.to}`).sort(), value.levels.flatMap((l) => l.implies.map((weak) => `${l.name} ${weak}`)).sort(), `${name}: lines`);
  for (const line of lines) {
    const [a, b] = [of(line.from), of(line.to)];
    const off = [a.x, a.y, b.x, b.y].map((want, i) => Math.abs(want - line.ends[i]));
    expect(Math.max(...off) < 6, `${name}: the line from ${line.from} to ${line.to} is off by ${off}`);
  }
}

async function seeLattice(tab, hands) {
  const { open, resize, expect, equal, desktop, tablet, phone } = hands;
  const [ok, bad, so, not] = ["holds", "breaks", "follows", "unchecked"];
  for (const [name, states] of Object.entries({
    causal: [ok, ok, ok, ok, ok, bad, ok, so, so, so, so, so, so, so],
    "write-skew": [ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, bad, not, so],
    "lost-update": [ok, ok, ok, ok, ok, ok, ok, ok, ok, bad, so, so, so, so],
    "long-fork": [ok, ok, ok, ok, ok, ok, ok, ok, bad, ok, so, so, so, so],
    "many-levels": [ok, ok, ok, ok, ok, ok, bad, so, bad, bad, so, bad, so, so],
    "sessions-apart": [ok, ok, ok, ok, ok, ok, ok, ok, ok, bad, so, so, so, so],
    serializable: [ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, not, not],
    "asked-two": [ok, ok, ok, not, not, not, ok, not, not, not, not, not, not, not],
    undecided: [ok, ok, ok, ok, ok, ok, ok, ok, not, not, "undecided", not, not, not],
  })) {
    const page = await open(tab, name);
    for (const size of [desktop, tablet, phone]) {
      await resize(page, size);
      await seeLevels(page, `${name} at ${size.width}`, states, hands);
    }
  }
  // A level leads to its evidence.
  const page = await open(tab, "many-levels");
  const value = JSON.parse(await page.locator("#value").textContent());
  const headline = (level) => value.stories.find((s) => s.level === level).headline;
  await page.click("[data-level='serializable']");
  equal(await page.locator("h1").textContent(), headline("serializable"), "the evidence of serializable");
  expect(await page.evaluate(() => document.activeElement.matches(".picture")), "the evidence has the focus");
  await resize(page, phone);
  await page.locator("[data-level='prefix']").focus();
  expect((await page.locator(".words").textContent()).startsWith("Prefix Consistency"), "what a level promises, on focus");
  await page.keyboard.press("Enter");
  equal(await page.locator("h1").textContent(), headline("prefix"), "the evidence of prefix");
  const top = await page.evaluate(() => document.querySelector(".picture").getBoundingClientRect().top);
  // Pages scroll by whole pixels.
  expect(top > -1 && top < phone.height / 2, `the evidence of prefix is in view: ${top}`);
  // What follows leads to what it follows from.
  await page.click("[data-level='causal']");
  equal(await page.locator("h1").textContent(), headline("read-atomic"), "the evidence of causal");
  await page.hover("[data-level='read-committed']");
  expect((await page.locator(".words").textContent()).includes("Holds."), "what a level is, under the pointer");
  expect((await page.locator(".set-aside").textContent()).startsWith("Set aside to look further at stronger levels: "), "what was set aside");
}

// What both read, and in which order values came.
async function seeValues(tab, { open, resize, expect, equal, desktop, tablet, phone }) {
  let page = await open(tab, "lost-update");
  for (const size of [desktop, tablet, phone]) {
    await resize(page, size);
    equal(await page.locator(".op.guilty .what:visible").allTextContents(), ["read x=1", "read x=1"], `lost update at ${size.width}: what both read`);
    equal(await page.locator(".version.stale .label:visible").allTextContents(), ["x=1"], `lost update at ${size.width}: the version`);
    equal(await page.locator(".version.stale em").textContent(), "what t2 and t3 both read", "lost update: its mark");
  }
  expect((await page.locator(".lead").textContent()).includes("x=1"), "lost update: the value in words");
  page = await open(tab, "long-ago");
  equal(await page.locator(".version.stale .label").allTextContents(), ["x=1"], "what both read long ago");
  page = await open(tab, "sessions-apart");
  equal((await page.locator(".version:not(.initial) .label").allTextContents()), ["acc=100", "acc=130", "acc=70", "acc=40"], "versions in the order of time");
  expect((await page.locator(".key-versions h3").textContent()).includes("in the order of time"), "which order it is");
}

module.exports = { seeLattice, seeValues };
