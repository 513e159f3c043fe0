r"""Fluctuations of the kernel and the tangent kernel to first order in 1/width, for any activation and depth.

Layers may have biases. The rule of a layer and its derivation are those of :func:`theory.engine.finite_width`: with
the variance *v* of the kernel and the shift *g* of its mean,

.. math:: v' = \frac{C^2}{n} (m_4 - m_2^2) + (C m_2')^2 v, \qquad g' = C m_2' g + \tfrac{1}{2} C m_2'' v .

The rules of the tangent kernel are those of :func:`theory.engine.finite_tangent`. All hidden layers are equally wide.
Measured by ``empirics.experiments.finite_width``.
"""

from dataclasses import replace
from functools import cache

from theory.activations import Activation
from theory.core import ClosedForm
from theory.engine import (
    Act,
    Chain,
    Dense,
    FiniteTangent,
    FiniteWidth,
    finite_tangent,
    finite_width,
)
from theory.engine.inputs import R
from theory.finite_width.symbols import BIASES, WEIGHTS, WIDTH, C, C_b, n

OF_KERNEL = {
    "spread": "Variance of the kernel over its square above {depth} layers of {act}, to first order in 1/n.",
    "variance": "Variance of the kernel above {depth} layers of {act}, to first order in 1/n.",
    "shift": "Mean of the kernel above {depth} layers of {act} minus that of infinite width, to first order in 1/n.",
    "kurtosis": "Excess kurtosis of a unit above {depth} layers of {act}, to first order in 1/n.",
}
OF_TANGENT = {
    name: OF_KERNEL[name].replace("the kernel", "the tangent kernel")
    for name in ("spread", "shift")
}


@cache
def _all(act: Activation, depth: int, is_tangent: bool) -> FiniteWidth | FiniteTangent:
    narrow = Dense(C, C_b, width=n)
    net = Chain((narrow, Act(act)) * depth) >> Dense(C, C_b)
    return finite_tangent(net) if is_tangent else finite_width(net)


def first_order(name: str, quantity: str, act: Activation, depth: int) -> ClosedForm:
    """Return a quantity of a random network as a closed form.

    Args:
        name: name of its family, such as "kernel_spread"; those that begin with "tangent" are of the tangent kernel.
        quantity: "spread", "variance", "shift" or "kurtosis", a field of :class:`theory.engine.FiniteWidth`; of the
            tangent kernel "spread" or "shift".
        act: the activation.
        depth: number of hidden layers, from 1.

    >>> from theory.activations import RELU
    >>> round(float(first_order("kernel_spread", "spread", RELU, 2)(n=100, C=2, C_b=0, r=1)), 6)
    0.1
    """
    is_tangent = name.startswith("tangent")
    form = getattr(_all(act, depth, is_tangent), quantity)
    meanings = OF_TANGENT if is_tangent else OF_KERNEL
    return replace(
        form,
        name=f"finite_width.{name}.{act.name}_{depth}",
        meaning=meanings[quantity].format(act=act.name, depth=depth),
        arguments=tuple(
            argument
            for argument in (WIDTH, R, WEIGHTS, BIASES)
            if argument.symbol in form.expression.free_symbols
        ),
    )
