r"""Fluctuations of the tangent kernel of a deep ReLU network without biases at C = 2, to first order in 1/width.

There the kernel keeps its mean and the tangent kernel grows by it in every layer, :math:`\Theta_L = (L + 1) K`, and the
recursions of ``theory.engine.tangent_rules`` have solutions that are polynomials in the depth. The relative variance
approaches :math:`\tfrac{11 L}{3n}`, where that of the kernel is :math:`\tfrac{5 L}{n}`. Measured by
``empirics.experiments.finite_width``.
"""

import sympy as sp

from theory.activations import RELU
from theory.core import Premise, Step
from theory.engine import Recursion
from theory.engine import dense_chain as layer
from theory.engine import width_tangent as tangents
from theory.finite_width.symbols import DEPTH, WIDTH, L, n
from theory.gaussian.symbols import variance

K = sp.Symbol("K", positive=True)
Theta, nu, d, t, b = STATE = sp.symbols("Theta nu d t b", positive=True)
CRITICAL = (
    "the activation is ReLU, biases are 0 and weights have the variance 2 over the width below"
)

values, meanings, _rests = tangents.moments_of(RELU)
MOMENTS = Step(
    "means of ReLU",
    sp.Matrix(list(values.values())).subs(variance, K),
    sp.Matrix([sp.Subs(meaning, variance, K) for meaning in meanings.values()]),
    because="Gaussian integrals",
    uses=(*_rests, CRITICAL, RELU.definition),
)


def above(name: str) -> sp.Expr:
    """Return a number of the state above a layer, by the rule of the engine.

    Args:
        name: its letter in the rule, such as "t".
    """
    rule = tangents.rule()
    here = {rule.letters[letter]: value.subs(variance, K) for letter, value in values.items()}
    state = {"K": K, "theta": Theta, "nu": nu, "d": d, "t": t, "b": b, "g": 0, "h": 0, "f": 0}
    here |= {rule.letters[letter]: sp.sympify(value) for letter, value in state.items()}
    here |= {
        layer.S: sp.Integer(2),
        layer.G: sp.Integer(2),
        layer.Z: sp.S.Zero,
        layer.G_b: sp.S.Zero,
        layer.n: n,
    }
    return sp.expand(rule.above[name].subs(here, simultaneous=True).doit())


RELATIVE = Premise(
    "the spread is the variance of the tangent kernel, t + 2 b, over its square",
    (t + 2 * b) / Theta**2,
)
layers = Recursion(
    {Theta: above("theta"), nu: above("nu"), d: above("d"), t: above("t"), b: above("b")},
    {Theta: K, nu: 0, d: 0, t: 0, b: 0},
    uses=(MOMENTS, *tangents.rule().lemmas, layer.ORDER, layer.INDEPENDENT),
)
spread = L * (11 * L + 7) / (3 * (L + 1) * n)
relu_tangent_spread = (
    layers.solve()
    .quantity(RELATIVE, spread, L)
    .form(
        "finite_width.relu_tangent_spread",
        "Variance of the tangent kernel of a deep ReLU network over its square, to first order in 1/n.",
        (WIDTH, DEPTH),
        assumptions=(layer.ORDER, layer.INDEPENDENT, CRITICAL, RELU.definition),
    )
)
