"""Closed forms in a report: the typeset formula, the meanings of its letters, and the verdict on every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

from bridge.report.maths import svg

if TYPE_CHECKING:
    from theory.core import ClosedForm

HOLDS = "HOLDS"
LONGEST = 160  # characters of LaTeX of an identity that is shown; those of explicit matrices are longer


@dataclass(frozen=True)
class Checked:
    """A closed form with the verdict on each of its steps."""

    name: str
    verdicts: tuple[tuple[str, str, str], ...]

    @cached_property
    def form(self) -> ClosedForm:
        """The closed form, which is built at the first access."""
        import theory

        form: ClosedForm = theory.catalogue()[self.name]
        return form

    @property
    def holds(self) -> bool:
        """Whether every step holds; an UNDECIDED step does not."""
        return all(verdict == HOLDS for _, verdict, _ in self.verdicts)

    @property
    def drawn(self) -> list[str]:
        """Return the formula as SVG, and one line for each letter that abbreviates a part of it."""
        return [draw(latex) for latex in self.form.abbreviated().lines]

    @property
    def letters(self) -> list[tuple[str, str, str]]:
        """Return symbol (as SVG), meaning and unit of every argument."""
        from theory.core.text.render import latex

        return [
            (draw(latex(argument.symbol, (argument,)), inline=True), argument.meaning, argument.unit)
            for argument in self.form.arguments
        ]

    @property
    def steps(self) -> list[tuple[str, str, str, str]]:
        """Return claim, verdict, reason, and the identity as SVG if it is short, of every step."""
        identities = {step.claim: str(getattr(step, "latex", "")) for step in self.form.steps}
        return [
            (claim, verdict, because, draw(identities[claim]) if 0 < len(identities[claim]) <= LONGEST else "")
            for claim, verdict, because in self.verdicts
        ]


def check(
    names: Sequence[str],
    progress: Callable[[Checked], None] = lambda checked: None,
    processes: int | None = None,
    *,
    fresh: bool = False,
) -> tuple[Checked, ...]:
    """Check closed forms, or read their verdicts from the store unless ``fresh``; ``progress`` is called with each."""
    from theory.core.proof.many import CheckedForm, check_all

    forms: list[Checked] = []

    def add(checked: CheckedForm) -> None:
        forms.append(Checked(checked.name, checked.verdicts))
        progress(forms[-1])

    check_all(names, processes, add, fresh=fresh)
    return tuple(forms)


def draw(latex: str, *, inline: bool = False) -> str:
    """Return a formula as SVG, or its LaTeX as code where it cannot be set."""
    try:
        return svg(latex, inline=inline)
    except ValueError:
        return f"<code>{escape(latex)}</code>"
