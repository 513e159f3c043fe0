r"""Appendix B.4: networks of error functions as sums of Gaussian bumps, Eqs. (B.44) to (B.70)."""

import itertools
import math
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from papers.zavatoneveth2023.ledger import christoffel, networks
from papers.zavatoneveth2023.ledger.christoffel import WORK, as_floats
from papers.zavatoneveth2023.ledger.index_notation import Case, as_printed, letters, shown
from theory.core import Programs, identity, is_close, stating

PLACES = (("0.3", "-0.7", "0.5"), ("-0.4", "0.2", "0.9"), ("1.1", "0.6", "0.2"))
"""Both inputs and the bias of the network of three units."""
phi1, phi2 = letters("phi1 phi2")


def precision(weights: networks.Array, biases: networks.Array) -> networks.Array:
    """Half the Hessian of the sum of squared preactivations, which is quadratic in x, from its values, [d, d]."""
    axes = np.eye(weights.shape[1])

    def squares(x: Any) -> float:
        return float(np.sum((weights @ x + biases) ** 2))

    here = squares(0 * axes[0])
    halves = [
        (squares(p + q) - squares(p) - squares(q) + here) / 2
        for p, q in itertools.product(axes, repeat=2)
    ]
    return np.array(halves).reshape(axes.shape)


def _tuples(
    weights: networks.Array, biases: networks.Array
) -> tuple[networks.Array, networks.Array]:
    """Precision matrices and centers of all tuples of units; no center where units coincide."""
    width, inputs = weights.shape
    matrices, centers = (
        np.zeros((width,) * inputs + (inputs,) * 2),
        np.zeros((width,) * inputs + (inputs,)),
    )
    for rows in itertools.product(range(width), repeat=inputs):
        matrices[rows] = precision(weights[list(rows)], biases[list(rows)])
        if len(set(rows)) == inputs:
            centers[rows] = np.linalg.solve(weights[list(rows)], -biases[list(rows)])
    return matrices, centers


@cache
def _network(inputs: int) -> Case:
    """Four error functions, over all tuples of units."""
    weights, biases = (
        np.array(networks.WEIGHTS, dtype=float)[:, :inputs],
        np.array(networks.BIASES, dtype=float),
    )
    x = np.array(networks.POINT[:inputs], dtype=float)
    net = networks.erf_units(weights, biases, x)
    matrices, centers = _tuples(weights, biases)
    both = {"Q_tuple": matrices, "c_tuple": centers, "Q_pair": matrices, "c_pair": centers}
    names = {
        "Q_of": None,
        "Q_two": None,
        "det": np.linalg.det(matrices),
        "det(G)": np.linalg.det(net.metric),
    }
    return {
        **networks.of_units(net),
        "d": inputs,
        "x": x,
        "z": weights @ x + biases,
        **both,
        **names,
    }


@cache
def _tuple(inputs: int, seed: int) -> Case:
    """As many units as inputs, with random weights."""
    draw = np.random.default_rng(seed)
    weights, biases, x = (
        draw.normal(size=(inputs, inputs)),
        draw.normal(size=inputs),
        draw.normal(size=inputs),
    )
    matrix, center, determinant = (
        precision(weights, biases),
        np.linalg.solve(weights, -biases),
        np.linalg.det(weights),
    )
    bordered = np.zeros((inputs,) * (inputs - 1))
    for columns in itertools.product(range(inputs), repeat=inputs - 1):
        bordered[columns] = np.linalg.det(
            np.column_stack([biases, *(weights[:, axis] for axis in columns)])
        )
    return {
        "n": inputs, "d": inputs, "x": x, "W": weights, "b_j": biases, "z_j": weights @ x + biases, "c": center,
        "Q": matrix, "Q_up": np.linalg.inv(matrix), "det(Q_j)": np.linalg.det(matrix), "M_tuple": determinant,
        "epsilon": networks.levi_civita(inputs), "M_i": networks.minors(weights), "B": bordered, "c_jk": center,
        "Q_jk": matrix, "w_j": weights[0], "w_k": weights[1], "bias_j": biases[0], "bias_k": biases[1],
        "M_jk": determinant,
    }  # fmt: skip


