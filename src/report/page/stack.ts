// Where boxes stand and how arrows run where there is no room for lanes: on a
// phone, or with many transactions. Pure: numbers in, numbers out.
//
// Boxes are one below the other, from the first to the last, each as wide as
// there is room, so that nothing in them is cut. Arrows leave a row to the left,
// run up or down in the margin there, and come back; those that share a stretch
// of the margin get tracks of their own in it, short ones next to the boxes. The
// margin takes at most a part of the width: many tracks stand closer.

import { End, Layout, Link, Run, assign } from "./layout";

const gap = 12; // between boxes
const head = 17; // from a box to the first track: an arrow's head fits
const edge = 8;
const widest = 14; // between tracks
const share = 0.34; // of the width, for the margin

// The width of the margin, given how many tracks run in it.
export function marginFor(tracks: number, width: number): number {
  return tracks === 0 ? edge : Math.min(edge + head + (tracks - 1) * widest, Math.max(edge + head, width * share));
}

// How many tracks there will be. Rows keep their order whatever their heights,
// so that this may be asked before widths are settled.
export function tracksOf(links: Link[]): number {
  const at = (end: End) => end.box + end.y / 1e6;
  return assign(
    links.map((link) => {
      const [a, b] = [at(link.from), at(link.to)];
      return { low: Math.min(a, b), high: Math.max(a, b), sort: Math.abs(a - b), track: 0 };
    }),
    0,
  );
}

// `heights` of the boxes at the width that the margin leaves them.
export function stackUp(heights: number[], links: Link[], width: number, margin: number, tracks: number): Layout {
  const tops: number[] = [];
  let y = 2;
  for (const height of heights) {
    tops.push(y);
    y += height + gap;
  }
  const top = (end: End) => tops[end.box] + end.y;

  // Ends at one row fan out: those that go up above those that go down, the far
  // ones outside.
  interface Tip {
    far: number;
    set(y: number): void;
  }
  const rows = new Map<string, { y: number; tips: Tip[] }>();
  const ends = links.map((link) => ({ from: top(link.from), to: top(link.to) }));
  const enter = (end: End, other: number, set: (y: number) => void) => {
    const key = `${end.box} ${end.y}`;
    if (!rows.has(key)) rows.set(key, { y: top(end), tips: [] });
    const to = other - top(end);
    rows.get(key)!.tips.push({ far: to === 0 ? 0 : 1 / to, set });
  };
  links.forEach((link, i) => {
    enter(link.from, top(link.to), (to) => (ends[i].from = to));
    enter(link.to, top(link.from), (to) => (ends[i].to = to));
  });
  for (const row of rows.values()) {
    // 1 / distance: just above first, ..., far above, far below, ..., just below.
    const sorted = [...row.tips].sort((a, b) => a.far - b.far);
    const step = Math.min(7, 14 / sorted.length);
    sorted.forEach((tip, i) => tip.set(row.y + (i - (sorted.length - 1) / 2) * step));
  }

  const runs: Run[] = ends.map(({ from, to }) => ({ low: Math.min(from, to), high: Math.max(from, to), sort: Math.abs(from - to), track: 0 }));
  const used = Math.max(assign(runs, 3), tracks, 1);
  const step = used > 1 ? Math.min(widest, (margin - edge - head) / (used - 1)) : 0;
  return {
    width,
    height: y - gap + 2,
    lanes: [],
    boxes: tops.map((boxTop) => ({ x: margin, y: boxTop })),
    paths: ends.map(({ from, to }, i) => {
      const x = margin - head - runs[i].track * step;
      return [
        { x: margin, y: from },
        { x, y: from },
        { x, y: to },
        { x: margin, y: to },
      ];
    }),
  };
}
