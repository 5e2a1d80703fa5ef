// Where boxes stand and how arrows run between them. Pure: numbers in, numbers
// out.
//
// Every transaction has a column of its own and is in the lane of its
// session. Columns are separated by gutters, lanes by gaps; boxes are never in
// either, so arrows run there and never through text:
//
//       gutter 0   column 0   gutter 1   column 1   gutter 2
//     ------------------------- gap 0 -------------------------
//     lane 0       [  box  ]
//     ------------------------- gap 1 -------------------------
//     lane 1                             [  box  ]
//
// An arrow leaves its row towards its goal, turns in the gutter, and comes in
// from the gutter before its goal. In between it follows a lane where that is
// empty, otherwise a gap. Arrows that share a stretch of a gutter or a gap get
// tracks of their own there, and these widen it. Heights are settled before
// widths: tracks of gaps need only the order of the gutters, tracks of gutters
// need heights. Cost: quadratic in the arrows of one story, which are few.

export interface Box {
  lane: number;
  width: number;
  height: number;
}

// An end of an arrow: a box, and how far below its top.
export interface End {
  box: number;
  y: number;
}

export interface Link {
  from: End;
  to: End;
}

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  width: number;
  height: number;
  lanes: { top: number; height: number }[];
  boxes: Point[];
  paths: Point[][]; // [link]
}

const track = 13; // between neighbouring arrows
const edgeWidth = 12;
const gapHeight = 16;
const spread = 7; // between arrows that end at one row

export interface Run {
  // In the order of the gutters, or of the pixels.
  low: number;
  high: number;
  sort: number;
  track: number;
}

interface Route {
  forward: boolean;
  out: number; // gutter
  into: number; // gutter
  gap: number; // -1: none
  lane: "source" | "target" | "none";
  fromShift: number;
  toShift: number;
  horizontal?: Run;
  verticals: Map<number, Run>; // [gutter]
}

// Tracks such that runs that overlap have different ones. Returns their number.
export function assign(runs: Run[], margin: number): number {
  const tracks: Run[][] = [];
  for (const run of [...runs].sort((a, b) => a.sort - b.sort)) {
    let at = tracks.findIndex((others) =>
      others.every(
        (o) => o.high + margin < run.low || run.high + margin < o.low,
      ),
    );
    if (at < 0) {
      at = tracks.length;
      tracks.push([]);
    }
    run.track = at;
    tracks[at].push(run);
  }
  return tracks.length;
}

function chooseRoutes(boxes: Box[], links: Link[]): Route[] {
  const busy: { lane: number; y: number; low: number; high: number }[] = [];
  const load: Run[][] = [];
  const isFree = (lane: number, y: number, low: number, high: number) =>
    // No box from column `low` to column `high - 1`, and no arrow there.
    boxes.every((box, i) => box.lane !== lane || i < low || i >= high) &&
    busy.every(
      (b) =>
        b.lane !== lane ||
        Math.abs(b.y - y) > 8 ||
        b.high < low ||
        high < b.low,
    );
  return links.map((link) => {
    const source = link.from.box;
    const goal = link.to.box;
    const forward = goal >= source;
    const route: Route = {
      forward,
      out: forward ? source + 1 : source,
      into: goal === source ? source + 1 : forward ? goal : goal + 1,
      gap: -1,
      lane: "none",
      fromShift: 0,
      toShift: 0,
      verticals: new Map(),
    };
    if (route.out === route.into) return route;
    const low = Math.min(route.out, route.into);
    const high = Math.max(route.out, route.into);
    const from = boxes[source].lane;
    const to = boxes[goal].lane;
    if (isFree(to, link.to.y, low, high)) {
      route.lane = "target";
      busy.push({ lane: to, y: link.to.y, low, high });
      return route;
    }
    if (isFree(from, link.from.y, low, high)) {
      route.lane = "source";
      busy.push({ lane: from, y: link.from.y, low, high });
      return route;
    }
    const gaps: number[] = [];
    if (from === to) {
      const upper = link.from.y < boxes[source].height / 2;
      gaps.push(...(upper ? [from, from + 1] : [from + 1, from]));
    } else {
      for (let g = Math.min(from, to) + 1; g <= Math.max(from, to); ++g) {
        gaps.push(g);
      }
      if (from > to) gaps.reverse();
    }
    const crowd = (gap: number) =>
      (load[gap] ?? []).filter((r) => r.low <= high && low <= r.high).length;
    route.gap = gaps.reduce((best, g) => (crowd(g) < crowd(best) ? g : best));
    route.horizontal = { low, high, sort: high - low, track: 0 };
    (load[route.gap] ??= []).push(route.horizontal);
    return route;
  });
}

