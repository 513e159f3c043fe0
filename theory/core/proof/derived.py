"""The requirement on the steps of a formula: that they are a derivation, and of its own expression."""

from __future__ import annotations

import sympy as sp

from theory.core.formula.form import Form, require_tuple, require_unique
from theory.core.formula.provenance import Status
from theory.core.proof.conclusion import require_taken
from theory.core.proof.derivation import Check, Step, special_cases
from theory.core.proof.premises import require_connected


def require_derivation(form: Form) -> None:
    """Raise TypeError for steps of the wrong type, and ValueError if they do not derive the expression itself.

    Args:
        form: the formula with its steps.
    """
    require_tuple(form, "steps", (Step, Check))
    require_unique(form.name, "step", [step.claim for step in form.steps])
    if form.status is Status.DERIVED:
        _require_last_step(form)
        _require_general(form)
        require_connected(form)
        require_taken(form)


def _require_general(form: Form) -> None:
    """Require of every step that it, or another one on its sides, holds for all letters of the formula."""
    letters = sorted(form.expression.free_symbols, key=str)
    for step in special_cases(form.steps, letters):
        raise ValueError(
            f"where of step {step.claim!r} of {form.name}: got {sp.sstr(step.where)}, which ties letters to each other "
            "or to a number, needs expressions that vary as freely, here or in another step on the same sides"
        )


def _require_last_step(form: Form) -> None:
    """Require that the last step is about the expression itself, so that the steps together prove the expression."""
    if not form.steps:
        raise ValueError(f"{form.name} is DERIVED and has no steps")
    last = form.steps[-1]
    if not isinstance(last, Step) or not last.mentions(form.expression):
        raise ValueError(
            f"{form.name} is DERIVED, but its last step {last.claim!r} does not have its expression in it "
            "(keep it whole: sympy.Derivative instead of diff)"
        )
