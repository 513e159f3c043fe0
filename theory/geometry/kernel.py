r"""Kernel of an infinitely wide layer with Gaussian weights.

.. math:: k(x, y) = E[\varphi(w \cdot x + b)\, \varphi(w \cdot y + b)]

The conventions are :math:`w_i \sim N(0, \sigma^2)`, *not* :math:`\sigma^2/d`; :math:`b \sim N(0, \zeta^2)`. The kernel
depends on the inputs through :math:`x \cdot x`, :math:`y \cdot y` and :math:`x \cdot y` only.
"""

from functools import lru_cache

import sympy as sp

from theory import gaussian
from theory.activations import Activation
from theory.activations.naming import cached
from theory.core import ClosedForm, Source, Status, Step, deferred
from theory.core.formula.cancelling import of_near_inputs
from theory.core.formula.rounding import nonnegative
from theory.engine.inputs import CAUCHY_SCHWARZ, XX, XY, YY, xx, xy, yy
from theory.gaussian.kernel_formula import kernel_formula
from theory.gaussian.near import determinant
from theory.gaussian.symbols import covariance, variance_x, variance_y
from theory.geometry.symbols import SIGMA, UNIT, WEIGHTS, WIDE, ZETA, preactivation, sigma, zeta

of_products = sigma**2 * xy + zeta**2
"""Covariance of the pre-activations of two inputs; ``covariance_step`` derives it."""
covariances = (of_products.subs(xy, xx), of_products.subs(xy, yy), of_products)
_determinant = nonnegative(sigma**4 * (xx * yy - xy**2) + sigma**2 * zeta**2 * (xx + yy - 2 * xy))
"""Their determinant, of terms that are not negative."""


@cached(256)
def nngp_kernel(act: Activation) -> ClosedForm:
    """Return the NNGP kernel of one hidden layer, dimensionless.

    Args:
        act: activation of the layer.

    Returns:
        Closed form in xx, yy, xy, sigma, zeta.

    Source: Zavatone-Veth et al. (2023), Eq. (C.3).

    >>> from theory.activations import RELU
    >>> round(float(nngp_kernel(RELU)(xx=1, yy=1, xy=0.3, sigma=1, zeta=0)), 4)
    0.2414
    """
    return _of_covariances(
        act, kernel_formula(act), "nngp_kernel", f"NNGP kernel of a layer of {act.name} units."
    )


@cached(256)
def slope_kernel(act: Activation) -> ClosedForm:
    """Return ``E[phi'(w.x + b) phi'(w.y + b)]``, a dimensionless factor of the tangent kernel. Source: Eq. (D.4).

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Returns:
        The closed form, of ``xx``, ``yy``, ``xy``, ``sigma`` and ``zeta``.

    Raises:
        ValueError: if the activation has a jump.

    >>> from theory.activations import RELU
    >>> round(float(slope_kernel(RELU)(xx=1, yy=1, xy=0, sigma=1, zeta=0)), 4)
    0.25
    """
    meaning = f"Expected product of the slopes of a layer of {act.name} units at two inputs."
    return _of_covariances(act, gaussian.slope_kernel(act), "slope_kernel", meaning)


def _of_covariances(act: Activation, form: ClosedForm, what: str, meaning: str) -> ClosedForm:
    before = (variance_x, variance_y, covariance)
    expression = form.expression.subs(
        {**dict(zip(before, covariances, strict=True)), determinant: _determinant},
        simultaneous=True,
    )
    expression = of_near_inputs(expression)
    return ClosedForm(
        name=f"geometry.{what}.{act.name}",
        meaning=meaning,
        arguments=(XX, YY, XY, SIGMA, ZETA),
        expression=expression,
        status=Status.DERIVED,
        steps=deferred(
            lambda: (
                covariance_step(),
                Step(
                    "at these covariances",
                    expression,
                    sp.Subs(
                        form.expression,
                        before,
                        (sp.Subs(of_products, xy, xx), sp.Subs(of_products, xy, yy), of_products),
                    ),
                    because="substitution",
                    uses=(form, covariance_step(), WIDE, act.definition),
                ),
            )
        ),
        sources=(Source("zavatoneveth2023", "Eq. (C.3)"),),
        assumptions=(WIDE, act.definition),
        conditions=(CAUCHY_SCHWARZ,),
    )


@lru_cache(maxsize=1)
def covariance_step() -> Step:
    """Step that derives the covariance of two pre-activations from the second moments of weights and bias."""
    one, other = sp.symbols("x1:4", real=True), sp.symbols("y1:4", real=True)
    product = sp.Mul(preactivation(one), preactivation(other), evaluate=False)
    spread = (sigma**2, sigma**2, sigma**2, zeta**2)
    mean = sum(
        s * sp.Derivative(product, (letter, 2)) / 2 for s, letter in zip(spread, UNIT, strict=True)
    )
    along = sum(a * b for a, b in zip(one, other, strict=True))
    return Step(
        "covariance of two pre-activations",
        mean,
        sp.Subs(of_products, xy, along),
        because="a quadratic form of independent letters: half its bend in each, times the variance",
        uses=(WEIGHTS,),
    )