// Arrows that end at the same row on the same side fan out.
function fanOut(links: Link[], routes: Route[]): void {
  const members = new Map<string, ((shift: number) => void)[]>();
  const enter = (end: End, right: boolean, set: (shift: number) => void) => {
    const key = `${end.box} ${end.y} ${right}`;
    if (!members.has(key)) members.set(key, []);
    members.get(key)!.push(set);
  };
  links.forEach((link, i) => {
    const route = routes[i];
    const same = link.from.box === link.to.box;
    enter(link.from, route.forward, (shift) => (route.fromShift = shift));
    enter(link.to, same || !route.forward, (shift) => (route.toShift = shift));
  });
  for (const setters of members.values()) {
    const step = Math.min(spread, 14 / setters.length);
    setters.forEach((set, i) => set((i - (setters.length - 1) / 2) * step));
  }
}

export function layOut(
  boxes: Box[],
  laneHeights: number[], // of lanes, at least
  links: Link[],
  left: number,
  gutterWidth: number, // at least, between columns
): Layout {
  const laneCount = laneHeights.length;
  const routes = chooseRoutes(boxes, links);
  fanOut(links, routes);

  // Heights.
  const gapTracks: number[] = [];
  for (let gap = 0; gap <= laneCount; ++gap) {
    const runs = routes.filter((r) => r.gap === gap).map((r) => r.horizontal!);
    gapTracks.push(assign(runs, 0));
  }
  const lanes: { top: number; height: number }[] = [];
  const gapTops: number[] = [];
  let y = 0;
  for (let lane = 0; lane <= laneCount; ++lane) {
    gapTops.push(y);
    const tracks = gapTracks[lane];
    const outer = lane === 0 || lane === laneCount;
    y += tracks > 0 ? track * (tracks + 1) : outer ? 0 : gapHeight;
    if (lane === laneCount) break;
    const height = Math.max(
      40,
      laneHeights[lane],
      ...boxes.filter((b) => b.lane === lane).map((b) => b.height),
    );
    lanes.push({ top: y, height });
    y += height;
  }
  const top = (end: End) => lanes[boxes[end.box].lane].top + end.y;
  const gapY = (route: Route) =>
    gapTops[route.gap] + track * (route.horizontal!.track + 1);

  // Widths.
  links.forEach((link, i) => {
    const route = routes[i];
    const from = top(link.from) + route.fromShift;
    const to = top(link.to) + route.toShift;
    const vertical = (gutter: number, a: number, b: number) => {
      if (Math.abs(a - b) < 0.5) return;
      const down = b > a;
      route.verticals.set(gutter, {
        low: Math.min(a, b),
        high: Math.max(a, b),
        sort: (route.forward ? 0 : 1e6) + (down ? -a : a),
        track: 0,
      });
    };
    if (route.out === route.into) {
      vertical(route.out, from, to);
    } else if (route.lane === "target") {
      vertical(route.out, from, to);
    } else if (route.lane === "source") {
      vertical(route.into, from, to);
    } else {
      vertical(route.out, from, gapY(route));
      vertical(route.into, gapY(route), to);
    }
  });
  const gutterTracks: number[] = [];
  for (let gutter = 0; gutter <= boxes.length; ++gutter) {
    const runs = routes
      .map((r) => r.verticals.get(gutter))
      .filter((r): r is Run => r !== undefined);
    gutterTracks.push(assign(runs, 6));
  }
  const gutters: { x: number; width: number }[] = [];
  const columns: number[] = [];
  let x = left;
  for (let i = 0; i <= boxes.length; ++i) {
    const outer = i === 0 || i === boxes.length;
    const tracks = gutterTracks[i];
    const wanted = tracks > 0 ? track * (tracks - 1) + 26 : 0;
    const width = Math.max(wanted, outer ? edgeWidth : gutterWidth);
    gutters.push({ x, width });
    x += width;
    if (i === boxes.length) break;
    columns.push(x);
    x += boxes[i].width;
  }
  const trackX = (route: Route, gutter: number) => {
    const { x: start, width } = gutters[gutter];
    const used = track * (gutterTracks[gutter] - 1);
    const at = route.verticals.get(gutter)?.track ?? 0;
    return start + (width - Math.max(0, used)) / 2 + track * at;
  };

  const paths = links.map((link, i) => {
    const route = routes[i];
    const same = link.from.box === link.to.box;
    const a = link.from.box;
    const b = link.to.box;
    const start = {
      x: columns[a] + (route.forward ? boxes[a].width : 0),
      y: top(link.from) + route.fromShift,
    };
    const end = {
      x: columns[b] + (same || !route.forward ? boxes[b].width : 0),
      y: top(link.to) + route.toShift,
    };
    const points = [start];
    const turn = (px: number, y1: number, y2: number) =>
      points.push({ x: px, y: y1 }, { x: px, y: y2 });
    if (route.out === route.into || route.lane === "target") {
      turn(trackX(route, route.out), start.y, end.y);
    } else if (route.lane === "source") {
      turn(trackX(route, route.into), start.y, end.y);
    } else {
      turn(trackX(route, route.out), start.y, gapY(route));
      turn(trackX(route, route.into), gapY(route), end.y);
    }
    points.push(end);
    return simplified(points);
  });
  return {
    width: x,
    height: y,
    lanes,
    boxes: boxes.map((box, i) => ({ x: columns[i], y: lanes[box.lane].top })),
    paths,
  };
}

