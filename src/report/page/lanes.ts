// Session lanes: boxes for transactions, a row per operation, arrows between
// rows. Boxes are HTML, so that they can be read aloud, searched and copied;
// arrows are SVG below them.
//
// Nothing is ever cut: texts wrap. If the lanes do not fit beside the proof the
// boxes become slimmer; then the lanes get the whole width; and if they do not
// fit there either, or texts are so long that they would wrap all the time, the
// boxes are stacked (stack.ts) and say which session they are of.

import { el, svg, count, grouped } from "./dom";
import { Focus } from "./focus";
import { End, Layout, Link, labelPlace, layOut, pathOf } from "./layout";
import { Arrow, Gap, Op, Story, Txn } from "./model";
import { marginFor, stackUp, tracksOf } from "./stack";

const arrowWords: { [type: string]: string } = {
  session: "same session, one after the other",
  read: "was read by",
  time: "had ended before it began",
  must: "must come before",
  missed: "did not see",
  expected: "should have been read",
};

const longest = 360; // pixels: a box in a lane, if its texts did not wrap

export interface Lanes {
  element: HTMLElement;
  // To be called when it is in the document, and when sizes change.
  place(): void;
}

export function opWords(op: Op): (string | HTMLElement)[] {
  const verb = (text: string) => el("span", { class: "verb" }, text);
  const label = (text: string) => el("bdi", { class: "label" }, text);
  if (op.type === "append") {
    return [verb("append "), label(op.value), verb(" to "), label(op.key)];
  }
  const said = label(`${op.key}=${op.value}`);
  if (op.type === "initial") return [verb("initially "), said];
  return [verb(op.type === "write" ? "write " : "read "), said];
}

function opText(op: Op): string {
  if (op.type === "append") return `append ${op.value} to ${op.key}`;
  const verb = op.type === "initial" ? "initially" : op.type;
  return `${verb} ${op.key}=${op.value}`;
}

function gapView(gap: Gap, where: string): HTMLElement {
  const few = gap.count === gap.names.length;
  const names = few
    ? gap.names.join(", ")
    : `${gap.names.slice(0, 3).join(", ")}, … ${grouped(gap.count - gap.names.length)} more …, ${gap.names.slice(3).join(", ")}`;
  return el(
    "details",
    { class: "fold" },
    el("summary", { title: names }, `${grouped(gap.count)} ${where}`),
    el("div", { class: "names" }, names),
  );
}

class View {
  readonly element: HTMLElement;
  private readonly canvas = el("div", { class: "canvas" });
  private readonly picture = svg("svg", { class: "arrows", "aria-hidden": "true" });
  private readonly laneViews: HTMLElement[] = [];
  private readonly cells: HTMLElement[] = [];
  private readonly boxes: HTMLElement[] = [];
  private readonly rows = new Map<number, HTMLElement>();
  private readonly laneOf: number[] = [];
  private readonly groups: SVGGElement[] = [];
  private followed = -1; // position of the walk that was scrolled to
  private refuted: SVGGElement | null = null;
  private paths: Layout["paths"] = [];

  constructor(
    private readonly story: Story,
    private readonly focus: Focus,
  ) {
    this.element = el("div", {
      class: "lanes",
      tabindex: 0,
      role: "region",
      "aria-label": "Sessions and their transactions",
    });
    this.makeLanes();
    story.transactions.forEach((txn, i) => this.makeBox(txn, i));
    this.canvas.append(...this.laneViews, this.picture, ...this.cells);
    this.element.append(this.canvas);
    this.element.addEventListener("toggle", () => this.place(), true);
    focus.subscribe(() => this.show());
  }

