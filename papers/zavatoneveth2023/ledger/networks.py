r"""Finite networks: Section IV.A and Appendices A and B.1 to B.3, all lines on the same random networks.

Unit j of a random network has the slope :math:`p_j + c_j \mathbf{w}_j \cdot \mathbf{x}` near the input, which is the
origin: slopes and bends are independent of each other, as for units of any activation function. The metric is that of
Eq. (1), the curvature that of ``christoffel``; no formula of the paper is used.
"""

import itertools
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from closedform.checks.arrays import Array
from papers.zavatoneveth2023.ledger import christoffel
from papers.zavatoneveth2023.ledger.christoffel import WORK, Metric, as_floats, exact, pulled_back
from papers.zavatoneveth2023.ledger.index_notation import (
    Case,
    as_printed,
    curvature,
    letters,
    summed,
)
from theory.core import (
    Check,
    Claim,
    Program,
    Programs,
    chosen,
    deciding,
    for_all,
    is_close,
    stating,
    unconditional,
    with_lemmas,
)
from theory.geometry.shallow.derivation import STEPS

Texts = tuple[tuple[str, ...], ...]
WEIGHTS = (
    ("0.8", "-0.3", "0.5"),
    ("0.2", "0.9", "-0.4"),
    ("-0.7", "0.4", "0.6"),
    ("0.3", "0.5", "1.1"),
)
BIASES = ("0.1", "-0.2", "0.3", "0.25")
POINT = ("0.4", "-0.3", "0.2")
"""A network of four units on three inputs, and where it is looked at: the witness of the tensor formulas."""


def levi_civita(dimension: int) -> Array:
    """The totally antisymmetric symbol, [d] * d."""
    return minors(np.eye(dimension))


def minors(weights: Array) -> Array:
    """Determinants of d rows of the weights [n, d], by elimination: [n] * d."""
    width, inputs = weights.shape
    determinants = np.zeros((width,) * inputs)
    for rows in itertools.permutations(range(width), inputs):
        determinants[rows] = np.linalg.det(weights[list(rows)])
    return determinants


@dataclass(frozen=True)
class Network:
    """Weights [n, d]; slopes and bends of the units at the input, [n]."""

    weights: Array
    slopes: Array
    bends: Array

    @cached_property
    def metric(self) -> Array:
        """Eq. (2), [d, d]."""
        return np.einsum("j,jm,jn->mn", self.slopes**2, self.weights, self.weights) / len(
            self.weights
        )


def erf_units(weights: ArrayLike, biases: ArrayLike, point: ArrayLike) -> Network:
    """Units erf(z / sqrt 2) at an input."""
    w = np.asarray(weights, dtype=float)
    z = w @ np.asarray(point, dtype=float) + np.asarray(biases, dtype=float)
    slopes = np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2)
    return Network(w, slopes, -z * slopes)


def random_network(seed: int, width: int, inputs: int) -> Network:
    """Weights, slopes and bends of order one, independent of each other: any activation function."""
    draw = np.random.default_rng(seed)
    return Network(
        draw.normal(size=(width, inputs)), draw.uniform(0.5, 1.5, width), draw.normal(size=width)
    )


def quadratic_features(net: Network) -> Any:
    """Features near the origin with these slopes and bends there, scaled by the root of the width, in 100 digits."""
    w, p, c = (exact(values) for values in (net.weights, net.slopes, net.bends))
    return lambda x: (p * (w @ x) + c * (w @ x) ** 2 / 2) / WORK.sqrt(len(w))


def metric_of(net: Network) -> Metric:
    """The metric near the origin, with exact slopes."""
    w, p, c = (exact(values) for values in (net.weights, net.slopes, net.bends))
    return lambda x: np.einsum("j,jm,jn->mn", (p + c * (w @ x)) ** 2, w, w) / len(w)


def erf_metric(weights: Any, biases: Any) -> Metric:
    """Eq. (2) for units erf(z / sqrt 2), weights [n, d], biases [n]."""
    w, b = exact(weights), exact(biases)

    def metric(x: Any) -> Any:
        squares = [2 / WORK.pi * WORK.exp(-(z**2)) for z in w @ x + b]
        return np.einsum("j,jm,jn->mn", np.array(squares, dtype=object), w, w) / len(b)

    return metric


SIZES = ((3, 2, 0), (4, 3, 1), (5, 4, 2))
PLANE = ((3, 2, 0), (4, 2, 1), (5, 2, 3))
"""Units, inputs, seed."""
i, j, k = letters("i j k")
WORDS = {"one": 1, "two": 2, "three": 3}
ROUNDING = 1e-12  # of a curvature or a determinant of order one


