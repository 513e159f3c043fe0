r"""Section 5.1: the tangent kernel before and after compression, its eigenfunctions; Eq. (10) and Figure 9."""

import math
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from papers.paccolat2021.ledger.notation import ROUNDING, kernel, letters, outputs
from theory.compression import tangent_kernel
from theory.core import Claim, Program, Programs, chosen, deciding, evaluate, numerically, stating
from theory.core.ledger.proving import declaring

norm_Theta, y_vec = letters("norm_Theta y_vec")
SIZE = 5
LARGE = 1e4
"""Of the aligned weights in a network whose Lambda is large though one neuron is not aligned."""
APART = 0.7  # perpendicular weights of that neuron
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


def network(across: float) -> np.ndarray:
    """Three neurons along the first of three coordinates; the last has perpendicular weights and a large output."""
    return np.array(
        [[LARGE, 0, 0, 0.3, 0.2], [-LARGE, 0, 0, 0.5, -0.4], [1.0, across, -across, 0.2, LARGE]],
        dtype=float,
    )


def dependence(across: float) -> float:
    """Relative change of the output of the network by one step in a perpendicular coordinate."""
    here, there = outputs(network(across), np.array([[0.5, 0.0, 0.0], [0.5, 1.0, 0.0]]))
    return float(abs(there / here - 1))


def output(which: str = "most") -> str:
    """Three neurons, two of them large and aligned, and one small with a large output weight, or aligned as well."""
    return "loses" if dependence({"all": 0.0, "most": APART}[which]) < ROUNDING else "keeps"


@cache
def split_kernels() -> list[dict[str, Any]]:
    """Three neurons of large Lambda, one of them aligned or not; tangent kernels by differences."""
    rng, cases = np.random.default_rng(0), []
    for across in (0.0, 0.0, 0.0, APART, APART, APART):
        weights = network(across) / LARGE**0.5
        along, apart = rng.normal(size=2), rng.normal(size=(2, 2))
        first = kernel(weights, [np.array([at, 0, 0]) for at in along])
        lifted = kernel(weights, [np.array([at, 1, 0]) for at in along])
        whole = kernel(weights, [np.append(a, b) for a, b in zip(along, apart, strict=True)])
        parts = {"Theta_xz": whole, "Theta_1": first, "Theta_2": lifted - first}
        cases.append(
            {
                **parts,
                "omega_perp": across,
                "x_perp": apart[0],
                "z_perp": apart[1],
                "inner": np.dot,
            }
        )
    return cases


def layer_of_the_second_term() -> str:
    """The tangent kernel by layers: which weights see the perpendicular coordinates."""
    weights, pair = network(0.0) / LARGE**0.5, np.array([[0.4, 0.7, 0.1], [0.9, -0.3, 0.5]])
    bare = pair * [1, 0, 0]
    moves = [
        abs(kernel(weights, pair, part) - kernel(weights, bare, part))
        for part in (slice(3), slice(3, 5))
    ]
    return "first" if moves[1] < ROUNDING * moves[0] else "second"


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


PROGRAMS: Programs = {
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
    "5.1 lost dependence": Program(
        stating(output=output),
        dependence,
        value=lambda claim: float(claim["output"] == "keeps"),
        at={"across": APART},
        quantity="relative change of the output by a step of one across; Lambda is larger than 10^4",
    ),
    "(10)": numerically(split_kernels, tolerance=1e-6, scale=1.0),
    "5.1 second term": stating(layer=layer_of_the_second_term),
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