// Without points that lie on the way anyway.
function simplified(points: Point[]): Point[] {
  const kept: Point[] = [];
  for (const p of points) {
    const a = kept[kept.length - 2];
    const b = kept[kept.length - 1];
    if (b && Math.abs(b.x - p.x) < 0.5 && Math.abs(b.y - p.y) < 0.5) continue;
    const onLine =
      a &&
      ((Math.abs(a.x - b.x) < 0.5 && Math.abs(b.x - p.x) < 0.5) ||
        (Math.abs(a.y - b.y) < 0.5 && Math.abs(b.y - p.y) < 0.5));
    if (onLine) kept.pop();
    kept.push(p);
  }
  return kept;
}

// As an SVG path; corners are quadratic curves.
export function pathOf(points: Point[], radius = 14): string {
  const first = points[0];
  let d = `M${r(first.x)} ${r(first.y)}`;
  for (let i = 1; i + 1 < points.length; ++i) {
    const corner = points[i];
    const before = towards(corner, points[i - 1], radius, i > 1);
    const after = towards(corner, points[i + 1], radius, i + 2 < points.length);
    d += `L${r(before.x)} ${r(before.y)}`;
    d += `Q${r(corner.x)} ${r(corner.y)} ${r(after.x)} ${r(after.y)}`;
  }
  const last = points[points.length - 1];
  return d + `L${r(last.x)} ${r(last.y)}`;
}

// `distance` away from `a` in the direction of `b`; half way at most if the
// other half belongs to another corner.
function towards(a: Point, b: Point, distance: number, shared: boolean): Point {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  // An end keeps a straight piece for its arrow head.
  const most = shared ? length / 2 : Math.max(0, length - 9);
  const t = Math.min(distance, most) / (length || 1);
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}

function r(n: number): number {
  return Math.round(n * 10) / 10;
}

// Where a label has most room: far from other arrows, and rather in the middle.
export function labelPlace(points: Point[], others: Point[][]): Point {
  let total = 0;
  for (let i = 1; i < points.length; ++i) total += length(points[i - 1], points[i]);
  let best = points[0];
  let score = -Infinity;
  let walked = 0;
  for (let i = 1; i < points.length; ++i) {
    const [a, b] = [points[i - 1], points[i]];
    const long = length(a, b);
    for (let at = 0; at <= long; at += 4) {
      const p = { x: a.x + ((b.x - a.x) * at) / (long || 1), y: a.y + ((b.y - a.y) * at) / (long || 1) };
      const along = walked + at;
      const fromEnds = Math.min(along, total - along);
      const room = Math.min(24, fromEnds, ...others.map((path) => distance(p, path)));
      const value = room - Math.abs(along - total / 2) / (total || 1) / 4;
      if (value > score) [score, best] = [value, p];
    }
    walked += long;
  }
  return best;
}

function length(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

// Of a point from a path whose pieces are horizontal or vertical.
function distance(p: Point, path: Point[]): number {
  let least = Infinity;
  for (let i = 1; i < path.length; ++i) {
    const [a, b] = [path[i - 1], path[i]];
    const x = Math.max(Math.min(a.x, b.x) - p.x, 0, p.x - Math.max(a.x, b.x));
    const y = Math.max(Math.min(a.y, b.y) - p.y, 0, p.y - Math.max(a.y, b.y));
    least = Math.min(least, Math.hypot(x, y));
  }
  return least;
}
