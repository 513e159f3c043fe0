r"""Section 5.1: eigenfunctions and null space of the kernel of Eq. (10)."""

from __future__ import annotations

from functools import cache

import numpy as np

from theory.core import Check, Claim, Finding, Witness, Word
from theory.core.ledger.printed import Given
from theory.papers.paccolat2021.paper import entry
from theory.papers.paccolat2021.small_network import ROUNDING


@cache
def hermite_basis() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gauss-Hermite nodes and masses of a unit Gaussian, and its first four polynomials ``[degree, node]``."""
    nodes, masses = np.polynomial.hermite_e.hermegauss(12)
    values = np.array([np.polynomial.hermite_e.hermeval(nodes, np.eye(4)[degree]) for degree in range(4)])
    return nodes, masses / masses.sum(), values


def image(function: np.ndarray) -> np.ndarray:
    """Of a function ``[x_1, x_2]`` of one informative and one perpendicular coordinate under a kernel of Eq. (10)."""
    nodes, masses, _ = hermite_basis()
    gaps = nodes[:, None] - nodes[None]
    theta_1, theta_2 = np.exp(-(gaps**2) / 2), np.exp(-np.abs(gaps))
    kernel = theta_1[:, None, :, None] + theta_2[:, None, :, None] * np.outer(nodes, nodes)[:, None]
    return np.asarray(np.einsum("abcd,cd->ab", kernel, function * np.outer(masses, masses)))


def annihilated() -> set[tuple[int, int]]:
    """Degrees along and across of the products of polynomials that the kernel maps to zero."""
    _, _, values = hermite_basis()
    degrees = [(a, b) for a in range(4) for b in range(4)]
    return {(a, b) for a, b in degrees if np.abs(image(np.outer(values[a], values[b]))).max() < 1e-10}


def in_the_null_space(claim: Claim) -> set[tuple[int, int]]:
    """Those that the sentence puts there: orthogonal to constant and linear functions across."""
    along = range(1) if claim["domain"] == "of the orthogonal space" else range(4)
    return {(a, b) for a in along for b in range(4) if b > 1}


def is_the_null_space(claim: Claim) -> tuple[Check, ...]:
    """Sixteen products of polynomials."""
    return (Check("products", lambda: in_the_null_space(claim) == annihilated(), "quadrature"),)


def maps_to_itself(direction: np.ndarray, covariance: np.ndarray) -> bool:
    """Whether phi(x_par) u.x_perp is mapped to a multiple of itself: u.x_perp to x_perp.C u, C the covariance."""
    moved = covariance @ direction
    return bool(abs(moved[0] * direction[1] - moved[1] * direction[0]) < ROUNDING)


DIRECTIONS = tuple(np.array(u) for u in ((1.0, 0.0), (1.0, 1.0), (0.3, -2.0)))


def allows_any_direction(statement: Claim | Given) -> tuple[Check, ...]:
    """Three directions, for perpendicular coordinates of equal and of different variances."""
    claim = statement.statement if isinstance(statement, Given) else statement
    equal_variances = isinstance(statement, Given) and statement.condition["variances"] == "equal"
    standard = "density" in claim.values and claim["density"] == "standard Gaussian"
    covariance = np.diag([1.0, 1.0 if equal_variances or standard else 2.0])
    any_of_them = all(maps_to_itself(direction, covariance) for direction in DIRECTIONS)
    return (Check("directions", lambda: any_of_them is (claim["directions"] == "any"), "x_perp.C u"),)


ANY = {"directions": Word("any", ("only some",))}

EQUATIONS = (
    entry(
        "5.1 eigenfunctions",
        "5.1",
        "",
        Finding.CONFIRMED,
        "The integral operator on u.x_perp gives x_perp.C u, C the covariance of x_perp, which is the identity here.",
        printed=Claim(
            "For a {density} density, eigenvectors of the second kind are phi(x_par) u.x_perp with {directions} u.",
            {"density": Word("standard Gaussian", ("stretched Gaussian",)), **ANY},
        ),
        prove=allows_any_direction,
    ),
    entry(
        "footnote 5",
        "5.1",
        "",
        Finding.CONDITIONAL,
        "The integral operator on u.x_perp gives x_perp.C u, C the covariance of x_perp.",
        printed=Claim(
            "This is true with {directions} u if rho = rho_par rho_perp and the distribution is centered.", ANY
        ),
        condition=Claim(
            "all perpendicular coordinates have {variances} variances and are uncorrelated",
            {"variances": Word("equal", ("different",))},
        ),
        prove=allows_any_direction,
        witness=Witness(
            {"variances": (1, 2), "u": (1, 1), "ratio of": "the components of the image"},
            lambda: float(np.divide(*(np.diag([1.0, 2.0]) @ DIRECTIONS[1])[::-1])),
            value=lambda claim: 1.0 if claim["directions"] == "any" else 0.0,
        ),
        consequence="Otherwise u must be an eigenvector of the covariance. The Gaussian data of the paper satisfy it.",
    ),
    entry(
        "5.1 null space",
        "5.1",
        "",
        Finding.MISPRINT,
        "Products of polynomials in one informative and one perpendicular coordinate, by quadrature. For one, "
        "x_par He_2(x_perp) is mapped to zero and is no function of the orthogonal space.",
        printed=Claim(
            "The null space corresponds to all functions {domain} that are orthogonal to constant or linear functions "
            "of it.",
            {"domain": Word("of the orthogonal space", ("of all coordinates",))},
        ),
        corrected=Claim(
            "The null space corresponds to all functions {domain} that are orthogonal to constant or linear functions "
            "of it.",
            {"domain": Word("of all coordinates", ("of the orthogonal space",))},
        ),
        prove=is_the_null_space,
        witness=Witness(
            {"products of degree": "0 to 3 in both coordinates", "number": "mapped to zero"},
            lambda: float(len(annihilated())),
            value=lambda claim: float(len(in_the_null_space(claim))),
        ),
        consequence="The null space is larger: for every x_par, functions orthogonal to constant and linear ones in "
        "x_perp. Null spaces of Theta_1 and Theta_2 come on top.",
    ),
)
