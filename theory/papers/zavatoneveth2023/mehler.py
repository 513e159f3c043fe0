"""Gaussian averages of powers and Hermite polynomials by quadrature, and formulas with sums over integers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp
from scipy import special

from theory.core import Check
from theory.core.ledger.printed import relations
from theory.core.ledger.proving import is_close, meant

double_factorial, hermite, hermite_mean, hermite_product, hypergeometric, moment, power_mean = (
    sp.Function(name)
    for name in (
        *("double_factorial", "hermite", "hermite_mean", "hermite_product", "hypergeometric"),
        *("moment", "power_mean"),
    )
)
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(24)  # exact for polynomials of degree 47
PROBABILITIES = WEIGHTS / WEIGHTS.sum()
BEYOND = 14  # averages over Hermite polynomials of a higher order than the power vanish
INPUTS = np.array([[0.6, -0.3], [0.2, 0.7]])


def _hermite(order: int, at: Any) -> Any:
    """Probabilists' Hermite polynomial; zero for negative orders."""
    one, other = np.zeros_like(at), np.ones_like(at)
    for step in range(order):
        one, other = other, at * other - step * one
    return other if order >= 0 else one


def _mean(form: Callable[[Any], Any]) -> float:
    return float(PROBABILITIES @ form(NODES))


@cache
def _moment(degree: int, correlation: float) -> float:
    u = NODES[:, None]
    v = correlation * u + np.sqrt(1 - correlation**2) * NODES
    return float(PROBABILITIES @ (u**degree * v**degree) @ PROBABILITIES)


def _double_factorial(number: int) -> float:
    return float(special.factorial2(number)) if number > 0 else 1.0


FUNCTIONS = {
    double_factorial: lambda number: sp.Float(_double_factorial(int(number))),
    hermite_mean: lambda order, power: sp.Float(_mean(lambda t: _hermite(int(order), t) * t ** int(power))),
    hermite_product: lambda one, other: sp.Float(_mean(lambda t: _hermite(int(one), t) * _hermite(int(other), t))),
    power_mean: lambda power: sp.Symbol("root_of_variance") ** power * _mean(lambda t: t ** int(power)),
}


@cache
def _values(degree: int) -> dict[str, float]:
    """Both inputs, their kernel and their correlation, from averages over weights and bias."""
    sigma, zeta = 0.9 + 0.1 * degree, 0.5
    draws = np.array(list(itertools.product(NODES, repeat=3)))
    chance = np.prod(list(itertools.product(PROBABILITIES, repeat=3)), axis=1)
    x, y = (sigma * draws[:, :2] @ point + zeta * draws[:, 2] for point in INPUTS)
    (r, xy), (_, r_y) = INPUTS @ INPUTS.T
    scale = _double_factorial(2 * degree - 1)
    return {
        "sigma": sigma,
        "zeta": zeta,
        "r": r,
        "r_y": r_y,
        "xy": xy,
        "t": 0.7,
        "root_of_variance": float(np.sqrt(chance @ x**2)),
        "kernel_xx": float(chance @ x ** (2 * degree) / scale),
        "rho": float(chance @ (x * y) / np.sqrt((chance @ x**2) * (chance @ y**2))),
        "kernel": float(chance @ (x**degree * y**degree) / scale),
    }


def of_degrees(degrees: Iterable[int]) -> Callable[[frozenset[str]], Iterator[dict[str, int]]]:
    """Cases: these degrees q, with all orders k and m that stand in a formula; l is half of q."""
    kept = tuple(degrees)

    def cases(names: frozenset[str]) -> Iterator[dict[str, int]]:
        for q in kept:
            orders = range(8) if "k" in names else (0,)
            terms = range(q // 2 + 1) if "m" in names else (0,)
            yield from ({"q": q, "ell": q // 2, "k": k, "m": m} for k, m in itertools.product(orders, terms))

    return cases


def _value(side: Any, integers: dict[str, int]) -> float:
    exact = {symbol: integers[symbol.name] for symbol in side.free_symbols if symbol.name in integers}
    side = sp.sympify(side).subs(exact).replace(sp.oo, sp.Integer(BEYOND)).doit()
    values = _values(integers["q"])
    numbers = {symbol: sp.Float(values[symbol.name]) for symbol in side.free_symbols}
    functions = {
        hermite: lambda order, at: sp.Float(float(_hermite(int(order), np.array(float(at))))),
        hypergeometric: lambda *arguments: sp.Float(float(special.hyp2f1(*map(float, arguments)))),
        moment: lambda degree, correlation: sp.Float(_moment(int(degree), float(correlation))),
    }
    form = meant(meant(side.subs(numbers), functions), FUNCTIONS)
    return float(form.subs("root_of_variance", values["root_of_variance"]))


def in_integers(
    cases: Callable[[frozenset[str]], Iterable[dict[str, int]]], because: str
) -> Callable[[Any], tuple[Check, ...]]:
    """Each printed equation holds for all these integers, its sums written out, with averages by quadrature."""

    def holds(relation: Any) -> bool:
        names = frozenset(symbol.name for symbol in relation.free_symbols)
        return all(
            is_close(_value(relation.lhs, integers), _value(relation.rhs, integers), scale=1.0)
            for integers in cases(names)
        )

    def prove(statement: Any) -> tuple[Check, ...]:
        parts = relations(statement)
        return tuple(Check(f"part {place}", partial(holds, part), because) for place, part in enumerate(parts, 1))

    return prove
