"""Attractors with any number of digits: each is computed anew, in mpmath, beside one that was found in float64.

Integrals over half-lines and half-spaces are sums of the normal distribution, of its density, and for shells of
segments of balls. They share no code with the arrays of ``labels`` and ``shells``.
"""

from __future__ import annotations

from typing import Any

import mpmath

from theory.compression.attractor import Attractor, Labels
from theory.compression.labels import Stripes
from theory.compression.shells import Shells
from theory.core.numbers.exact import exact, number

GUARD = 15  # digits beyond those that are asked for


def refined(labels: Labels, dimension: int, attractor: Attractor, digits: int) -> Attractor:
    """Return an attractor with numbers of mpmath that have so many digits.

    Args:
        labels: labels in stripes or shells.
        dimension: input dimension *d*.
        attractor: the same one in float64.
        digits: number of correct digits.

    Raises:
        ArithmeticError: if two fixed points may be closer than 1e-9.
    """
    with mpmath.workdps(digits + GUARD):
        position = _position(labels, dimension, attractor)
        there = integrals(labels, position, attractor.side)
        tiny = mpmath.mpf(10) ** -digits
        return Attractor.at(position, attractor.side, labels, dimension, there, mpmath.mp, tiny)


def _position(labels: Labels, dimension: int, attractor: Attractor) -> Any:
    """Return the root beside the one in float64, in the working precision."""
    start = mpmath.mpf(attractor.position)
    if not start:  # where symmetry puts it
        return start

    def value(at: Any) -> Any:
        c_bias, c_parallel, *_ = integrals(labels, at, attractor.side)
        return dimension * c_bias + at * c_parallel

    width = mpmath.mpf(10) ** -9 * (1 + abs(start))
    ends = start - width, start + width
    if value(ends[0]) * value(ends[1]) > 0:
        raise ArithmeticError(
            f"digits: got a fixed point at {attractor.position:g} that may be two within 1e-9, needs simple ones"
        )
    size = max(
        abs(value(end)) for end in ends
    )  # far from the centre it is smaller than any fixed tolerance
    return mpmath.findroot(
        lambda at: value(at) / size,
        ends,
        solver="anderson",
        tol=4 * mpmath.eps * min(1, abs(start)),
        maxsteps=400,
        verify=False,
    )


def integrals(labels: Labels, zeta: Any, side: int) -> tuple[Any, Any, Any, Any]:
    """Return :math:`C_b`, :math:`C_1`, the boundary current and the label on a plane, in mpmath's working precision.

    Args:
        labels: labels in stripes or shells.
        zeta: position of the plane, a number of mpmath.
        side: +1 or -1.
    """
    function = _of_stripes if isinstance(labels, Stripes) else _of_shells
    return function(labels, mpmath.mpf(zeta), side)  # type: ignore[arg-type]


def _of_stripes(labels: Stripes, zeta: Any, side: int) -> tuple[Any, Any, Any, Any]:
    own = labels.leftmost if side > 0 else int(labels.signs[-1])
    c_bias, c_parallel = own * mpmath.ncdf(-side * zeta), side * own * mpmath.npdf(zeta)
    current = mpmath.mpf(0)
    for boundary, jump in zip(labels.boundaries, map(int, labels.jumps), strict=True):
        place = number(exact("boundaries", boundary), mpmath.mp)
        further = max(place, zeta) if side > 0 else min(place, zeta)
        c_bias += side * jump * mpmath.ncdf(-side * further)
        c_parallel += jump * mpmath.npdf(further)
        current += jump * mpmath.npdf(place) if (place - zeta) * side > 0 else 0
    return c_bias, c_parallel, current, int(labels(float(zeta)))


def _of_shells(labels: Shells, zeta: Any, side: int) -> tuple[Any, Any, Any, Any]:
    mp, across = mpmath.mp, mpmath.mpf(labels.d_parallel - 1) / 2
    c_bias, current = labels.outermost * mp.ncdf(-side * zeta), mp.zero
    label = mp.mpf(labels.outermost)
    for radius, jump in zip(map(mp.mpf, labels.radii), map(int, labels.jumps), strict=True):
        rest = max(radius**2 - zeta**2, mp.zero)
        c_bias -= jump * _ball_segment(labels.d_parallel, radius, side * zeta)
        label -= jump * mp.gammainc(across, 0, rest / 2, regularized=True)
        factor = mp.exp(-(radius**2) / 2) / (mp.sqrt(2 * mp.pi) * mp.gamma(across + 1))
        current += side * jump * factor * (rest / 2) ** across
    return c_bias, side * label * mp.npdf(zeta) + current, current, label


def _ball_segment(directions: int, radius: Any, zeta: Any) -> Any:
    """Return the probability of the part of a ball beyond a plane, as a sum of positive terms."""
    mp = mpmath.mp
    half, s, share = mp.mpf(directions) / 2, radius**2 / 2, min((zeta / radius) ** 2, mp.one)
    weights = [mp.exp(-s) * s**half / mp.gamma(half + 1)]
    while len(weights) < s or weights[-1] > mp.eps * weights[0]:
        weights.append(weights[-1] * s / (half + len(weights)))
    # downwards, the incomplete beta functions grow by positive terms
    b = half + len(weights) - mp.mpf(1) / 2
    rest = mp.betainc(mp.mpf(1) / 2, b, share, 1, regularized=True)
    term = mp.sqrt(share) * (1 - share) ** b / (b * mp.beta(mp.mpf(1) / 2, b))
    total = mp.zero
    for weight in reversed(weights):
        total += weight * (rest if zeta > 0 else 2 - rest) / 2
        term *= b / ((1 - share) * (b - mp.mpf(1) / 2)) if share < 1 else 0
        b -= 1
        rest += term
    return total
