r"""The metric :math:`e^\Omega (\delta + 2 \Omega' x x^\top)`, its derivatives and its curvature, term by term."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

import numpy as np
import sympy as sp

from theory.core import Check, Reading, Step
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.network import close
from theory.papers.zavatoneveth2023.symbols import d, omega, omega1, omega2, omega3, r, with_factor

ONE = sp.S.One
x = sp.symbols("x1:4", real=True)
norm2 = sp.Add(*(xi**2 for xi in x))
E = sp.exp(omega)
u = 1 + 2 * r * omega1
"""Radial eigenvalue per tangential one."""


def slope(expression: sp.Expr, axis: int) -> sp.Expr:
    """Derivative along an axis of an expression in x and in Omega and its derivatives at |x|^2."""
    through = expression.diff(omega) * omega1 + expression.diff(omega1) * omega2 + expression.diff(omega2) * omega3
    return expression.diff(x[axis]) + 2 * x[axis] * through


def delta(i: int, j: int) -> int:
    """Kronecker's."""
    return int(i == j)


def metric(i: int, j: int) -> sp.Expr:
    """Eq. (C.12) for three inputs."""
    return E * (delta(i, j) + 2 * omega1 * x[i] * x[j])


def inverse(i: int, j: int) -> sp.Expr:
    """Eq. (C.14) for three inputs."""
    return (delta(i, j) - 2 * omega1 / (1 + 2 * norm2 * omega1) * x[i] * x[j]) / E


def third(a: int, i: int, j: int) -> sp.Expr:
    """Eq. (C.15)."""
    curved = 4 * E * (omega2 + omega1**2) * x[a] * x[i] * x[j]
    return 2 * E * omega1 * (x[a] * delta(i, j) + x[i] * delta(a, j) + x[j] * delta(a, i)) + curved


def riemann_from_derivatives(m: int, k: int, a: int, b: int) -> sp.Expr:
    """Appendix A as corrected."""
    return (
        -sp.Add(
            *(
                inverse(i, j) * (third(a, m, i) * third(b, k, j) - third(b, m, i) * third(a, k, j))
                for i in range(3)
                for j in range(3)
            )
        )
        / 4
    )


def riemann_16(m: int, k: int, a: int, b: int, factor: int) -> sp.Expr:
    """Eq. (C.16)."""

    def half(a: int, b: int) -> sp.Expr:
        mixed = delta(m, a) * x[k] * x[b] + x[m] * x[a] * delta(k, b)
        return norm2 * delta(m, a) * delta(k, b) + (1 + 2 * norm2 * omega2 / omega1) * mixed

    return -factor * E * omega1**2 / (1 + 2 * norm2 * omega1) * (half(a, b) - half(b, a))


PAIRS = tuple(itertools.combinations(range(3), 2))


def over_pairs(form: Callable[[int, int, int, int], sp.Expr]) -> sp.Matrix:
    """A tensor with the symmetries of Riemann's as a matrix over pairs of axes."""
    return sp.Matrix(3, 3, lambda i, j: form(*PAIRS[i], *PAIRS[j]))


trace = (d - 1 + 1 / u) / E
trace_of_square = (d - 1 + 1 / u**2) / E**2
bracket_21 = sp.exp(-2 * omega) * (d - 1) * (d - 4 * r * omega1 / u)
bracket_22 = sp.exp(-2 * omega) * r * (d - 1) / u


def scalar_20(factor: int) -> sp.Expr:
    """Eq. (C.20), with (C.21) and (C.22)."""
    return -factor * E * omega1**2 / u * (r * bracket_21 + 2 * (1 + 2 * r * omega2 / omega1) * bracket_22)


PRINTED_7, CORRECTED_7 = with_factor(
    r"R = -\frac{@ (d-1) e^{-\Omega} (\Omega')^2 \|\mathbf{x}\|^2}{(1 + 2\|\mathbf{x}\|^2\Omega')^2} \left[d + 2 + "
    r"2\|\mathbf{x}\|^2 \left((d-2) \Omega' + 2\frac{\Omega''}{\Omega'}\right)\right]"
)


