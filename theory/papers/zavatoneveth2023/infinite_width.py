r"""Section IV.B: metric, volume element and curvature at infinite width, Eqs. (5) to (7)."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.projection import (
    CORRECTED_7,
    PRINTED_7,
    PRINTED_SCALAR,
    SCALAR,
    WITNESS,
    E,
    metric,
    metric_of_erf,
    norm2,
    read_scalar,
    scalar_7,
    slope,
    u,
)
from theory.papers.zavatoneveth2023.symbols import d, display, omega, omega1, omega2, r

EQUATIONS = (
    entry(
        "(5)",
        "IV.B",
        "The metric at infinite width is e^Omega times the identity plus a multiple of the projection on x.",
        Finding.CONFIRMED,
        "(C.7) to (C.11), where the steps are; here its radial part as a derivative of the tangential one.",
        printed=r"g_{\mu\nu} = e^{\Omega(\|\mathbf{x}\|^2)} [\delta_{\mu\nu} + 2 \Omega'(\|\mathbf{x}\|^2) x_\mu "
        r"x_\nu]",
        steps=(
            Step(
                "symmetric derivatives single it out",
                sp.Matrix(3, 3, lambda i, j: slope(metric(i, 0), j) - slope(metric(j, 0), i)),
                sp.zeros(3, 3),
                because="the coefficient of the projection is twice the derivative of that of the identity",
            ),
            Check("erf, against the Gaussian integral over all weights", lambda: metric_of_erf(), "matrix inverse"),
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
        "Sectional curvatures from the definition, and the contraction of (C.16). The curvature computed by "
        "definition, with the metric as a Gaussian integral over all weights, sides with the corrected form. The "
        "printed prefactor is that of Appendix A.",
        printed=PRINTED_7,
        corrected=CORRECTED_7,
        steps=SCALAR,
        printed_steps=PRINTED_SCALAR,
        witness=WITNESS,
        oracle=lambda: read_scalar(scalar_7),
        consequence="Three times too large for every activation function and every dimension: -4.47 instead of -1.49 "
        "at the witness. Where Omega' vanishes the formula reads 0/0, as printed and as corrected, but R is regular "
        "there: it is the sum of 2(d-1) radial and (d-1)(d-2) tangential sectional curvatures, which are.",
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
