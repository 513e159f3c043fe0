"""The display of several closed forms that are the attributes of one object."""

from __future__ import annotations

import html as escape
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

from theory.core.text.render import WIDTH

if TYPE_CHECKING:
    from theory.core.facade.closed_form import ClosedForm


def listing_text(title: str, forms: Mapping[str, ClosedForm]) -> str:
    """Return a line with the title and, for each attribute, the name of its closed form and what it means."""
    widest = max(map(len, forms))
    indent = " " * (widest + 5)
    lines = [title]
    for attribute, form in forms.items():
        lines.append(f"  .{attribute:<{widest}}  {form.name}")
        lines += textwrap.wrap(
            form.meaning, WIDTH, initial_indent=indent, subsequent_indent=indent
        )
    return "\n".join(lines)


def listing_html(title: str, forms: Mapping[str, ClosedForm]) -> str:
    """Return the same for a notebook, with every closed form below the name of its attribute."""
    parts = (
        f"<h4><code>.{escape.escape(name)}</code></h4>{form._repr_html_()}"
        for name, form in forms.items()
    )
    return f"<div><p><strong>{escape.escape(title)}</strong></p>{''.join(parts)}</div>"