@cache
def _triangle(first: str, second: str, bias: str, factor: float = 1.0) -> Case:
    """The three units of (B.65), with their curvature times a factor."""
    plain = triangle()
    root = str(WORK.sqrt(3) / 2)
    metric = networks.erf_metric((("1", "0"), ("-0.5", root), ("-0.5", "-" + root)), (bias,) * 3)
    curved = christoffel.curvature(metric, (first, second))
    x, b = np.array([first, second], dtype=float), float(bias)
    matrices, centers = _tuples(plain, np.full(3, b))
    return {
        "n": 3, "d": 2, "b": b, "x": x, "norm(X)": float(np.linalg.norm(x)), "R": factor * float(curved.scalar),
        "M": networks.minors(plain), "det(G)": np.linalg.det(as_floats(curved.metric)), "Q_pair": matrices,
        "c_pair": centers,
    }  # fmt: skip


def triangle() -> networks.Array:
    """The weights of (B.65)."""
    return np.array(shown("(B.65)", "printed").rhs.tolist(), dtype=float)


def _center() -> str:
    weights = np.asarray(_tuple(3, 1)["W"])
    return "another point" if np.any(np.linalg.solve(weights, np.zeros(3))) else "the origin"


def bend_per_slope() -> str:
    """What the bend of an error function is a multiple of its slope by."""
    unit = sp.Symbol("z", real=True)
    slope = sp.diff(sp.erf(unit / sp.sqrt(2)), unit)
    return "preactivations" if sp.simplify(sp.diff(slope, unit) / slope).has(unit) else "constants"


def _geometry(angle: float, bias: float) -> list[float]:
    """Determinant and curvature at the three points turned by an angle."""
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    metric = networks.erf_metric(triangle(), [bias] * 3)
    numbers = []
    for first, second, _ in PLACES:
        curved = christoffel.curvature(metric, turn @ np.array([first, second], dtype=float))
        numbers += [float(curved.scalar), float(np.linalg.det(as_floats(curved.metric)))]
    return numbers


def folds(bias: float) -> str:
    """Determinant and curvature at three points, turned by all fractions of a turn up to a twelfth."""
    before = _geometry(0.0, bias)
    kept = [
        parts for parts in range(1, 13) if is_close(_geometry(2 * math.pi / parts, bias), before)
    ]
    return {3: "three", 6: "six"}.get(max(kept), "another")


of_network = as_printed(
    lambda: [_network(2), _network(3)], "Four units on two and three inputs, by elimination"
)
HESSIANS = "Precision matrices are half Hessians of the sum of squares, and preactivations vanish at centers"
of_tuple = as_printed(
    lambda: [_tuple(2, 0), _tuple(3, 1), _tuple(4, 2)], f"Two to four units. {HESSIANS}"
)
of_pair = as_printed(lambda: [_tuple(2, 0), _tuple(2, 3)], f"Two pairs of units. {HESSIANS}")
of_triangle = as_printed(
    lambda: [_triangle(*case) for case in PLACES], "Three points and biases, by elimination"
)
tripled = as_printed(lambda: [_triangle(*case, 3) for case in PLACES], "Three times the curvature")

PROGRAMS: Programs = {
    "B.4 derivatives": identity(
        {
            phi1: lambda at: sp.Derivative(sp.erf(at / sp.sqrt(2)), at),
            phi2: lambda at: sp.Derivative(sp.erf(at / sp.sqrt(2)), (at, 2)),
        },
        "differentiation",
    ),
    "(B.44) | (B.45) | (B.55)": of_network,
    "(B.46) | (B.47) | (B.48) | (B.49) | B.4 center | (B.50) | (B.51) and (B.52) | (B.53) | (B.54)": of_tuple,
    "(B.56) | (B.57) | (B.58) | (B.59) | (B.60)": of_tuple,
    "B.4 no biases": stating(center=_center),
    "(B.62)": as_printed(lambda: [_network(2)], "A network of four units, by elimination"),
    "(B.63) | (B.64)": of_pair,
    "B.4 minors of three units | (B.66) | (B.67) | (B.68)": of_triangle,
    "(B.69) | (B.70)": tripled,
    "B.4 symmetry": stating(three=partial(folds, 0.5), six=partial(folds, 0.0)),
}
