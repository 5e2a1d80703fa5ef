// Sentences whose transactions and terms answer to the pointer.
//
// The names of a story's transactions become marks that light up the box, its
// terms carry their meaning as a tooltip, what operations read and wrote is set
// like code; everything else stays plain text.

import { el } from "./dom";
import { Story, Term } from "./model";

const special = /[.*+?^${}()|[\]\\]/g;

export type Speak = (sentence: string) => DocumentFragment;

export function speaker(story: Story, terms: Term[]): Speak {
  const names = new Map<string, number>();
  story.transactions.forEach((txn, i) => names.set(txn.name, i));
  const meanings = new Map<string, string>();
  for (const term of terms) {
    if (story.terms.includes(term.word)) meanings.set(term.word, term.meaning);
  }
  // What operations are called in sentences: "x=3".
  const quotes = new Set<string>();
  for (const txn of story.transactions) {
    for (const op of txn.operations) quotes.add(`${op.key}=${op.value}`);
  }
  const words = [...quotes, ...names.keys(), ...meanings.keys()].sort(
    (a, b) => b.length - a.length,
  );
  const pattern = new RegExp(
    `(?<![\\w.=-])(?:${words.map((w) => w.replace(special, "\\$&")).join("|")})(?![\\w=]|[.-]\\w)`,
    "g",
  );
  const explained = new Set<string>();
  return (sentence) => {
    const result = document.createDocumentFragment();
    let at = 0;
    for (const match of sentence.matchAll(pattern)) {
      const word = match[0];
      const index = match.index ?? 0;
      result.append(sentence.slice(at, index));
      const txn = names.get(word);
      const meaning = meanings.get(word);
      if (txn !== undefined) {
        result.append(el("span", { class: "name", "data-txn": txn }, word));
      } else if (quotes.has(word)) {
        result.append(el("bdi", { class: word.length > 24 ? "label" : "label short" }, word));
      } else if (meaning !== undefined && !explained.has(word)) {
        explained.add(word);
        result.append(el("dfn", { title: meaning }, word));
      } else {
        result.append(word);
      }
      at = index + word.length;
    }
    result.append(sentence.slice(at));
    return result;
  };
}
