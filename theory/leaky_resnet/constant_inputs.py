r"""All geodesics of one linear neuron with bias on equal inputs, found as roots of a transcendental equation.

A neuron whose inputs are all equal has :math:`\|W\|^2 = (m' + \tilde L m)^2/(1 + m^2)`; with :math:`m = \sinh \theta` a
particle in the potential :math:`-\tfrac12 \tilde L^2 \tanh^2\theta`. All its paths obey :math:`m'' = \Omega^2 m`. They
are the hyperbolic sines of ``affine_scalar``, with a rate that here depends on the depth:

.. math:: \tilde L = \Omega \sqrt{1 + \frac{2 m_0 m_1}{1 + \cosh\Omega} - \Bigl(\frac{m_1 - m_0}{\sinh\Omega}\Bigr)^2}.

As an equation for :math:`\Omega` this may have several roots, which are several critical paths between the same ends.
Each has :math:`-\tfrac{2}{\tilde L} H = 1 - \Omega^2/\tilde L^2`. Not in the paper.
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
    """Return the effective depth at which a path with given ends has a given rate, dimensionless."""
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
        rate: exponential rate of the path in p, dimensionless.
        path: value of the neuron at each position, [p].
        hamiltonian: Hamiltonian of the path, dimensionless.
        weight_norm: integral of the squared weights over p, bias included, dimensionless.
    """

    rate: float
    path: Array
    hamiltonian: float
    weight_norm: float


def constant_geodesics(m0: float, m1: float, depth: float, p: ArrayLike) -> tuple[ConstantGeodesic, ...]:
    """Return all critical paths from m0 to m1, the one with the smallest weights first.

    Args:
        m0: value of the neuron at p = 0.
        m1: value of the neuron at p = 1.
        depth: effective depth, > 0, dimensionless.
        p: positions between 0 and 1, [p], dimensionless.

    Raises:
        TypeError, ValueError: if an argument has the wrong type, shape or value.
        ArithmeticError: if two roots lie so close together that they cannot be told apart.
    """
    first, last, effective = real_number("m0", m0), real_number("m1", m1), positive_number("depth", depth)
    at = positions("p", p)
    found = []
    for omega in rates(first, last, effective):
        cosh, sinh = np.cosh(omega), np.sinh(omega)
        # The integral of depth/(1 + m^2) is the artanh of one and the arcosh of the other; their accuracies complement.
        tangent = effective * sinh / (omega * (cosh + first * last))
        ratio = (cosh + first * last) / (np.hypot(1, first) * np.hypot(1, last))
        kept = np.arctanh(tangent) if tangent < 0.5 else np.arccosh(ratio)
        norm = effective**2 + omega**2 - 2 * effective * kept
        norm += effective * (np.log1p(last**2) - np.log1p(first**2))
        hamiltonian = (omega - effective) * (omega + effective) / (2 * effective)
        found.append(ConstantGeodesic(omega, sinh_path(first, last, omega, at), hamiltonian, norm))
    return tuple(sorted(found, key=lambda geodesic: geodesic.weight_norm))


def rates(m0: float, m1: float, depth: float) -> list[float]:
    """Return all positive roots of the equation for the rate in increasing order, enclosed by ball arithmetic."""
    product, gap = m0 * m1, m1 - m0

    def residual(x: flint.arb) -> flint.arb:
        """Return the expression under the root minus (depth/rate)^2, which may be non-monotonic in the rate."""
        return 1 + 2 * product / (1 + x.cosh()) - (gap / x.sinh()) ** 2 - (depth / x) ** 2

    def derivative(x: flint.arb) -> flint.arb:
        cosh, sinh = x.cosh(), x.sinh()
        return 2 * (-product * sinh / (1 + cosh) ** 2 + gap**2 * cosh / sinh**3 + depth**2 / x**3)

    # The term depth/rate exceeds all others below the lower end, and the term 1 exceeds all others above the upper end.
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
