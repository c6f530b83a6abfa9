"""Draws SVG, without any library."""

import math
from html import escape

WIDTH = 760
COLOURS = ["#4c6a92", "#c44e52", "#dd8452", "#55a868", "#8172b3", "#937860", "#64b5cd", "#999"]
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:15px;font-weight:600}"
    ".axis{stroke:#bbb;stroke-width:1}.one{stroke:#333;stroke-dasharray:3 3}"
)


def svg(height, parts):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}"><style>{STYLE}</style>'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def text(x, y, what, anchor="start", css=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{css}">{escape(what)}</text>'


def line(x1, y1, x2, y2, css="axis"):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{css}"/>'


def colour(index):
    return COLOURS[index % len(COLOURS)]


def bars(title, groups, names):
    """Bars on a logarithmic scale; `groups` are (label, {name: times})."""
    values = [value for _, bars in groups for value in bars.values() if value > 0]
    if not values:
        return None
    low, high = min(0.5, *values), max(2.0, *values)
    left, right, bar = 120, WIDTH - 70, 14

    def x(value):
        part = (math.log(value) - math.log(low)) / (math.log(high) - math.log(low))
        return left + part * (right - left)

    parts, y = [text(16, 26, title, css="title")], 50
    for label, values in groups:
        parts.append(text(left - 10, y + bar * len(values) / 2 + 4, label, "end"))
        for name, value in values.items():
            length = max(x(value) - left, 1)
            fill = colour(names.index(name))
            parts.append(
                f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{bar - 3}" fill="{fill}"/>'
            )
            parts.append(text(left + length + 5, y + bar - 4, f"{name} {value:.2f}"))
            y += bar
        y += 12
    parts.append(line(x(1), 42, x(1), y, "one"))
    parts.append(text(x(1), y + 14, "hand-written", "middle"))
    return svg(y + 28, parts)


def curves(title, series, x_label, y_label):
    """Lines on two logarithmic scales; `series` are {name: [(x, y)]}."""
    points = [point for curve in series.values() for point in curve]
    if not points:
        return None
    left, right, top, bottom, height = 70, WIDTH - 130, 44, 290, 340
    scale_x = scale([x for x, _ in points], left, right)
    scale_y = scale([y for _, y in points], bottom, top)
    parts = [text(16, 26, title, css="title"), line(left, bottom, right, bottom)]
    parts.append(line(left, top, left, bottom))
    for tick in ticks([x for x, _ in points]):
        parts.append(text(scale_x(tick), bottom + 18, short(tick), "middle"))
    for tick in ticks([y for _, y in points]):
        parts.append(text(left - 8, scale_y(tick) + 4, short(tick), "end"))
        parts.append(line(left, scale_y(tick), right, scale_y(tick)))
    for index, (name, curve) in enumerate(series.items()):
        path = " ".join(f"{scale_x(x):.1f},{scale_y(y):.1f}" for x, y in curve)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour(index)}" stroke-width="2"/>'
        )
        end = curve[-1]
        parts.append(text(right + 8, scale_y(end[1]) + 4, name))
    parts.append(text((left + right) / 2, bottom + 40, x_label, "middle"))
    parts.append(text(left, top - 6, y_label))
    return svg(height, parts)


def scale(values, start, end):
    low, high = math.log(min(values)), math.log(max(values))
    span = (high - low) or 1.0
    return lambda value: start + (math.log(value) - low) / span * (end - start)


def ticks(values):
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    powers = [10.0**power for power in range(low, high + 1)]
    return [power for power in powers if min(values) <= power * 1.001 and power <= max(values) * 1.001]


def short(value):
    for unit, size in [("G", 1e9), ("M", 1e6), ("k", 1e3)]:
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"
