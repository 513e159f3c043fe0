"""Sphinx extension for sliders and plots on the pages of closed forms, which share one script and one style sheet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rst import indented, write_if_changed
from sphinx.application import Sphinx

from bridge.explorer import page
from theory.core import ClosedForm

STATIC = "static"
SCRIPT, STYLE = "explorer.js", "explorer.css"
ON_PAGES = re.compile(r"generated/closed_forms/[^/]+/")


def explorer(form: ClosedForm) -> list[str]:
    """Return the sliders and the plot of a form, nothing if it cannot be computed in a browser."""
    try:
        part = page.interactive_part(form)
    except NotImplementedError:
        return []
    return [".. rubric:: Explore", "", ".. raw:: html", "", *indented(part), ""]


def write_files(app: Sphinx) -> None:
    """Write the script and the style sheet, and have them copied to the site."""
    folder = Path(app.srcdir) / "generated" / STATIC
    write_if_changed(folder / SCRIPT, page.script().split("\n")[:-1])
    write_if_changed(folder / STYLE, page.style().split("\n")[:-1])
    app.config.html_static_path.append(f"generated/{STATIC}")


def add_files(app: Sphinx, name: str, *_: Any) -> None:
    """Add the script and the style sheets to the pages of closed forms."""
    if ON_PAGES.match(name):
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_css_file(STYLE)
        app.add_css_file("explorer_colours.css")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("builder-inited", write_files)
    app.connect("html-page-context", add_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
