// Looks at pages in headless Chromium.
//
//   node browser.cjs CHROMIUM FOLDER
//
// FOLDER holds NAME.html pages as test_browser.py makes them. One browser for
// all; every page is seen at desktop width, on a tablet and on a phone.
"use strict";

const fs = require("fs");
const path = require("path");
const { chromium } = require("playwright-core");
const { seeLattice, seeValues } = require("./levels.cjs");
const { cut, picture } = require("./looks.cjs");

const [executablePath, folder] = process.argv.slice(2);
const desktop = { width: 1280, height: 800 };
const tablet = { width: 768, height: 1024 };
const phone = { width: 390, height: 844 };
const failures = [];
let checks = 0;

function expect(good, what) {
  ++checks;
  if (!good) failures.push(what);
}
function equal(got, wanted, what) {
  expect(JSON.stringify(got) === JSON.stringify(wanted), `${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
}

const urlOf = (name) => "file://" + path.join(folder, name + ".html");

// A tab; complaints of the browser are failures.
async function newTab(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  page.on("console", (m) => expect(false, `${page.url()}: console: ${m.text()}`));
  page.on("pageerror", (e) => expect(false, `${page.url()}: ${e.message}`));
  page.on("dialog", (d) => { expect(false, `${page.url()}: a dialog: ${d.message()}`); d.dismiss(); });
  page.on("request", (r) => {
    const known = r.url().startsWith("blob:") || (r.isNavigationRequest() && r.url().startsWith(urlOf("").slice(0, -5)));
    if (!known) expect(false, `${page.url()}: a request: ${r.url()}`);
  });
  return page;
}

// Starting a tab costs more than anything else here: one serves for all.
async function open(page, name) {
  await page.setViewportSize(desktop);
  await page.emulateMedia({ media: null });
  await page.goto("about:blank");
  await page.goto(urlOf(name));
  return page;
}

// The page has answered to its size when it has been drawn.
async function resize(page, size) {
  await page.setViewportSize(size);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function seePicture(page, name) {
  for (const size of [desktop, tablet, phone]) {
    await resize(page, size);
    for (const test of [picture, cut]) {
      for (const wrong of await page.evaluate(test)) expect(false, `${name} at ${size.width}: ${wrong}`);
      ++checks;
    }
  }
  await page.setViewportSize(desktop);
}

// Without scrolling, on a desktop: the levels, and a good part of the picture.
async function seeFold(page, name) {
  const [levels, lanes] = await page.evaluate(() => [".lattice", ".lanes"].map((s) => {
    const box = document.querySelector(s).getBoundingClientRect();
    return { top: box.top + scrollY, height: box.height };
  }));
  expect(levels.top + levels.height < desktop.height, `${name}: the levels end at ${levels.top + levels.height}`);
  expect(lanes.top + Math.min(lanes.height, 200) < desktop.height, `${name}: the picture begins at ${lanes.top}`);
}

async function walk(page, name) {
  const steps = await page.locator(".step").count();
  expect(steps > 0, `${name}: there are no steps`);
  for (let i = 0; i < steps; ++i) {
    await page.keyboard.press("ArrowRight");
    equal(await page.locator(".step.on").getAttribute("data-step"), String(i), `${name}: step`);
  }
  expect(!(await page.locator(".end.on").count()), `${name}: the end comes too early`);
  await page.keyboard.press("ArrowRight");
  expect(await page.locator(".end.on").count(), `${name}: the walk does not end at the contradiction`);
  expect((await page.locator(".said").textContent()).startsWith("Contradiction: "), `${name}: the contradiction is not said`);
  await page.keyboard.press("ArrowRight");
  expect(await page.locator(".end.on").count(), `${name}: the walk goes on`);
  await page.keyboard.press("ArrowLeft");
  equal(await page.locator(".step.on").getAttribute("data-step"), String(steps - 1), `${name}: back`);
  await page.keyboard.press("Home");
  equal(await page.locator(".step.on, .end.on").count(), 0, `${name}: Home`);
  await page.keyboard.press("End");
  expect(await page.locator(".end.on").count(), `${name}: End`);
  await page.keyboard.press("Home");
  await page.click("[aria-label='Next step']");
  equal(await page.locator(".step.on").getAttribute("data-step"), "0", `${name}: the button`);
  await page.keyboard.press("Escape");
}

async function seeCausal(tab) {
  const name = "causal";
  const page = await open(tab, name);
  const value = JSON.parse(await page.locator("#value").textContent());
  equal(await page.locator("h1").textContent(), value.stories[0].headline, "headline");
  equal(await page.locator(".rows").count(), 0, "no list for one violation");
  // Sentence to picture and back.
  await page.hover(".step[data-step='1']");
  equal(await page.locator("g.arrow.on").count(), 2, "arrows of step 2");
  await page.mouse.move(5, 5);
  equal(await page.locator("g.arrow.on").count(), 0, "arrows without focus");
  const must = page.locator("g.arrow.must .touch");
  await must.hover({ force: true, position: await middle(page, "g.arrow.must .line") });
  equal(await page.locator(".step.glanced").getAttribute("data-step"), "2", "step of the inferred arrow");
  // An inferred arrow unfolds.
  expect(!(await page.locator(".derivation").isVisible()), "the derivation is folded");
  await page.locator("g.arrow.must text.number").click();
  expect(await page.locator(".derivation").isVisible(), "the derivation is unfolded");
  expect((await page.locator(".derivation").textContent()).includes("Suppose it were the other way round, t4 before t6."), "the alternative");
  equal(await page.locator("g.arrow.refuted").count(), 1, "the refuted arrow");
  await page.click(".why");
  expect(!(await page.locator(".derivation").isVisible()), "the derivation is folded again");
  equal(await page.locator("g.arrow.refuted").count(), 0, "the refuted arrow is gone");
  // A click on a sentence stays.
  await page.click(".step[data-step='0'] .claim");
  equal(await page.locator(".step.on").getAttribute("data-step"), "0", "click on a step");
  // Neighbours.
  await page.click(".fold summary");
  expect((await page.locator(".fold .names").textContent()) === "t1, t2", "names of neighbours");
  await seePicture(page, "causal with neighbours");
  // Only the keyboard.
  await page.keyboard.press("Escape");
  await page.locator(".step[data-step='2'] .text").focus();
  await page.keyboard.press("Enter");
  equal(await page.locator(".step.on").getAttribute("data-step"), "2", "Enter on a step");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.locator(".derivation").isVisible(), "Enter on why");
  await page.keyboard.press("ArrowDown");
  expect(await page.locator(".end.on").count(), "ArrowDown inside the proof");
  // Take it along.
  const text = value.stories[0].reproducer.text;
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("button:text-is('Download')")]);
  equal(download.suggestedFilename(), "causal-writes-follow-reads-violation-1.txt", "name of the download");
  equal(fs.readFileSync(await download.path(), "utf8"), text, "the download");
  const [story] = await Promise.all([page.waitForEvent("download"), page.click("text=Download the story")]);
  equal(JSON.parse(fs.readFileSync(await story.path(), "utf8")), value.stories[0], "the story");
  await page.evaluate(() => { window.copied = []; document.addEventListener("copy", () => window.copied.push(String(getSelection()) || document.activeElement.value)); Object.defineProperty(navigator, "clipboard", { value: undefined }); });
  await page.click("text=Copy");
  equal(await page.evaluate(() => window.copied), [text], "the copy");
}

// Of a path, relative to its bounding box, in pixels of the screen.
async function middle(page, selector) {
  return page.evaluate((s) => {
    const line = document.querySelector(s);
    const p = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
    const box = line.parentNode.querySelector(".touch").getBoundingClientRect();
    return { x: p.x - box.left, y: p.y - box.top };
  }, selector);
}

function luminance(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).map((n) => {
    const c = Number(n) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

async function seeThemes(browser) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: desktop, colorScheme });
    const page = await open(await newTab(context), "causal");
    const colours = () => page.evaluate(() => {
      const style = (s) => getComputedStyle(document.querySelector(s));
      const card = style(".card").backgroundColor;
      return { body: style("body").backgroundColor, card,
        texts: ["h1", ".reason", ".hint", ".meanings li", ".set-aside", ".op .verb", ".from", ".place", ".legend li", ".facts dt", "footer", ".end"].map((s) => [s, style(s).color]),
        own: [...document.querySelectorAll(".level, .mark")].map((n) => [n.className, getComputedStyle(n).color, getComputedStyle(n).backgroundColor]),
        lines: [...document.querySelectorAll(".arrow .line")].map((l) => getComputedStyle(l).stroke) };
    });
    const seen = await colours();
    expect((luminance(seen.body) < 0.1) === (colorScheme === "dark"), `${colorScheme}: background ${seen.body}`);
    for (const [what, colour] of seen.texts) {
      expect(contrast(colour, seen.card) >= 3, `${colorScheme}: ${what} has contrast ${contrast(colour, seen.card).toFixed(2)}`);
    }
    for (const [what, colour, ground] of seen.own) {
      expect(contrast(colour, ground) >= 4.5, `${colorScheme}: ${what} has contrast ${contrast(colour, ground).toFixed(2)}`);
    }
    for (const stroke of seen.lines) expect(contrast(stroke, seen.card) >= 2.5, `${colorScheme}: an arrow has contrast ${contrast(stroke, seen.card).toFixed(2)}`);
    // The button wins over the system.
    await page.click(".theme");
    expect(luminance((await colours()).body) > 0.5, `${colorScheme}: light by hand`);
    await page.click(".theme");
    expect(luminance((await colours()).body) < 0.1, `${colorScheme}: dark by hand`);
    await context.close();
  }
}

async function seeMany(tab, name) {
  const page = await open(tab, name);
  const value = JSON.parse(await page.locator("#value").textContent());
  const total = value.stories.length;
  equal(await page.locator(".row").count(), total, `${name}: rows`);
  const left = value.left_out.reduce((sum, rest) => sum + rest.groups, 0);
  equal(await page.locator(".list .left-out").count(), left > 0 ? 1 : 0, `${name}: what is left out`);
  await seeFold(page, name);
  await seePicture(page, name);
  await walk(page, name);
  // Filters.
  const kind = value.stories[total - 1].kind;
  await page.selectOption("select[aria-label=kind]", kind);
  const fits = value.stories.filter((s) => s.kind === kind).length;
  equal(await page.locator(".row:visible").count(), fits, `${name}: rows of ${kind}`);
  equal(await page.locator(".found").textContent(), `${fits} of ${total}`, `${name}: how many fit`);
  expect((await page.locator(".row[aria-selected=true]:visible").count()) === 1, `${name}: one of them is on view`);
  await page.selectOption("select[aria-label=kind]", "");
  const last = value.stories[total - 1];
  await page.fill("input[type=search]", last.transactions[0].name + " " + last.kind);
  expect((await page.locator(".row:visible").count()) >= 1, `${name}: search`);
  await page.fill("input[type=search]", "no such thing");
  equal(await page.locator(".found").textContent(), "none fits", `${name}: nothing found`);
  await page.fill("input[type=search]", "");
  await page.selectOption("select[aria-label=key]", last.keys[0]);
  expect((await page.locator(".row:visible").count()) >= 1, `${name}: key`);
  await page.selectOption("select[aria-label=key]", "");
  await page.selectOption("select[aria-label=session]", last.lanes[0].session);
  expect((await page.locator(".row:visible").count()) >= 1, `${name}: session`);
  await page.selectOption("select[aria-label=session]", "");
  // The list by keyboard; the address follows.
  await page.locator(".row[aria-selected=true]").focus();
  await page.keyboard.press("End");
  equal(await page.evaluate(() => location.hash), `#violation-${total}`, `${name}: the address`);
  equal(await page.locator("h1").textContent(), last.headline, `${name}: the headline follows`);
  await page.keyboard.press("ArrowUp");
  equal(await page.evaluate(() => location.hash), `#violation-${total - 1}`, `${name}: up`);
  await page.click("[aria-label='Next violation']");
  equal(await page.locator("h1").textContent(), last.headline, `${name}: next`);
  for (let i = 0; i < total; i += Math.ceil(total / 12)) {
    await page.evaluate((n) => (location.hash = `#violation-${n}`), i + 1);
    await page.waitForFunction((n) => document.querySelectorAll(".row")[n].ariaSelected === "true" || document.querySelectorAll(".row")[n].getAttribute("aria-selected") === "true", i);
    for (const wrong of await page.evaluate(picture)) expect(false, `${name}, story ${i + 1}: ${wrong}`);
  }
}

async function seeHostile(tab) {
  const name = "hostile";
  const page = await open(tab, name);
  const value = JSON.parse(await page.locator("#value").textContent());
  for (let i = 0; i < value.stories.length; ++i) {
    await page.locator(".row").nth(i).click();
    await page.click("h1");
    await seePicture(page, `${name} ${i + 1}`);
    await walk(page, `${name} ${i + 1}`);
    equal(await page.locator("h1").textContent(), value.stories[i].headline, "the headline is text");
  }
  equal(await page.evaluate(() => [document.scripts.length, document.images.length, document.querySelectorAll("#page script, #page img, iframe, object").length]), [2, 0, 0], "nothing was injected");
}

async function seeClean(tab) {
  const page = await open(tab, "serializable");
  expect((await page.locator("h1").textContent()).includes("holds"), "clean: headline");
  expect((await page.locator(".lead").textContent()).startsWith("Checked: 9 reads by 5 committed transactions"), "clean: what was checked");
  for (const key of ["ArrowRight", "End", "Home"]) await page.keyboard.press(key);
  await page.setViewportSize(phone);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), "clean: narrow");
}

