r"""Fluctuations of the tangent kernel of a deep network of rectifiers at critical weights, to first order in 1/width.

An activation with slope *a* above zero and *b* below it keeps the mean of the kernel at :math:`C = 2/(a^2 + b^2)`,
without biases. The tangent kernel then grows by it in every layer, :math:`\Theta_L = (L + 1) K`, and the recursions of
``theory.engine.tangent_rules`` have solutions that are polynomials in the depth. The relative variance of ReLU
approaches :math:`\tfrac{11 L}{3n}`, where that of its kernel is :math:`\tfrac{5 L}{n}`; a linear network has
:math:`\tfrac{4 L}{3n}` and :math:`\tfrac{2 L}{n}`. Measured by ``empirics.experiments.finite_width``.
"""

import sympy as sp

from theory.core import Premise, Step
from theory.engine import Mean, Recursion
from theory.engine.dense_chain import INDEPENDENT, ORDER
from theory.finite_width.layers import MOMENTS, K, above
from theory.finite_width.rectifiers import ACTIVATION, NOT_FLAT, fourth, rectifier, second, u
from theory.finite_width.symbols import ABOVE, BELOW, DEPTH, WIDTH, L, a, b, n

Theta, nu, d, t, between = STATE = sp.symbols("Theta nu d t b_2", positive=True)
NAMES = dict(zip(("theta", "nu", "d", "t", "b"), STATE, strict=True))
CRITICAL = "biases are 0 and weights have the variance 2/(a^2 + b^2) over the width below"

slope = a * sp.Heaviside(u) + b * sp.Heaviside(-u)
integrands = (rectifier**2, rectifier**4, (rectifier * slope) ** 2, slope**2, slope**4)
values = (second * K, fourth * K**2, fourth * K / 3, second, fourth / 3)
MEANS = Step(
    "means of the activation and its slope",
    sp.Matrix(values),
    sp.Matrix([Mean(value, u, K) for value in integrands]),
    because="Gaussian integrals",
    uses=(ACTIVATION,),
)
means = dict(zip(MOMENTS, values, strict=True))
kappa = (a**2 - b**2) ** 2 / (a**2 + b**2) ** 2
"""Relative variance of the squared slope, 1 for ReLU and 0 for a linear network; that of the square is 2 + 3 kappa."""

RELATIVE = Premise(
    "the spread is the variance of the tangent kernel, t + 2 b_2, over its square",
    (t + 2 * between) / Theta**2,
)
RULES = {
    letter: above(name, means, NAMES, 1 / second, uses=(MEANS, CRITICAL, ORDER, INDEPENDENT))
    for name, letter in NAMES.items()
}
layers = Recursion(
    {letter: step.left for letter, step in RULES.items()},
    {Theta: K, **dict.fromkeys(STATE[1:], 0)},
    uses=tuple(RULES.values()),
)
spread = L * ((4 + 7 * kappa) * (2 * L + 1) + 3 * kappa) / (6 * (L + 1) * n)
rectifier_tangent_spread = (
    layers.solve()
    .quantity(RELATIVE, spread, L)
    .form(
        "finite_width.rectifier_tangent_spread",
        "Variance of the tangent kernel of a deep network of rectifiers over its square, to first order in 1/n.",
        (WIDTH, DEPTH, ABOVE, BELOW),
        assumptions=(ORDER, INDEPENDENT, CRITICAL),
        conditions=(NOT_FLAT,),
    )
)
