"""Which time constants a printed line holds with: those of Eq. (6), or twice these, as the last lines of Eq. (17)."""

from __future__ import annotations

from functools import partial
from typing import Any

from theory.core import Check, Claim, Equation, Finding, Witness, Word
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import without_condition
from theory.papers.vanrossem2024.explicit_matrices import unrotated_weights
from theory.papers.vanrossem2024.flows import DIFFERENCES, moment, moments, on_average
from theory.papers.vanrossem2024.paper import entry

TWICE = Claim("tau_h and tau_y here are {factor} those of Eq. (6)", {"factor": Word("twice", ("half",))})
FACTORS = {"twice": 2.0, "half": 0.5}
TAUS = (1.0, 1.7, 0.6)
CONSEQUENCE = (
    "Comes from the factor 1/2 in the last lines of Eq. (17). Fitted time constants are those of Eq. (7); the final "
    "distance holds only their ratio, which is the same. See the page on conventions."
)


def in_eq_6(statement: Any) -> tuple[Check, ...]:
    """Proves a line along flows with the time constants of Eq. (6), or those that the condition names."""
    relation, condition = without_condition(statement)
    factor = 1.0 if condition is None else FACTORS[condition["factor"]]
    return on_average(partial(moments, factor))(relation)


def side_at_witness(name: str, relation: Any) -> Any:
    """One side of a line at a state of explicit matrices, with the time constants of Eq. (6)."""
    values = {**moment(*unrotated_weights(3), TAUS), "tau_h": TAUS[1], "tau_y": TAUS[2]}
    return float(evaluate(getattr(relation, name), values))


def with_twice(label: str, section: str, statement: str, relation: Any, closed_form: str | None = None) -> Equation:
    """The entry of a line that holds with twice the time constants of Eq. (6); left-hand sides are measured."""
    return entry(
        label,
        section,
        statement,
        Finding.CONDITIONAL,
        "Velocities of explicit matrices; with the time constants of Eq. (6) the right-hand side is twice too large.",
        printed=relation,
        condition=TWICE,
        closed_form=closed_form,
        prove=in_eq_6,
        witness=Witness(
            {"tau_h of Eq. (6)": TAUS[1], "tau_y of Eq. (6)": TAUS[2], "weights": "unrotated_weights(3)"},
            partial(side_at_witness, "lhs", relation),
            value=partial(side_at_witness, "rhs"),
            tolerance=DIFFERENCES,
        ),
        consequence=CONSEQUENCE,
    )
