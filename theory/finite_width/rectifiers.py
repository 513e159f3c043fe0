r"""Exact fluctuations of a random network of rectifiers: ReLU, leaky ReLU and linear units, at every width.

An activation with slope *a* above zero and *b* below it takes a positive factor out, so that the kernel of a layer is
a factor times that of the layer below. The mean of the squared kernel over its squared mean, and with it the kurtosis
of a unit, which is Gaussian given the kernel, are products over the hidden layers:

.. math:: \frac{E[K^2]}{E[K]^2} = \prod_l \Bigl(1 + \frac{c}{n_l}\Bigr), \qquad c = \frac{6(a^4+b^4)}{(a^2+b^2)^2} - 1,

with c = 5 for ReLU and c = 2 for a linear network. The networks have no biases. Measured by
``empirics.experiments.finite_width``.
"""

from functools import cache

import sympy as sp

from theory.core import Argument, ClosedForm, Condition, Premise, Step, phi1
from theory.core.formula.rounding import compensated, log1p
from theory.engine import Derived, Mean, Recursion, Solution
from theory.engine.dense_chain import INDEPENDENT
from theory.engine.width import COUNT, MOMENTS, equal_terms_lemma
from theory.finite_width.symbols import ABOVE, BELOW, DEPTH, WIDTH, C, L, a, b, n

u = sp.Symbol("u", real=True)
K, M, Q = sp.symbols("K M Q", positive=True)
"""Kernel of a layer, its mean and its mean square over networks."""
ratio = sp.Symbol("rho", positive=True)
"""Mean square of the kernel over its squared mean."""
rectifier = a * sp.Max(u, 0) + b * sp.Min(u, 0)
second = (a**2 + b**2) / 2
fourth = 3 * (a**4 + b**4) / 2
# the number c of the module without a difference of large terms
excess = (5 * a**4 - 2 * a**2 * b**2 + 5 * b**4) / (a**2 + b**2) ** 2

ACTIVATION = Premise("the activation has slope a above zero and b below it")
NETWORK = Premise(
    "given the layer below, units are independent Gaussians of variance K, which is C times the mean of its squared "
    "activations"
)
NOT_FLAT = Condition(sp.Gt(a**2 + b**2, 0), "a and b are not both 0")

SQUARE = Step(
    "mean square of an activation, given the kernel",
    Mean(rectifier**2, u, K),
    second * K,
    because="Gaussian integral",
    uses=(ACTIVATION, NETWORK),
)
FOURTH = Step(
    "mean fourth power of an activation, given the kernel",
    Mean(rectifier**4, u, K),
    fourth * K**2,
    because="Gaussian integral",
    uses=(ACTIVATION, NETWORK),
)
AT_ONE = sp.Subs(SQUARE.right, K, 1), sp.Subs(FOURTH.right, K, 1)
"""Mean square and mean fourth power of an activation at a kernel of 1."""
VARIANCE = sp.Subs(equal_terms_lemma().right, (*MOMENTS[:2], COUNT), (*AT_ONE, n))
"""Variance of the mean of n squared activations there."""


above = (1 + excess / n) * ratio
"""The ratio above a layer in terms of that below it."""
LAYER = Step(
    "a layer multiplies the mean square of the kernel over its squared mean",
    sp.Subs(C**2 * (VARIANCE + AT_ONE[0] ** 2) * Q / (C * AT_ONE[0] * M) ** 2, Q, ratio * M**2),
    above,
    because="total variance, and the mean over the kernel below",
    uses=(equal_terms_lemma(), SQUARE, FOURTH, NETWORK, INDEPENDENT),
)
GAUSSIAN = Step(
    "mean fourth power of a unit, over the squared mean of the kernel",
    Mean(u**4, u, sp.sqrt(ratio)),
    3 * ratio,
    because="it is Gaussian given the kernel, of whose square it is a multiple",
    uses=(NETWORK,),
)
FOURTH_MOMENT = Premise(
    "the kurtosis of a unit is the mean over kernels of its mean fourth power, over the squared mean of K",
    GAUSSIAN.right,
)
RELATIVE = Premise("a variance over a squared mean is the mean square over it, less 1", ratio - 1)
layers = Recursion({ratio: above}, {ratio: sp.S.One}, uses=(LAYER,)).solve()
growth = L * log1p(excess / n)

KURTOSIS = "Fourth moment over squared variance of a unit of a random network of rectifiers"
SPREAD = "Variance over squared mean of the kernel of a random network of rectifiers"


def _form(
    name: str, meaning: str, quantity: Derived, arguments: tuple[Argument, ...]
) -> ClosedForm:
    return quantity.form(
        f"finite_width.{name}",
        meaning,
        (*arguments, ABOVE, BELOW),
        assumptions=(INDEPENDENT,),
        conditions=(NOT_FLAT,),
    )


rectifier_kurtosis = _form(
    "rectifier_kurtosis",
    f"{KURTOSIS}, all layers equally wide.",
    layers.quantity(FOURTH_MOMENT, 3 * (1 + excess / n) ** L, L, uses=(GAUSSIAN,)),
    (WIDTH, DEPTH),
)
rectifier_spread = _form(
    "rectifier_spread",
    f"{SPREAD}, all layers equally wide.",
    layers.quantity(RELATIVE, growth * phi1(growth), L),
    (WIDTH, DEPTH),
)


@cache
def _of_widths(depth: int) -> tuple[tuple[Argument, ...], Solution]:
    """Return arguments, and the ratio above layers of different widths."""
    widths = sp.symbols(f"n_1:{depth + 1}", integer=True, positive=True)
    arguments = tuple(
        Argument(width, f"width of hidden layer {number}", sample=WIDTH.sample, example=100)
        for number, width in enumerate(widths, 1)
    )
    value: sp.Expr = sp.S.One
    steps: tuple[Step, ...] = ()
    for number, width in enumerate(widths, 1):
        meant = sp.Subs(above, (n, ratio), (width, value))
        value = value * (1 + excess / width)
        step = Step(f"layer {number}", value, meant, "the rule", uses=(LAYER, *steps[-1:]))
        steps = (*steps, step)
    return arguments, Solution({ratio: value}, steps, {ratio: steps}, layers.time)


def kurtosis_of_widths(depth: int) -> ClosedForm:
    """Return the kurtosis of a unit above hidden layers of any widths.

    Args:
        depth: number of hidden layers, from 1.

    >>> round(float(kurtosis_of_widths(2)(n_1=100, n_2=100, a=1, b=0)), 6)  # 3 (1 + 5/100)^2
    3.3075
    """
    arguments, moments = _of_widths(depth)
    kurtosis = moments.quantity(FOURTH_MOMENT, 3 * moments.curves[ratio], uses=(GAUSSIAN,))
    return _form(f"kurtosis_of_widths.layers_{depth}", f"{KURTOSIS}.", kurtosis, arguments)


def spread_of_widths(depth: int) -> ClosedForm:
    """Return the variance of the kernel over its squared mean above hidden layers of any widths.

    Args:
        depth: number of hidden layers, from 1.

    >>> round(float(spread_of_widths(2)(n_1=100, n_2=100, a=1, b=0)), 6)  # (1 + 5/100)^2 - 1
    0.1025
    """
    arguments, moments = _of_widths(depth)
    spread = moments.quantity(RELATIVE, compensated(moments.curves[ratio] - 1))
    return _form(f"spread_of_widths.layers_{depth}", f"{SPREAD}.", spread, arguments)
