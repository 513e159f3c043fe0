r"""Conversion of LaTeX into inline SVG, which needs no script, no font file and no internet connection.

``ziamath`` sets the formula with the glyphs of the STIX Two Math font, drawn as paths. The result is sized in ``em``
and coloured ``currentColor``, so that it follows the surrounding text in size, in light and in dark, and it carries its
LaTeX as the text that a screen reader speaks. The same picture serves the reports and the documentation.
"""

from __future__ import annotations

import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from html import escape
from typing import Any

FONT_SIZE = 24.0  # internal units per em of the drawing; the output contains only ratios to it
FONT = "STIXTwoMathRegular_"  # begins the names that ziamath gives to glyphs

# latex2mathml takes a minus right after an opening bracket for a binary one, and sets no space around "and", "or".
_PREFIX_MINUS = re.compile(r"(\\left\s*(?:\(|\[|\\\{|\||\\\|)|[({\[]|^)\s*([-+])\s+(?=\S)")
# latex2mathml knows no size of these
_SIZED_ANGLE = re.compile(r"\\[bB]igg?[lr]?\s*(?=\\[lr]angle(?![A-Za-z]))")
# Nor does it set an exponent or index on a matrix that has no braces around it.
_MATRIX_WITH_SCRIPT = re.compile(
    r"(\\begin\{(\w*matrix)\}(?:(?!\\begin).)*?\\end\{\2\})(?=\s*[\^_])", re.DOTALL
)
_LOGICAL = re.compile(r"\\(wedge|vee|iff|implies)(?![A-Za-z])")


@lru_cache(maxsize=1024)
def svg(latex: str, *, inline: bool = False) -> str:
    """Return LaTeX as an ``<svg>`` without ids or scripts, compact if ``inline``; ValueError for unknown commands."""
    return element(*drawn(latex, inline))


def _formula(latex: str) -> str:
    if not isinstance(latex, str):
        raise TypeError(
            f"latex: got {type(latex).__name__}, needs a string such as r'\\frac{{1}}{{2}}'"
        )
    formula = latex.strip().strip("$").strip()
    if not formula:
        raise ValueError("latex: got an empty formula, needs one such as r'\\frac{1}{2}'")
    return formula


def drawn(
    latex: str, inline: bool, *, with_symbols: bool = False
) -> tuple[str, ET.Element, float]:
    """Return the formula, its drawing, and its depth below the baseline; glyphs are paths, or uses of symbols."""
    formula = _formula(latex)
    with warnings.catch_warnings():
        # of how ziamath finds its font file on Python 3.11
        warnings.simplefilter("ignore", DeprecationWarning)
        from ziamath.config import config
        from ziamath.zmath import Latex

    symbols_by_id = config.svg2
    config.svg2 = with_symbols  # SVG 2 symbols carry ids
    try:
        with _few_rows_measured(), _styles_not_copied(), _stretched_glyphs_apart():
            drawing = Latex(
                _for_ziamath(formula), size=FONT_SIZE, color="currentColor", inline=inline
            )
        unknown = re.search(r"\\[A-Za-z]+", "".join(ET.fromstring(drawing.mathmlstr()).itertext()))
        picture, drop = drawing.svgxml(), drawing.getyofst()
    # the two libraries raise assertions, index errors and their own parse errors
    except Exception as problem:
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise ValueError(
            f"latex: got {_short(formula)}, needs a formula that can be set ({reason})"
        ) from problem
    finally:
        config.svg2 = symbols_by_id
    if unknown:
        raise ValueError(
            f"latex: got the unknown command {unknown.group()} in {_short(formula)}, needs known ones"
        )
    return formula, picture, drop


def element(formula: str, picture: ET.Element, drop: float) -> str:
    """Return a drawing as one ``<svg>`` element, from what :func:`drawn` returns."""
    width, height = (float(picture.attrib[name]) / FONT_SIZE for name in ("width", "height"))
    body = "".join(ET.tostring(child, encoding="unicode") for child in picture)
    return (
        f'<svg class="formula" role="img" aria-label="{escape(formula)}" viewBox="{picture.attrib["viewBox"]}" '
        f'fill="currentColor" style="width:{width:.3f}em;height:{height:.3f}em;'
        f'vertical-align:{drop / FONT_SIZE:.3f}em">{bare(body)}</svg>'
    )


def _few_rows_measured() -> AbstractContextManager[None]:
    """Measure only rows with brackets that stretch, and none inside of a row that is being measured.

    ziamath measures each row before it sets it, which doubles the time with every level of nesting.
    """
    from ziamath.nodes.mrow import Mrow

    measure = Mrow._get_height_nostretch

    def measured(row: Mrow, line: list[ET.Element], **options: Any) -> tuple[float, float]:
        is_needed = not options.get("nostretch") and any(map(_stretches, line))
        return measure(row, line, **options) if is_needed else (0.0, 0.0)

    return _replaced(Mrow, "_get_height_nostretch", measured)


def _stretches(element: ET.Element) -> bool:
    """Return whether ziamath may stretch an element, or a part of it that is not in a row of its own."""
    from ziamath import operators

    if element.tag in ("mo", "mi"):
        text = "".join(element.itertext()).strip()
        forms = (operators.get_params(text, form) for form in ("prefix", "infix", "postfix"))
        return "stretchy" in element.attrib or any(
            known.get("stretchy", "false") != "false" for known in forms
        )
    return element.tag != "mrow" and any(map(_stretches, element))


def _styles_not_copied() -> AbstractContextManager[None]:
    """Let ziamath read the style of the parent of a node where it stands; it copies it deeply for every node."""
    from ziamath import styles

    return _replaced(styles, "asdict", vars)


def _stretched_glyphs_apart() -> AbstractContextManager[None]:
    """Give glyphs assembled from parts names of their own; others may share ziamath's, from size and number."""
    from ziamath.mathtable import AssembledGlyph, MathAssembly

    assemble = MathAssembly.assemble

    def named(assembly: MathAssembly, size: float, overlap: float) -> AssembledGlyph:
        glyph = assemble(assembly, size, overlap)
        glyph.id = "_".join([f"{FONT}{size}", *(str(part.glyphId) for part in assembly.parts)])
        return glyph

    return _replaced(MathAssembly, "assemble", named)


@contextmanager
def _replaced(owner: Any, name: str, method: Callable[..., Any]) -> Iterator[None]:
    """Replace a method of a class, or a function of a module, within the block."""
    original = getattr(owner, name)
    setattr(owner, name, method)
    try:
        yield
    finally:
        setattr(owner, name, original)


def _for_ziamath(formula: str) -> str:
    """Spell out the spacing where the converter would get it wrong."""
    formula = _MATRIX_WITH_SCRIPT.sub(r"{\1}", formula)
    return _LOGICAL.sub(r"\\;\\\1\\;", _PREFIX_MINUS.sub(r"\1{\2}", _SIZED_ANGLE.sub("", formula)))


def bare(markup: str) -> str:
    """Remove namespaces, which SVG inside HTML does not need, and the colour, which the whole formula has."""
    markup = re.sub(r'\s+xmlns(:\w+)?="[^"]*"| fill="currentColor"', "", markup)
    return re.sub(r"(</?)ns\d+:", r"\1", markup).replace(" />", "/>")


def _short(formula: str) -> str:
    return repr(formula if len(formula) <= 60 else formula[:57] + "...")
