r"""All geodesics of one linear neuron with bias on equal inputs, found as roots of a transcendental equation.

A neuron whose inputs are all equal has :math:`\|W\|^2 = (m' + \tilde L m)^2/(1 + m^2)`; with :math:`m = \sinh \theta` a
particle in the potential :math:`-\tfrac12 \tilde L^2 \tanh^2\theta`. All its paths obey :math:`m'' = \Omega^2 m`. They
are the hyperbolic sines of ``affine_scalar``, with a rate that here depends on the depth:

.. math:: \tilde L = \Omega \sqrt{1 + \frac{2 m_0 m_1}{1 + \cosh\Omega} - \Bigl(\frac{m_1 - m_0}{\sinh\Omega}\Bigr)^2}.

As an equation for :math:`\Omega` this may have several roots, which are several critical paths between the same ends.
Each has :math:`-\tfrac{2}{\tilde L} H = 1 - \Omega^2/\tilde L^2`. Not in the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import sympy as sp
from flint import arb, ctx
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from closedform.checks.arrays import Array
from theory.core import ClosedForm, Condition, Premise, Status, Step, phi1
from theory.core.formula.arguments import positions, positive_number, real_number
from theory.core.formula.rounding import compensated
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

MOST_BITS = 4_000_000  # seconds of computation
NEGLIGIBLE = 1e-290  # of energies, where their relative accuracy no longer matters

lagrangian = (slope + depth * value) ** 2 / (2 * depth * (1 + value**2))
energy = slope * sp.Derivative(lagrangian, slope) - lagrangian
decay = sp.exp(-rate)
# 2/(1 + cosh) and 1/sinh in exponentials that do not overflow.
inside = compensated(
    1
    + 4 * start_mean * end_mean * decay / (1 + decay) ** 2
    - ((end_mean - start_mean) * decay / (rate * phi1(-2 * rate))) ** 2
)
depth_expression = rate * sp.sqrt(inside)
written_out = rate * sp.sqrt(
    1
    + 4 * start_mean * end_mean * decay / (1 + decay) ** 2
    - (2 * (end_mean - start_mean) * decay / (1 - decay**2)) ** 2
)

# m = P exp(rate p) + Q exp(-rate p); the depth of such a path is rate sqrt(1 + 4 P Q), here rate h.
P = sp.Symbol("P", nonzero=True, real=True)
h, excess = sp.symbols("h excess", positive=True)
Q = (h**2 - 1) / (4 * P)
path = P * sp.exp(rate * position) + Q * sp.exp(-rate * position)
stretch = 1 + excess  # exp(rate)
ENDS = {rate: sp.log(stretch), start_mean: P + Q, end_mean: P * stretch + Q / stretch}

ASSUMPTIONS = ("one neuron, no activation, with bias", "all inputs are the same")
WEIGHTS = Premise("the cost of a path is the integral of (m' + depth m)^2 / (2 depth (1 + m^2))", lagrangian)

STEPS = (
    paths := Step(
        "all paths",
        euler_lagrange(lagrangian, path).subs(depth, rate * h),
        sp.S.Zero,
        because="Euler-Lagrange equation; two constants, P and Q, of which h and P are made",
        uses=(WEIGHTS, *ASSUMPTIONS),
    ),
    Step(
        "the Hamiltonian",
        sp.Subs(energy, (depth, value, slope), (rate * h, path, sp.Derivative(path, position))),
        (rate**2 - (rate * h) ** 2) / (2 * rate * h),
        because="Legendre transform",
        uses=(paths, WEIGHTS),
        aside="the value of H that depth = rate h gives",
    ),
    ends := Step(
        "depth from the ends",
        written_out,
        sp.log(stretch) * h,
        because="P and Q in terms of the ends",
        where=ENDS,
        uses=(paths,),
    ),
    Step(
        "no difference of exponentials",
        depth_expression,
        written_out,
        because="phi1(x) = (exp(x) - 1)/x",
        uses=(ends,),
    ),
)


def depth_of_rate() -> ClosedForm:
    """Return the effective depth at which a path with given ends has a given rate, dimensionless."""
    return ClosedForm(
        name="leaky_resnet.depth_of_rate",
        meaning="Effective depth at which the geodesic of one neuron on equal inputs has a given exponential rate.",
        arguments=(RATE, START_MEAN, END_MEAN),
        expression=depth_expression,
        assumptions=ASSUMPTIONS,
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

    >>> len(constant_geodesics(1, -1, depth=3, p=[0, 0.5, 1]))
    1
    """
    first, last, effective = real_number("m0", m0), real_number("m1", m1), positive_number("depth", depth)
    at = positions("p", p)
    found = []
    for root in rates(first, last, effective):
        omega, hamiltonian, norm = _energies(first, last, effective, root)
        found.append(ConstantGeodesic(omega, sinh_path(first, last, omega, at), hamiltonian, norm))
    return tuple(sorted(found, key=lambda geodesic: geodesic.weight_norm))


