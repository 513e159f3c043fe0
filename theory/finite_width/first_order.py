r"""Fluctuations of kernels and tangent kernels to first order in 1/width, for any activation and depth.

Layers may have biases. The rule of a layer and its derivation are those of :func:`theory.engine.finite_width`: with
the variance *v* of the kernel and the shift *g* of its mean,

.. math:: v' = \frac{C^2}{n} (m_4 - m_2^2) + (C m_2')^2 v, \qquad g' = C m_2' g + \tfrac{1}{2} C m_2'' v .

The rules of the tangent kernel are those of :func:`theory.engine.finite_tangent`, and those of the kernel matrix of two
inputs x and y those of :func:`theory.engine.finite_pair`. All hidden layers are equally wide.
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
    FinitePair,
    FiniteTangent,
    FiniteWidth,
    finite_pair,
    finite_tangent,
    finite_width,
)
from theory.engine.inputs import XX, XY, YY, R
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


OF_PAIR = {
    2: "Covariance of the kernels {entries} of inputs x and y above {depth} layers of {act}, to first order in 1/n.",
    1: "Mean of the kernel {entries} of inputs x and y above {depth} layers of {act} minus that of infinite width, to "
    "first order in 1/n.",
}
"""Meanings by the number of entries of the kernel matrix."""


def _network(act: Activation, depth: int) -> Chain:
    return Chain((Dense(C, C_b, width=n), Act(act)) * depth) >> Dense(C, C_b)


@cache
def _all(act: Activation, depth: int, is_tangent: bool) -> FiniteWidth | FiniteTangent:
    net = _network(act, depth)
    return finite_tangent(net) if is_tangent else finite_width(net)


@cache
def _pair(act: Activation, depth: int) -> FinitePair:
    return finite_pair(_network(act, depth))


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
    return _member(form, name, meanings[quantity], act, depth)


def of_two_inputs(name: str, entries: tuple[str, ...], act: Activation, depth: int) -> ClosedForm:
    """Return the covariance of two entries of the kernel matrix of two inputs, or the shift of the mean of one.

    Args:
        name: name of its family, such as "pair_covariance_xx_xy".
        entries: the two or the one, of "xx", "xy" and "yy".
        act: the activation.
        depth: number of hidden layers, from 1.

    >>> from theory.activations.naming import activation
    >>> linear = activation("act", "linear")
    >>> form = of_two_inputs("pair_covariance_xy_xy", ("xy", "xy"), linear, 1)
    >>> float(form(n=100, xx=1, yy=2, xy=1, C=1, C_b=0))  # (xx yy + xy^2)/n
    0.03
    """
    pair = _pair(act, depth)
    form = pair.covariance(*entries) if len(entries) == 2 else pair.shift(*entries)
    meaning = OF_PAIR[len(entries)].replace("{entries}", " and ".join(entries))
    return _member(form, name, meaning, act, depth)


def _member(form: ClosedForm, name: str, meaning: str, act: Activation, depth: int) -> ClosedForm:
    return replace(
        form,
        name=f"finite_width.{name}.{act.name}_{depth}",
        meaning=meaning.format(act=act.name, depth=depth),
        arguments=tuple(
            argument
            for argument in (WIDTH, R, XX, YY, XY, WEIGHTS, BIASES)
            if argument.symbol in form.expression.free_symbols
        ),
    )
