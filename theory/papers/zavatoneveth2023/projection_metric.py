r"""Section IV.B and Appendix C.1: metrics :math:`e^\Omega (\delta + 2 \Omega' x x^\top)`, Eqs. (5) to (7), (C.12) to (C.23)."""

from __future__ import annotations

import itertools

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.entry import d, display, entry, omega, omega1, omega2, omega3, r
from theory.papers.zavatoneveth2023.network import close

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


def over_pairs(form: object) -> sp.Matrix:
    """A tensor with the symmetries of Riemann's as a matrix over pairs of axes."""
    return sp.Matrix(3, 3, lambda i, j: form(*PAIRS[i], *PAIRS[j]))


trace = (d - 1 + 1 / u) / E
trace_of_square = (d - 1 + 1 / u**2) / E**2
bracket_21 = sp.exp(-2 * omega) * (d - 1) * (d - 4 * r * omega1 / u)
bracket_22 = sp.exp(-2 * omega) * r * (d - 1) / u


def scalar_20(factor: int) -> sp.Expr:
    """Eq. (C.20), with (C.21) and (C.22)."""
    return -factor * E * omega1**2 / u * (r * bracket_21 + 2 * (1 + 2 * r * omega2 / omega1) * bracket_22)


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


def read_scalar(form: object, inputs: int = 2) -> Reading:
    """A formula for R with its prefactor free, at the witness."""
    values = _erf_values(inputs)
    printed, corrected = (float(form(factor).subs(values)) for factor in (3, 1))
    return Reading(printed, corrected, float(independent(inputs).scalar))


def _read_tensor() -> Reading:
    values = {**_erf_values(3), **dict(zip(x, map(sp.Rational, POINTS[3]), strict=True))}
    printed, corrected = (
        np.array(over_pairs(lambda *i, f=factor: riemann_16(*i, f)).subs(values), dtype=float) for factor in (3, 1)
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
    Check("three and four inputs", _more_inputs, "full Christoffel route"),
)
PRINTED_SCALAR = (Step("as printed", scalar_from_sections, scalar_7(3), because="Appendix A"),)

EQUATIONS_IV_B = (
    entry(
        "(5)",
        "IV.B",
        "The metric at infinite width is e^Omega times the identity plus a multiple of the projection on x.",
        Finding.CONFIRMED,
        "(C.7) to (C.11), where the steps are; here its radial part as a derivative of the tangential one.",
        printed=r"g_{\mu\nu} = e^{\Omega(\|\mathbf{x}\|^2)} [\delta_{\mu\nu} + 2 \Omega'(\|\mathbf{x}\|^2) x_\mu x_\nu]",
        steps=(
            Step(
                "symmetric derivatives single it out",
                sp.Matrix(3, 3, lambda i, j: slope(metric(i, 0), j) - slope(metric(j, 0), i)),
                sp.zeros(3, 3),
                because="the coefficient of the projection is twice the derivative of that of the identity",
            ),
            Check("erf, against the Gaussian integral over all weights", lambda: _metric_of_erf(), "matrix inverse"),
        ),
    ),
    entry(
        "(6)",
        "IV.B",
        "Its determinant.",
        Finding.CONFIRMED,
        "One radial and d - 1 tangential eigenvalues.",
        printed=display(r"\det g", sp.exp(d * omega) * u),
        steps=(
            Step("product of eigenvalues", E ** (d - 1) * (E * u), sp.exp(d * omega) * u, because="(C.14)"),
            Step(
                "three inputs",
                sp.Matrix(3, 3, metric).det(),
                sp.exp(3 * omega) * (1 + 2 * norm2 * omega1),
                because="determinant",
            ),
        ),
    ),
    entry(
        "(7)",
        "IV.B",
        "Its Ricci scalar.",
        Finding.MISPRINT,
        "Sectional curvatures from the definition, and the contraction of (C.16); the full Christoffel route on the Gaussian "
        "integral over all weights sides with the corrected form. The prefactor is that of Appendix A.",
        printed=display("R", scalar_7(3)),
        corrected=display("R", scalar_7(1)),
        steps=SCALAR,
        printed_steps=PRINTED_SCALAR,
        witness=WITNESS,
        oracle=lambda: read_scalar(scalar_7),
        consequence="Three times too large for every activation function and every dimension: -4.47 instead of -1.49 at the "
        "witness. The form 0/0 where Omega' vanishes is one of writing: 2 (d-1) radial + (d-1)(d-2) tangential sectional "
        "curvatures have no such point.",
    ),
    entry(
        "IV.B spherical symmetry",
        "IV.B",
        "All geometric quantities depend on the norm of the input only.",
        Finding.CONFIRMED,
        "(6) and (7) have no other dependence on x.",
        steps=(
            Check(
                "symbols of (6) and (7)",
                lambda: (scalar_7(1) * u).free_symbols == {d, r, omega, omega1, omega2},
                "Omega and its derivatives are functions of r",
            ),
        ),
    ),
)

