r"""Section 5.1: eigenfunctions and null space of the kernel of Eq. (10)."""

from __future__ import annotations

from functools import cache

import numpy as np

from theory.core import Check, Claim
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen
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
    standard = "density" in claim.values and claim["density"] == "Gaussian"
    covariance = np.diag([1.0, 1.0 if equal_variances or standard else 2.0])
    any_of_them = all(maps_to_itself(direction, covariance) for direction in DIRECTIONS)
    said = chosen(claim, "directions", {"any": True, "will": True, "only some": False, "will not": False})
    return (Check("directions", lambda: any_of_them is said, "x_perp.C u"),)


PROGRAMS: Programs = {
    "5.1 eigenfunctions": allows_any_direction,
    "footnote 5": Program(
        allows_any_direction,
        lambda: float(np.divide(*(np.diag([1.0, 2.0]) @ DIRECTIONS[1])[::-1])),
        value=lambda claim: 1.0 if claim["directions"] == "will" else 0.0,
    ),
    "5.1 null space": Program(
        is_the_null_space, lambda: float(len(annihilated())), value=lambda claim: float(len(in_the_null_space(claim)))
    ),
}
