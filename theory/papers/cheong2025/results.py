r"""Chapter 3: the table of accuracies, layers and their correlation, the last layer, and the information plane."""

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import sympy as sp

from theory.collapse.relabellings import relabelling_entropy
from theory.collapse.usable_information import sufficiency
from theory.core import Claim, Program, Programs, evaluate, identity
from theory.core.ledger.proving import chosen, deciding, has_digits, of_each_relation, stating
from theory.papers.cheong2025.networks import CHANNELS, CLASSES, IMAGES
from theory.papers.cheong2025.notation import agreed, counted, letters

tr, product, plus, Sigma_W_l, Sigma_B_l, ratio = letters("tr product plus Sigma_W_l Sigma_B_l ratio")
first, between = sp.symbols("first between", positive=True)
# Test accuracy in per cent and test loss, Section 3.1.
RESULTS = {
    ("f_+", "CIFAR-10"): ("75.3", "0.757"),
    ("f_-", "CIFAR-10"): ("62.6", "1.260"),
    ("f_+", "Fashion-MNIST"): ("91.0", "0.323"),
    ("f_-", "Fashion-MNIST"): ("88.4", "0.387"),
}
LAYERS, MEASURED = 4, (1, 2, 3)  # Section 2.3, and the columns of the table of Section 3.3
PER_CLASS = 1000
PIXELS = np.array([[1.0, 0.2], [0.1, 0.8]])  # two representations of two pixels each


def figures(text: str) -> int:
    """Significant figures of a printed number."""
    return len(Decimal(text).as_tuple().digits)


def decimals(text: str) -> int:
    """Digits behind the point of a printed number."""
    return -int(Decimal(text).as_tuple().exponent)


ROUNDINGS: dict[str, tuple[Callable[[str], int], Callable[[str], int]]] = {
    "significant figures": (figures, figures),
    "significant figures and decimals": (figures, decimals),
}
"""What is counted in accuracies and in losses."""


def is_rounded(claim: Claim) -> bool:
    """Whether the printed accuracies and losses have three of what is said."""
    counts = chosen(claim, "places", ROUNDINGS)
    found = {count(value) for row in RESULTS.values() for count, value in zip(counts, row, strict=True)}
    return found == {claim["count"]}


def losses(data: str) -> tuple[float, float]:
    """What f_- loses to f_+ on a dataset: accuracy in per cent, and loss."""
    better, worse = (RESULTS[network, data] for network in ("f_+", "f_-"))
    return float(better[0]) - float(worse[0]), float(worse[1]) - float(better[1])


def is_the_maximum(relation: Any) -> bool:
    """Usable information, in bits, of a representation that determines one of ten equally frequent labels."""
    largest = sufficiency(np.eye(CLASSES) / CLASSES, [np.eye(CLASSES)])
    shown = evaluate(relation.lhs, {"log_base": math.log})
    return bool(abs(shown - largest) < 1e-12) and has_digits(largest, relation.rhs)


def last_layer(representation: Any) -> float:
    """A pool over two pixels, and then weight and bias."""
    return float(0.7 * representation.max() + 0.1)


def of_the_middle() -> float:
    """The last layer of the average of two representations."""
    return last_layer(PIXELS.mean(axis=0))


def middle_of_values() -> float:
    """The average of the last layer's values of both."""
    return float(np.mean([last_layer(pixels) for pixels in PIXELS]))


AFFINE = {"affine linear": middle_of_values, "affine and pooling": of_the_middle}

PROGRAMS: Programs = {
    "Figure 1.1, accuracy": stating(accuracy=lambda: float(RESULTS["f_+", "Fashion-MNIST"][0])),
    "3.1 rounding": Program(
        deciding(is_rounded),
        lambda: float(figures(RESULTS["f_-", "CIFAR-10"][1])),
        value=lambda claim: float(claim["count"]) + (chosen(claim, "places", ROUNDINGS)[1] is decimals),
    ),
    "3.1 comparison": stating(
        than=lambda: agreed((loss > 0 for data in IMAGES for loss in losses(data)), "worse", "better"),
        difference=lambda: agreed([losses("Fashion-MNIST")[0] < losses("CIFAR-10")[0]], "smaller", "larger"),
    ),
    "3.2 law of equi-separation": identity(
        {
            tr: lambda matrix: matrix,
            product: lambda within, inverse: within * inverse,
            plus: lambda matrix: 1 / matrix,
            Sigma_W_l: lambda layer: first * between**layer * ratio**layer,
            Sigma_B_l: lambda layer: between**layer,
        }
    ),
    "3.2 layers": Program(
        counted(lambda: [{"L": LAYERS}], last=lambda _: max(MEASURED)),
        lambda: float(max(MEASURED)),
        value=lambda claim: float(evaluate(claim["last"], {"L": LAYERS})),
    ),
    "3.3 largest sufficiency": of_each_relation(is_the_maximum),
    "3.3 affine last layer": Program(
        stating(what=lambda: agreed([of_the_middle() == middle_of_values()], *AFFINE)),
        of_the_middle,
        value=lambda claim: chosen(claim, "what", AFFINE)(),
    ),
    "3.3 weights of the last layer": stating(
        inputs=lambda: CHANNELS[-1],
        **dict.fromkeys(("outputs", "bias"), lambda: CLASSES),
        total=lambda: (CHANNELS[-1] + 1) * CLASSES,
    ),
    "Figure 3.6, corner": counted(
        lambda: [{"log_base": math.log}],
        minimality=lambda _: relabelling_entropy(PER_CLASS, CLASSES),
        sufficiency=lambda _: math.log2(CLASSES),
    ),
}
