"""A log-log plot of running times as SVG, and the slope that belongs to it.
Plain text, so that the repository needs no plotting library."""

import math

WIDTH, HEIGHT = 720, 480
LEFT, RIGHT, TOP, BOTTOM = 70, 230, 30, 50
COLOURS = ["#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#57606a"]


def exponent(points):
    """The least-squares slope of log(seconds) over log(operations)."""
    xs = [math.log(n) for n, _ in points]
    ys = [math.log(s) for _, s in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
            / sum((x - mean_x) ** 2 for x in xs))


class Axis:
    """Maps a logarithmic range to pixels."""

    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)) * 4) / 4
        self.high = math.ceil(math.log10(max(values)) * 4) / 4
        self.start, self.end = start, end

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        """Powers of ten, with 2 and 5 where the range is short."""
        steps = (1,) if self.high - self.low > 3 else (1, 2, 5)
        for power in range(math.floor(self.low), math.ceil(self.high) + 1):
            for step in steps:
                value = step * 10.0 ** power
                if self.low <= math.log10(value) <= self.high:
                    yield value


def label(value, unit):
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g} {letter}{unit}".strip()
    return f"{value:g} {unit}".strip()


def svg(series):
    """series: [(name, [(operations, seconds)])]."""
    every = [point for _, points in series for point in points]
    x = Axis([n for n, _ in every], LEFT, WIDTH - RIGHT)
    y = Axis([s for _, s in every], HEIGHT - BOTTOM, TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
           f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for value in x.ticks():
        at = x(value)
        out.append(f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" '
                   'stroke="#e0e0e0"/>'
                   f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" '
                   f'text-anchor="middle">{label(value, "")}</text>')
    for value in y.ticks():
        at = y(value)
        out.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" '
                   'stroke="#e0e0e0"/>'
                   f'<text x="{LEFT - 8}" y="{at + 4:.1f}" '
                   f'text-anchor="end">{label(value, "s")}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" '
               'text-anchor="middle">operations</text>')
    # Two rulers through the last point of the slowest series.
    last = max(every, key=lambda point: (point[0], point[1]))
    first = min(n for n, _ in every)
    for power, name in ((1.5, "n^1.5"), (1.0, "n")):
        start = max(first, last[0] * (10 ** y.low / last[1]) ** (1 / power))
        seconds = last[1] * (start / last[0]) ** power
        out.append(f'<path d="M{x(start):.1f} {y(seconds):.1f}'
                   f'L{x(last[0]):.1f} {y(last[1]):.1f}" stroke="#888" '
                   'stroke-dasharray="5 4" fill="none"/>'
                   f'<text x="{x(start) + 4:.1f}" y="{y(seconds) - 5:.1f}" '
                   f'fill="#666">{name}</text>')
    for index, (name, points) in enumerate(series):
        colour = COLOURS[index % len(COLOURS)]
        path = "L".join(f"{x(n):.1f} {y(s):.1f}" for n, s in points)
        out.append(f'<path d="M{path}" stroke="{colour}" stroke-width="2" '
                   'fill="none"/>')
        out += [f'<circle cx="{x(n):.1f}" cy="{y(s):.1f}" r="3" '
                f'fill="{colour}"/>' for n, s in points]
        at = TOP + 14 + 20 * index
        out.append(f'<path d="M{WIDTH - RIGHT + 15} {at - 4}h20" '
                   f'stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{WIDTH - RIGHT + 41}" y="{at}">{name}</text>')
    return "\n".join(out + ["</svg>\n"])
