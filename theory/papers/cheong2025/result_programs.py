"""Programs for what Chapter 3 says of its tables, of sizes and of the information plane."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
import sympy as sp

from theory.collapse.relabellings import relabelling_entropy
from theory.collapse.usable_information import sufficiency
from theory.core import Approximates, Check, Claim, for_all
from theory.core.ledger.proving import chosen, has_digits
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.networks import CHANNELS, CLASSES, IMAGES, shapes

# Test accuracy in per cent and test loss, Section 3.1.
RESULTS = {
    ("f_+", "CIFAR-10"): ("75.3", "0.757"),
    ("f_-", "CIFAR-10"): ("62.6", "1.260"),
    ("f_+", "Fashion-MNIST"): ("91.0", "0.323"),
    ("f_-", "Fashion-MNIST"): ("88.4", "0.387"),
}
MEASURED_LAYERS = (1, 2, 3)  # Section 2.3, and the columns of the table of Section 3.3
LAYERS = 4
PER_CLASS = 1000

ROWS = ("Cplus", "Cminus", "Fplus", "Fminus")


def figures(text: str) -> int:
    """Significant figures of a printed number."""
    return len(Decimal(text).as_tuple().digits)


def decimals(text: str) -> int:
    """Digits behind the point of a printed number."""
    return -int(Decimal(text).as_tuple().exponent)


ROUNDINGS = {"significant figures": (figures, figures), "significant figures and decimals": (figures, decimals)}
"""What is counted in accuracies and in losses."""


def is_rounded(claim: Claim) -> tuple[Check, ...]:
    """The printed accuracies and losses have three of what is said."""
    counts = chosen(claim, "places", ROUNDINGS)

    def agrees(row: tuple[str, str]) -> bool:
        return all(bool(count(value) == claim["count"]) for count, value in zip(counts, row, strict=True))

    return (Check("accuracies and losses", lambda: for_all(RESULTS.values(), agrees), "the table"),)


def gap(data: str) -> float:
    """Accuracy of f_+ less that of f_- on a dataset, in per cent."""
    return float(RESULTS["f_+", data][0]) - float(RESULTS["f_-", data][0])


def quality_of_the_small() -> str:
    """How f_- performs on both datasets, by accuracy and by loss."""
    excess = [float(RESULTS["f_-", data][1]) - float(RESULTS["f_+", data][1]) for data in IMAGES]
    worse = [change > 0 for change in (*excess, *map(gap, IMAGES))]
    return "worse" if all(worse) else "neither" if any(worse) else "better"


def difference() -> str:
    """How large the difference on Fashion-MNIST is."""
    return "smaller" if gap("Fashion-MNIST") < gap("CIFAR-10") else "larger"


def ends_at(statement: sp.Eq) -> tuple[Check, ...]:
    """The last of the layers for which the metric is measured, in a network of four."""
    values = {"last_layer": max(MEASURED_LAYERS), "L": LAYERS}
    return (Check("four layers", lambda: bool(evaluate(statement.lhs - statement.rhs, values) == 0), "Section 2.3"),)


def is_the_maximum(statement: Approximates) -> tuple[Check, ...]:
    """Usable information of a representation that determines one of ten equally frequent labels, in bits."""
    largest = sufficiency(np.eye(CLASSES) / CLASSES, [np.eye(CLASSES)])
    return (
        Check(
            "a perfect decoder",
            lambda: bool(abs(evaluate(statement.lhs, {"log_base": math.log}) - largest) < 1e-12),
            "usable information",
        ),
        Check("digits", lambda: has_digits(largest, statement.rhs), "usable information"),
    )


def adds_up(claim: Claim) -> tuple[Check, ...]:
    """Learnable numbers of the last layer of f_+."""
    numbers = [claim[name] for name in ("inputs", "outputs", "bias", "total")]
    right = [CHANNELS[-1], CLASSES, CLASSES, CHANNELS[-1] * CLASSES + CLASSES]
    return (Check("numbers", lambda: numbers == right, "Section 2.3"),)


AFFINE = {"affine linear": True, "affine and pooling": False}


def is_affine(claim: Claim) -> tuple[Check, ...]:
    """Whether the last layer maps the middle of two representations to the middle of its values: two pixels pooled."""
    affine = abs(of_the_middle() - middle_of_values()) < 1e-12
    return (Check("two pixels", lambda: affine is chosen(claim, "is", AFFINE), "maximum of pixels"),)


PIXELS = np.array([[1.0, 0.2], [0.1, 0.8]])  # two representations of two pixels each
WEIGHT, BIAS = 0.7, 0.1


def of_the_middle() -> float:
    """The last layer, a pool and then weight and bias, of the average representation."""
    return float(WEIGHT * PIXELS.mean(axis=0).max() + BIAS)


def middle_of_values() -> float:
    """The average of the last layer's values of both representations."""
    return float(np.mean([WEIGHT * max(pixels) + BIAS for pixels in PIXELS]))


def has_sizes(claim: Claim) -> tuple[Check, ...]:
    """The printed table row by row."""
    scenarios = [(network, data) for data in IMAGES for network in ("f_+", "f_-")]

    def agrees(scenario: tuple[str, str]) -> bool:
        row = claim[ROWS[scenarios.index(scenario)]]
        return bool(sp.Matrix(row) == sp.Matrix(shapes(*scenario)))

    return (Check("four scenarios", lambda: for_all(scenarios, agrees), "arithmetic of sizes"),)


def size_on_both() -> str:
    """Whether h^2 of f_- has as many dimensions on one dataset as on the other."""
    return "the same size" if len({math.prod(shapes("f_-", data)[1]) for data in IMAGES}) == 1 else "another size"


# Four inputs, a representation of two entries, a smaller one of a single entry, and new labels that follow it.
CORNERS = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
PRODUCT = CORNERS.prod(axis=1, keepdims=True)
NEW_LABELS = (PRODUCT[:, 0] > 0).astype(int)


def by_linear_decoders(features: Any) -> float:
    """Usable information in bits on the new labels, by logistic decoders with weights and biases on a grid."""
    joint = np.zeros((4, 2))
    joint[np.arange(4), NEW_LABELS] = 0.25
    grid = np.stack(np.meshgrid(*[np.linspace(-20, 20, 9)] * (features.shape[1] + 1)), -1)
    ones = [1 / (1 + np.exp(-(features @ w[:-1] + w[-1]))) for w in grid.reshape(-1, features.shape[1] + 1)]
    return sufficiency(joint, [np.column_stack([1 - p, p]) for p in ones])


NECESSARY = {"necessarily": True, "possibly": False}


def compresses(claim: Claim) -> tuple[Check, ...]:
    """A smaller representation with more usable information."""
    less = by_linear_decoders(PRODUCT) < by_linear_decoders(CORNERS)
    return (Check("four inputs", lambda: less is chosen(claim, "how", NECESSARY), "linear decoders on a grid"),)


def is_saturated(claim: Claim) -> tuple[Check, ...]:
    """Entropies of the label and of every relabelling of 1000 samples a class, in bits: the largest possible values."""
    entropies = relabelling_entropy(PER_CLASS, CLASSES)

    def agrees(name: str) -> bool:
        bits = evaluate(claim[name], {"log_base": math.log})
        return bool(np.max(np.abs(entropies - bits)) < 1e-12 and abs(math.log2(CLASSES) - bits) < 1e-12)

    return (Check("both axes", lambda: for_all(("minimality", "sufficiency"), agrees), "counting digits"),)
