"""The kinds and the digests between them as an inline SVG, laid out from the table of kinds."""

from __future__ import annotations

from kernelindex_schema.v1alpha1 import KINDS

__all__ = ["diagram"]

_BOX_WIDTH, _BOX_HEIGHT = 212, 34
_COLUMN, _ROW = 304, 56
_TOP = 26


def _rank(name: str) -> int:
    """How many references lead away from a kind, one after the other."""
    return max(
        (1 + _rank(target) for reference in KINDS[name].references for target in reference.kinds),
        default=0,
    )


def _columns(group: str) -> list[list[str]]:
    """Kinds of a group by column: what refers stands to the left of what it refers to."""
    names = [name for name, kind in KINDS.items() if kind.group == group and name != "SoftwareProject"]
    highest = max(map(_rank, names))
    wanted = {target for name in names for reference in KINDS[name].references for target in reference.kinds}
    columns: list[list[str]] = [[] for _ in range(highest + 1)]
    for name in names:
        # A kind without references stands beside the others that its own referrer names.
        nearest = [_rank(other) for other in names for reference in KINDS[other].references if name in reference.kinds]
        column = highest - (min(nearest) - 1 if name in wanted else _rank(name))
        columns[column].append(name)
    return columns


def _place(group: str, top: float) -> tuple[dict[str, tuple[float, float]], float]:
    columns = _columns(group)
    height = max(map(len, columns)) * _ROW
    places = {}
    for index, column in enumerate(columns):
        start = top + (height - len(column) * _ROW) / 2
        for row, name in enumerate(column):
            places[name] = (index * _COLUMN + 1.0, start + row * _ROW)
    return places, top + height


def _box(name: str, place: tuple[float, float]) -> str:
    x, y = place
    middle = f'x="{x + _BOX_WIDTH / 2:g}" y="{y + _BOX_HEIGHT / 2:g}"'
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}" rx="6"/>'
        f'<text {middle} text-anchor="middle" dominant-baseline="central">{name}</text>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    x, y = start[0] + _BOX_WIDTH, start[1] + _BOX_HEIGHT / 2
    to_x, to_y = end[0] - 2, end[1] + _BOX_HEIGHT / 2
    bend = (to_x - x) / 2
    return f'<path d="M{x:g} {y:g}C{x + bend:g} {y:g} {to_x - bend:g} {to_y:g} {to_x:g} {to_y:g}"/>'


def _sentences() -> str:
    told = [
        f"{name} names {' or '.join(reference.kinds)} in {'.'.join(reference.path)}."
        for name, kind in KINDS.items()
        for reference in kind.references
    ]
    return " ".join(told)


def diagram() -> str:
    """The figure, for a Markdown page: it takes the colours of the page, and its text tells the same to a reader."""
    kernel, bottom = _place("kernel", _TOP)
    serving, bottom = _place("serving", bottom + _TOP + 12)
    places = kernel | serving
    width = max(x for x, _ in places.values()) + _BOX_WIDTH + 1
    divide = min(y for _, y in serving.values()) - 16
    arrows = [
        _arrow(places[name], places[target])
        for name, kind in KINDS.items()
        for reference in kind.references
        for target in reference.kinds
    ]
    marker = (
        '<marker id="kix-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path class="head" d="M0 0L8 4L0 8z"/></marker>'
    )
    lines = [
        '<figure class="kix-diagram" tabindex="0">',
        f'<svg role="img" aria-labelledby="kix-diagram-title kix-diagram-text" viewBox="0 0 {width:g} {bottom:g}" '
        'xmlns="http://www.w3.org/2000/svg">',
        '<title id="kix-diagram-title">The kinds and the digests by which they refer to each other</title>',
        f'<desc id="kix-diagram-text">{_sentences()}</desc>',
        f"<defs>{marker}</defs>",
        f'<text class="group" x="1" y="{_TOP - 8}">kernel</text>',
        f'<text class="group" x="1" y="{divide:g}">serving</text>',
        f'<g class="arrows">{"".join(arrows)}</g>',
        f'<g class="boxes">{"".join(_box(name, place) for name, place in places.items())}</g>',
        "</svg>",
        "<figcaption>SoftwareProject stands apart: no digest names it. A submission names it by its "
        "<code>metadata.name</code>.</figcaption>",
        "</figure>",
    ]
    return "\n".join(lines) + "\n"
