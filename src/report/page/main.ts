// The page: a pure function of the value in it. One story is on view at a time;
// its number is in the address, so that a link can point at it.

import { button, count, el, grouped, listed } from "./dom";
import { cleanOf, factsOf, glossaryOf, nextOf } from "./facts";
import { Focus } from "./focus";
import { Lanes, lanesOf, legendOf } from "./lanes";
import { Lattice, latticeOf } from "./lattice";
import { List, listOf } from "./list";
import { Level, Page, Story } from "./model";
import { proofOf } from "./proof";
import { speaker } from "./prose";
import { reproducerOf } from "./reproducer";
import { themeButton } from "./theme";
import { versionsOf } from "./versions";

const page: Page = JSON.parse(document.getElementById("value")!.textContent!);
const titleOf = (level: string) => page.levels.find((l) => l.name === level)?.title ?? level;

// The first story that shows that a level is broken: one of its own, else one of
// what it is broken by; -1: none on this page.
function evidenceOf(level: Level): number {
  const first = (fits: (story: Story) => boolean) => page.stories.findIndex(fits);
  const named = [level.name, ...(level.because ? [level.because] : [])];
  const found = named.flatMap((name) => [first((s) => s.level === name), first((s) => s.breaks.includes(name))]);
  return found.find((index) => index >= 0) ?? -1;
}

// Two columns of their own: at the left what happened and the picture, at the
// right the levels and the proof. The style puts them one below the other where
// there is less room.
class Reader {
  private readonly hero = el("div", { class: "hero" });
  private readonly side = el("div", { class: "side" });
  private readonly picture = el("section", { class: "card picture", "aria-label": "What the sessions did", tabindex: -1 });
  private readonly versions = el("section", { class: "card versions", "aria-label": "Versions" });
  private readonly board: HTMLElement;
  private readonly reproducer = el("section", { class: "card reproducer", "aria-label": "Reproducer" });
  private readonly list: List | null;
  private readonly lattice: Lattice;
  private proof: HTMLElement | null = null;
  private lanes: Lanes | null = null;
  private focus = new Focus(0);
  private index = 0;

  constructor(private readonly root: HTMLElement) {
    const stories = page.stories;
    this.list = stories.length > 1 ? listOf(page, (i) => this.choose(i)) : null;
    this.lattice = latticeOf(page, evidenceOf, (i) => this.reveal(i));
    this.side.append(this.lattice.element);
    const clean = stories.length === 0;
    const about = el("div", { class: "pair" }, factsOf(page), clean && page.violations === 0 ? nextOf() : (glossaryOf(page) ?? ""));
    this.board = el(
      "div",
      { class: clean ? "board clean" : "board" },
      el("div", { class: "intro" }, clean ? cleanOf(page) : this.hero, this.list?.element ?? ""),
      this.side,
      ...(clean ? [about] : [this.picture, this.versions]),
    );
    root.append(
      el(
        "header",
        { class: "top" },
        el("span", { class: "brand" }, "AWDIT"),
        el("bdi", { class: "file", title: page.history.path }, page.history.path),
        el("span", { class: "size" }, `${count(page.history.sessions, "session")}, ${count(page.history.transactions, "transaction")}, ${count(page.history.operations, "operation")}`),
        themeButton(),
      ),
      el("main", {}, this.board, ...(clean ? [] : [this.reproducer, about])),
      el("footer", {}, `Made by ${page.tool}. This file is complete: it loads nothing and sends nothing.`),
    );
    document.title = clean ? `${page.history.path} – AWDIT` : `${stories[0].title} – ${page.history.path} – AWDIT`;
    if (!clean) this.choose(this.linked());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("mouseover", (event) => this.point(event));
    window.addEventListener("hashchange", () => {
      if (this.linked() !== this.index) this.choose(this.linked());
    });
    window.addEventListener("resize", () => this.lanes?.place());
    window.addEventListener("beforeprint", () => this.print());
    window.addEventListener("afterprint", () => this.choose(this.index));
    // Fonts may come late.
    document.fonts?.ready.then(() => this.lanes?.place());
  }

