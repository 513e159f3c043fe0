"""The letters of the paper, and gradient flows of explicit matrices in these letters, moment by moment."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from papers.vanrossem2024.ledger.explicit_matrices import (
    STEP,
    TwoPoints,
    Weights,
    unrotated_weights,
)
from theory.core import (
    Check,
    Conditional,
    Program,
    equal,
    evaluate,
    letters_of,
    relations,
    shown_statement,
)
from theory.core.ledger.proving import chosen, for_all, in_words, is_close, unconditional

letters = letters_of(__package__)
norm, dh, dh_0, dh_inf, dy, dy_0, x_1, x_2, y_1, y_2, w = letters(
    "norm dh dh_0 dh_inf dy dy_0 x_1 x_2 y_1 y_2 w"
)
SQUARES = {"dh2": dh, "dy2": dy, "dh2_0": dh_0, "dy2_0": dy_0, "dh2_inf": dh_inf,
           "dx2": x_2 - x_1, "target2": y_2 - y_1}  # fmt: skip
"""Names of squared lengths, for programs that need no vectors."""
_LENGTHS = {norm(vector): sp.sqrt(sp.Symbol(name, real=True)) for name, vector in SQUARES.items()}
CONSTANTS = ("tau_h", "tau_y", "dx2", "target2")


@cache
def printed(label: str) -> Any:
    """What an entry of the ledger shows."""
    return shown_statement(__package__, label)


def in_squares(statement: Any) -> Any:
    """A statement, or an expression, with the names of squared lengths in place of the norms."""
    if isinstance(statement, Conditional):
        return Conditional(in_squares(statement.statement), in_squares(statement.condition))
    if isinstance(statement, sp.Eq):
        return equal(in_squares(statement.lhs), in_squares(statement.rhs))
    return statement.xreplace(_LENGTHS)


def system() -> list[Any]:
    """The three lines of Eq. (7)."""
    return [printed(f"(7) {name}") for name in ("dh2", "dy2", "w")]


@cache
def _rates() -> Any:
    return sp.lambdify(
        ("dh2", "dy2", "w", *CONSTANTS), [in_squares(line.rhs) for line in system()], "math"
    )


def rates_at(
    state: Any, *, tau_h: float = 1.0, tau_y: float = 1.0, dx2: float = 1.0, target2: float = 1.0
) -> tuple[float, ...]:
    """The three right-hand sides of Eq. (7) at (dh2, dy2, w)."""
    return tuple(_rates()(*state, tau_h, tau_y, dx2, target2))


Case = Mapping[str, Any]
Taus = tuple[float, float, float]
FLOWS = ((1, (0.9, 1.4, 0.7)), (2, (0.6, 0.8, 1.3)), (4, (1.1, 0.5, 0.6)))
"""Seed of the weights and time constants of Eq. (6): of the mean output, the encoder, the decoder."""
TIMES = (0.0, 0.3, 0.9, 1.6)
DIFFERENCES = 1e-6  # relative error of central differences in time
IN_EQ_21 = 2.0  # tau_h and tau_y of Eqs. (7) and (21) in units of those of Eq. (6): last lines of Eq. (17)
FACTORS = {"twice": IN_EQ_21, "half": 1 / IN_EQ_21}
rate = letters("rate")


def column(vector: Any) -> Any:
    """A vector as a matrix of one column."""
    return np.asarray(vector, dtype=float)[:, None]


def state(problem: TwoPoints, weights: Weights) -> dict[str, Any]:
    """The letters that say where a flow is."""
    mean, encoder, decoder = weights
    hidden = encoder @ column(problem.u)
    return {"y_bar": column(mean), "D_h": encoder, "D_y": decoder, "dh": hidden, "dy": decoder @ hidden,
            "w": float(problem.state(weights)[2]), "L": problem.loss(weights)}  # fmt: skip


def moment(problem: TwoPoints, weights: Weights, taus: Taus) -> dict[str, Any]:
    """All letters at one moment of a flow."""
    here, *beside = (state(problem, at) for at in (weights, *problem.beside(weights, taus)))
    dots = {f"{name}_dot": (beside[0][name] - beside[1][name]) / (2 * STEP) for name in here}
    (x_1, x_2), (y_1, y_2) = problem.inputs[:, :, None], problem.targets[:, :, None]
    data = {
        "x_1": x_1,
        "x_2": x_2,
        "y_1": y_1,
        "y_2": y_2,
        "tau_mean": taus[0],
        "tau_h": taus[1],
        "tau_y": taus[2],
    }
    return {**here, **dots, **data, "beside": beside, "norm": np.linalg.norm, "inner": np.vdot}


@cache
def _moments(same_targets: bool) -> tuple[Case, ...]:
    cases = []
    for seed, taus in FLOWS:
        problem, weights = unrotated_weights(seed)
        if same_targets:
            problem = TwoPoints(problem.inputs, problem.targets[[0, 0]])
        start = state(problem, weights)
        initial = {"dh_0": start["dh"], "dy_0": start["dy"], "y_0": start["y_bar"], "G": 2.3}
        for time, at in zip(TIMES, problem.flow(weights, taus, TIMES), strict=True):
            case = {**moment(problem, at, taus), **initial, "t": time}
            cases.append({**case, "A_high": evaluate(printed("(28)")[0].rhs, case)})
    return tuple(cases)


def moments(factor: float = 1.0, same_targets: bool = False) -> Iterator[Case]:
    """Twelve moments of three flows of explicit matrices along which dh keeps its direction, Eq. (19)."""
    for case in _moments(same_targets):
        yield {**case, "tau_h": factor * case["tau_h"], "tau_y": factor * case["tau_y"]}


def _rate(quantity: Any, case: Case) -> Any:
    ahead, behind = (evaluate(quantity, {**case, **at}) for at in case["beside"])
    return (ahead - behind) / (2 * STEP)


def _average(quantity: Any, case: Case) -> Any:
    first = {**case, "x_i": case["x_1"], "x_other": case["x_2"], "y_i": case["y_1"]}
    second = {**case, "x_i": case["x_2"], "x_other": case["x_1"], "y_i": case["y_2"]}
    return (evaluate(quantity, first) + evaluate(quantity, second)) / 2


MEASURED = {"rate": _rate, "average": _average}
"""What is measured of a printed quantity: its velocity along the flow, its mean over the two points."""


def value(expression: Any, case: Case) -> Any:
    """Value of a printed expression at a moment."""
    measured = sorted(
        (a for a in expression.atoms(AppliedUndef) if a.func.__name__ in MEASURED), key=str
    )
    names = {mark: sp.Symbol(f"measured_{index}") for index, mark in enumerate(measured)}
    numbers = {
        str(names[mark]): MEASURED[mark.func.__name__](mark.args[0], case) for mark in measured
    }
    return evaluate(expression.xreplace(names), {**case, **numbers})


def velocity_of_state(problem: TwoPoints, weights: Weights, taus: Taus) -> Any:
    """Time derivative of (dh2, dy2, w) along the gradient flow."""
    case = moment(problem, weights, taus)
    return np.array(
        [value(rate(quantity), case) for quantity in (norm(dh) ** 2, norm(dy) ** 2, w)]
    )


def along(
    cases: Callable[..., Iterable[Case]] = moments,
    tolerance: float = DIFFERENCES,
    meaning: Callable[[Any], Any] = lambda side: side,
) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of equations that hold in each case, for tau_h and tau_y in the units of Eq. (6)."""

    def prove(statement: Any) -> tuple[Check, ...]:
        # Of tau_h and tau_y, in units of those of Eq. (6).
        factor = (
            chosen(statement.condition, "factor", FACTORS)
            if isinstance(statement, Conditional)
            else 1.0
        )

        def holds(relation: Any) -> bool:
            left, right = meaning(relation.lhs), meaning(relation.rhs)
            return for_all(
                cases(factor),
                lambda case: is_close(value(left, case), value(right, case), tolerance),
            )

        parts = enumerate(relations(unconditional(statement)), 1)
        return tuple(
            Check(f"part {n}", partial(holds, part), "explicit matrices") for n, part in parts
        )

    prove.__doc__ = in_words("", cases)
    return prove


