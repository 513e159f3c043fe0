"""Closed forms in a report: the typeset formula, the meanings of its letters, and the verdict on every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

from bridge.report.maths import svg
from theory.form_check import CheckedForm, check_all

if TYPE_CHECKING:
    from theory.core import ClosedForm

# characters of LaTeX of an identity that is shown; those of explicit matrices are longer
LONGEST = 160


class Checked(CheckedForm):
    """A closed form with the verdict on each of its steps, as a report shows it."""

    @cached_property
    def form(self) -> ClosedForm:
        """The closed form, which is built at the first access."""
        import theory

        form: ClosedForm = theory.catalogue()[self.name]
        return form

    @property
    def drawn(self) -> list[str]:
        """Return the formula as SVG, and one line for each letter that abbreviates a part of it."""
        return [draw(latex) for latex in self.form.abbreviated().lines]

    @property
    def letters(self) -> list[tuple[str, str, str]]:
        """Return symbol (as SVG), meaning and unit of every argument."""
        from theory.core.text.render import latex

        return [
            (
                draw(latex(argument.symbol, (argument,)), inline=True),
                argument.meaning,
                argument.unit,
            )
            for argument in self.form.arguments
        ]

    @property
    def steps(self) -> list[tuple[str, str, str, str]]:
        """Return claim, verdict, reason, and the identity as SVG if it is short, of every step."""
        identities = {step.claim: _identity(step) for step in self.form.steps}
        return [(*checked, identities[checked[0]]) for checked in self.verdicts]


def _identity(step: Any) -> str:
    from sympy import preorder_traversal

    nodes = preorder_traversal((getattr(step, "left", ()), getattr(step, "right", ())))
    leaves = (node for node in nodes if not getattr(node, "args", ()))
    few = len(list(islice(leaves, LONGEST))) < LONGEST  # each leaf takes a character or more
    latex = str(getattr(step, "latex", "")) if few else ""
    return draw(latex) if 0 < len(latex) <= LONGEST else ""


def check(
    names: Sequence[str],
    progress: Callable[[Checked], None] = lambda checked: None,
    processes: int | None = None,
    *,
    fresh: bool = False,
) -> tuple[Checked, ...]:
    """Check closed forms, or read their verdicts from the store unless ``fresh``; ``progress`` is called with each."""
    found = check_all(
        names, processes, lambda one: progress(Checked(one.name, one.verdicts)), fresh=fresh
    )
    return tuple(Checked(form.name, form.verdicts) for form in found)


def draw(latex: str, *, inline: bool = False) -> str:
    """Return a formula as SVG, or its LaTeX as code where it cannot be set."""
    try:
        return svg(latex, inline=inline)
    except ValueError:
        return f"<code>{escape(latex)}</code>"