  private linked(): number {
    const number = Number(/^#violation-(\d+)$/.exec(location.hash)?.[1] ?? 1);
    return Math.min(Math.max(1, number), page.stories.length) - 1;
  }

  private choose(index: number): void {
    const story = page.stories[index];
    if (!story) return;
    const scrolled = window.scrollY;
    this.index = index;
    this.focus = new Focus(story.steps.length);
    this.list?.select(index);
    if (this.list) history.replaceState(null, "", `#violation-${index + 1}`);
    const speak = speaker(story, page.terms);
    this.showHero(story, index);
    if (this.list) this.lattice.show(story.weakest_broken);
    this.lanes = lanesOf(story, this.focus);
    const axis = story.by_time ? "time" : "whoever read comes after whom it read from";
    this.picture.replaceChildren(
      el("div", { class: "card-head" }, el("h2", {}, "What the sessions did"), el("p", { class: "hint" }, el("span", { class: "across" }, "from left to right: "), el("span", { class: "down" }, "from top to bottom: "), axis)),
      this.lanes.element,
      story.transactions_left_out > 0 ? el("p", { class: "left-out" }, `${count(story.transactions_left_out, "transaction")} in the middle of the chain left out.`) : "",
      legendOf(story),
    );
    this.proof?.remove();
    this.proof = proofOf(story, this.focus, speak);
    this.side.append(this.proof);
    const strips = versionsOf(story, page.history.lists);
    this.versions.replaceChildren(...strips);
    this.versions.hidden = strips.length === 0;
    this.reproducer.replaceChildren(...reproducerOf(page, story, index + 1));
    this.lanes.place();
    window.scrollTo(0, scrolled);
  }

  // A story that was asked for from elsewhere on the page.
  private reveal(index: number): void {
    this.choose(index);
    const top = this.picture.getBoundingClientRect().top;
    if (top < 0 || top > window.innerHeight * 0.6) this.picture.scrollIntoView({ block: "start" });
    this.picture.focus({ preventScroll: true });
  }

  private showHero(story: Story, index: number): void {
    const many = page.stories.length > 1;
    const step = (by: 1 | -1) => () => {
      const to = this.list?.neighbour(this.index, by) ?? -1;
      if (to >= 0) this.choose(to);
    };
    const broken = story.weakest_broken.map(titleOf);
    const kept = story.strongest_kept.map(titleOf);
    const speak = speaker(story, []);
    this.hero.replaceChildren(
      el(
        "p",
        { class: "kicker bad" },
        story.title,
        story.count > 1 ? el("span", { class: "times" }, `${grouped(story.count)} like this`) : "",
        many ? el("span", { class: "turn" }, button("‹", step(-1), { "aria-label": "Previous violation", class: "quiet" }), `${grouped(index + 1)} of ${grouped(page.stories.length)}`, button("›", step(1), { "aria-label": "Next violation", class: "quiet" })) : "",
      ),
      el("h1", { class: story.headline.length > 150 ? "long" : "" }, speak(story.headline)),
      el("p", { class: "lead" }, speak(story.plain ?? story.sentence)),
      el(
        "p",
        { class: "means" },
        `${listed(broken)} ${broken.length > 1 ? "are" : "is"} broken${story.breaks.length > broken.length ? ", and whatever promises more" : ""}. `,
        kept.length > 0 ? `${listed(kept)}${story.keeps.length > kept.length ? " and weaker levels allow" : kept.length > 1 ? " allow" : " allows"} it. ` : "",
        el("span", { class: "also" }, `Also known as: ${story.also}.`),
      ),
    );
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input, select, textarea, pre")) return;
    const inProof = target.closest(".proof") !== null;
    const { focus } = this;
    const go: { [key: string]: (() => void) | undefined } = {
      ArrowRight: () => focus.go(focus.at + 1),
      ArrowLeft: () => focus.go(focus.at - 1),
      ArrowDown: inProof ? () => focus.go(focus.at + 1) : undefined,
      ArrowUp: inProof ? () => focus.go(focus.at - 1) : undefined,
      Home: () => focus.go(-1),
      End: () => focus.go(focus.steps),
      Escape: () => focus.go(-1),
    };
    const action = page.stories.length > 0 ? go[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  }

  // A name in a sentence lights up its box.
  private point(event: MouseEvent): void {
    const name = (event.target as Element).closest?.("span.name");
    if (name) {
      this.focus.look({ txn: Number(name.getAttribute("data-txn")) });
    } else if (this.focus.glance.txn !== undefined && !(event.target as Element).closest?.(".txn")) {
      this.focus.look({});
    }
  }

  // On paper everything is unfolded, and the picture at most as wide as the sheet.
  private print(): void {
    this.focus.go(-1);
    this.focus.look({});
    for (const fold of this.root.querySelectorAll("details")) fold.open = true;
    for (const view of this.root.querySelectorAll<HTMLElement>(".derivation")) view.hidden = false;
    const lanes = this.root.querySelector<HTMLElement>(".lanes");
    if (lanes) lanes.style.width = "650px";
    this.lanes?.place();
  }
}

new Reader(document.getElementById("page")!);
