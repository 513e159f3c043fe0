r"""One linear neuron with bias on equal inputs: every geodesic, the roots of a transcendental equation.

A neuron that sees one input has :math:`\|W\|^2 = (m' + \tilde L m)^2/(1 + m^2)`; with :math:`m = \sinh \theta` a
particle in the potential :math:`-\tfrac12 \tilde L^2 \tanh^2\theta`. All its paths are :math:`m'' = \Omega^2 m`, the
same hyperbolic sines as in ``affine_scalar``, with a rate that now knows the depth:

.. math:: \tilde L = \Omega \sqrt{1 + \frac{2 m_0 m_1}{1 + \cosh\Omega} - \Bigl(\frac{m_1 - m_0}{\sinh\Omega}\Bigr)^2}.

Solved for :math:`\Omega` this may have several roots: several critical paths between the same ends. Then
:math:`-\tfrac{2}{\tilde L} H = 1 - \Omega^2/\tilde L^2`. Not in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import flint
import numpy as np
import sympy as sp
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from theory.core import ClosedForm, Condition, Status, Step
from theory.core.arguments import Array, positions, positive_number, real_number
from theory.leaky_resnet.affine_scalar import sinh_path
from theory.leaky_resnet.linear_modes import SOURCES
from theory.leaky_resnet.symbols import (
    END_MEAN,
    RATE,
    START_MEAN,
    depth,
    end_mean,
    euler_lagrange,
    position,
    rate,
    slope,
    start_mean,
    value,
)

lagrangian = (slope + depth * value) ** 2 / (2 * depth * (1 + value**2))
energy = slope * sp.diff(lagrangian, slope) - lagrangian
decay = sp.exp(-rate)
# 2/(1 + cosh) and 1/sinh in exponentials that do not overflow.
inside = (
    1
    + 4 * start_mean * end_mean * decay / (1 + decay) ** 2
    - (2 * (end_mean - start_mean) * decay / (1 - decay**2)) ** 2
)
depth_expression = rate * sp.sqrt(inside)

# m = P exp(rate p) + Q exp(-rate p); the depth of such a path is rate sqrt(1 + 4 P Q), here rate h.
P = sp.Symbol("P", nonzero=True, real=True)
h, excess = sp.symbols("h excess", positive=True)
Q = (h**2 - 1) / (4 * P)
path = P * sp.exp(rate * position) + Q * sp.exp(-rate * position)
stretch = 1 + excess  # exp(rate)
ENDS = {rate: sp.log(stretch), start_mean: P + Q, end_mean: P * stretch + Q / stretch}

STEPS = (
    Step(
        "all paths",
        euler_lagrange(lagrangian, path).subs(depth, rate * h),
        sp.S.Zero,
        because="Euler-Lagrange equation; two constants, P and Q, of which h and P are made",
    ),
    Step(
        "the Hamiltonian",
        energy.subs({value: path, slope: sp.Derivative(path, position)}, simultaneous=True).subs(depth, rate * h),
        (rate**2 - (rate * h) ** 2) / (2 * rate * h),
        because="Legendre transform",
    ),
    Step(
        "depth from the ends",
        depth_expression,
        sp.log(stretch) * h,
        because="P and Q in terms of the ends",
        where=ENDS,
    ),
)


def depth_of_rate() -> ClosedForm:
    """Effective depth at which a path with given ends has a given rate, dimensionless."""
    return ClosedForm(
        name="leaky_resnet.depth_of_rate",
        meaning="Effective depth at which the geodesic of one neuron on equal inputs has a given exponential rate.",
        arguments=(RATE, START_MEAN, END_MEAN),
        expression=depth_expression,
        assumptions=("one neuron, no activation, with bias", "all inputs are the same"),
        conditions=(Condition(sp.Gt(inside, 0), "the rate must belong to a path between these ends at some depth"),),
        steps=STEPS,
        sources=SOURCES,
        status=Status.DERIVED,
    )


@dataclass(frozen=True)
class ConstantGeodesic:
    """One critical path of a neuron on equal inputs.

    Attributes:
        rate: its exponential rate.
        path: the value of the neuron at each position, [p].
        hamiltonian: dimensionless.
        weight_norm: integral of the squared weights, bias included.
    """

    rate: float
    path: Array
    hamiltonian: float
    weight_norm: float


def constant_geodesics(m0: float, m1: float, depth: float, p: ArrayLike) -> tuple[ConstantGeodesic, ...]:
    """Every critical path from m0 to m1, the one with the smallest weights first.

    Args:
        m0: value of the neuron at p = 0.
        m1: value at p = 1.
        depth: effective depth, > 0.
        p: positions between 0 and 1, [p].

    Raises:
        TypeError, ValueError: for a bad argument, by name.
        ArithmeticError: if two roots lie so close together that they cannot be told apart.
    """
    first, last, effective = real_number("m0", m0), real_number("m1", m1), positive_number("depth", depth)
    at = positions("p", p)
    found = []
    for omega in rates(first, last, effective):
        cosh, sinh = np.cosh(omega), np.sinh(omega)
        # Integral of depth/(1 + m^2): artanh of the first, arcosh of the second, each accurate where the other is not.
        tangent = effective * sinh / (omega * (cosh + first * last))
        ratio = (cosh + first * last) / (np.hypot(1, first) * np.hypot(1, last))
        kept = np.arctanh(tangent) if tangent < 0.5 else np.arccosh(ratio)
        norm = effective**2 + omega**2 - 2 * effective * kept
        norm += effective * (np.log1p(last**2) - np.log1p(first**2))
        hamiltonian = (omega - effective) * (omega + effective) / (2 * effective)
        found.append(ConstantGeodesic(omega, sinh_path(first, last, omega, at), hamiltonian, norm))
    return tuple(sorted(found, key=lambda geodesic: geodesic.weight_norm))


def rates(m0: float, m1: float, depth: float) -> list[float]:
    """All positive roots of the equation of the rate, increasing; enclosed by ball arithmetic, none is missed."""
    product, gap = m0 * m1, m1 - m0

    def residual(x: flint.arb) -> flint.arb:
        """Inside - (depth/rate)^2: from -infinity to 1, not always increasing."""
        return 1 + 2 * product / (1 + x.cosh()) - (gap / x.sinh()) ** 2 - (depth / x) ** 2

    def derivative(x: flint.arb) -> flint.arb:
        cosh, sinh = x.cosh(), x.sinh()
        return 2 * (-product * sinh / (1 + cosh) ** 2 + gap**2 * cosh / sinh**3 + depth**2 / x**3)

    # Below the lower end depth/rate alone, above the upper one 1 alone, outweighs everything else.
    lower = depth / np.sqrt(2 + abs(product))
    upper = max(2 * depth, np.arccosh(1 + 8 * (abs(product) + gap**2)), 1.0)
    roots: list[float] = []
    stack = [(float(lower), float(upper))]
    while stack:
        low, high = stack.pop()
        middle = (low + high) / 2
        ball = flint.arb(middle, (high - low) / 2 * (1 + 1e-12))
        if not residual(ball).contains(0):
            continue
        if not derivative(ball).contains(0):
            ends = [float(residual(flint.arb(x)).mid()) for x in (low, high)]
            if ends[0] * ends[1] <= 0:
                found = brentq(lambda x: float(residual(flint.arb(x)).mid()), low, high, xtol=1e-15, rtol=8.9e-16)
                if not any(abs(found - root) <= 1e-12 * found for root in roots):
                    roots.append(float(found))
            continue
        if high - low < 1e-9 * high:
            raise ArithmeticError(f"two rates near {middle:.9g} cannot be told apart: the ends are at a fold")
        stack += [(low, middle), (middle, high)]
    return sorted(roots)