in_eq_6 = along()


def twice(
    cases: Callable[..., Iterable[Case]] = moments,
    tolerance: float = DIFFERENCES,
    sides: Callable[[Any], tuple[Any, Any]] = lambda relation: (relation.lhs, relation.rhs),
    meaning: Callable[[Any], Any] = lambda side: side,
) -> Program:
    """Return the program of a line that holds with twice the time constants of Eq. (6), as its second case shows."""

    def side(index: int, statement: Any, case: Case) -> Any:
        return value(meaning(sides(statement)[index]), case)

    return Program(
        along(cases, tolerance, meaning),
        value=partial(side, 1),
        tolerance=tolerance,
        measured=partial(side, 0),
        at=lambda: list(cases(1.0))[1],
        quantity="both sides; tau_h and tau_y are those of Eq. (6)",
    )


def wrong(
    label: str,
    at: Callable[[], Case],
    prove: Any,
    tolerance: float = DIFFERENCES,
    meaning: Any = lambda side: side,
) -> Program:
    """Return the program of a line whose right-hand side is wrong, with what its left-hand side is in a case."""

    def measured(case: Case) -> Any:
        return value(meaning(printed(label).lhs), case)

    def stated(relation: Any, case: Case) -> Any:
        left, right = (value(meaning(side), case) for side in (relation.lhs, relation.rhs))
        return right / left * measured(case)  # whatever multiplies the left-hand side

    return Program(prove, measured, stated, tolerance, at=at)