def geometry(metric: Metric, point: Any) -> dict[str, Any]:
    """Metric, Christoffel symbols and curvatures at a point, from their definitions in 100 digits."""
    curved, at = christoffel.curvature(metric, point), exact(point)
    up, riemann, size = (
        as_floats(christoffel.inverse(curved.metric)),
        as_floats(curved.riemann),
        len(at),
    )
    mixed = np.einsum("lm,mnab->lnab", up, riemann)
    return {
        "d": size, "n": 1, "epsilon": levi_civita(size), "delta": np.eye(size),
        "g": as_floats(curved.metric), "g_up": up, "det(G)": float(np.linalg.det(as_floats(curved.metric))),
        "dg": as_floats(christoffel.slopes(metric, at)),
        "dg_up": as_floats(christoffel.slopes(lambda x: christoffel.inverse(metric(x)), at)),
        "Gamma": as_floats(christoffel.christoffel_symbols(metric, at)),
        "Riemann": riemann, "Riemann_up": mixed, "Ricci": np.einsum("anab->nb", mixed), "R": float(curved.scalar),
    }  # fmt: skip


def of_units(net: Network) -> dict[str, Any]:
    """The letters of a network besides its geometry; phi'(z_j) stands in the place of unit j."""
    known = {"n": len(net.weights), "w": net.weights, "M": minors(net.weights), "z": None}
    return {**known, "phi1": net.slopes, "phi2": net.bends}


@cache
def _random(width: int, inputs: int, seed: int) -> Case:
    net = random_network(seed, width, inputs)
    return {**geometry(metric_of(net), [0] * inputs), **of_units(net)}


@cache
def error_functions(weights: Texts, biases: tuple[str, ...], x: tuple[str, ...]) -> Case:
    """A network of error functions at an input."""
    net = erf_units(weights, biases, x)
    return {**geometry(erf_metric(weights, biases), x), **of_units(net)}


FOUR_UNITS = {"weights": WEIGHTS, "biases": BIASES, "x": POINT}
ON_TWO_INPUTS = {
    "weights": tuple(row[:2] for row in WEIGHTS),
    "biases": BIASES,
    "x": POINT[:2],
}


def of_networks(
    sizes: tuple[tuple[int, int, int], ...] = SIZES, factor: float = 1.0
) -> list[Case]:
    """Random networks of up to five units, with tensors from their definitions in 100 digits."""
    cases: list[Case] = []
    for size in sizes:
        case = _random(*size)
        curvatures = {
            name: factor * case[name] for name in ("Riemann", "Riemann_up", "Ricci", "R")
        }
        cases.append({**case, **curvatures})
    return cases


def of_features() -> list[Case]:
    """The features differentiated in 100 digits, with slopes and bends of any activation function."""
    cases: list[Case] = []
    for width, inputs, seed in SIZES:
        net = random_network(seed, width, inputs)
        metric = as_floats(pulled_back(quadratic_features(net))(exact([0] * inputs)))
        cases.append({"d": inputs, **of_units(net), "g": metric})
    return cases


def is_about_triples(claim: Claim) -> bool:
    """The summand of (4) and (B.15) for all triples of five units; curvatures by definition of two to four units."""
    distinct = chosen(claim, "kind", {"distinct": True, "coinciding": False})
    units, inputs = int(claim["units"]), int(claim.values.get("inputs", 2))
    case, minor = _random(5, 2, 3), letters("M")
    slopes = np.einsum("i,j,k->ijk", case["phi1"] ** 2, *[case["phi1"] * case["phi2"]] * 2)
    size = np.abs(summed(minor(i, j) * minor(i, k) * minor(j, k) ** 2, case, (i, j, k)) * slopes)
    metrics = [metric_of(random_network(4, width, inputs)) for width in (units, units + 1)]
    flat = [abs(christoffel.scalar(metric, [0] * inputs)) < ROUNDING for metric in metrics]
    return flat == [True, False] and all(
        bool(size[triple] > ROUNDING) is ((len(set(triple)) == 3) is distinct)
        for triple in itertools.product(range(5), repeat=3)
    )


@cache
def independent_components(inputs: int) -> int:
    """Dimension of the space of tensors with the symmetries (A.13) to (A.16): unknowns less independent equations."""
    indices = list(itertools.product(range(inputs), repeat=4))
    rows = np.zeros((4 * len(indices), len(indices)))
    for row, (m, n, a, b) in enumerate(indices):
        equations = (
            ((m, n, a, b), (m, n, b, a)), ((m, n, a, b), (n, m, a, b)), ((m, n, a, b), (m, a, b, n), (m, b, n, a)),
            ((m, n, a, b), (b, a, m, n)),
        )  # fmt: skip
        for offset, equation in enumerate(equations):
            for index in equation:
                rows[4 * row + offset, indices.index(index)] += 1
    return len(indices) - int(np.linalg.matrix_rank(rows))


PARALLEL = ([0.3, 0.7], [-0.6, -1.4], [0.15, 0.35])
PLANES = (PARALLEL[:2], PARALLEL, [PARALLEL[0], [0.5, -0.2]], [*PARALLEL[:2], [0.5, -0.2]])
"""Weights of two and three units, with no, one and several pairs of independent ones."""


