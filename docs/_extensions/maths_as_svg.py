"""Sphinx extension that draws every formula when the site is built, as in reports, so that readers need no network.

The glyphs are shared by all formulas of a page, whose size would otherwise be mostly outlines of the same letters.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from shared_glyphs import GLYPH, glyph_definitions, svg_and_glyphs
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from bridge.report.maths import svg

logger = logging.getLogger(__name__)
glyphs: dict[str, str] = {}  # of all formulas that this process has drawn, by id


def draw(translator: Any, node: nodes.math | nodes.math_block, *, inline: bool) -> str:
    """Return the SVG of a formula; if it cannot be drawn, log a warning, which the build treats as an error."""
    latex = node.astext().strip()
    if not inline and ("&" in latex or r"\\" in latex) and r"\begin" not in latex:
        latex = rf"\begin{{aligned}}{latex}\end{{aligned}}"  # the meaning of & and \\ in a `math` directive
    try:
        if isinstance(node.parent, nodes.title):
            # other pages show the title, too, and have other glyphs
            return svg(latex, inline=inline)
        picture, its_glyphs = svg_and_glyphs(latex, inline=inline)
    except ValueError as reason:
        logger.warning("formula not drawn: %s", reason, location=node)
        return f"<code>{translator.encode(latex)}</code>"
    glyphs.update(its_glyphs)
    return picture


def visit_inline(translator: Any, node: nodes.math) -> None:
    """Write a formula in the text."""
    translator.body.append(draw(translator, node, inline=True))
    raise nodes.SkipNode


def visit_block(translator: Any, node: nodes.math_block) -> None:
    """Write a displayed formula, with its number if it has one."""
    translator.body.append(translator.starttag(node, "div", CLASS="math displayed-formula"))
    translator.body.append(draw(translator, node, inline=False))
    if node.get("number"):
        translator.body.append(
            f'<span class="eqno">({get_node_equation_number(translator, node)})'
        )
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def define_glyphs(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    """Put the glyphs of the formulas of a page before its text."""
    body = context.get("body", "")
    used = set(re.findall(rf'<use href="#({GLYPH}[^"]+)"', body))
    context["body"] = glyph_definitions({name: glyphs[name] for name in used}) + body


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer; `conf.py` chooses it by `html_math_renderer = "svg"`."""
    app.add_html_math_renderer("svg", (visit_inline, None), (visit_block, None))
    app.connect("html-page-context", define_glyphs)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
