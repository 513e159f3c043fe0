r"""Appendix A: the Riemann tensor of metrics with symmetric derivatives, Eqs. (A.1) to (A.19).

The factor 3 of the paper's curvatures enters here. With :math:`T_{\alpha\mu\nu} = \partial_\alpha g_{\mu\nu}`
symmetric, the derivatives of the Christoffel symbols contribute -1/2 and their products +1/4 to the same combination
of :math:`T g^{-1} T`. The sum is -1/4. With the sign of the products reversed it is -3/4, which is what (A.18) and
(B.27) print.
"""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.jets import (
    AT,
    QUARTER,
    bend_of_unit,
    bianchi,
    jet,
    plane,
    reversed_sign_triples,
    scalar,
    scalar_by_definition,
    scalar_quadratic,
    scaled,
    slope,
    slope_of_unit,
    some_surfaces_do_not_show_it,
    space,
    swapped,
    tensor,
    tensor_of,
    total,
    w,
    x,
)
from theory.papers.zavatoneveth2023.paper import entry

# 3 is printed where @ stands, and 1 is right.
LATEX_TENSOR = (
    r"R_{\mu\nu\alpha\beta} = -\tfrac@4 g^{\rho\lambda} (\partial_\alpha g_{\mu\rho} \partial_\beta g_{\nu\lambda} - "
    r"\partial_\beta g_{\mu\rho} \partial_\alpha g_{\nu\lambda})"
)
LATEX_SCALAR = (
    r"R = g^{\beta\nu} R^\alpha_{\nu\alpha\beta} = -\tfrac@4 g^{\mu\alpha} g^{\nu\beta} g^{\rho\lambda} "
    r"(\partial_\alpha g_{\mu\rho} \partial_\beta g_{\nu\lambda} - \partial_\beta g_{\mu\rho} \partial_\alpha "
    r"g_{\nu\lambda})"
)