SLOPES = ((1.0, 0.8), (-0.7, 1.3), (1e-3, 1.0))
VANISHING = (1.0, 0.0)
"""Slopes of all units but the last, and of the last."""


def _metric_in_plane(rows: Any, slopes: tuple[float, float]) -> Array:
    first, last = slopes
    return Network(
        np.array(rows), np.array([*[first] * (len(rows) - 1), last]), np.ones(len(rows))
    ).metric


def is_invertible(claim: Claim, rows: Any, slopes: tuple[float, float]) -> bool:
    """No, one and several pairs of independent weights among two and three."""
    independent = chosen(claim, "relation", {"independent": True, "dependent": False})
    pairs = [
        abs(np.linalg.det(np.array(pair))) > ROUNDING for pair in itertools.combinations(rows, 2)
    ]
    enough = sum(bool(pair) is independent for pair in pairs) >= chosen(
        claim, "count", {"one": 1, "two": 2}
    )
    return bool(abs(np.linalg.det(_metric_in_plane(rows, slopes))) > 1e-14) is enough


def invertible(statement: Any) -> tuple[Check, ...]:
    """No, one and several pairs of independent weights, with slopes that vanish or, as the condition says, do not."""
    claim, some_vanish = unconditional(statement), True
    if claim is not statement:
        some_vanish = chosen(statement.condition, "units", {"no unit": False, "a unit": True})
    slopes = (*SLOPES, VANISHING) if some_vanish else SLOPES
    cases = list(itertools.product(PLANES, slopes))
    return (Check("as printed", lambda: for_all(cases, lambda case: is_invertible(claim, *case))),)


def is_reversed() -> bool:
    """The printed -3/4 is what the definition gives if the sign of the products of Christoffel symbols flips."""
    net = random_network(1, 4, 3)
    right, flipped = (christoffel.scalar(metric_of(net), [0] * 3, sign=sign) for sign in (1, -1))
    return is_close(flipped, 3 * right)


of_all = as_printed(of_networks)
in_plane = as_printed(partial(of_networks, PLANE))
tripled = as_printed(partial(of_networks, PLANE, 3), "Three times the curvature")
misprinted = curvature(of_networks, error_functions, FOUR_UNITS)
misprinted_in_plane = curvature(partial(of_networks, PLANE), error_functions, ON_TWO_INPUTS)
LINES = "(A.3) to (A.12)"

PROGRAMS: Programs = {
    "(2) | (B.1)": as_printed(of_features),
    f"(3) | {LINES}, Christoffel symbols | {LINES}, derivative of the inverse | (A.13) | (A.14) | (A.15)": of_all,
    "(B.17) | (B.18) | (B.19) | (B.20) | (B.21) | (B.22) | (B.23) | (B.25) | (B.26)": of_all,
    "(B.37) and (B.38) | (B.39)": of_all,
    "(B.2) | (B.3) | (B.4) | (B.5) | (B.6) | (B.7) | (B.8) | (B.9) | (B.11) | (B.14) | (B.41)": in_plane,
    "(4) | (B.10) | (B.12) | (B.13)": tripled,
    "(A.19) | (B.27) | (B.28) | (B.29) | (B.30) | (B.32) | (B.34) | (B.36) | (B.40)": misprinted,
    "(B.15) | (B.42) | (B.43)": misprinted_in_plane,
    "IV.A two units | B.1 distinct units": deciding(is_about_triples),
    "(A.16)": as_printed(of_networks, scale=1e-2),
    f"{LINES}, Riemann tensor": as_printed(lambda: of_networks(factor=3)),
    "(A.18)": replace(
        misprinted,
        prove=with_lemmas(misprinted.prove, *STEPS, Check("sign of products", is_reversed)),
    ),
    "(B.16)": as_printed(lambda: of_networks(((3, 2, 0), (3, 2, 5), (3, 2, 6)), 3)),
    "B.1 invertible": Program(
        invertible,
        lambda slopes: float(np.linalg.matrix_rank(_metric_in_plane(PLANES[2], slopes))),
        lambda claim: 1.0 + chosen(claim, "relation", {"independent": 1, "dependent": 0}),
        at={"slopes": VANISHING},
        quantity="rank of the metric of two units with independent weights",
    ),
    "B.1 one component": stating(
        inputs=lambda: next(
            word for word, size in WORDS.items() if independent_components(size) == 1
        ),
        count=lambda: next(
            word for word, size in WORDS.items() if independent_components(2) == size
        ),
    ),
    "V.B components": deciding(
        lambda claim, inputs: bool(
            claim["count"].subs(letters("d"), inputs) == independent_components(inputs)
        ),
        cases=lambda: range(1, 5),
    ),
}
