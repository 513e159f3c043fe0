r"""Appendix G: tasks, machine numbers, and sentences on data sets."""

import itertools
import math
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from papers.zavatoneveth2023.ledger import christoffel
from papers.zavatoneveth2023.ledger.index_notation import letters, shown
from papers.zavatoneveth2023.ledger.networks import BIASES, WEIGHTS, erf_metric
from theory.core import (
    Claim,
    Program,
    Programs,
    chosen,
    deciding,
    has_digits,
    identity,
    is_close,
    stating,
)

SMALLEST = {
    precision: float(np.finfo(precision).smallest_subnormal)
    for precision in ("float64", "float32")
}
IMAGES = {"train": 5 * 10_000, "test": 1 * 10_000}
"""Files of CIFAR-10 times images in each."""
ONES = {"first": (1, 0), "second": (0, 1)}
"""The points of the task of Appendix E.1 by the slots of their labels."""
ENDS = "test"
"""The images of which Appendix G.2 says that interpolation is between two of them."""
plane, X_n = letters("plane x_n")
corners, parts = sp.symbols("x1:4"), sp.symbols("part1:4")


def are_all_signs(claim: Claim) -> bool:
    """Every pair of signs occurs once."""
    return sorted(map(tuple, claim["points"].tolist())) == sorted(
        itertools.product((-1, 1), repeat=2)
    )


def is_exclusive_or(claim: Claim) -> bool:
    """The label of each of the points of (G.1) is 1 where their signs differ."""
    return [int(a != b) for a, b in shown("(G.1)", "printed")["points"].tolist()] == list(
        claim["labels"]
    )


def has_curvature(claim: Claim, point: Any) -> bool:
    """The curvature of error functions on two inputs, by definition in 100 digits, at two inputs."""
    units, curvature = (
        chosen(claim, "units", {"two": 2, "three": 3}),
        chosen(claim, "curvature", {"zero": 0, "one": 1}),
    )
    metric = erf_metric([row[:2] for row in WEIGHTS[:units]], BIASES[:units])
    return bool(abs(christoffel.scalar(metric, point) - curvature) < 1e-12)


def _summed() -> str:
    """A Jacobian of six units on three inputs, with features scaled by the root of the width."""
    jacobian = np.random.default_rng(0).normal(size=(6, 3))
    metric = jacobian.T @ jacobian
    values = {
        "singular values": np.linalg.svd(jacobian, compute_uv=False),
        "eigenvalues": np.linalg.eigvalsh(metric),
    }
    (word,) = (
        word
        for word, of in values.items()
        if is_close(np.log(of).sum(), math.log(np.linalg.det(metric)) / 2)
    )
    return word


def is_expansion(claim: Claim) -> bool:
    """The ratio of both widths, and the side of an image of so many pixels."""
    ratio = sp.Rational(claim["hidden"], claim["inputs"])
    return has_digits(ratio, claim["ratio"]) and bool(claim["side"] == sp.sqrt(claim["inputs"]))


def is_near_the_smallest(claim: Claim) -> bool:
    """Eleven binary digits at most are left there."""
    return bool(1 < sp.Integer(10) ** claim["power"] / sp.Rational(SMALLEST["float64"]) < 2**11)


def is_the_range(claim: Claim) -> bool:
    """The entropy is largest for equal probabilities and smallest for a certain class."""

    def entropy(probabilities: list[float]) -> float:
        return -sum(p * math.log(p) for p in probabilities if p) / math.log(float(claim["base"]))

    largest = entropy([1 / int(claim["classes"])] * int(claim["classes"]))
    return is_close([largest, entropy([1.0])], [float(claim["high"]), float(claim["low"])])


def _edges_through(weights: tuple[int, ...]) -> float:
    """How many edges a point with these weights of the three images lies on: on each, one weight is zero."""
    return float(sum(weight == 0 for weight in weights))


def _nearest_logarithm(value: float) -> float:
    """The logarithm of an entropy between 0 and 1 that is nearest to a value: none is positive."""
    return min(value, 0.0)


def _curvature_stated(claim: Claim) -> float:
    """Scalar curvature of the unit sphere in three dimensions with the metric that is named."""
    return float(chosen(claim, "metric", {"flat": 0.0, "round": 2.0}))


def _curvature_of_the_sphere(x: tuple[str, str] = ("0.3", "-0.4")) -> Any:
    return christoffel.scalar(christoffel.sphere, x)


PROGRAMS: Programs = {
    "(G.1)": deciding(are_all_signs),
    "G.1 labels": deciding(is_exclusive_or),
    "Figure G.1 flat": deciding(has_curvature, cases=lambda: (("0.4", "-0.3"), ("-0.7", "0.2"))),
    "G.2 expansion": deciding(is_expansion),
    "G.2 edges": identity(
        {
            plane: lambda *at: sp.Subs(
                sum(w * x for w, x in zip(parts, corners, strict=True)), parts, at
            ),
            X_n: lambda number: corners[int(number) - 1],
        },
        "the definition of the plane",
    ),
    "G.2 singular values": stating(what=_summed),
    "G.2 range of float64": deciding(is_near_the_smallest),
    "G.3 images": Program(
        stating(**{name: partial(IMAGES.get, name) for name in IMAGES}),
        lambda data: [IMAGES[name] for name in data],
        lambda claim, data: [float(claim[name]) for name in data],
        at={"data": tuple(IMAGES)},
        quantity="numbers of images of CIFAR-10",
    ),
    "G.3 entropy": deciding(is_the_range),
    "G.3 range of float32": Program(
        stating(power=lambda: round(math.log10(SMALLEST["float32"]))),
        lambda precision: math.log10(float(np.nextafter(np.dtype(precision).type(0), 1))),
        lambda claim: float(claim["power"]),
        5e-3,
        at={"precision": "float32"},
        quantity="power of ten of the smallest positive number",
    ),
    "E.1 two points of XOR": Program(
        stating(**{name: partial(int.__xor__, *point) for name, point in ONES.items()}),
        lambda points: [float(a ^ b) for a, b in points],
        lambda claim: [float(claim[name]) for name in ONES],
        at={"points": tuple(ONES.values())},
        quantity="labels of these points",
    ),
    "V.B ends": Program(
        stating(images=lambda: ENDS),
        lambda images: images[ENDS],
        lambda claim, images: images[claim["images"]],
        at={"images": {"training": 45000.0, "test": 15000.0}},
        quantity="images of MNIST among which the ends can be",
    ),
    "G.2 corners": Program(
        stating(places=lambda: "vertices" if _edges_through((1, 0, 0)) == 2 else "edge"),
        lambda weights: _edges_through(weights),
        lambda claim: chosen(claim, "places", {"edge": 1.0, "vertices": 2.0}),
        at={"weights": (1, 0, 0)},
        quantity="edges of the triangle that meet at a sample",
    ),
    "G.4 entropy in captions": Program(
        stating(what=lambda: "entropy" if _nearest_logarithm(0.6) != 0.6 else "log(entropy)"),
        lambda shown_value: shown_value,
        lambda claim, shown_value: chosen(
            claim,
            "what",
            {"entropy": shown_value, "log(entropy)": _nearest_logarithm(shown_value)},
        ),
        at={"shown_value": 0.6},
        quantity="value nearest to one on the scale of Figure G.31 that it can have",
    ),
    "G.4 sphere": Program(
        deciding(lambda claim: is_close(_curvature_of_the_sphere(), _curvature_stated(claim))),
        _curvature_of_the_sphere,
        _curvature_stated,
        at={"x": ("0.3", "-0.4")},
        quantity="scalar curvature of the unit sphere",
    ),
}
