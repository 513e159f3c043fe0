r"""Meshes that divide the path among the layers, with steps that are positive and sum to one.

- *equidistant*: :math:`\rho_\ell = 1/L`.
- *irregular*: :math:`\rho_\ell \propto 1 + a (\tfrac14 - |\tfrac{\ell}{L} - \tfrac12|)`, short steps at both ends.
  Deviation from Section 3: as printed the steps sum to :math:`1 - a/4L^2` if *L* is odd; here they are divided by their
  sum, which changes nothing if *L* is even.
- *adaptive*: :math:`\rho_\ell \propto 1/c_\ell`, :math:`c_\ell` the relative speed in layer :math:`\ell`.

The adaptive rule is a fixed-point iteration. At its fixed point every layer moves the representation equally far. The
iteration need not converge: for two layers on a given path, each update multiplies an error by
:math:`1 - 4 c\, p (1 - p)` with *c* the speed at the dividing point over the mean speed, so the iteration diverges
where :math:`c > 1/2p(1-p)`. Updates by a part of the way converge.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike

from closedform.checks import one_of
from closedform.checks.arrays import Array
from theory.core import Argument, ClosedForm, Premise, Source, Status, Step
from theory.core.numbers.arguments import (
    LARGEST_ARRAY,
    integer,
    positive_array,
    positive_number,
    real_number,
)

KINDS = ("equidistant", "irregular", "adaptive")

point = sp.Symbol("point", positive=True)
speed = sp.Symbol("speed", positive=True)
POINT = Argument(
    point, "where the first layer ends, between 0 and 1", sample=(0.1, 0.9), latex="p"
)
SPEED = Argument(speed, "speed there over the mean speed", sample=(0.2, 6), latex="c")
multiplier_expression = 1 - 4 * speed * point * (1 - point)

travelled = sp.Function("travelled", positive=True)
x, halfway = sp.symbols("x halfway", positive=True)


def updated(distance: sp.Expr) -> sp.Expr:
    """Return where the first layer ends after an update, if it ends at x, up to which the path has this length."""
    first, second = distance / x, (1 - distance) / (1 - x)
    return (1 / first) / (1 / first + 1 / second)


GIVEN = "the path is given and does not change with the mesh"
UPDATE = Premise(
    "an update makes each step proportional to the reciprocal speed in its layer", updated(halfway)
)

NEAR_REST = Premise(
    "near the resting point half of the way is travelled, and more at the speed over the mean speed",
    sp.Rational(1, 2) + speed * (x - point),
)


def adaptive_multiplier() -> ClosedForm:
    """Return the factor by which one adaptive update multiplies the error of a two-layer mesh, dimensionless."""
    rest = Step(
        "at rest both layers travel equally far",
        sp.Subs(updated(halfway), halfway, sp.Rational(1, 2)),
        x,
        because="travelled(x) is the distance up to x over the whole",
        uses=(UPDATE, GIVEN),
    )
    return ClosedForm(
        name="leaky_resnet.adaptive_multiplier",
        meaning="Factor by which one update of the adaptive mesh multiplies a small error, for two layers.",
        arguments=(SPEED, POINT),
        expression=multiplier_expression,
        assumptions=(GIVEN,),
        steps=(
            rest,
            Step(
                "derivative of the update there",
                sp.Subs(
                    sp.Derivative(sp.Subs(UPDATE.expression, halfway, NEAR_REST.expression), x),
                    x,
                    point,
                ),
                multiplier_expression,
                because="quotient rule; the derivative of travelled is the speed over the mean speed",
                uses=(rest, UPDATE, NEAR_REST, GIVEN),
            ),
        ),
        sources=(Source("jacot2024", "Section 3, adaptive steps"),),
        status=Status.DERIVED,
    )


def mesh(
    kind: str,
    layers: int,
    a: float = 0.5,
    speeds: ArrayLike | None = None,
    depth: float | None = None,
) -> Array:
    r"""Return steps :math:`\rho_1 \ldots \rho_L`, positive, with sum one.

    Args:
        kind: "equidistant", "irregular" or "adaptive".
        layers: number of layers, > 0.
        a: parameter *a* of "irregular", 0 <= a < 1 (default 0.5); larger values give longer steps in the middle.
        speeds: relative speeds for "adaptive",
            :math:`c_\ell = \|A_\ell - A_{\ell-1}\| / (\rho_\ell \|A\|)`, > 0, [layers].
        depth: effective depth; if given, every step must be shorter than 1/depth.

    Returns:
        The steps, [layers], float64, dimensionless; their sum is one to rounding.

    Raises:
        ValueError: if a step times ``depth`` is 1 or more, where the skip connection would change sign.

    Source: Section 3.

    >>> mesh("equidistant", 4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    one_of("kind", kind, KINDS)
    count = integer("layers", layers, 1, LARGEST_ARRAY)
    if kind == "equidistant":
        steps = np.full(count, 1.0)
    elif kind == "irregular":
        stretch = real_number("a", a, least=0, below=1)
        steps = 1 + stretch * (0.25 - np.abs(np.arange(1, count + 1) / count - 0.5))
    else:
        if speeds is None:
            raise ValueError("speeds: got none, needs those of the layers for an adaptive mesh")
        rates = positive_array("speeds", speeds)
        if rates.shape != (count,):
            raise ValueError(
                f"speeds: got shape {rates.shape}, needs one entry for each layer, {count}"
            )
        steps = rates.min() / rates
    steps = steps / steps.sum()
    if not (steps > 0).all():
        raise ValueError(
            f"speeds: got {rates.min():g} to {rates.max():g}, needs ratios in double precision"
        )
    if depth is not None:
        effective = positive_number("depth", depth)
        if steps.max() * effective >= 1:
            raise ValueError(
                f"depth: got {depth}, needs a number below {1 / steps.max():.6g} for this mesh, or more layers than "
                f"{layers}, so that the longest step times depth is below 1"
            )
    return steps
