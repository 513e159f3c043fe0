"""The display of a closed form in a notebook."""

from __future__ import annotations

import html as escape
from typing import TYPE_CHECKING

from theory.core.text.abbreviation import abbreviated
from theory.core.text.render import Differences, latex, measured, misprints

if TYPE_CHECKING:
    from theory.core.formula.form import Form


def html(form: Form, differs_from_print: Differences = ()) -> str:
    """Return formula, arguments, assumptions, sources and status as HTML.

    Args:
        form: the closed form.
        differs_from_print: the misprints that the form corrects. Default: none.
    """
    rows = "".join(
        f"<tr><td>\\({latex(a.symbol, (a,))}\\)</td><td><code>{escape.escape(a.name)}</code></td>"
        f"<td>{escape.escape(a.meaning)}</td><td>{escape.escape(a.domain)}</td><td>{escape.escape(a.unit)}</td></tr>"
        for a in form.arguments
    )
    notes = [
        *(f"Requires: {c.sentence}" for c in form.conditions),
        *(f"Assumes: {sentence}" for sentence in form.assumptions),
        *(f"Measured: {sentence}" for sentence in measured(form)),
        *(f"Source: {source}" for source in form.sources),
        *(f"Differs from print: {sentence}" for sentence in misprints(form, differs_from_print)),
        f"Status: {form.status.value}",
    ]
    return (
        f"<div><p><strong>{escape.escape(form.name)}</strong>: {escape.escape(form.meaning)}</p>"
        f"<p>{escape.escape(abbreviated(form)._repr_latex_())}</p>"
        f"<table><thead><tr><th></th><th>argument</th><th>meaning</th><th>domain</th><th>unit</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        f"<ul>{''.join(f'<li>{escape.escape(note)}</li>' for note in notes)}</ul></div>"
    )
