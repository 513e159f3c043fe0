"""Formulas of one page that share their glyphs, so that each outline is there once."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from functools import lru_cache

from bridge.report.maths import FONT, FONT_SIZE, bare, drawn, element

GLYPH = "g-"  # the ids of shared glyphs begin with this
SYMBOL_SIZE = 12.0  # internal units per em of ziamath's symbols


@lru_cache(maxsize=1024)
def svg_and_glyphs(latex: str, *, inline: bool = False) -> tuple[str, dict[str, str]]:
    r"""Return the formula as one small ``<svg>`` element, and the glyphs to which it refers.

    A page with many formulas contains each glyph once, by :func:`glyph_definitions`, and becomes several times smaller.

    Args:
        latex: a formula in LaTeX, without dollar signs.
        inline: whether to use compact fractions and limits, for a formula within a line of text. Default: False.

    Returns:
        The formula, and the markup of its glyphs by their ids, which are the same in all formulas.

    Raises:
        TypeError: if ``latex`` is not a string.
        ValueError: if it is empty or cannot be typeset; the message names an unknown command.
    """
    formula, picture, drop = drawn(latex, inline, with_symbols=True)
    boxes: dict[str, list[float]] = {}
    glyphs: dict[str, str] = {}
    for parent in list(picture.iter()):
        for symbol in parent.findall("symbol"):
            parent.remove(symbol)
            if not len(symbol):
                continue  # a space
            name = symbol.attrib["id"].replace(FONT, GLYPH)
            boxes[name] = [float(number) for number in symbol.attrib["viewBox"].split()]
            outlines = bare("".join(ET.tostring(part, encoding="unicode") for part in symbol))
            glyphs[name] = (
                f'<g id="{name}" transform="scale({FONT_SIZE / SYMBOL_SIZE:g})">{outlines}</g>'
            )
    for parent in list(picture.iter()):
        for use in parent.findall("use"):
            name = use.attrib["href"].removeprefix("#").replace(FONT, GLYPH)
            if name in boxes:
                _place(use, name, boxes[name])
            else:
                parent.remove(use)
    return element(formula, picture, drop), glyphs


def _place(use: ET.Element, name: str, box: list[float]) -> None:
    """Replace the box into which a symbol is drawn by its place, and by its size if that is not the normal one."""
    left, top, _, height = box
    x, y, _, drawn_height = (float(use.attrib.pop(n)) for n in ("x", "y", "width", "height"))
    size = drawn_height / height
    x, y = (float(f"{place - size * corner:.2f}") for place, corner in ((x, left), (y, top)))
    relative = f"{size * SYMBOL_SIZE / FONT_SIZE:.3g}"
    use.attrib["href"] = f"#{name}"
    if relative == "1":
        use.attrib |= {"x": f"{x:g}", "y": f"{y:g}"}
    else:
        use.attrib["transform"] = f"translate({x:g} {y:g})scale({relative})"


def glyph_definitions(glyphs: Mapping[str, str]) -> str:
    """Return one invisible ``<svg>`` element that defines the glyphs for all formulas of a page; nothing for none."""
    body = "".join(glyphs[name] for name in sorted(glyphs))
    hidden = "position:absolute;width:0;height:0"
    return f'<svg aria-hidden="true" style="{hidden}"><defs>{body}</defs></svg>' if body else ""
