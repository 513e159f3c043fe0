r"""Section 5.1: eigenfunctions of the tangent kernel at initialisation."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from theory.compression import tangent_kernel
from theory.core import Check, Claim
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given

KINK = 1e-4  # relative error of 400 points on a circle for a kernel with a kink


@cache
def kernel_of_the_network() -> Any:
    """The tangent kernel at initialisation, a function of |x|^2, |z|^2, x.z and d."""
    return tangent_kernel().function("numpy")


@cache
def image_of_a_harmonic(radius: float, angle: float, everywhere: bool) -> float:
    """Of cos(angle) under the tangent kernel, over cos(angle), at a point of the plane.

    The data are Gaussian in the whole plane, or on a circle of radius 1.3.
    """
    angles = np.arange(400) * 2 * np.pi / 400
    if everywhere:
        nodes, masses = np.polynomial.laguerre.laggauss(40)  # radius^2 / 2 is exponential
        radii = np.sqrt(2 * nodes)
    else:
        radii, masses = np.array([1.3]), np.array([1.0])
    total = 0.0
    for at, mass in zip(radii, masses, strict=True):
        values = kernel_of_the_network()(radius**2, at**2, radius * at * np.cos(angles - angle), 2)
        total += mass * float((values * np.cos(angles)).mean())
    return total / math.cos(angle)


def are_harmonics(statement: Claim | Given) -> tuple[Check, ...]:
    """Whether the kernel maps a harmonic to a multiple of itself: at two radii of the plane, or at two angles."""
    claim = statement.statement if isinstance(statement, Given) else statement
    sphere = isinstance(statement, Given) and statement.condition["where"] == "on a sphere"
    one, other = (
        (image_of_a_harmonic(1.3, angle, False) for angle in (0.3, 1.0))
        if sphere
        else (image_of_a_harmonic(radius, 0.3, True) for radius in (1.0, 2.0))
    )
    same = bool(abs(one / other - 1) < KINK)
    return (Check("two points", lambda: same is (claim["functions"] == "spherical harmonics"), "quadrature"),)


PROGRAMS: Programs = {
    "5.1 spherical harmonics": Program(
        are_harmonics,
        lambda: image_of_a_harmonic(2.0, 0.3, True) / image_of_a_harmonic(1.0, 0.3, True),
        value=lambda claim: 1.0 if claim["functions"] == "spherical harmonics" else 0.0,
        tolerance=1e-3,
    ),
}
