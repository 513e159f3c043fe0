r"""Appendix C.2: where the curvature of monomials is smallest, Eqs. (C.49) to (C.51)."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.monomials import (
    CUBIC,
    DEGREE,
    IN_VARIANCES,
    a,
    c,
    falls_then_rises,
    m,
    one_turning_point,
    positive_factor,
    quadratic,
    rises_to_zero,
    scalar_46,
    threshold,
)
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.symbols import d, q

EQUATIONS = (
    entry(
        "(C.49)",
        "C.2",
        "The slope of R in sigma^2 |x|^2 is a cubic, up to a positive factor.",
        Finding.CONFIRMED,
        "Differentiation of (C.46). It does not depend on the prefactor of R.",
        printed=r"\frac{\partial R}{\partial(\sigma^2\|\mathbf{x}\|^2)} \propto (d-2) q (2q-1)^2 "
        r"(\sigma^2\|\mathbf{x}\|^2)^3 + (2q-1) [(2q-1) d + 6] \zeta^2 (\sigma^2\|\mathbf{x}\|^2)^2 - [8 + q(d-14)] "
        r"\zeta^4 \sigma^2\|\mathbf{x}\|^2 - (d+2) \zeta^6",
        steps=(
            Step(
                "derivative",
                sp.Derivative(scalar_46(1).subs(IN_VARIANCES), a),
                positive_factor * CUBIC,
                because="differentiation",
                where=DEGREE,
            ),
        ),
    ),
    entry(
        "C.2 one minimum",
        "C.2",
        "This suggests that R decreases at first and then rises towards zero.",
        Finding.CONFIRMED,
        "The coefficients of the cubic change sign once, so it has one positive root, for every d >= 2 and q > 1.",
        steps=(
            Check("one positive root", one_turning_point, "Descartes' rule of signs; Sturm sequences at some d and q"),
            Check("falls, rises, tends to zero", rises_to_zero, "values at d = 3, q = 2"),
        ),
    ),
    entry(
        "(C.50)",
        "C.2",
        "With two inputs the threshold solves a quadratic equation.",
        Finding.CONFIRMED,
        "The cubic at d = 2.",
        printed=r"[2q^2 + q - 1] C^2 + (3q - 2) \zeta^2 C - \zeta^4 = 0",
        steps=(Step("cubic at d = 2", CUBIC.subs(d, 2), 4 * c * quadratic, because="factorisation"),),
    ),
    entry(
        "(C.51)",
        "C.2",
        "The threshold, at which R is smallest.",
        Finding.CONFIRMED,
        "It solves (C.50) and is the positive root; below it R falls and above it R rises.",
        printed=r"C = \frac{\sqrt{17q^2 - 8q} - 3q + 2}{2(2q^2 + q - 1)} \zeta^2",
        closed_form="geometry.curvature_threshold",
        steps=(
            Step("a root", quadratic.subs(a, threshold), sp.S.Zero, because="substitution", where={q: (1 + m) / 2}),
            Check("falls below, rises above", falls_then_rises, "the cubic at q = 2"),
            Check(
                "positive",
                lambda: all(threshold.subs({q: degree, c: 1}).is_positive for degree in range(1, 20)),
                "degrees up to 19",
            ),
        ),
    ),
    entry(
        "C.2 threshold at q = 2",
        "C.2",
        "For q = 2 the root of C is about 0.42 zeta.",
        Finding.CONFIRMED,
        "0.4224 zeta.",
        printed=r"\sqrt{C} \simeq 0.42 \zeta",
        steps=(
            Check(
                "to the digits given",
                lambda: round(float(sp.sqrt(threshold.subs({q: 2, c: 1}))), 2) == 0.42,
                "arithmetic",
            ),
            Step(
                "exactly",
                threshold.subs({q: 2, c: 1}),
                (sp.sqrt(13) - 2) / 9,
                because="arithmetic",
            ),
        ),
    ),
)
