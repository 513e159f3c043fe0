r"""Section 5.1: eigenfunctions of the tangent kernel, their convergence and their null space; Figure 9."""

import math
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from papers.paccolat2021.ledger.notation import ROUNDING, letters
from theory.compression import tangent_kernel
from theory.core import Claim, Program, Programs, chosen, deciding, evaluate, numerically, stating
from theory.core.ledger.proving import declaring

norm_Theta, y_vec = letters("norm_Theta y_vec")
SIZE = 5
KINK = 1e-4  # relative error of 400 points on a circle for a kernel with a kink
DIRECTIONS = tuple(np.array(u) for u in ((1.0, 0.0), (1.0, 1.0), (0.3, -2.0)))


@cache
def measure() -> dict[str, Any]:
    """A kernel on five points with masses, its eigenvalues and its orthonormal eigenfunctions; two functions."""
    rng = np.random.default_rng(0)
    points, mass = rng.normal(size=SIZE), rng.dirichlet(np.ones(SIZE))
    gram = np.exp(-np.abs(points[:, None] - points[None]))
    root = np.sqrt(mass)
    values, vectors = np.linalg.eigh(root[:, None] * gram * root[None])
    y = rng.normal(size=SIZE)
    return {
        "gram": gram,
        "mass": mass,
        "values": values,
        "functions": vectors / root[:, None],
        "y": (y, 2 * y),
    }


def pairs_of_points() -> Iterator[dict[str, Any]]:
    """A kernel on five points with masses, at all pairs of points; its eigenfunctions are orthonormal in them."""
    data = measure()
    functions = {
        "theta": lambda a, b: data["gram"][a, b],
        "eigenvalue": lambda n: data["values"][n - 1],
        "phi": lambda n, a: data["functions"][a, n - 1],
    }
    yield from (
        {**functions, "i": row, "j": column, "m": SIZE} for row, column in np.ndindex(SIZE, SIZE)
    )


@cache
def two_functions() -> list[dict[str, Any]]:
    """Norms of a function and of twice that, from the inverse of a Gram matrix: the norm doubles, the sum does not."""
    data = measure()
    projections = [data["functions"].T @ (data["mass"] * y) for y in data["y"]]
    return [
        {
            "m": SIZE,
            "y_": y,
            "norm_Theta": lambda at: math.sqrt(at @ np.linalg.solve(data["gram"], at)),
            "omega_k": lambda n, onto=onto: onto[n - 1],
            "eigenvalue": lambda n: data["values"][n - 1],
        }
        for y, onto in zip(data["y"], projections, strict=True)
    ]


def norms(statement: sp.Eq) -> list[float]:
    """Of both functions, as stated."""
    sums = [evaluate(statement.rhs, case) for case in two_functions()]
    return [float(max(sp.solve(statement.lhs - value, norm_Theta(y_vec)))) for value in sums]


def projections() -> Iterator[dict[str, Any]]:
    """Eigenvectors of a Gram matrix with a mean square of one, as those of Section 5.1, and the estimate there."""
    points = np.random.default_rng(1).normal(size=12)
    _, vectors = np.linalg.eigh(np.exp(-np.abs(points[:, None] - points[None])))
    for vector in math.sqrt(12) * vectors.T:
        estimate = float((vector * np.sign(points)).mean())
        yield {
            "p": 12,
            "phi_lam": vector,
            "y_": np.sign(points),
            "braket": np.dot,
            "omega_lam": estimate,
        }


@cache
def image_of_a_harmonic(radius: float, angle: float, everywhere: bool) -> float:
    """Of cos(angle) under the initial kernel, over cos(angle), for Gaussian data or those on a circle of radius 1.3."""
    angles = np.arange(400) * 2 * np.pi / 400
    nodes, masses = np.polynomial.laguerre.laggauss(40)  # radius^2 / 2 is exponential
    radii, masses = (
        (np.sqrt(2 * nodes), masses) if everywhere else (np.array([1.3]), np.array([1.0]))
    )
    kernel, total = tangent_kernel().function("numpy"), 0.0
    for at, mass in zip(radii, masses, strict=True):
        values = kernel(radius**2, at**2, radius * at * np.cos(angles - angle), 2)
        total += mass * float((values * np.cos(angles)).mean())
    return total / math.cos(angle)


RADII = (1.0, 2.0)


def growth_outwards(radii: tuple[float, float] = RADII) -> float:
    """Of the ratio of image and harmonic, from one radius to another; one for an eigenfunction."""
    near, far = (image_of_a_harmonic(radius, 0.3, True) for radius in radii)
    return far / near


def growth(where: str = "in all of space") -> float:
    """Of the ratio of image and harmonic, from one angle or one radius to another; one for an eigenfunction."""
    if where == "on a sphere":
        return image_of_a_harmonic(1.3, 1.0, False) / image_of_a_harmonic(1.3, 0.3, False)
    return growth_outwards()


def eigenfunctions(where: str = "in all of space") -> str:
    """The tangent kernel at initialisation applied to a harmonic of degree one, in the plane or on a circle."""
    return "spherical harmonics" if abs(growth(where) - 1) < KINK else "other functions"


def turns_nothing(density: str) -> bool:
    """Whether u.x_perp is mapped to a multiple of itself for every u; the image is x_perp.C u, C the covariance."""
    covariance = np.diag(
        [
            1.0,
            {"Gaussian": 1.0, "equal": 1.0, "stretched Gaussian": 2.0, "different": 2.0}[density],
        ]
    )
    return all(
        abs((covariance @ u)[0] * u[1] - (covariance @ u)[1] * u[0]) < ROUNDING for u in DIRECTIONS
    )