EQUATIONS = (
    entry(
        "(A.1)",
        "A",
        "The metric as an average over weights and biases of any distribution.",
        Finding.DEFINITION,
        "The metrics (2) and (C.1) are of this form.",
        printed=r"g_{\mu\nu} = \mathbb{E}_{\mathbf{w},b}[\phi'(\mathbf{w}\cdot\mathbf{x}+b)^2 w_\mu w_\nu]",
    ),
    entry(
        "(A.2)",
        "A",
        "Its derivatives are symmetric in all three indices.",
        Finding.CONFIRMED,
        "Each unit contributes 2 phi' phi'' w w w.",
        printed=r"\partial_\alpha g_{\mu\nu} = 2 \mathbb{E}_{\mathbf{w},b}[\phi'(\mathbf{w}\cdot\mathbf{x}+b) "
        r"\phi''(\mathbf{w}\cdot\mathbf{x}+b) w_\alpha w_\mu w_\nu]",
        steps=tuple(
            Step(
                f"one unit, indices {a + 1}, {m + 1}, {k + 1}",
                sp.Derivative(slope_of_unit**2 * w[m] * w[k], x[a]),
                2 * slope_of_unit * bend_of_unit * w[a] * w[m] * w[k],
                because="chain rule",
            )
            for a, m, k in ((0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 1, 0))
        ),
    ),
    entry(
        "(A.3) to (A.12), Christoffel symbols",
        "A",
        "The Christoffel symbols of the second kind reduce to half the derivative of the metric, one index raised.",
        Finding.CONFIRMED,
        "The displays (A.3) to (A.12) are missing from the text read; this one is given by its sentence.",
        printed=r"\Gamma^\alpha_{\mu\nu} = \tfrac12 g^{\alpha\rho} \partial_\rho g_{\mu\nu}",
        steps=(
            Step(
                "two inputs",
                sp.Matrix(2, 4, lambda i, j: plane.christoffel(i + 1, j // 2 + 1, j % 2 + 1)),
                sp.Matrix(
                    2,
                    4,
                    lambda i, j: sp.Add(*(plane.inverse[i, k] * jet(k + 1, j // 2 + 1, j % 2 + 1) for k in (0, 1))) / 2,
                ),
                because="three equal terms, one with the opposite sign",
            ),
        ),
    ),
    entry(
        "(A.3) to (A.12), derivative of the inverse",
        "A",
        "The matrix calculus identity that is recalled.",
        Finding.CONFIRMED,
        "The display is missing from the text read; this is the identity that the derivation needs.",
        printed=r"\partial_\alpha g^{\mu\nu} = -g^{\mu\rho} g^{\nu\lambda} \partial_\alpha g_{\rho\lambda}",
        steps=tuple(
            Step(
                f"two inputs, along x{a}",
                plane.inverse.applyfunc(lambda e, a=a: slope(e, a)),
                -plane.inverse * plane.metric.applyfunc(lambda e, a=a: slope(e, a)) * plane.inverse,
                because="g times its inverse is constant",
            )
            for a in (1, 2)
        ),
    ),
    entry(
        "(A.3) to (A.12), Riemann tensor",
        "A",
        "The Riemann tensor with all indices down, simplified by the symmetry of the derivatives.",
        Finding.MISPRINT,
        "The display is missing from the text read; its prefactor -3/4 is that of (A.18) and (B.27), which quote it. "
        "Derivatives of Christoffel symbols contribute -1/2 and their products +1/4, together -1/4; with the sign of "
        "the products reversed it is the printed -3/4. The curvature computed by definition, from all Christoffel "
        "symbols in 100 digits, sides with the corrected form.",
        printed=LATEX_TENSOR.replace("@", "3"),
        corrected=LATEX_TENSOR.replace("@", "1"),
        steps=(
            Step(
                "derivatives of Christoffel symbols",
                plane.over_pairs(plane.derivatives),
                scaled(plane, -2 * QUARTER),
                because="fourth derivatives of the potential cancel",
            ),
            Step(
                "products of Christoffel symbols",
                plane.over_pairs(plane.products),
                scaled(plane, QUARTER),
                because="Christoffel symbols as above",
            ),
            *tensor_of(-QUARTER, "corrected"),
            Check("reversing the products triples the curvature", reversed_sign_triples, "definition of curvature"),
            Check(
                "a 2-sphere and diagonal metrics of two inputs do not show it",
                some_surfaces_do_not_show_it,
                "definition of curvature",
            ),
        ),
        printed_steps=tensor_of(-3 * QUARTER, "printed"),
        witness={"metric": "Hessian of ln Gamma(a) - a ln b", "a": AT[0], "b": AT[1]},
        oracle=tensor,
        consequence="Every curvature in the paper is three times too large: (4), (7), (A.17) to (A.19), (B.10), "
        "(B.12), (B.13), (B.15), (B.16), (B.27) to (B.36), (B.40), (B.42), (B.43), (B.69), (B.70), (C.16), (C.20), "
        "(C.23), (C.28), (C.46), (C.48), and the values in Figures 1, B.1, C.1, G.2 and G.6. Signs, zeros, "
        "monotonicity and thresholds, and all volume elements, are not affected.",
    ),
    entry(
        "(A.13) to (A.15)",
        "A",
        "The tensor is antisymmetric in each pair of indices and symmetric under exchange of the pairs.",
        Finding.CONFIRMED,
        "A prefactor does not matter here.",
        printed=r"R_{\mu\nu\alpha\beta} = -R_{\mu\nu\beta\alpha}, \quad R_{\mu\nu\alpha\beta} = "
        r"-R_{\nu\mu\alpha\beta}, \quad R_{\mu\nu\alpha\beta} = +R_{\alpha\beta\mu\nu}",
        steps=(
            Step("last pair", total(space), -swapped((0, 1, 3, 2)), because="definition against exchanged form"),
            Step("first pair", total(space), -swapped((1, 0, 2, 3)), because="definition against exchanged form"),
            Step("both pairs", total(space), swapped((2, 3, 0, 1)), because="definition against exchanged form"),
        ),
    ),
    entry(
        "(A.16)",
        "A",
        "The first Bianchi identity.",
        Finding.CONFIRMED,
        "With four inputs, where it says something new.",
        printed=r"R_{\mu\nu\alpha\beta} + R_{\mu\alpha\beta\nu} + R_{\mu\beta\nu\alpha} = 0",
        steps=(
            Check(
                "random symmetric derivatives",
                lambda: bianchi(3),
                "the formula with its printed factor",
            ),
            Check("and with the right one", lambda: bianchi(1), "the corrected formula"),
        ),
    ),
    entry(
        "(A.17) to (A.19)",
        "A",
        "The Ricci scalar from the derivatives of the metric.",
        Finding.MISPRINT,
        "Contraction of the Riemann tensor above, whose prefactor it keeps.",
        printed=LATEX_SCALAR.replace("@", "3"),
        corrected=LATEX_SCALAR.replace("@", "1"),
        steps=(
            Step(
                "two inputs", scalar_by_definition, -QUARTER * scalar_quadratic, because="contraction of the definition"
            ),
        ),
        printed_steps=(
            Step("as printed", scalar_by_definition, -3 * QUARTER * scalar_quadratic, because="contraction"),
        ),
        witness={"metric": "Hessian of ln Gamma(a) - a ln b", "a": AT[0], "b": AT[1]},
        oracle=scalar,
        consequence="The scalar curvature is three times too large: -2.86 instead of -0.953 at the witness.",
    ),
)