async function seePaper(tab) {
  const page = await open(tab, "causal");
  const paper = await page.pdf({ format: "A4" });
  expect(paper.length > 10000, "paper: empty");
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  expect(await page.locator(".derivation").isVisible(), "paper: derivations are unfolded");
  expect(await page.locator(".fold .names").first().isVisible(), "paper: neighbours are unfolded");
  equal(await page.locator("button:visible:not(.level)").count(), 0, "paper: no buttons");
  expect((await page.evaluate(() => document.querySelector(".canvas").getBoundingClientRect().width)) <= 690, "paper: the picture fits");
}

async function main() {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: desktop, acceptDownloads: true });
  const tab = await newTab(context);
  const names = fs.readdirSync(folder).filter((f) => f.endsWith(".html")).map((f) => f.slice(0, -5)).sort();
  const alone = names.filter((n) => !n.startsWith("crowd-") && !["hostile", "serializable", "asked-two", "undecided"].includes(n));
  for (const name of alone) {
    const page = await open(tab, name);
    if (name !== "long-texts") await seeFold(page, name);
    await seePicture(page, name);
    await walk(page, name);
  }
  const hands = { open, resize, expect, equal, desktop, tablet, phone };
  await seeLattice(tab, hands);
  await seeValues(tab, hands);
  await seeCausal(tab);
  await seeMany(tab, "crowd-50");
  await seeMany(tab, "crowd-5000");
  await seeHostile(tab);
  await seeClean(tab);
  await seePaper(tab);
  await seeThemes(browser);
  await browser.close();
  for (const failure of failures.slice(0, 40)) console.log("FAIL", failure);
  console.log(`${names.length} pages, ${checks} checks, ${failures.length} failures`);
  process.exit(failures.length ? 1 : 0);
}

main().catch((error) => {
  console.log(String(error.stack).slice(0, 2000));
  for (const failure of failures.slice(0, 40)) console.log("FAIL", failure);
  process.exit(1);
});
