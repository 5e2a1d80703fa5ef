"""Line plots with logarithmic axes as SVG, and the slope of a line in them.
Plain text, so that the repository needs no plotting library; the colours follow
the reader's light or dark setting."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 70, 240, 40, 54
# A colour per line, for light and for dark pages; markers differ as well.
COLOURS = [("#0969da", "#58a6ff"), ("#cf222e", "#ff7b72"),
           ("#1a7f37", "#3fb950"), ("#9a6700", "#d29922"),
           ("#8250df", "#bc8cff"), ("#bf3989", "#f778ba"),
           ("#1b7c83", "#39c5cf"), ("#57606a", "#8b949e")]


def style():
    def rules(dark):
        page, ink, faint, grid = (
            ("#0d1117", "#e6edf3", "#9198a1", "#30363d") if dark else
            ("#ffffff", "#1f2328", "#59636e", "#d8dee4"))
        yield f".page{{fill:{page}}}"
        yield f"text{{fill:{ink}}}.faint{{fill:{faint}}}"
        yield f".grid{{stroke:{grid}}}.ruler{{stroke:{faint}}}"
        for index, colours in enumerate(COLOURS):
            colour = colours[dark]
            yield f".l{index}{{stroke:{colour}}}.m{index}{{fill:{colour}}}"
    return ("<style>" + "".join(rules(False))
            + "@media (prefers-color-scheme: dark){" + "".join(rules(True))
            + "}</style>")


def exponent(points):
    """The least-squares slope of log(y) over log(x)."""
    xs = [math.log(point[0]) for point in points]
    ys = [math.log(point[1]) for point in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
            / sum((x - mean_x) ** 2 for x in xs))


class Axis:
    """Maps a logarithmic range to pixels. `at`: where ticks are wanted."""

    def __init__(self, values, start, end, at=None):
        self.low = math.floor(math.log10(min(values)) * 4) / 4
        self.high = math.ceil(math.log10(max(values)) * 4) / 4
        if at:  # the ends are ticks themselves
            self.low, self.high = (math.log10(f(values)) for f in (min, max))
        if self.high == self.low:
            self.high += 1
        self.start, self.end, self.at = start, end, at

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        """Powers of ten, with numbers between where the range is short."""
        if self.at:
            yield from self.at
            return
        decades = self.high - self.low
        steps = ((1,) if decades > 3 else (1, 2, 5) if decades > 1
                 else (1, 1.5, 2, 3, 4, 5, 7))
        for power in range(math.floor(self.low), math.ceil(self.high) + 1):
            for step in steps:
                value = step * 10.0 ** power
                if self.low <= math.log10(value) <= self.high:
                    yield value


def label(value, unit=""):
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {letter}{unit}".strip()
    return f"{value:g} {unit}".strip()


def marker(kind, x, y, colour):
    """Circle, square, triangle or diamond."""
    shapes = ("m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
              "m-3.2 -3.2h6.4v6.4h-6.4z", "m0 -4.2l4.2 7.4h-8.4z",
              "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z")
    return (f'<path class="m{colour}" d="M{x:.1f} {y:.1f}'
            f'{shapes[kind % len(shapes)]}"/>')


def ruler_lines(x, y, every, powers):
    """Dashed lines of a given slope through the last, highest point."""
    last = max(every, key=lambda point: (point[0], point[1]))
    first = min(point[0] for point in every)
    for power in powers:
        start = max(first, last[0] * (10 ** y.low / last[1]) ** (1 / power))
        value = last[1] * (start / last[0]) ** power
        yield (f'<path class="ruler" d="M{x(start):.1f} {y(value):.1f}'
               f'L{x(last[0]):.1f} {y(last[1]):.1f}" stroke-dasharray="5 4" '
               'fill="none"/>'
               f'<text class="faint" x="{x(start) + 4:.1f}" '
               f'y="{y(value) - 5:.1f}">n{f"^{power:g}" if power != 1 else ""}'
               '</text>')


def svg(title, x_title, y_title, series, rulers=(), ticks=True, joined=True):
    """series: {name: [(x, y, lowest y, highest y)]}, y in seconds. `rulers`:
    exponents to compare with. `ticks`: where points are, else round numbers.
    `joined`: by lines; else a cloud of points."""
    series = {name: points for name, points in series.items() if points}
    every = [point for points in series.values() for point in points]
    xs = sorted({point[0] for point in every})
    x = Axis(xs, LEFT, WIDTH - RIGHT, xs if ticks else None)
    y = Axis([value for point in every for value in point[1:]],
             HEIGHT - BOTTOM, TOP)
    middle = (LEFT + WIDTH - RIGHT) / 2
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
           f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
           'font-family="sans-serif" font-size="12">',
           f"<title>{escape(title)}</title>", style(),
           f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
           f'<text x="{LEFT}" y="22" font-size="14" font-weight="bold">'
           f"{escape(title)}</text>"]
    for value in x.ticks():
        out.append(f'<path class="grid" d="M{x(value):.1f} {TOP}'
                   f'V{HEIGHT - BOTTOM}"/>'
                   f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 18}" '
                   f'text-anchor="middle">{label(value)}</text>')
    for value in y.ticks():
        out.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}'
                   f'H{WIDTH - RIGHT}"/>'
                   f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" '
                   f'text-anchor="end">{label(value)}</text>')
    centre = (TOP + HEIGHT - BOTTOM) / 2
    out += [f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">'
            f"{escape(x_title)}</text>",
            f'<text transform="translate(18 {centre}) rotate(-90)" '
            f'text-anchor="middle">{escape(y_title)}</text>']
    out += ruler_lines(x, y, every, rulers)
    for index, (name, points) in enumerate(series.items()):
        colour = index % len(COLOURS)
        path = "L".join(f"{x(p[0]):.1f} {y(p[1]):.1f}" for p in points)
        if joined:
            out.append(f'<path class="l{colour}" d="M{path}" stroke-width="2" '
                       'fill="none"/>')
        for point in points:  # the spread, then the median
            out.append(f'<path class="l{colour}" d="M{x(point[0]):.1f} '
                       f'{y(point[2]):.1f}V{y(point[3]):.1f}"/>')
            out.append(marker(index, x(point[0]), y(point[1]), colour))
        at = TOP + 14 + 20 * index
        out.append(f'<path class="l{colour}" d="M{WIDTH - RIGHT + 15} '
                   f'{at - 4}h24" stroke-width="2"/>'
                   + marker(index, WIDTH - RIGHT + 27, at - 4, colour)
                   + f'<text x="{WIDTH - RIGHT + 45}" y="{at}">'
                   f"{escape(name)}</text>")
    return "\n".join(out + ["</svg>\n"])
