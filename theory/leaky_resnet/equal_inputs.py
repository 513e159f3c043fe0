"""All geodesics of one linear neuron with bias on equal inputs: the roots of ``depth_of_rate``, each of them enclosed.

The equation may have several roots, which are critical paths between the same ends. Balls of flint show where it has
none and where it is monotone, so that no root is missed. The equation is that of ``depth_of_rate``, whose steps are
checked; the integral of the squared weights has no steps, and the tests hold it to quadrature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import arb, ctx
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from closedform.checks import real_number
from closedform.checks.arrays import Array
from theory.core.numbers.arguments import positions, positive_number
from theory.leaky_resnet.affine_scalar import affine_path

MOST_BITS = 4_000_000  # seconds of computation
DEEPEST = 1e6  # the energies are small as exp(-depth), and take about three bits for each unit
LARGEST = 1e150  # whose square is in the range of float64
NEGLIGIBLE = 1e-290  # of energies, where their relative accuracy no longer matters
CLOSEST = 1e-9  # relative distance of two roots that can be told apart


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


def constant_geodesics(
    m0: float, m1: float, depth: float, p: ArrayLike
) -> tuple[ConstantGeodesic, ...]:
    """Return all critical paths of one neuron from m0 to m1, the one with the smallest weights first.

    Args:
        m0: value of the neuron at p = 0, at most 1e150 in magnitude.
        m1: value of the neuron at p = 1, at most 1e150 in magnitude.
        depth: effective depth, > 0 and at most 1e6, dimensionless.
        p: positions between 0 and 1, [p], dimensionless.

    Returns:
        The paths, at least one.

    Raises:
        TypeError, ValueError: if an argument has the wrong type, shape or value.
        ArithmeticError: if two roots lie so close together that they cannot be told apart.

    >>> len(constant_geodesics(1, -1, depth=3, p=[0, 0.5, 1]))
    1
    """
    first, last = real_number("m0", m0), real_number("m1", m1)
    effective, at = float(positive_number("depth", depth)), positions("p", p)
    for name, value, most in (
        ("m0", first, LARGEST),
        ("m1", last, LARGEST),
        ("depth", effective, DEEPEST),
    ):
        if abs(value) > most:
            raise ValueError(f"{name}: got {value:g}, needs at most {most:g} in magnitude")
    entry = affine_path()
    geodesics = []
    for root in _rates(first, last, effective):
        rate, hamiltonian, norm = _energies(first, last, effective, root)
        path = np.asarray(entry(first, last, rate, at))
        geodesics.append(ConstantGeodesic(rate, path, hamiltonian, norm))
    return tuple(sorted(geodesics, key=lambda geodesic: geodesic.weight_norm))


def _equation(
    m0: float, m1: float, depth: float
) -> tuple[Callable[[arb], arb], Callable[[arb], arb]]:
    """Return the expression under the root minus (depth/rate)^2, which may be non-monotonic, and its derivative."""
    product, gap, length = arb(m0) * arb(m1), arb(m1) - arb(m0), arb(depth)

    def residual(x: arb) -> arb:
        return 1 + 2 * product / (1 + x.cosh()) - (gap / x.sinh()) ** 2 - (length / x) ** 2

    def derivative(x: arb) -> arb:
        cosh, sinh = x.cosh(), x.sinh()
        return 2 * (-product * sinh / (1 + cosh) ** 2 + gap**2 * cosh / sinh**3 + length**2 / x**3)

    return residual, derivative


def _rates(m0: float, m1: float, depth: float) -> list[float]:
    """Return all positive roots of the equation for the rate in increasing order."""
    product, gap = m0 * m1, m1 - m0
    residual, derivative = _equation(m0, m1, depth)

    def sided(x: float) -> float:
        return float(residual(arb(x)).mid())

    # The term depth/rate exceeds all others below the lower end, and the term 1 exceeds all others above the upper end.
    lower = depth / np.sqrt(2 + abs(product))
    upper = max(2 * depth, np.arccosh(1 + 8 * (abs(product) + gap**2)), 1.0)
    roots: list[float] = []
    waiting = [(float(lower), float(upper))]
    while waiting:
        low, high = waiting.pop()
        middle = (low + high) / 2
        ball = arb(middle, (high - low) / 2 * (1 + 1e-12))
        if not residual(ball).contains(0):
            continue
        if derivative(ball).contains(0):
            if high - low < CLOSEST * high:
                raise ArithmeticError(
                    f"m0, m1: got ends at a fold, two rates near {middle:.9g} cannot be told apart"
                )
            waiting += [(low, middle), (middle, high)]
        elif sided(low) * sided(high) <= 0:
            root = float(brentq(sided, low, high, xtol=1e-15, rtol=8.9e-16))
            # an end that two intervals share
            if all(abs(root - other) > 1e-12 * root for other in roots):
                roots.append(root)
    return sorted(roots)


def _energies(m0: float, m1: float, depth: float, near: float) -> tuple[float, float, float]:
    """Return the rate near a number, the Hamiltonian of its path and the integral of the squared weights.

    The last two are differences of numbers of order depth^2, which may be as small as exp(-rate); all three are
    therefore computed in balls of a precision that grows until the digits of the differences are proved.
    """
    before, bits = ctx.prec, 128 + int(3 * near)
    try:
        while bits < MOST_BITS:
            ctx.prec = bits
            rate, product = _refined(m0, m1, depth, near), arb(m0) * arb(m1)
            hamiltonian = (rate - depth) * (rate + depth) / (2 * arb(depth))
            squares = 1 + arb(m0) ** 2, 1 + arb(m1) ** 2
            # The integral of depth/(1 + m^2) is the arcosh of this ratio.
            kept = ((rate.cosh() + product) / (squares[0] * squares[1]).sqrt()).acosh()
            norm = arb(depth) ** 2 + rate**2 - 2 * depth * kept
            norm += depth * (squares[1] / squares[0]).log()
            if all(x.rel_accuracy_bits() > 55 or abs(x) < NEGLIGIBLE for x in (hamiltonian, norm)):
                return float(rate.mid()), float(hamiltonian.mid()) + 0.0, float(norm.mid())
            bits *= 2
    finally:
        ctx.prec = before
    raise ArithmeticError(
        f"depth: got {depth}, too large for this pair of ends: more than {MOST_BITS} bits are needed"
    )


def _refined(m0: float, m1: float, depth: float, near: float) -> arb:
    """Return a ball that contains the root, by Newton's method in the precision of flint's context."""
    residual, derivative = _equation(m0, m1, depth)
    root = arb(near)
    for _ in range(ctx.prec.bit_length()):
        root = (root - residual(root) / derivative(root)).mid()
    error = abs(root) * arb(2) ** (10 - ctx.prec)
    if not residual(root - error) * residual(root + error) < 0:
        raise ArithmeticError(f"the rate near {near:.9g} cannot be told apart from another one")
    return arb(root, error)