def scalar_7(factor: int) -> sp.Expr:
    """Eqs. (7) and (C.23)."""
    return (
        -factor
        * (d - 1)
        * sp.exp(-omega)
        * omega1**2
        * r
        / u**2
        * (d + 2 + 2 * r * ((d - 2) * omega1 + 2 * omega2 / omega1))
    )


# From the definition at (|x|, 0, 0): sectional curvatures of planes with and without the radius.
radial, tangential = (
    riemann_from_derivatives(0, 1, 0, 1).subs(dict(zip(x, (sp.sqrt(r), 0, 0), strict=True))) / (E**2 * u),
    riemann_from_derivatives(1, 2, 1, 2).subs(dict(zip(x, (sp.sqrt(r), 0, 0), strict=True))) / E**2,
)
scalar_from_sections = 2 * (d - 1) * radial + (d - 1) * (d - 2) * tangential


def slope_values(form: sp.Expr) -> dict[sp.Symbol, sp.Expr]:
    """Omega and its first two derivatives for a given function of r."""
    return {omega: form, omega1: form.diff(r), omega2: form.diff(r, 2)}


# sigma = 1, zeta = 1/2, erf; x = (3/10, -7/10), and with more inputs after it.
POINTS = {2: ("0.3", "-0.7"), 3: ("0.3", "-0.7", "0.2"), 4: ("0.3", "-0.7", "0.2", "0.5")}


def _erf_values(inputs: int) -> dict[sp.Symbol, sp.Expr]:
    size = sum(sp.Rational(value) ** 2 for value in POINTS[inputs])
    spread = 1 + 2 * (size + sp.Rational(1, 4))
    return {
        r: size,
        omega: sp.log(2 / sp.pi) - sp.log(spread) / 2,
        omega1: -1 / spread,
        omega2: 2 / spread**2,
        d: sp.Integer(inputs),
    }


def independent(inputs: int) -> christoffel.Curvature:
    """Curvature of the infinite network of error functions, by definition."""
    return christoffel.curvature(explicit_metrics.infinite_erf("1", "0.5", inputs), POINTS[inputs])


def read_scalar(form: Callable[[int], sp.Expr], inputs: int = 2) -> Reading:
    """A formula for R with its prefactor free, at the witness."""
    values = _erf_values(inputs)
    printed, corrected = (float(form(factor).subs(values)) for factor in (3, 1))
    return Reading(printed, corrected, float(independent(inputs).scalar))


def read_tensor() -> Reading:
    """The Riemann tensor at the witness: printed, corrected, by definition."""
    values = {**_erf_values(3), **dict(zip(x, map(sp.Rational, POINTS[3]), strict=True))}
    printed, corrected = (
        np.array(over_pairs(partial(riemann_16, factor=factor)).subs(values), dtype=float) for factor in (3, 1)
    )
    tensor = explicit_metrics.as_floats(independent(3).riemann)
    return Reading(printed, corrected, [[tensor[(*one, *other)] for other in PAIRS] for one in PAIRS])


def _more_inputs() -> bool:
    return all(
        close(float(scalar_7(1).subs(_erf_values(inputs))), float(independent(inputs).scalar)) for inputs in (3, 4)
    )


WITNESS = {"activation": "erf(z/sqrt 2)", "sigma": 1, "zeta": "1/2", "x": POINTS[2]}
SCALAR = (
    Step(
        "from sectional curvatures", scalar_from_sections, scalar_7(1), because="2 (d-1) radial, (d-1)(d-2) tangential"
    ),
    Step("from the contraction", scalar_20(1), scalar_7(1), because="(C.20) to (C.22)"),
    Check("three and four inputs", _more_inputs, "definition of curvature"),
)
PRINTED_SCALAR = (Step("as printed", scalar_from_sections, scalar_7(3), because="Appendix A"),)


def metric_of_erf() -> bool:
    """Whether the metric agrees with the Gaussian integral over all weights."""
    values = {**_erf_values(3), **dict(zip(x, map(sp.Rational, POINTS[3]), strict=True))}
    ours = np.array(sp.Matrix(3, 3, metric).subs(values), dtype=float)
    return close(ours, explicit_metrics.as_floats(independent(3).metric))