EQUATIONS_C = (
    entry(
        "(C.12)",
        "C.1",
        "Metrics of this form for a smooth function Omega.",
        Finding.DEFINITION,
        "The same as (5).",
        printed=r"g_{\mu\nu} = e^{\Omega(\|\mathbf{x}\|^2)} [\delta_{\mu\nu} + 2 \Omega'(\|\mathbf{x}\|^2) x_\mu x_\nu]",
    ),
    entry(
        "(C.13)",
        "C.1",
        "Their determinant.",
        Finding.CONFIRMED,
        "As for (6).",
        printed=display(r"\det g", sp.exp(d * omega) * u),
        steps=(
            Step(
                "two inputs",
                sp.Matrix(2, 2, metric).det(),
                sp.exp(2 * omega) * (1 + 2 * (x[0] ** 2 + x[1] ** 2) * omega1),
                because="matrix determinant lemma",
            ),
        ),
    ),
    entry(
        "(C.14)",
        "C.1",
        "Their inverse and eigenvalues.",
        Finding.CONFIRMED,
        "Product with the metric; action on x and across it.",
        printed=r"g^{\mu\nu} = e^{-\Omega} \left[\delta_{\mu\nu} - \frac{2\Omega'}{1 + 2\|\mathbf{x}\|^2 \Omega'} x_\mu "
        r"x_\nu\right]",
        steps=(
            Step("product", sp.Matrix(3, 3, inverse) * sp.Matrix(3, 3, metric), sp.eye(3), because="Sherman-Morrison"),
            Step(
                "along x",
                sp.Matrix(3, 3, metric) * sp.Matrix(x),
                E * (1 + 2 * norm2 * omega1) * sp.Matrix(x),
                because="projection",
            ),
            Step(
                "across x",
                sp.Matrix(3, 3, metric) * sp.Matrix([x[1], -x[0], 0]),
                E * sp.Matrix([x[1], -x[0], 0]),
                because="projection",
            ),
        ),
    ),
    entry(
        "(C.15)",
        "C.1",
        "The derivative of the metric, symmetric in all indices.",
        Finding.CONFIRMED,
        "Differentiation; three inputs.",
        printed=r"\partial_\alpha g_{\mu\nu} = 2 e^\Omega \Omega' (x_\alpha \delta_{\mu\nu} + x_\mu \delta_{\alpha\nu} + x_\nu "
        r"\delta_{\alpha\mu}) + 4 e^\Omega [\Omega'' + (\Omega')^2] x_\alpha x_\mu x_\nu",
        steps=tuple(
            Step(
                f"along x{a + 1}",
                sp.Matrix(3, 3, lambda i, j, a=a: slope(metric(i, j), a)),
                sp.Matrix(3, 3, lambda i, j, a=a: third(a, i, j)),
                because="chain rule",
            )
            for a in range(3)
        ),
    ),
    entry(
        "(C.16)",
        "C.1",
        "The Riemann tensor.",
        Finding.MISPRINT,
        "Appendix A with (C.14) and (C.15), whose prefactor it inherits.",
        printed=r"R_{\mu\nu\alpha\beta} = -\frac{3 e^\Omega (\Omega')^2}{1 + 2\|\mathbf{x}\|^2\Omega'} \left[\|\mathbf{x}\|^2 "
        r"\delta_{\mu\alpha} \delta_{\nu\beta} + \left(1 + 2\|\mathbf{x}\|^2 \frac{\Omega''}{\Omega'}\right) (\delta_{\mu\alpha} "
        r"x_\nu x_\beta + x_\mu x_\alpha \delta_{\nu\beta}) - (\alpha \leftrightarrow \beta)\right]",
        corrected=r"R_{\mu\nu\alpha\beta} = -\frac{e^\Omega (\Omega')^2}{1 + 2\|\mathbf{x}\|^2\Omega'} \left[\|\mathbf{x}\|^2 "
        r"\delta_{\mu\alpha} \delta_{\nu\beta} + \left(1 + 2\|\mathbf{x}\|^2 \frac{\Omega''}{\Omega'}\right) (\delta_{\mu\alpha} "
        r"x_\nu x_\beta + x_\mu x_\alpha \delta_{\nu\beta}) - (\alpha \leftrightarrow \beta)\right]",
        steps=(
            Step(
                "three inputs",
                over_pairs(riemann_from_derivatives),
                over_pairs(lambda *i: riemann_16(*i, 1)),
                because="contraction",
            ),
        ),
        printed_steps=(
            Step(
                "as printed",
                over_pairs(riemann_from_derivatives),
                over_pairs(lambda *i: riemann_16(*i, 3)),
                because="contraction",
            ),
        ),
        witness={**WITNESS, "x": POINTS[3]},
        oracle=_read_tensor,
        consequence="Three times too large, as everything that follows from Appendix A.",
    ),
    entry(
        "(C.17) and (C.18)",
        "C.1",
        "The inverse metric on x once and twice.",
        Finding.CONFIRMED,
        "Three inputs.",
        printed=r"g^{\rho\lambda} x_\rho = \frac{e^{-\Omega} x_\lambda}{1 + 2\|\mathbf{x}\|^2\Omega'}, \quad g^{\rho\lambda} "
        r"x_\rho x_\lambda = \frac{e^{-\Omega} \|\mathbf{x}\|^2}{1 + 2\|\mathbf{x}\|^2\Omega'}",
        steps=(
            Step(
                "once",
                sp.Matrix(3, 3, inverse) * sp.Matrix(x),
                sp.Matrix(x) * sp.exp(-omega) / (1 + 2 * norm2 * omega1),
                because="(C.14)",
            ),
            Step(
                "twice",
                (sp.Matrix([x]) * sp.Matrix(3, 3, inverse) * sp.Matrix(x))[0],
                norm2 * sp.exp(-omega) / (1 + 2 * norm2 * omega1),
                because="(C.14)",
            ),
        ),
    ),
    entry(
        "(C.19) and (C.20)",
        "C.1",
        "The Ricci scalar as a contraction.",
        Finding.MISPRINT,
        "(C.16) contracted; any dimension by the traces of (C.21) and (C.22).",
        printed=r"R = -\frac{3 e^\Omega (\Omega')^2}{1 + 2\|\mathbf{x}\|^2\Omega'} \left[\|\mathbf{x}\|^2 (g^{\alpha\alpha} "
        r"g^{\beta\beta} - g^{\alpha\beta} g^{\alpha\beta}) + 2 \left(1 + 2\|\mathbf{x}\|^2 \frac{\Omega''}{\Omega'}\right) "
        r"(g^{\alpha\alpha} g^{\mu\beta} x_\mu x_\beta - g^{\mu\alpha} g^{\alpha\beta} x_\mu x_\beta)\right]",
        corrected=r"R = -\frac{e^\Omega (\Omega')^2}{1 + 2\|\mathbf{x}\|^2\Omega'} \left[\|\mathbf{x}\|^2 (g^{\alpha\alpha} "
        r"g^{\beta\beta} - g^{\alpha\beta} g^{\alpha\beta}) + 2 \left(1 + 2\|\mathbf{x}\|^2 \frac{\Omega''}{\Omega'}\right) "
        r"(g^{\alpha\alpha} g^{\mu\beta} x_\mu x_\beta - g^{\mu\alpha} g^{\alpha\beta} x_\mu x_\beta)\right]",
        steps=(
            Step("from sectional curvatures", scalar_from_sections, scalar_20(1), because="both from the definition"),
        ),
        printed_steps=(Step("as printed", scalar_from_sections, scalar_20(3), because="contraction"),),
        witness=WITNESS,
        oracle=lambda: read_scalar(scalar_20),
        consequence="As for (7).",
    ),
    entry(
        "(C.21)",
        "C.1",
        "Squared trace less trace of the square of the inverse.",
        Finding.CONFIRMED,
        "From the eigenvalues, any dimension.",
        printed=r"g^{\alpha\alpha} g^{\beta\beta} - g^{\alpha\beta} g^{\alpha\beta} = e^{-2\Omega} (d-1) \left(d - 2 \cdot "
        r"\frac{2\|\mathbf{x}\|^2\Omega'}{1 + 2\|\mathbf{x}\|^2\Omega'}\right)",
        steps=(Step("any dimension", trace**2 - trace_of_square, bracket_21, because="eigenvalues"),),
    ),
    entry(
        "(C.22)",
        "C.1",
        "The same with x twice.",
        Finding.CONFIRMED,
        "From the eigenvalues, any dimension.",
        printed=r"g^{\alpha\alpha} g^{\mu\beta} x_\mu x_\beta - g^{\mu\alpha} g^{\alpha\beta} x_\mu x_\beta = e^{-2\Omega} "
        r"\|\mathbf{x}\|^2 \frac{d-1}{1 + 2\|\mathbf{x}\|^2\Omega'}",
        steps=(
            Step(
                "any dimension",
                trace * r / (E * u) - r / (E * u) ** 2,
                bracket_22,
                because="x is an eigenvector",
            ),
        ),
    ),
    entry(
        "(C.23)",
        "C.1",
        "The Ricci scalar.",
        Finding.MISPRINT,
        "The same as (7).",
        printed=display("R", scalar_7(3)),
        corrected=display("R", scalar_7(1)),
        steps=SCALAR,
        printed_steps=PRINTED_SCALAR,
        witness={**WITNESS, "x": POINTS[4]},
        oracle=lambda: read_scalar(scalar_7, 4),
        consequence="As for (7).",
    ),
)


def _metric_of_erf() -> bool:
    values = {**_erf_values(3), **dict(zip(x, map(sp.Rational, POINTS[3]), strict=True))}
    ours = np.array(sp.Matrix(3, 3, metric).subs(values), dtype=float)
    return close(ours, explicit_metrics.as_floats(independent(3).metric))
