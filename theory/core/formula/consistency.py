"""Checks that the fields of a closed form are consistent, which run when it is created."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import sympy as sp

from theory.core.formula.domain import Argument, Condition
from theory.core.formula.provenance import Source, Status
from theory.core.proof.derivation import Check, Step
from theory.core.proof.premises import require_connected

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm


def require_consistent(form: ClosedForm) -> None:
    """Raise TypeError for a field of the wrong type, and ValueError for fields that are inconsistent."""
    _require_types(form)
    if not all(part.isidentifier() for part in form.name.split(".")):
        raise ValueError(f"name: got {form.name!r}, needs a dotted name")
    if not form.meaning.strip():
        raise ValueError(f"{form.name} needs a meaning")
    _require_unique(form.name, "argument", [argument.name for argument in form.arguments])
    symbols = {argument.symbol for argument in form.arguments}
    for what in (form.expression, *(condition.relation for condition in form.conditions)):
        unknown = sorted(map(str, what.free_symbols - symbols))
        if unknown:
            raise ValueError(
                f"{what} of {form.name}: got {', '.join(unknown)}, needs only symbols that are among the arguments "
                "(a symbol of the same name with other assumptions is another symbol)"
            )


def require_derivation(form: ClosedForm) -> None:
    """Raise TypeError for steps of the wrong type, and ValueError if they do not derive the expression itself."""
    _require_tuple(form, "steps", (Step, Check))
    _require_unique(form.name, "step", [step.claim for step in form.steps])
    if form.status is Status.DERIVED:
        _require_last_step(form)
        require_connected(form)


def _require_types(form: ClosedForm) -> None:
    kinds: tuple[tuple[str, type], ...] = (
        ("arguments", Argument),
        ("sources", Source),
        ("assumptions", str),
        ("conditions", Condition),
    )
    for field, kind in kinds:
        _require_tuple(form, field, kind)
    for field in ("name", "meaning"):
        if not isinstance(getattr(form, field), str):
            raise TypeError(f"{field} of a closed form: got {getattr(form, field)!r}, needs text")
    if not isinstance(form.status, Status):
        raise TypeError(f"status of {form.name}: got {form.status!r}, needs a Status")
    if not isinstance(form.expression, sp.Expr) or form.expression.is_Matrix:
        raise TypeError(f"expression of {form.name}: got {type(form.expression).__name__}, needs a scalar")


def _require_tuple(form: ClosedForm, field: str, kind: type | tuple[type, ...]) -> None:
    entries = getattr(form, field)
    if not isinstance(entries, tuple) or not all(isinstance(entry, kind) for entry in entries):
        names = " or ".join(each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,)))
        raise TypeError(f"{field} of {form.name}: got {entries!r}, needs a tuple of {names}")


def _require_unique(name: str, what: str, entries: list[str]) -> None:
    twice = [entry for entry, count in Counter(entries).items() if count > 1]
    if twice:
        raise ValueError(f"{name} has more than one {what} called {', '.join(map(repr, twice))}")


def _require_last_step(form: ClosedForm) -> None:
    """Require that the last step is about the expression itself, so that the steps together prove the expression."""
    if not form.steps:
        raise ValueError(f"{form.name} is DERIVED and has no steps")
    last = form.steps[-1]
    if not isinstance(last, Step) or not last.mentions(form.expression):
        raise ValueError(
            f"{form.name} is DERIVED, but its last step {last.claim!r} does not have its expression in it "
            "(keep it whole: sympy.Derivative instead of diff)"
        )
