"""Closed forms in a report: the formula drawn, the meaning of its letters, every step with its verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from bridge.report import abbreviated
from bridge.report.maths import svg

if TYPE_CHECKING:
    from theory.core import ClosedForm

HOLDS = "HOLDS"
LONGEST = 160  # characters of LaTeX; an identity of explicit matrices fills pages


@dataclass(frozen=True)
class Checked:
    """A closed form with the verdict on each of its steps.

    Attributes:
        form: the closed form.
        verdicts: ``(claim, verdict, reason)`` of every step, in order; the verdict is HOLDS, UNDECIDED or FAILS.
    """

    form: ClosedForm
    verdicts: tuple[tuple[str, str, str], ...]

    @property
    def holds(self) -> bool:
        """Whether every step holds. UNDECIDED is no pass."""
        return all(verdict == HOLDS for _, verdict, _ in self.verdicts)

    @property
    def drawn(self) -> list[str]:
        """The formula as SVG, and one line for each letter that a long one is abbreviated with."""
        whole, letters = abbreviated.lines(self.form)
        return [draw(latex) for latex in (whole, *letters)]

    @property
    def letters(self) -> list[tuple[str, str, str]]:
        """Symbol as SVG, meaning, unit, of every argument."""
        from theory.core.render import latex

        return [
            (draw(latex(argument.symbol, (argument,)), inline=True), argument.meaning, argument.unit)
            for argument in self.form.arguments
        ]

    @property
    def steps(self) -> list[tuple[str, str, str, str]]:
        """Claim, verdict, reason, and the identity as SVG where it is short enough to be read, of every step."""
        identities = {step.claim: str(getattr(step, "latex", "")) for step in self.form.steps}
        return [
            (claim, verdict, because, draw(identities[claim]) if 0 < len(identities[claim]) <= LONGEST else "")
            for claim, verdict, because in self.verdicts
        ]


def check(names: Sequence[str], progress: Callable[[Checked], None] = lambda checked: None) -> tuple[Checked, ...]:
    """Build and check the closed forms of these names; ``progress`` is called after each."""
    import theory

    catalogue = theory.catalogue()
    forms = []
    for name in names:
        form = catalogue[name]
        reasons = {step.claim: step.because for step in form.steps}
        verdicts = tuple((claim, verdict.name, reasons.get(claim, "")) for claim, verdict in form.check().items())
        forms.append(Checked(form, verdicts))
        progress(forms[-1])
    return tuple(forms)


def draw(latex: str, *, inline: bool = False) -> str:
    """Return a formula as SVG, or its LaTeX as code where it cannot be set."""
    try:
        return svg(latex, inline=inline)
    except ValueError:
        return f"<code>{escape(latex)}</code>"
