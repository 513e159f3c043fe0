r"""Section 5.1: eigenfunctions of the tangent kernel at initialisation."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from theory.compression import tangent_kernel
from theory.core import Check, Claim, Finding, Witness, Word
from theory.core.ledger.printed import Given
from theory.papers.paccolat2021.paper import entry

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


EQUATIONS = (
    entry(
        "5.1 spherical harmonics",
        "5.1",
        "",
        Finding.CONDITIONAL,
        "The tangent kernel at initialisation applied to a harmonic of degree one, in the plane.",
        printed=Claim(
            "At initialization the eigenvectors of the kernel are {functions}.",
            {"functions": Word("spherical harmonics", ("other functions",))},
        ),
        condition=Claim("the data lie {where}", {"where": Word("on a sphere", ("in all of space",))}),
        prove=are_harmonics,
        witness=Witness(
            {"d": 2, "image of the harmonic": "at |x| = 2 over that at |x| = 1"},
            lambda: image_of_a_harmonic(2.0, 0.3, True) / image_of_a_harmonic(1.0, 0.3, True),
            value=lambda claim: 1.0 if claim["functions"] == "spherical harmonics" else 0.0,
            tolerance=1e-3,
        ),
        consequence="For the Gaussian data of the paper the eigenvectors are products of a harmonic and a function of "
        "the norm.",
    ),
    entry(
        "5.1 vanishing information",
        "5.1",
        "As d grows, the value of a given spherical harmonic has vanishing information on the informative components, "
        "so that the projected signal is small.",
        Finding.OPEN,
        "Harmonics of one degree have one eigenvalue: among those of degree one, x_1/|x| keeps its information for "
        "every d, and a random one loses it. Which one is given is not said; the study compression-kernel-components "
        "measures it.",
    ),
)
