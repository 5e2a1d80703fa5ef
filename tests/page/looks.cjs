// What is wrong with how a page looks: functions that run in the page.
"use strict";

// In the page: everything that is wrong with the picture.
function picture() {
  const value = JSON.parse(document.getElementById("value").textContent);
  const index = Number((/#violation-(\d+)/.exec(location.hash) || [0, 1])[1]) - 1;
  const story = value.stories[index];
  const wrong = [];
  const boxes = [...document.querySelectorAll(".txn")].map((b) => b.getBoundingClientRect());
  const groups = [...document.querySelectorAll("g.arrow[data-arrow]")];
  if (groups.length !== story.arrows.length) wrong.push(`${groups.length} arrows instead of ${story.arrows.length}`);
  if (boxes.length !== story.transactions.length) wrong.push("not all transactions have a box");
  for (const group of groups) {
    const i = Number(group.dataset.arrow);
    const arrow = story.arrows[i];
    const line = group.querySelector(".line");
    const matrix = line.getScreenCTM();
    const at = (distance) => line.getPointAtLength(distance).matrixTransform(matrix);
    const length = line.getTotalLength();
    const ends = [["from", at(0)], ["to", at(length)]];
    for (const [end, point] of ends) {
      const op = arrow[end + "_op"];
      const row = op === undefined
        ? document.querySelector(`.txn[data-txn="${arrow[end]}"] header`)
        : document.querySelector(`.txn[data-txn="${arrow[end]}"] [data-op="${op}"]`);
      if (!row) { wrong.push(`arrow ${i} names no row`); continue; }
      const rect = row.getBoundingClientRect();
      const box = row.closest(".txn").getBoundingClientRect();
      const off = Math.min(Math.abs(point.x - box.left), Math.abs(point.x - box.right));
      if (off > 2 || point.y < rect.top || point.y > rect.bottom) {
        wrong.push(`arrow ${i}: ${end} is at ${point.x},${point.y}, not at ${JSON.stringify(rect)}`);
      }
    }
    for (let d = 4; d < length - 4; d += 5) {
      const p = at(d);
      if (boxes.some((b) => p.x > b.left + 2 && p.x < b.right - 2 && p.y > b.top + 2 && p.y < b.bottom - 2)) {
        wrong.push(`arrow ${i} runs through a box`);
        break;
      }
    }
  }
  for (let i = 0; i < boxes.length; ++i) {
    for (let j = 0; j < i; ++j) {
      const [a, b] = [boxes[i], boxes[j]];
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) wrong.push("boxes overlap");
    }
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) {
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
  }
  return wrong;
}

// In the page: evidence that cannot be read whole, and levels whose names are
// broken within a word.
function cut() {
  const wrong = [];
  const shows = (box) => getComputedStyle(box).overflowX === "visible";
  for (const part of document.querySelectorAll(".hero, .levels, .picture, .proof, .versions, .reproducer")) {
    for (const box of [part, ...part.querySelectorAll("*")]) {
      if (box.closest("svg, .said")) continue;
      const style = getComputedStyle(box);
      if (style.textOverflow === "ellipsis") wrong.push(`${box.className} may cut its text`);
      if (!shows(box) && box.scrollWidth > box.clientWidth + 1) wrong.push(`${box.className} is ${box.scrollWidth} wide, of which ${box.clientWidth} are seen`);
      if (style.overflowY === "hidden" && box.scrollHeight > box.clientHeight + 1) wrong.push(`${box.className} is cut below`);
    }
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const owner = texts.currentNode.parentElement;
      if (owner.closest("svg, .said") || !texts.currentNode.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      for (const rect of range.getClientRects()) {
        for (let box = owner; box !== part.parentElement; box = box.parentElement) {
          const edge = box.getBoundingClientRect();
          const out = rect.left < edge.left - 1 || rect.right > edge.right + 1;
          if (out && (box === part || !shows(box) || box.matches(".txn, .version, .level"))) {
            wrong.push(`"${texts.currentNode.data.slice(0, 40)}" sticks out of ${box.className}`);
          }
        }
      }
    }
  }
  for (const title of document.querySelectorAll(".level .title")) {
    const text = title.firstChild;
    for (const word of text.data.matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((r) => r.top)).size !== 1) wrong.push(`the level ${text.data} is broken at ${word[0]}`);
    }
  }
  return wrong.slice(0, 5);
}

module.exports = { picture, cut };
