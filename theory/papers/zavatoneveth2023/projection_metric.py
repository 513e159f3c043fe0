r"""Appendix C.1: metrics :math:`e^\Omega (\delta + 2 \Omega' x x^\top)`, Eqs. (C.12) to (C.23)."""

from __future__ import annotations

from functools import partial

import sympy as sp

from theory.core import Finding, Step
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.projection import (
    CORRECTED_7,
    POINTS,
    PRINTED_7,
    PRINTED_SCALAR,
    SCALAR,
    WITNESS,
    E,
    bracket_21,
    bracket_22,
    inverse,
    metric,
    norm2,
    over_pairs,
    read_scalar,
    read_tensor,
    riemann_16,
    riemann_from_derivatives,
    scalar_7,
    scalar_20,
    scalar_from_sections,
    slope,
    third,
    trace,
    trace_of_square,
    u,
    x,
)
from theory.papers.zavatoneveth2023.symbols import d, display, omega, omega1, r, with_factor

PRINTED_16, CORRECTED_16 = with_factor(
    r"R_{\mu\nu\alpha\beta} = -\frac{@ e^\Omega (\Omega')^2}{1 + 2\|\mathbf{x}\|^2\Omega'} \left[\|\mathbf{x}\|^2 "
    r"\delta_{\mu\alpha} \delta_{\nu\beta} + \left(1 + 2\|\mathbf{x}\|^2 \frac{\Omega''}{\Omega'}\right) "
    r"(\delta_{\mu\alpha} x_\nu x_\beta + x_\mu x_\alpha \delta_{\nu\beta}) - (\alpha \leftrightarrow \beta)\right]"
)
PRINTED_20, CORRECTED_20 = with_factor(
    r"R = -\frac{@ e^\Omega (\Omega')^2}{1 + 2\|\mathbf{x}\|^2\Omega'} \left[\|\mathbf{x}\|^2 (g^{\alpha\alpha} "
    r"g^{\beta\beta} - g^{\alpha\beta} g^{\alpha\beta}) + 2 \left(1 + 2\|\mathbf{x}\|^2 "
    r"\frac{\Omega''}{\Omega'}\right) (g^{\alpha\alpha} g^{\mu\beta} x_\mu x_\beta - g^{\mu\alpha} g^{\alpha\beta} "
    r"x_\mu x_\beta)\right]"
)

EQUATIONS = (
    entry(
        "(C.12)",
        "C.1",
        "Metrics of this form for a smooth function Omega.",
        Finding.DEFINITION,
        "The same as (5).",
        printed=r"g_{\mu\nu} = e^{\Omega(\|\mathbf{x}\|^2)} [\delta_{\mu\nu} + 2 \Omega'(\|\mathbf{x}\|^2) x_\mu "
        r"x_\nu]",
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
        printed=r"g^{\mu\nu} = e^{-\Omega} \left[\delta_{\mu\nu} - \frac{2\Omega'}{1 + 2\|\mathbf{x}\|^2 \Omega'} "
        r"x_\mu x_\nu\right]",
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
        printed=r"\partial_\alpha g_{\mu\nu} = 2 e^\Omega \Omega' (x_\alpha \delta_{\mu\nu} + x_\mu \delta_{\alpha\nu} "
        r"+ x_\nu \delta_{\alpha\mu}) + 4 e^\Omega [\Omega'' + (\Omega')^2] x_\alpha x_\mu x_\nu",
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
        printed=PRINTED_16,
        corrected=CORRECTED_16,
        steps=(
            Step(
                "three inputs",
                over_pairs(riemann_from_derivatives),
                over_pairs(partial(riemann_16, factor=1)),
                because="contraction",
            ),
        ),
        printed_steps=(
            Step(
                "as printed",
                over_pairs(riemann_from_derivatives),
                over_pairs(partial(riemann_16, factor=3)),
                because="contraction",
            ),
        ),
        witness={**WITNESS, "x": POINTS[3]},
        oracle=read_tensor,
        consequence="Three times too large, as is every curvature that follows from Appendix A.",
    ),
    entry(
        "(C.17) and (C.18)",
        "C.1",
        "The inverse metric on x once and twice.",
        Finding.CONFIRMED,
        "Three inputs.",
        printed=r"g^{\rho\lambda} x_\rho = \frac{e^{-\Omega} x_\lambda}{1 + 2\|\mathbf{x}\|^2\Omega'}, \quad "
        r"g^{\rho\lambda} x_\rho x_\lambda = \frac{e^{-\Omega} \|\mathbf{x}\|^2}{1 + 2\|\mathbf{x}\|^2\Omega'}",
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
        printed=PRINTED_20,
        corrected=CORRECTED_20,
        steps=(
            Step("from sectional curvatures", scalar_from_sections, scalar_20(1), because="both from the definition"),
        ),
        printed_steps=(Step("as printed", scalar_from_sections, scalar_20(3), because="contraction"),),
        witness=WITNESS,
        oracle=lambda: read_scalar(scalar_20),
        consequence="Three times too large, as (7), which follows from it.",
    ),
    entry(
        "(C.21)",
        "C.1",
        "Squared trace less trace of the square of the inverse.",
        Finding.CONFIRMED,
        "From the eigenvalues, any dimension.",
        printed=r"g^{\alpha\alpha} g^{\beta\beta} - g^{\alpha\beta} g^{\alpha\beta} = e^{-2\Omega} (d-1) \left(d - 2 "
        r"\cdot \frac{2\|\mathbf{x}\|^2\Omega'}{1 + 2\|\mathbf{x}\|^2\Omega'}\right)",
        steps=(Step("any dimension", trace**2 - trace_of_square, bracket_21, because="eigenvalues"),),
    ),
    entry(
        "(C.22)",
        "C.1",
        "The same with x twice.",
        Finding.CONFIRMED,
        "From the eigenvalues, any dimension.",
        printed=r"g^{\alpha\alpha} g^{\mu\beta} x_\mu x_\beta - g^{\mu\alpha} g^{\alpha\beta} x_\mu x_\beta = "
        r"e^{-2\Omega} \|\mathbf{x}\|^2 \frac{d-1}{1 + 2\|\mathbf{x}\|^2\Omega'}",
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
        printed=PRINTED_7,
        corrected=CORRECTED_7,
        steps=SCALAR,
        printed_steps=PRINTED_SCALAR,
        witness={**WITNESS, "x": POINTS[4]},
        oracle=lambda: read_scalar(scalar_7, 4),
        consequence="Three times too large: it is the same formula as (7).",
    ),
)