  private makeLanes(): void {
    const story = this.story;
    const add = (name: string, note: string) => {
      this.laneViews.push(
        el(
          "div",
          { class: "lane" },
          el(
            "div",
            { class: "lane-name" },
            el("bdi", {}, name),
            el("small", {}, note),
          ),
        ),
      );
      return this.laneViews.length - 1;
    };
    story.transactions.forEach((txn, i) => {
      if (txn.status === "initial") this.laneOf[i] = add("start", "before all");
    });
    for (const lane of story.lanes) {
      const index = add(lane.session, "session");
      for (const i of lane.shown) this.laneOf[i] = index;
    }
  }

  private makeBox(txn: Txn, i: number): void {
    const initial = txn.status === "initial";
    const box = el("article", {
      class: `txn ${txn.status}`,
      "data-txn": i,
      "aria-label": initial ? "initial state" : `transaction ${txn.name} of session ${txn.session}`,
    });
    const place = txn.begin ?? txn.lines ?? "";
    const head = el(
      "header",
      {},
      el("bdi", { class: "txn-name" }, initial ? "initial state" : txn.name),
      initial ? null : el("span", { class: "of-session" }, "session ", el("bdi", {}, txn.session)),
      el("span", { class: "place" }, place),
    );
    if (txn.begin) {
      head.title = `began ${txn.begin} after the first${txn.end ? `, ended ${txn.end}` : ""}${txn.lines ? `; ${txn.lines}` : ""}`;
    }
    box.append(head);
    if (txn.status === "aborted") {
      box.append(el("div", { class: "badge bad" }, "aborted"));
    } else if (txn.promoted) {
      box.append(
        el(
          "div",
          { class: "badge", title: "Nobody knows whether it committed, but a committed transaction read from it: it counts as committed." },
          "outcome unknown, counts as committed",
        ),
      );
    } else if (txn.status === "unknown") {
      box.append(el("div", { class: "badge" }, "outcome unknown"));
    }
    const list = el("ul", { class: "ops" });
    for (const op of txn.operations) list.append(this.makeRow(op));
    if (txn.operations_left_out) {
      list.append(
        el("li", { class: "more" }, `and ${count(txn.operations_left_out, "more operation")}`),
      );
    }
    if (txn.operations.length === 0 && !txn.operations_left_out && !initial) {
      list.append(el("li", { class: "more" }, "no operations"));
    }
    box.append(list);
    if (txn.node) box.append(el("div", { class: "note" }, "on ", el("bdi", {}, txn.node)));
    if (txn.meta) {
      box.append(
        el("details", { class: "note" }, el("summary", {}, "what the recorder noted"), el("code", {}, txn.meta)),
      );
    }
    box.addEventListener("mouseenter", () => this.focus.look({ txn: i }));
    box.addEventListener("mouseleave", () => this.focus.look({}));
    this.boxes[i] = box;

    const cell = el("div", { class: "cell" });
    if (txn.before) {
      const first = this.story.lanes[this.laneOf[i] - this.offset()]?.shown[0] === i;
      cell.append(gapView(txn.before, first ? "earlier" : "in between"));
    }
    cell.append(box);
    const lane = this.story.lanes[this.laneOf[i] - this.offset()];
    if (lane?.after && lane.shown[lane.shown.length - 1] === i) {
      cell.append(gapView(lane.after, "later"));
    }
    this.cells[i] = cell;
  }

  // Lanes before those of sessions.
  private offset(): number {
    return this.laneViews.length - this.story.lanes.length;
  }

  private makeRow(op: Op): HTMLElement {
    const guilty = this.story.guilty.includes(op.id);
    const used =
      guilty ||
      op.type === "initial" ||
      this.story.steps.some((step) => step.operations.includes(op.id)) ||
      this.story.arrows.some((a) => a.from_op === op.id || a.to_op === op.id);
    const row = el("li", {
      class: `op ${op.type}${guilty ? " guilty" : ""}${used ? "" : " aside"}`,
      "data-op": op.id,
      title: opText(op) + (op.line ? ` (line ${op.line})` : ""),
    });
    row.append(el("span", { class: "what" }, ...opWords(op)));
    if (op.from !== undefined) {
      row.append(
        el("span", { class: "from" }, op.from === null ? "from nobody" : op.from === "init" ? "initial" : `from ${op.from}`),
      );
    }
    this.rows.set(op.id, row);
    return row;
  }

