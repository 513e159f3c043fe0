r"""Appendix D: entropy of a feature, its information with a binary label, line by line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import sympy as sp
from scipy import integrate, special

from theory.core import Check, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.notation import letters

P, P_plus, P_minus, prior, q_plus, q_minus, posterior, posterior_minus = letters(
    "P P_plus P_minus prior q_plus q_minus posterior posterior_minus"
)
H, H_given, I, integral, mean_x, log_2 = letters("H H_given I integral mean_x log_2")
MEAN, WIDTH = {1: 0.7, -1: -0.4}, {1: 1.0, -1: 0.6}
"""Of the Gaussian feature, given its label. The widths differ, so that an exchange of the labels in one term shows."""
FAR = 12.0


def density(x: float, label: int) -> float:
    """Of the feature, given its label."""
    return math.exp(exponent(x, label)) / (WIDTH[label] * math.sqrt(2 * math.pi))


def exponent(x: float, label: int) -> float:
    """Of the density of the feature, given its label."""
    return -(((x - MEAN[label]) / WIDTH[label]) ** 2) / 2


def log_odds(x: float) -> float:
    """Of the label +1, which is as frequent as -1: a quadratic function of the feature."""
    return exponent(x, 1) - exponent(x, -1) + math.log(WIDTH[-1] / WIDTH[1])


def at(x: float) -> dict[str, Any]:
    """The letters of Appendix D at a value of the feature."""
    plus, minus = density(x, 1), density(x, -1)
    total = (plus + minus) / 2
    return {
        "P": total,
        "P_plus": plus,
        "P_minus": minus,
        "q_plus": plus / 2 / total,
        "q_minus": minus / 2 / total,
        "prior": 0.5,
        "posterior": special.expit(log_odds(x)),
        "posterior_minus": special.expit(-log_odds(x)),
        "log_2": math.log2,
    }


def values_of_the_feature() -> Iterator[dict[str, Any]]:
    """Three values of the feature."""
    yield from map(at, (-1.3, 0.2, 0.9))


def numbers() -> dict[str, float]:
    """Entropies of the feature in bits, that given the label from those of Gaussians, and their difference."""

    def summand(x: float) -> float:
        value = at(x)["P"]
        return float(-value * math.log2(value))

    whole = integrate.quad(summand, -FAR, FAR)[0]
    given = sum(math.log2(2 * math.pi * math.e * width**2) / 2 for width in WIDTH.values()) / 2
    return {"H": whole, "H_given": given, "I": whole - given}


def averaged(expression: Any) -> Any:
    """The printed expression with its integrals over the feature done."""

    def done(inner: Any) -> sp.Float:
        return sp.Float(integrate.quad(lambda x: evaluate(inner, at(x)), -FAR, FAR, epsabs=1e-10)[0])

    return expression.replace(mean_x, lambda inner: integral(P * inner)).replace(integral, done)


def in_bits(statement: sp.Eq) -> tuple[Check, ...]:
    """Both sides for a Gaussian feature."""

    def holds() -> bool:
        left, right = (evaluate(averaged(side), numbers()) for side in (statement.lhs, statement.rhs))
        return is_close(left, right, 1e-8)

    return (Check("a Gaussian feature", holds, "quadrature"),)


BITS = "A Gaussian feature, of another mean and width for each label; integrals by quadrature."

PROGRAMS: Programs = {
    "D q": numerically(values_of_the_feature, "logistic function"),
    "D q_minus": numerically(values_of_the_feature, "logistic function"),
    "D conditional entropy, first line": in_bits,
    "D conditional entropy, second line": in_bits,
    "D conditional entropy, third line": in_bits,
    "D conditional entropy": in_bits,
    "D information": in_bits,
    "D Bayes": numerically(values_of_the_feature, "logistic function"),
}