@cache
def annihilated(degrees: int = 4) -> frozenset[tuple[int, int]]:
    """Degrees along and across of the products of four Hermite polynomials that a kernel of Eq. (10) maps to zero."""
    nodes, masses = np.polynomial.hermite_e.hermegauss(12)
    values = np.array(
        [
            np.polynomial.hermite_e.hermeval(nodes, np.eye(degrees)[degree])
            for degree in range(degrees)
        ]
    )
    gaps = nodes[:, None] - nodes[None]
    theta_1, theta_2 = np.exp(-(gaps**2) / 2), np.exp(-np.abs(gaps))
    split = theta_1[:, None, :, None] + theta_2[:, None, :, None] * np.outer(nodes, nodes)[:, None]

    def image(along: int, across: int) -> np.ndarray:
        return np.asarray(
            np.einsum(
                "abcd,cd->ab", split, np.outer(masses * values[along], masses * values[across])
            )
        )

    return frozenset(
        (a, b)
        for a, b in product(range(degrees), range(degrees))
        if np.abs(image(a, b)).max() < 1e-10
    )


def in_the_null_space(claim: Claim, degrees: int = 4) -> set[tuple[int, int]]:
    """Those that the sentence puts there: orthogonal to constant and linear functions across, or of all coordinates."""
    products = set(product(range(degrees), range(degrees)))
    across = {(a, b) for a, b in products if b > 1}
    meanings = {
        "of the orthogonal space": {(a, b) for a, b in across if a == 0},
        "with restrictions to each orthogonal space": across,
        "of all coordinates": products - {(0, 0), (0, 1), (1, 0)},
    }
    return set(chosen(claim, "domain", meanings))


@cache
def samples() -> list[dict[str, Any]]:
    """Eigenvalues of the Gram matrix of 10^10 draws of five points with masses, over their number; a known theorem."""
    data, count = measure(), 10**10
    root = np.sqrt(np.random.default_rng(2).multinomial(count, data["mass"]) / count)
    eigenvalues = np.linalg.eigvalsh(root[:, None] * data["gram"] * root)
    return [
        {"lam_tilde": sampled, "lam_k": exact}
        for sampled, exact in zip(eigenvalues, data["values"], strict=True)
    ]


@cache
def sampled_eigenvectors() -> list[dict[str, Any]]:
    """Eigenvectors at five points with masses, and at five on a circle, of draws of 10^10 points; known theorems."""
    data, cases = measure(), []
    circle = np.exp(-np.abs(np.sin(np.pi * np.subtract.outer(np.arange(5), np.arange(5)) / 5)))
    for gram, mass in ((data["gram"], data["mass"]), (circle, np.full(5, 0.2))):
        drawn = np.random.default_rng(2).multinomial(10**10, mass) / 10**10
        (values, exact), (_, found) = (
            np.linalg.eigh(np.sqrt(m)[:, None] * gram * np.sqrt(m)) for m in (mass, drawn)
        )
        exact, found = exact / np.sqrt(mass)[:, None], found / np.sqrt(drawn)[:, None]
        found = found * np.sign((mass[:, None] * exact * found).sum(axis=0))
        for k, j in product(range(len(mass)), range(len(mass))):
            cases.append(
                {
                    "nu": j,
                    "m_lam": int((np.abs(values - values[k]) < ROUNDING).sum()),
                    "phi_at": lambda at, k=k, exact=exact: exact[at, k],
                    "phi_tilde": lambda at, k=k, found=found: found[at, k],
                }
            )
    return cases


PROGRAMS: Programs = {
    "5.1 convergence of eigenvectors": declaring(
        numerically(sampled_eigenvectors, tolerance=1e-3, scale=1.0), "->", under="="
    ),
    "5.1 Mercer": numerically(pairs_of_points, scale=1.0),
    "5.1 convergence": declaring(numerically(samples, tolerance=1e-4), "->"),
    "5.1 RKHS norm": Program(
        numerically(two_functions),
        lambda: [case["norm_Theta"](case["y_"]) for case in two_functions()],
        value=norms,
        at=lambda: {"y": two_functions()[0]["y_"]},
        quantity="norm of the function and of twice that",
    ),
    "Figure 9 projection": numerically(projections, scale=1.0),
    "5.1 spherical harmonics": Program(
        stating(functions=eigenfunctions),
        growth_outwards,
        value=lambda claim: float(claim["functions"] == "spherical harmonics"),
        tolerance=1e-3,
        at={"radii": RADII},
        quantity="ratio of the images of the harmonic of degree one at both radii, over that of the harmonic; d = 2",
    ),
    "5.1 eigenfunctions": stating(
        directions=lambda density: "any" if turns_nothing(density) else "only some"
    ),
    "footnote 5": Program(
        stating(
            directions=lambda variances="different": (
                "will" if turns_nothing(variances) else "will not"
            )
        ),
        lambda variances, u: float(np.divide(*(np.diag(variances) @ np.array(u))[::-1])),
        value=lambda claim: float(claim["directions"] == "will"),
        at={"variances": (1.0, 2.0), "u": (1.0, 1.0)},
        quantity="ratio of the components of the image",
    ),
    "5.1 null space": Program(
        deciding(lambda claim: in_the_null_space(claim) == annihilated()),
        lambda degrees: float(len(annihilated(degrees))),
        value=lambda claim, degrees: float(len(in_the_null_space(claim, degrees))),
        at={"degrees": 4},
        quantity="products of so many Hermite polynomials along and across that are mapped to zero",
    ),
}
