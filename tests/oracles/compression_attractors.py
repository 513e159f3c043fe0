"""Attractors of neurons in mpmath: integrals over half-lines, and the root next to one that was found in float64."""

from types import SimpleNamespace

import mpmath

from theory.compression import Stripes

GUARD = 15  # digits beyond those that are asked for


def integrals(labels, zeta, side):
    """C_b, C_1, the boundary current and the label at ``zeta``, in mpmath's working precision."""
    return (of_stripes if isinstance(labels, Stripes) else of_shells)(
        labels, mpmath.mpf(zeta), side
    )


def of_stripes(labels, zeta, side):
    own = labels.leftmost if side > 0 else int(labels.signs[-1])
    c_bias, c_parallel, current = (
        own * mpmath.ncdf(-side * zeta),
        side * own * mpmath.npdf(zeta),
        mpmath.mpf(0),
    )
    for place, jump in zip(
        map(mpmath.mpmathify, labels.boundaries), map(int, labels.jumps), strict=True
    ):
        further = max(place, zeta) if side > 0 else min(place, zeta)
        c_bias += side * jump * mpmath.ncdf(-side * further)
        c_parallel += jump * mpmath.npdf(further)
        current += jump * mpmath.npdf(place) if (place - zeta) * side > 0 else 0
    return c_bias, c_parallel, current, int(labels(float(zeta)))


def of_shells(labels, zeta, side):
    mp, across = mpmath.mp, mpmath.mpf(labels.d_parallel - 1) / 2
    c_bias, current, label = (
        labels.outermost * mp.ncdf(-side * zeta),
        mp.zero,
        mp.mpf(labels.outermost),
    )
    for radius, jump in zip(map(mp.mpf, labels.radii), map(int, labels.jumps), strict=True):
        rest = max(radius**2 - zeta**2, mp.zero)
        c_bias -= jump * ball_segment(labels.d_parallel, radius, side * zeta)
        label -= jump * mp.gammainc(across, 0, rest / 2, regularized=True)
        factor = mp.exp(-(radius**2) / 2) / (mp.sqrt(2 * mp.pi) * mp.gamma(across + 1))
        current += side * jump * factor * (rest / 2) ** across
    return c_bias, side * label * mp.npdf(zeta) + current, current, label


def ball_segment(directions, radius, zeta):
    """Probability of the part of a ball beyond a plane."""
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


def refined(labels, dimension, found, digits=25):
    """The numbers of an attractor that was found in float64, with so many digits."""
    with mpmath.workdps(digits + GUARD):

        def value(at):
            c_bias, c_parallel, *_ = integrals(labels, at, found.side)
            return dimension * c_bias + at * c_parallel

        position, width = (
            mpmath.mpf(found.position),
            mpmath.mpf(10) ** -9 * (1 + abs(mpmath.mpf(found.position))),
        )
        ends = position - width, position + width
        if found.position != 0:  # where symmetry puts it
            size = max(abs(value(end)) for end in ends)
            tolerance = 4 * mpmath.eps * min(1, abs(position))
            position = mpmath.findroot(
                lambda at: value(at) / size,
                ends,
                solver="anderson",
                tol=tolerance,
                maxsteps=400,
                verify=False,
            )
        c_bias, c_parallel, current, label = integrals(labels, position, found.side)
        drift = found.side * label * mpmath.npdf(position) * (position**2 + dimension - 1)
        active = mpmath.ncdf(-found.side * position)
        return SimpleNamespace(
            position=position, side=found.side, c_bias=c_bias, c_parallel=c_parallel, c_perp=label, d_perp=active,
            stable=bool(mpmath.sign(c_parallel) * (current - drift) > 1e-20),
            growth_time=1 / (abs(c_parallel) * mpmath.sqrt(1 + position**2 / dimension)),
            amplification=mpmath.sign(c_parallel) * current / mpmath.sqrt(active),
        )  # fmt: skip


def all_refined(labels, dimension, found, digits=25):
    return [refined(labels, dimension, each, digits) for each in found]
