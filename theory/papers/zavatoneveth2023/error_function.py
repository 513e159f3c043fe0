"""Averages over error functions of correlated preactivations, and how geometry changes with the norm of the input."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import special

from theory.core import Check, Claim, Given, for_all
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.index_notation import d
from theory.papers.zavatoneveth2023.symbols import r

POSITIVE = sp.Symbol("m", positive=True)


@cache
def _mean_product(first: float, second: float, covariance: float) -> float:
    """E[erf(u/sqrt 2) erf(v/sqrt 2)] by quadrature over both standard normal variables that make u and v."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    one, density = 10 * nodes, 10 * weights * np.exp(-50 * nodes**2) / math.sqrt(2 * math.pi)
    root = math.sqrt(first)
    u = root * one
    v = covariance / root * one[:, None] + math.sqrt(second - covariance**2 / first) * one
    inner = special.erf(v / math.sqrt(2)) @ density
    return float(density * special.erf(u / math.sqrt(2)) @ inner)


def correlated_preactivations() -> list[dict[str, float]]:
    """Cases: two pairs of inputs, with the kernel by quadrature."""
    points = ((0.5, 1.2, 0.4, 1.1, 0.6), (1.4, 0.3, -0.35, 0.8, 0.4))
    return [
        {
            "r": one,
            "r_y": other,
            "xy": product,
            "sigma": scale,
            "zeta": bias,
            "kernel": _mean_product(
                *(scale**2 * value + bias**2 for value in (one, other, product)),
            ),
        }
        for one, other, product, scale, bias in points
    ]


def decreases(name: str, form: sp.Expr, change: str) -> tuple[Check, ...]:
    """Whether a form is monotonic in r for all d > 1 and all positive parameters, as ``change`` says."""

    def run() -> bool:
        slope = sp.factor(sp.simplify(sp.diff(form, r)).subs(d, 1 + POSITIVE))
        return (slope.is_negative if change == "decreasing" else slope.is_positive) is True

    return (Check(name, run, "sign of the derivative"),)


def has_the_sign(form: sp.Expr) -> Callable[[Claim | Given], tuple[Check, ...]]:
    """A program that decides for which dimensions a form has the sign of a claim, where its condition holds."""
    grid = [
        dict(zip(("d", "r", "sigma", "zeta"), case, strict=True))
        for case in itertools.product((1, 2, 3, 7), (0.0, 1e-3, 0.7, 1.4, 30.0), (0.5, 1.3), (0.0, 0.8))
    ]

    def prove(statement: Any) -> tuple[Check, ...]:
        condition = statement.condition if isinstance(statement, Given) else sp.true
        claim = statement.statement if isinstance(statement, Given) else statement
        sign = -1 if claim["sign"] == "negative" else 1

        def holds(case: dict[str, float]) -> bool:
            return bool(sign * float(evaluate(form, case)) > 0) is bool(case["d"] > claim["bound"])

        allowed = [case for case in grid if bool(evaluate(condition, case))]
        return (Check("grid", lambda: for_all(allowed, holds), "(C.28) as corrected"),)

    return prove