def _energies(m0: float, m1: float, depth: float, omega: float) -> tuple[float, float, float]:
    """Return the rate next to ``omega``, the Hamiltonian of its path and the integral of the squared weights.

    The last two are differences of numbers of order depth^2, which may be as small as exp(-omega); all three
    are therefore computed in balls of a precision that grows until the digits of the differences are proved.
    """
    before, bits = ctx.prec, 128 + int(3 * omega)
    try:
        while bits < MOST_BITS:
            ctx.prec = bits
            rate_, product = _refined(m0, m1, depth, omega), arb(m0) * arb(m1)
            hamiltonian = (rate_ - depth) * (rate_ + depth) / (2 * arb(depth))
            squares = 1 + arb(m0) ** 2, 1 + arb(m1) ** 2
            # The integral of depth/(1 + m^2) is the arcosh of this ratio.
            kept = ((rate_.cosh() + product) / (squares[0] * squares[1]).sqrt()).acosh()
            norm = arb(depth) ** 2 + rate_**2 - 2 * depth * kept + depth * (squares[1] / squares[0]).log()
            if all(x.rel_accuracy_bits() > 55 or abs(x) < NEGLIGIBLE for x in (hamiltonian, norm)):
                return float(rate_.mid()), float(hamiltonian.mid()) + 0.0, float(norm.mid())
            bits *= 2
    finally:
        ctx.prec = before
    raise ArithmeticError(f"depth = {depth} is too large for this pair of ends: more than {MOST_BITS} bits are needed")


def _refined(m0: float, m1: float, depth: float, omega: float) -> arb:
    """Return a ball that contains the root near ``omega``, by Newton's method in the precision of flint's context."""
    residual, derivative = _equation(m0, m1, depth)
    root = arb(omega)
    for _ in range(ctx.prec.bit_length()):
        root = (root - residual(root) / derivative(root)).mid()
    error = abs(root) * arb(2) ** (10 - ctx.prec)
    if not residual(root - error) * residual(root + error) < 0:
        raise ArithmeticError(f"the rate near {omega:.9g} cannot be told apart from another one")
    return arb(root, error)


def _equation(m0: float, m1: float, depth: float) -> tuple[Callable[[arb], arb], Callable[[arb], arb]]:
    """Return the expression under the root minus (depth/rate)^2, which may be non-monotonic, and its derivative."""
    product, gap, length = arb(m0) * arb(m1), arb(m1) - arb(m0), arb(depth)

    def residual(x: arb) -> arb:
        return 1 + 2 * product / (1 + x.cosh()) - (gap / x.sinh()) ** 2 - (length / x) ** 2

    def derivative(x: arb) -> arb:
        cosh, sinh = x.cosh(), x.sinh()
        return 2 * (-product * sinh / (1 + cosh) ** 2 + gap**2 * cosh / sinh**3 + length**2 / x**3)

    return residual, derivative


def rates(m0: float, m1: float, depth: float) -> list[float]:
    """Return all positive roots of the equation for the rate in increasing order, enclosed by ball arithmetic."""
    product, gap = m0 * m1, m1 - m0
    residual, derivative = _equation(m0, m1, depth)
    # The term depth/rate exceeds all others below the lower end, and the term 1 exceeds all others above the upper end.
    lower = depth / np.sqrt(2 + abs(product))
    upper = max(2 * depth, np.arccosh(1 + 8 * (abs(product) + gap**2)), 1.0)
    roots: list[float] = []
    stack = [(float(lower), float(upper))]
    while stack:
        low, high = stack.pop()
        middle = (low + high) / 2
        ball = arb(middle, (high - low) / 2 * (1 + 1e-12))
        if not residual(ball).contains(0):
            continue
        if not derivative(ball).contains(0):
            ends = [float(residual(arb(x)).mid()) for x in (low, high)]
            if ends[0] * ends[1] <= 0:
                found = brentq(lambda x: float(residual(arb(x)).mid()), low, high, xtol=1e-15, rtol=8.9e-16)
                if not any(abs(found - root) <= 1e-12 * found for root in roots):
                    roots.append(float(found))
            continue
        if high - low < 1e-9 * high:
            raise ArithmeticError(f"two rates near {middle:.9g} cannot be told apart: the ends are at a fold")
        stack += [(low, middle), (middle, high)]
    return sorted(roots)
