"""Closed forms in a report: the formula drawn, the meaning of its letters, every step with its verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
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
        name: of the closed form.
        verdicts: ``(claim, verdict, reason)`` of every step, in order; the verdict is HOLDS, UNDECIDED or FAILS.
    """

    name: str
    verdicts: tuple[tuple[str, str, str], ...]

    @cached_property
    def form(self) -> ClosedForm:
        """The closed form, built when it is first asked for."""
        import theory

        form: ClosedForm = theory.catalogue()[self.name]
        return form

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


def check(
    names: Sequence[str],
    progress: Callable[[Checked], None] = lambda checked: None,
    processes: int | None = None,
    *,
    fresh: bool = False,
) -> tuple[Checked, ...]:
    """Check the closed forms of these names, or take the verdicts from the store of proofs.

    Args:
        names: names of closed forms.
        progress: called with each, in order.
        processes: how many work at a time; all cores by default.
        fresh: recompute what the store has.
    """
    from theory.core.proofs import CheckedForm, check_all

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
