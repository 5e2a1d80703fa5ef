// The proof, step by step, and the walk through it.

import { button, count, el } from "./dom";
import { Focus } from "./focus";
import { Arrow, Derivation, Step, Story } from "./model";
import { Speak } from "./prose";

function derivationView(why: Derivation, speak: Speak, id: string): HTMLElement {
  const seen =
    why.seen.length === 1
      ? el("p", {}, speak(why.seen[0]))
      : el("ol", {}, ...why.seen.map((sentence) => el("li", {}, speak(sentence))));
  const part = (title: string, ...content: (Node | string)[]) => [
    el("dt", {}, title),
    el("dd", {}, ...content),
  ];
  return el(
    "div",
    { class: "derivation", id, hidden: true },
    el(
      "dl",
      {},
      ...part("What was read", speak(why.read)),
      ...part("What else there was", speak(why.wrote)),
      ...part(`How ${why.reader} had seen ${why.other}`, seen),
      ...part("The rule", speak(why.rule)),
      ...part("Could it be the other way round?", speak(why.alternative), " ", speak(why.refuted)),
    ),
    el("p", { class: "so" }, speak(why.conclusion)),
  );
}

function stepView(
  step: Step,
  index: number,
  arrow: Arrow | undefined,
  focus: Focus,
  speak: Speak,
): HTMLElement {
  const item = el("li", { class: step.inferred ? "step inferred" : "step", "data-step": index });
  if (step.depth) item.style.marginLeft = `${Math.min(step.depth, 6) * 14 - 8}px`;
  // Sentences begin with a capital unless it is somebody's name.
  const begins = /^(after|in|later|nobody|only|so|suppose|the|then)\b/.test(step.claim);
  const claim = begins ? step.claim.charAt(0).toUpperCase() + step.claim.slice(1) : step.claim;
  const text = el(
    "div",
    { class: "text", role: "button", tabindex: 0 },
    el("span", { class: "claim" }, speak(claim + (step.reason ? "" : "."))),
    step.reason ? el("span", { class: "reason" }, speak(step.reason)) : null,
  );
  text.addEventListener("click", () => focus.go(index));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      focus.go(index);
    }
  });
  item.append(el("span", { class: "number", "aria-hidden": "true" }, String(step.number)), text);
  item.addEventListener("mouseenter", () => focus.look({ step: index }));
  item.addEventListener("mouseleave", () => focus.look({}));
  if (arrow?.derivation) {
    const id = `derivation-${index}`;
    const toggle = button("Why? Could it be the other way round?", () => focus.open(index), {
      class: "why",
      "aria-expanded": "false",
      "aria-controls": id,
    });
    const view = derivationView(arrow.derivation, speak, id);
    item.append(toggle, view);
    focus.subscribe(() => {
      const open = focus.opened === index;
      view.hidden = !open;
      toggle.setAttribute("aria-expanded", String(open));
    });
  }
  focus.subscribe(() => {
    const glance = focus.glance;
    const hinted =
      glance.step === index ||
      (glance.arrow !== undefined && step.arrows.includes(glance.arrow));
    item.classList.toggle("on", focus.at === index);
    item.classList.toggle("glanced", hinted);
    text.setAttribute("aria-current", focus.at === index ? "step" : "false");
  });
  return item;
}

export function proofOf(story: Story, focus: Focus, speak: Speak): HTMLElement {
  const ordered = story.steps.some((step) => /\b(comes|committed) (before|after)\b/.test(step.claim));
  const list = el("ol", { class: "steps" });
  story.steps.forEach((step, i) => {
    const before = story.steps[i - 1];
    if (before && step.number !== before.number + 1) {
      list.append(el("li", { class: "gap" }, `${count(story.steps_left_out, "step")} of the same kind left out`));
    }
    const arrow = story.arrows.find((a) => a.step === step.number && a.derivation);
    list.append(stepView(step, i, arrow, focus, speak));
  });
  const end = el(
    "div",
    { class: "end", role: "button", tabindex: 0 },
    el("span", { class: "number", "aria-hidden": "true" }, "✗"),
    el("span", {}, speak(story.contradiction)),
  );
  const finish = () => focus.go(focus.steps);
  end.addEventListener("click", finish);
  end.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") finish();
  });

  const said = el("p", { class: "said", "aria-live": "polite" });
  const first = button("«", () => focus.go(-1), { title: "The whole picture (Home)", "aria-label": "The whole picture" });
  const back = button("‹", () => focus.go(focus.at - 1), { title: "One step back (←)", "aria-label": "One step back" });
  const next = button("Step through ›", () => focus.go(focus.at + 1), { class: "primary", title: "Next step (→)", "aria-label": "Next step" });
  const last = button("»", finish, { title: "The contradiction (End)", "aria-label": "The contradiction" });
  focus.subscribe(() => {
    end.classList.toggle("on", focus.atEnd);
    first.disabled = back.disabled = focus.at < 0;
    next.disabled = last.disabled = focus.atEnd;
    next.textContent = focus.at < 0 ? "Step through ›" : "Next ›";
    if (focus.atEnd) {
      said.textContent = `Contradiction: ${story.contradiction}`;
    } else if (focus.at >= 0) {
      const step = story.steps[focus.at];
      said.textContent = `Step ${step.number}: ${step.claim}. ${step.reason}`;
    } else {
      said.textContent = "";
    }
    const current = focus.atEnd ? end : list.querySelector(`[data-step="${focus.at}"]`);
    if (current) reveal(current as HTMLElement);
  });
  return el(
    "section",
    { class: "card proof", "aria-label": "Proof" },
    el(
      "div",
      { class: "card-head" },
      el("h2", {}, ordered ? "Why no order of commits explains this" : "Why this must not happen"),
      el("p", { class: "hint" }, "Step through with ", el("kbd", {}, "←"), " ", el("kbd", {}, "→"), ", or point at a step or an arrow."),
    ),
    el("div", { class: "walk" }, first, back, next, last),
    el("div", { class: "scroll" }, list, end),
    said,
  );
}

// Scrolls the panel, never the page.
function reveal(item: HTMLElement): void {
  const panel = item.closest<HTMLElement>(".scroll");
  if (!panel || panel.scrollHeight <= panel.clientHeight) return;
  const top = item.offsetTop;
  if (top < panel.scrollTop || top + item.offsetHeight > panel.scrollTop + panel.clientHeight) {
    panel.scrollTop = Math.max(0, top - 12);
  }
}
