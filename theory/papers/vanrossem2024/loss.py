r"""Sections 3.3 and A.2: the training loss from the three variables, Eqs. (9) and (22)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import chosen, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights
from theory.papers.vanrossem2024.flows import TIMES, moments, norm2, on_average
from theory.papers.vanrossem2024.notation import letters
from theory.two_point.symbols import dy2, t, target2, tau_mean, w

HALF, QUARTER = sp.Rational(1, 2), sp.Rational(1, 4)
y_0, middle = letters("y_bar_0 mean_target")
WAITING = 0.75  # of the time to half the loss; by then dy has grown to 1 %


def quarter_of(*terms: sp.Expr) -> sp.Expr:
    """A quarter of a sum, with the factor in front of it as printed."""
    return sp.Mul(QUARTER, sp.Add(*terms), evaluate=False)


def half_of(sum_: sp.Expr) -> sp.Expr:
    """Half of a sum, with the factor in front of it as printed."""
    return sp.Mul(HALF, sum_, evaluate=False)


decayed = (y_0 - middle) * sp.exp(-t / tau_mean)
TERMS = {"first": HALF * norm2(decayed), "second": quarter_of(w, half_of(target2 - dy2))}


def decays(claim: Claim) -> tuple[Check, ...]:
    """Whether the logarithm of the named term of Eq. (9) is linear in time along three flows."""

    def is_linear() -> bool:
        values = np.array([float(evaluate(chosen(claim, "which", TERMS), case)) for case in moments()]).reshape(
            3, len(TIMES)
        )
        slopes = np.diff(np.log(np.abs(values)), axis=1) / np.diff(TIMES)
        return bool(np.allclose(slopes, slopes[:, :1], rtol=1e-6))

    return (Check("logarithm over time", is_linear, "explicit matrices"),)


@cache
def from_small_weights() -> Any:
    """The loss over time from weights of 1e-4 with the mean output learned, ``[time]``; unit data."""
    problem, weights = scalar_weights(1e-4, 1e-4, 1.0, 1.0)
    times = np.linspace(0, 30, 301)
    return np.array([problem.loss(at) for at in problem.flow(weights, (1.0, 0.5, 0.5), times)])


def shape() -> str:
    """A plateau if the loss stays within 5 % of its first value for three quarters of the time to half, then falls."""
    losses = from_small_weights()
    half_time = int(np.argmax(losses < losses[0] / 2))
    waiting = losses[: int(WAITING * half_time)]
    return "plateau" if half_time > 50 and waiting.min() > 0.95 * losses[0] and losses[-1] < 1e-6 else "decay"


PROGRAMS: Programs = {
    "(9)": on_average(moments),
    "3.3 first term": decays,
    "3.3 plateau": stating({"shape": shape}, "explicit matrices"),
    **dict.fromkeys([f"(22) line {number}" for number in range(1, 7)], on_average(moments)),
}
