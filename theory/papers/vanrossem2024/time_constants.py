"""Which time constants a printed line holds with: those of Eq. (6), or twice these, as the last lines of Eq. (17)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from theory.core import Check, Claim, Equation, Finding, Witness, Word
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import without_condition
from theory.papers.vanrossem2024.flows import DIFFERENCES, IN_EQ_21, Case, moments, on_average
from theory.papers.vanrossem2024.paper import entry

Cases = Callable[[float], Iterable[Case]]
"""Function of tau_h and tau_y of the formula in units of those of Eq. (6)."""
TWICE = Claim("tau_h and tau_y here are {factor} those of Eq. (6)", {"factor": Word("twice", ("half",))})
FACTORS = {"twice": IN_EQ_21, "half": 1 / IN_EQ_21}
CONSEQUENCE = (
    "Comes from the factor 1/2 in the last lines of Eq. (17). Fitted time constants are those of Eq. (7); the final "
    "distance holds only their ratio, which is the same. See the page on conventions."
)
ON_A_FLOW = {"weights": "unrotated_weights(1)", "time": 0.3, "tau_h of Eq. (6)": 1.4, "tau_y of Eq. (6)": 0.7}


def in_eq_6_along(cases: Cases, tolerance: float = DIFFERENCES) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of a line: the time constants are those of Eq. (6), or what the condition says of them."""

    def prove(statement: Any) -> tuple[Check, ...]:
        relation, condition = without_condition(statement)
        factor = 1.0 if condition is None else FACTORS[condition["factor"]]
        return on_average(partial(cases, factor), tolerance)(relation)

    return prove


in_eq_6 = in_eq_6_along(moments)


def measured_and_printed(relation: Any) -> tuple[Any, Any]:
    """The side of a line that is measured, and the side that the paper states for it."""
    return relation.lhs, relation.rhs


def with_twice(
    label: str,
    section: str,
    statement: str,
    relation: Any,
    closed_form: str | None = None,
    *,
    evidence: str = "Velocities of explicit matrices; with the time constants of Eq. (6) the right-hand side is twice "
    "too large.",
    cases: Cases = moments,
    tolerance: float = DIFFERENCES,
    at: Mapping[str, Any] = ON_A_FLOW,
    sides: Callable[[Any], tuple[Any, Any]] = measured_and_printed,
) -> Equation:
    """Return the entry of a line that holds with twice the time constants of Eq. (6).

    Args:
        label, section, statement, closed_form, evidence: fields of the entry.
        relation: the line as printed.
        cases: values of its letters, among them measured ones. Default: moments of flows of explicit matrices.
        tolerance: relative error of what is measured. Default: that of differences in time.
        at: description of the second of the cases, which is the witness.
        sides: returns what is measured in a line, and the expression that the paper states for it.
    """

    def side(index: int, statement: Any) -> Any:
        return evaluate(sides(statement)[index], list(cases(1.0))[1])

    return entry(
        label,
        section,
        statement,
        Finding.CONDITIONAL,
        evidence,
        printed=relation,
        condition=TWICE,
        closed_form=closed_form,
        prove=in_eq_6_along(cases, tolerance),
        witness=Witness(at, partial(side, 0, relation), value=partial(side, 1), tolerance=tolerance),
        consequence=CONSEQUENCE,
    )