  // The place of an arrow's end, in pixels below the top of its cell.
  private end(txn: number, op: number | undefined): End {
    const row = op === undefined ? undefined : this.rows.get(op);
    const target = row ?? this.boxes[txn].querySelector("header")!;
    const cell = this.cells[txn].getBoundingClientRect();
    const rect = target.getBoundingClientRect();
    return { box: txn, y: (rect.top + rect.bottom) / 2 - cell.top };
  }

  place(): void {
    if (!this.element.isConnected || this.element.offsetWidth === 0) return;
    const board = this.element.closest(".board")!.classList;
    const manners = ["free", "airy", "slim", "wide", "stacked"];
    const turn = (manner: string) => manners.forEach((m) => board.toggle(m, m === manner));
    turn("free");
    const wordy = this.boxes.some((box) => box.offsetWidth > longest);
    let layout: Layout | null = null;
    // Below a list of violations the whole width would be below the fold.
    const listed = document.querySelector(".list") !== null;
    for (const manner of wordy ? [] : listed ? ["airy", "slim"] : ["airy", "slim", "wide"]) {
      turn(manner);
      layout = this.inLanes();
      if (layout) break;
    }
    if (!layout) {
      turn("stacked");
      layout = this.stacked();
    }
    this.canvas.style.width = `${layout.width}px`;
    this.canvas.style.height = `${layout.height}px`;
    const bottom = layout.height + 9;
    const { lanes } = layout;
    lanes.forEach((lane, i) => {
      const view = this.laneViews[i];
      const next = lanes[i + 1];
      const top = lane.top - 9;
      view.style.top = `${top}px`;
      view.style.height = `${(next ? next.top - 9 : bottom) - top}px`;
    });
    layout.boxes.forEach((point, i) => {
      this.cells[i].style.transform = `translate(${point.x}px, ${point.y}px)`;
    });
    this.paths = layout.paths;
    this.drawArrows(layout);
    this.show();
  }

  private links(): Link[] {
    return this.story.arrows.map((arrow) => ({
      from: this.end(arrow.from, arrow.from_op),
      to: this.end(arrow.to, arrow.to_op),
    }));
  }

  // As airy as the space allows; null: there is too little.
  private inLanes(): Layout | null {
    // Boxes of a lane stand at one height, whatever is folded above them.
    const above = (i: number) => this.boxes[i].getBoundingClientRect().top - this.cells[i].getBoundingClientRect().top;
    const tops: number[] = [];
    this.cells.forEach((cell, i) => {
      cell.style.paddingTop = "0";
      cell.style.width = "";
      tops[this.laneOf[i]] = Math.max(tops[this.laneOf[i]] ?? 0, above(i));
    });
    this.cells.forEach((cell, i) => {
      cell.style.paddingTop = `${tops[this.laneOf[i]] - above(i)}px`;
    });
    const names = this.laneViews.map((view) => view.querySelector<HTMLElement>(".lane-name")!);
    names.forEach((name) => (name.style.height = "auto"));
    const heights = names.map((name) => name.offsetHeight);
    names.forEach((name) => (name.style.height = ""));
    const left = Math.max(0, ...names.map((name) => name.offsetWidth));
    const sizes = this.cells.map((cell, i) => ({
      lane: this.laneOf[i],
      width: this.boxes[i].offsetWidth,
      height: cell.offsetHeight,
    }));
    const links = this.links();
    for (let gutter = 96; gutter > 20; gutter -= 10) {
      const layout = layOut(sizes, heights, links, left, gutter);
      if (layout.width <= this.element.clientWidth) return layout;
    }
    return null;
  }

