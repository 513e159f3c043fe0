r"""Fluctuations of the kernel to first order in the inverse width, for any activation and depth, with biases.

The rule of a layer and its derivation are those of :func:`theory.engine.finite_width`: with the variance *v* of the
kernel and the shift *g* of its mean,

.. math:: v' = \frac{C^2}{n} (m_4 - m_2^2) + (C m_2')^2 v, \qquad g' = C m_2' g + \tfrac{1}{2} C m_2'' v .

All hidden layers are equally wide. Measured by ``empirics.experiments.finite_width``.
"""

from dataclasses import replace
from functools import cache

from theory.activations import Activation
from theory.core import ClosedForm
from theory.engine import Act, Chain, Dense, FiniteWidth
from theory.engine import finite_width as derived
from theory.engine.inputs import R
from theory.finite_width.symbols import BIASES, WEIGHTS, WIDTH, C, C_b, n

MEANINGS = {
    "spread": "Variance of the kernel over its square above {depth} layers of {act}, to first order in 1/n.",
    "variance": "Variance of the kernel above {depth} layers of {act}, to first order in 1/n.",
    "shift": "Mean of the kernel above {depth} layers of {act} minus that of infinite width, to first order in 1/n.",
    "kurtosis": "Excess kurtosis of a unit above {depth} layers of {act}, to first order in 1/n.",
}


@cache
def _all(act: Activation, depth: int) -> FiniteWidth:
    narrow = Dense(C, C_b, width=n)
    hidden = Chain((narrow, Act(act)) * depth)
    return derived(hidden >> Dense(C, C_b))


def first_order(name: str, quantity: str, act: Activation, depth: int) -> ClosedForm:
    """Return a quantity of a random network as a closed form.

    Args:
        name: name of its family, such as "kernel_spread".
        quantity: "spread", "variance", "shift" or "kurtosis", a field of :class:`theory.engine.FiniteWidth`.
        act: the activation.
        depth: number of hidden layers, from 1.

    >>> from theory.activations import RELU
    >>> round(float(first_order("kernel_spread", "spread", RELU, 2)(n=100, C=2, C_b=0, r=1)), 6)
    0.1
    """
    form = getattr(_all(act, depth), quantity)
    return replace(
        form,
        name=f"finite_width.{name}.{act.name}_{depth}",
        meaning=MEANINGS[quantity].format(act=act.name, depth=depth),
        arguments=tuple(
            argument
            for argument in (WIDTH, R, WEIGHTS, BIASES)
            if argument.symbol in form.expression.free_symbols
        ),
    )
