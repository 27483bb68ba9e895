"""Curves on logarithmic axes as SVG, in colours that can be read on white and on black."""

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 420, 340
LEFT, RIGHT, TOP, BOTTOM = 60, 35, 40, 45
LETTER = 6.5
GREY = "#808080"
COLORS = ("#d9822b", "#2e8bc0", "#3a9d5d", "#b05cc6", "#c94f4f")


class Curves(NamedTuple):
    """A panel: points (workloads, value) by the name of their curve."""

    title: str
    points: Mapping[str, Sequence[tuple[float, float]]]


def plot(panels: Sequence[Curves]) -> str:
    """Panels side by side and one legend. A dashed line rises as fast as the workloads."""
    width = WIDTH * len(panels)
    names = list(panels[0].points)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT + 30}" width="{width}"'
        f' font-family="sans-serif" font-size="12" fill="{GREY}">'
    ]
    for i, panel in enumerate(panels):
        lines += [f'<g transform="translate({i * WIDTH} 0)">', *_panel(panel), "</g>"]
    x = LEFT
    for i, name in enumerate(names):
        lines.append(f'<rect x="{x}" y="{HEIGHT + 5}" width="14" height="4" fill="{_color(i)}"/>')
        lines.append(f'<text x="{x + 20}" y="{HEIGHT + 12}">{escape(name)}</text>')
        x += 45 + LETTER * len(name)
    return "\n".join([*lines, "</svg>\n"])


def _panel(panel: Curves) -> Iterator[str]:
    points = [point for curve in panel.points.values() for point in curve]
    x_axis = _axis([x for x, _ in points])
    y_axis = _axis([y for _, y in points])

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - x_axis[0]) / (x_axis[1] - x_axis[0])
        up = (math.log10(y) - y_axis[0]) / (y_axis[1] - y_axis[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    yield f'<text x="{LEFT}" y="{TOP - 18}" font-weight="bold">{escape(panel.title)}</text>'
    for power in range(x_axis[0], x_axis[1] + 1):
        x, _ = place(10.0**power, 10.0 ** y_axis[0])
        yield _line(x, TOP, x, HEIGHT - BOTTOM)
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{10**power:,}</text>'
    for power in range(y_axis[0], y_axis[1] + 1):
        _, y = place(10.0 ** x_axis[0], 10.0**power)
        yield _line(LEFT, y, WIDTH - RIGHT, y)
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">workloads</text>'
    decades = min(x_axis[1] - x_axis[0], y_axis[1] - y_axis[0])
    ends = [place(10.0 ** (x_axis[1] - d), 10.0 ** (y_axis[1] - d)) for d in (decades, 0)]
    yield _line(*ends[0], *ends[1], dash=' stroke-dasharray="5 4"')
    for i, curve in enumerate(panel.points.values()):
        places = [place(x, y) for x, y in curve]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline points="{path}" fill="none" stroke="{_color(i)}" stroke-width="2.5"/>'
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{_color(i)}"/>' for x, y in places)


def _axis(values: Sequence[float]) -> tuple[int, int]:
    """Powers of ten around the values, at least one apart."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _line(x: float, y: float, to_x: float, to_y: float, dash: str = "") -> str:
    opacity = 0.8 if dash else 0.3
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{GREY}"'
        f' stroke-opacity="{opacity}"{dash}/>'
    )


def _color(i: int) -> str:
    return COLORS[i % len(COLORS)]