  private stacked(): Layout {
    const width = this.element.clientWidth;
    for (const cell of this.cells) cell.style.paddingTop = "0";
    const tracks = tracksOf(this.links());
    const margin = marginFor(tracks, width);
    for (const cell of this.cells) cell.style.width = `${width - margin - 12}px`;
    const heights = this.cells.map((cell) => cell.offsetHeight);
    return stackUp(heights, this.links(), width, margin, tracks);
  }

  private drawArrows(layout: Layout): void {
    const defs = svg("defs");
    for (const type of ["session", "read", "time", "must", "missed", "expected", "refuted"]) {
      defs.append(
        svg(
          "marker",
          { id: `head-${type}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
          svg("path", { class: `head ${type}`, d: "M0.5 1 9.5 5 0.5 9 2.5 5z" }),
        ),
      );
    }
    this.picture.replaceChildren(defs);
    this.picture.setAttribute("width", String(layout.width));
    this.picture.setAttribute("height", String(layout.height));
    this.groups.length = 0;
    this.story.arrows.forEach((arrow, i) => {
      const group = this.drawArrow(arrow, i);
      this.groups.push(group);
      this.picture.append(group);
    });
    // Those that the proof is about above the others.
    this.story.arrows.forEach((arrow, i) => {
      if (arrow.step !== undefined) this.picture.append(this.groups[i]);
    });
  }

  private drawArrow(arrow: Arrow, i: number): SVGGElement {
    const points = this.paths[i];
    const d = pathOf(points);
    const start = points[0];
    const names = this.story.transactions;
    const words = `${names[arrow.from].name} → ${names[arrow.to].name}: ${arrowWords[arrow.type]}`;
    const group = svg(
      "g",
      { class: `arrow ${arrow.type}`, "data-arrow": i },
      svg("title", {}, words),
      svg("path", { class: "touch", d }),
      svg("path", { class: "line", d, "marker-end": `url(#head-${arrow.type})` }),
      svg("circle", { class: "tail", cx: start.x, cy: start.y, r: 2.5 }),
    );
    if (arrow.step !== undefined) {
      const at = labelPlace(points, this.paths.filter((_, j) => j !== i));
      group.append(
        svg("circle", { class: "number", cx: at.x, cy: at.y, r: 9 }),
        svg("text", { class: "number", x: at.x, y: at.y }, String(arrow.step)),
      );
    }
    group.addEventListener("mouseenter", () => this.focus.look({ arrow: i }));
    group.addEventListener("mouseleave", () => this.focus.look({}));
    group.addEventListener("click", () => this.click(arrow, i));
    return group;
  }

  private click(arrow: Arrow, i: number): void {
    const steps = this.story.steps;
    if (arrow.step !== undefined) {
      const at = steps.findIndex((step) => step.number === arrow.step);
      if (at >= 0) this.focus.open(at);
      return;
    }
    const at = steps.findIndex((step) => step.arrows.includes(i));
    if (at >= 0) this.focus.go(at);
  }

  // What the focus lights up.
  private show(): void {
    const { focus, story } = this;
    const arrows = new Set<number>();
    const ops = new Set<number>();
    const glance = focus.glance;
    let active = true;
    const light = (index: number) => {
      const step = story.steps[index];
      step.arrows.forEach((a) => arrows.add(a));
      step.operations.forEach((o) => ops.add(o));
    };
    if (glance.arrow !== undefined) {
      arrows.add(glance.arrow);
    } else if (glance.step !== undefined) {
      light(glance.step);
    } else if (glance.txn !== undefined) {
      story.arrows.forEach((a, i) => {
        if (a.from === glance.txn || a.to === glance.txn) arrows.add(i);
      });
    } else if (focus.at >= 0 && !focus.atEnd) {
      light(focus.at);
    } else if (focus.atEnd) {
      story.steps.forEach((_, i) => light(i));
    } else {
      active = false;
    }
    for (const i of arrows) {
      const { from_op, to_op } = story.arrows[i];
      if (from_op !== undefined) ops.add(from_op);
      if (to_op !== undefined) ops.add(to_op);
    }
    this.element.classList.toggle("focused", active);
    this.element.classList.toggle("contradiction", focus.atEnd);
    this.groups.forEach((group, i) => group.classList.toggle("on", arrows.has(i)));
    this.rows.forEach((row, id) => row.classList.toggle("on", ops.has(id)));
    this.boxes.forEach((box, i) => {
      const touched =
        glance.txn === i ||
        [...arrows].some((a) => story.arrows[a].from === i || story.arrows[a].to === i) ||
        story.transactions[i].operations.some((op) => ops.has(op.id));
      box.classList.toggle("off", active && !touched);
      box.classList.toggle("lit", glance.txn === i);
    });
    this.showRefuted();
    if (this.followed !== focus.at) this.follow(arrows, ops);
    this.followed = focus.at;
  }

  // Scrolls the lanes, never the page, to what the walk has come to.
  private follow(arrows: Set<number>, ops: Set<number>): void {
    const { element } = this;
    const fits = element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight;
    if (this.focus.at < 0 || fits) return;
    const lit = this.boxes.filter(
      (_, i) =>
        [...arrows].some((a) => this.story.arrows[a].from === i || this.story.arrows[a].to === i) ||
        this.story.transactions[i].operations.some((op) => ops.has(op.id)),
    );
    if (lit.length === 0) return;
    const frame = element.getBoundingClientRect();
    const rects = lit.map((box) => box.getBoundingClientRect());
    element.scrollLeft += Math.min(...rects.map((r) => r.left)) - frame.left - 90;
    element.scrollTop += Math.min(...rects.map((r) => r.top)) - frame.top - 40;
  }

  // The order that is out of the question: the inferred arrow, turned round and
  // crossed out.
  private showRefuted(): void {
    this.refuted?.remove();
    this.refuted = null;
    const step = this.story.steps[this.focus.opened];
    const index = this.story.arrows.findIndex((a) => a.derivation && a.step === step?.number);
    if (!step || index < 0 || !this.paths[index]) return;
    // Beside the arrow, but from row to row like it.
    const points = this.paths[index]
      .map((p, i, all) => ({ x: i === 0 || i === all.length - 1 ? p.x : p.x + 6, y: p.y + 6 }))
      .reverse();
    // Away from the arrow's number.
    const mark = this.groups[index].querySelector("circle.number")!;
    const number = { x: Number(mark.getAttribute("cx")), y: Number(mark.getAttribute("cy")) };
    const far = { x: number.x, y: number.y + 0.1 };
    const at = labelPlace(points, [[number, far]]);
    this.refuted = svg(
      "g",
      { class: "arrow refuted on" },
      svg("path", { class: "line", d: pathOf(points), "marker-end": "url(#head-refuted)" }),
      svg("path", { class: "cross", d: `M${at.x - 6} ${at.y - 6}l12 12m0-12l-12 12` }),
    );
    this.picture.append(this.refuted);
  }
}

export function lanesOf(story: Story, focus: Focus): Lanes {
  return new View(story, focus);
}

export function legendOf(story: Story): HTMLElement {
  const legend = el("ul", { class: "legend", "aria-label": "Arrows" });
  for (const type of ["session", "read", "time", "must", "missed", "expected"]) {
    if (!story.arrows.some((arrow) => arrow.type === type)) continue;
    const why = story.arrows.some((arrow) => arrow.type === type && arrow.derivation);
    const words = arrowWords[type] + (why ? " (click: why)" : "");
    legend.append(
      el(
        "li",
        { class: type },
        svg(
          "svg",
          { width: 34, height: 10, "aria-hidden": "true" },
          svg("path", { class: "line", d: "M1 5H26" }),
          svg("path", { class: `head ${type}`, d: "M24 1 33 5 24 9 26 5z" }),
        ),
        words,
      ),
    );
  }
  return legend;
}
