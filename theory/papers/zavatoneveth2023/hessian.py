r"""Where the factor 3 of Appendix A comes from: the two parts of the Riemann tensor, and the sign between them.

Metrics with symmetric derivatives are Hessians of a potential, so this is Appendix A in general. The derivatives of the
Christoffel symbols contribute -1/2 and their products +1/4 to the same combination of :math:`\partial g\, g^{-1}
\partial g`; the sum is -1/4, and with the sign of the products reversed the printed -3/4.
"""

from __future__ import annotations

import itertools
from functools import cache

import sympy as sp

from theory.core import Check, Step
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023 import christoffel
from theory.papers.zavatoneveth2023.explicit_metrics import (
    BIASES,
    POINT,
    WEIGHTS,
    bent_plane,
    erf_network,
    infinite_erf,
    log_gamma_hessian,
    paraboloid,
    polar,
    sphere,
)

AXES = (1, 2)
QUARTER = sp.Rational(1, 4)


def jet(*indices: int) -> sp.Symbol:
    """A derivative of the potential at the point."""
    return sp.Symbol("F" + "".join(map(str, sorted(indices))), real=True)


def _slope(form: sp.Expr, index: int) -> sp.Expr:
    """Derivative of an expression in jets."""
    symbols = sorted(form.free_symbols, key=str)
    return sp.Add(*(form.diff(symbol) * jet(*map(int, symbol.name[1:]), index) for symbol in symbols))


def _parts() -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Of R_1212: derivatives of Christoffel symbols, their products, and the combination of third derivatives."""
    metric = sp.Matrix(2, 2, lambda i, k: jet(i + 1, k + 1))
    inverse = metric.inv()

    @cache
    def symbol(upper: int, a: int, b: int) -> sp.Expr:
        first_kind = [(jet(b, k, a) + jet(a, k, b) - jet(a, b, k)) / 2 for k in AXES]
        return sp.Add(*(inverse[upper - 1, k - 1] * form for k, form in zip(AXES, first_kind, strict=True)))

    def lowered(mixed: list[sp.Expr]) -> sp.Expr:
        return sp.Add(*(metric[0, k - 1] * form for k, form in zip(AXES, mixed, strict=True)))

    derivatives = lowered([_slope(symbol(k, 2, 2), 1) - _slope(symbol(k, 1, 2), 2) for k in AXES])
    products = lowered(
        [sum(symbol(k, 1, p) * symbol(p, 2, 2) - symbol(k, 2, p) * symbol(p, 1, 2) for p in AXES) for k in AXES]
    )
    quadratic = sp.Add(
        *(inverse[p - 1, k - 1] * (jet(1, 1, p) * jet(2, 2, k) - jet(1, 2, p) * jet(2, 1, k))
          for p, k in itertools.product(AXES, repeat=2))
    )  # fmt: skip
    return derivatives, products, quadratic


def _reversed(metric: christoffel.Metric, point: tuple[str, ...]) -> float:
    """Scalar curvature with the products of Christoffel symbols reversed, per the right one."""
    return christoffel.scalar(metric, point, sign=-1) / christoffel.scalar(metric, point)


@cache
def _reversing_triples() -> bool:
    seen = tuple(POINT)
    metrics = (
        (log_gamma_hessian, ("1.5", "0.7")),
        (erf_network(WEIGHTS, BIASES), seen),
        (infinite_erf("1", "0.5", 3), seen),
    )
    return all(is_close(_reversed(*metric), 3) for metric in metrics)


@cache
def _some_surfaces_are_blind() -> bool:
    """A 2-sphere has the right curvature with either sign; a 3-sphere, a paraboloid and a bent plane do not."""
    at = ("0.3", "-0.7")
    blind = is_close(_reversed(sphere, at), 1) and is_close(_reversed(polar, at), 1)
    seeing = _reversed(sphere, (*at, "0.4")), _reversed(paraboloid, at)
    flat = [abs(christoffel.scalar(bent_plane, at, sign=sign)) for sign in (1, -1)]
    return blind and not any(is_close(ratio, 1, 0.1) for ratio in seeing) and flat[0] < 1e-30 and flat[1] > 1


def derivatives_and_products() -> tuple[Step | Check, ...]:
    """Both parts of the Riemann tensor of two inputs, and what the sign between them does."""
    derivatives, products, quadratic = _parts()
    return (
        Step("derivatives", derivatives, -2 * QUARTER * quadratic, "fourth derivatives of the potential cancel"),
        Step("products", products, QUARTER * quadratic, "half the derivative of the metric, one index raised"),
        Check("reversing the products triples the curvature", _reversing_triples, "definition of curvature"),
        Check("some surfaces do not show the sign", _some_surfaces_are_blind, "definition of curvature"),
    )
