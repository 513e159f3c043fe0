r"""Fluctuations of the tangent kernel of a deep ReLU network without biases at C = 2, to first order in 1/width.

There the kernel keeps its mean and the tangent kernel grows by it in every layer, :math:`\Theta_L = (L + 1) K`, and the
recursions of ``theory.engine.tangent_rules`` have solutions that are polynomials in the depth. The relative variance
approaches :math:`\tfrac{11 L}{3n}`, where that of the kernel is :math:`\tfrac{5 L}{n}`. Measured by
``empirics.experiments.finite_width``.
"""

from typing import Any

import sympy as sp

from theory.activations import RELU
from theory.core import ClosedForm, Premise, Status, Step
from theory.engine import Recursion
from theory.engine import dense_chain as layer
from theory.engine import width_tangent as tangents
from theory.engine.levels import with_lemmas
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


recursion = Recursion(
    {Theta: above("theta"), nu: above("nu"), d: above("d"), t: above("t"), b: above("b")},
    {Theta: K, nu: 0, d: 0, t: 0, b: 0},
)
l = recursion.index
solved = recursion.solve(
    {
        Theta: (l + 1) * K,
        nu: 5 * l * K**2 / n,
        d: 3 * l * (l + 1) * K**2 / n,
        t: l * (l + 1) * (7 * l + 5) * K**2 / (3 * n),
        b: l * (l + 1) * (2 * l + 1) * K**2 / (3 * n),
    }
)
_induction: tuple[Any, ...] = solved[b].steps
RELATIVE = Premise(
    "the spread is the variance of the tangent kernel, t + 2 b, over its square",
    (t + 2 * b) / Theta**2,
)
spread = L * (11 * L + 7) / (3 * (L + 1) * n)
AT_DEPTH = Step(
    "above L layers",
    spread,
    sp.Subs(
        RELATIVE.expression,
        (t, b, Theta),
        tuple(sp.Subs(solved[letter].expression, l, L) for letter in (t, b, Theta)),
    ),
    because="the kernel cancels",
    uses=(*_induction, MOMENTS, RELATIVE, *tangents.rule().lemmas, layer.ORDER, layer.INDEPENDENT),
)
relu_tangent_spread = ClosedForm(
    name="finite_width.relu_tangent_spread",
    meaning="Variance of the tangent kernel of a deep ReLU network over its square, to first order in 1/n.",
    arguments=(WIDTH, DEPTH),
    expression=spread,
    status=Status.DERIVED,
    steps=with_lemmas((MOMENTS, *_induction, AT_DEPTH)),
    assumptions=(layer.ORDER, layer.INDEPENDENT, CRITICAL, RELU.definition),
)
