r"""Chapters 3 and 4: results, tables and what is said about them."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.collapse.correlation import magnitude
from theory.collapse.relabellings import relabelling_entropy
from theory.collapse.separation_law import equiseparation
from theory.core import Check, Equation, Finding, Step
from theory.papers.cheong2025.architectures import CHANNELS, CLASSES, DIMENSIONS, LAST_LAYER, shapes
from theory.papers.cheong2025.paper import unlinked as entry

# Test accuracy and loss, Section 3.1.
RESULTS = {
    ("f_+", "CIFAR-10"): (0.753, 0.757),
    ("f_-", "CIFAR-10"): (0.626, 1.260),
    ("f_+", "Fashion-MNIST"): (0.910, 0.323),
    ("f_-", "Fashion-MNIST"): (0.884, 0.387),
}
FIGURE_1_1 = 0.91
PER_CLASS = 1000

ratio, first = sp.symbols("ratio first", positive=True)
layer = sp.Symbol("layer", nonnegative=True)


def _weaker_network_is_worse() -> bool:
    pairs = [(RESULTS["f_+", data], RESULTS["f_-", data]) for data in ("CIFAR-10", "Fashion-MNIST")]
    gaps = [strong[0] - weak[0] for strong, weak in pairs]
    return min(gaps) > 0 and gaps[1] < gaps[0] and all(strong[1] < weak[1] for strong, weak in pairs)


def _any_falling_profile_is_nearly_linear() -> bool:
    """Of a thousand falling profiles of three layers, none has |r| below sqrt(3)/2, and a quarter have 0.99 or more."""
    steps = np.random.default_rng(1).exponential(size=(1000, 2))
    profiles = np.exp(-np.pad(np.cumsum(steps, axis=1), ((0, 0), (1, 0))))
    r = np.abs(equiseparation(profiles).r)
    return bool(r.min() > math.sqrt(3) / 2 - 1e-12 and 0.2 < np.mean(r >= 0.99) < 0.3)


def _open(label: str, section: str, statement: str, evidence: str = "A matter of measurement.") -> Equation:
    return entry(label, section, statement, Finding.OPEN, evidence)


EQUATIONS = (
    _open(
        "3.1 training accuracy", "3.1", "All four scenarios reach 100 % training accuracy; f_- on CIFAR-10 misses 0.02."
    ),
    entry(
        "3.1 test accuracy and loss",
        "3.1",
        "75.3, 62.6, 91.0 and 88.4 %; losses 0.757, 1.260, 0.323 and 0.387.",
        Finding.OPEN,
        "A matter of measurement. The numbers agree with what the text says of them and with the caption of Figure "
        "1.1.",
        steps=(
            Check("f_- is worse, less so on the easier dataset", _weaker_network_is_worse, "the table"),
            Check("Figure 1.1: 91 %", lambda: RESULTS["f_+", "Fashion-MNIST"][0] == FIGURE_1_1, "the table"),
        ),
    ),
    _open(
        "3.2 compression gap",
        "3.2",
        "Training NC1 is lower than test NC1; the gap hardly follows the generalisation gap.",
    ),
    entry(
        "3.2 law of equi-separation",
        "3.2",
        "A constant ratio of NC1 from layer to layer makes compression exponential in depth.",
        Finding.CONFIRMED,
        "The logarithm is then linear in the layer.",
        closed_form="collapse.linear_depth_nc1",
        printed=r"r = \mathrm{tr}(\Sigma_W^{l+1} (\Sigma_B^{l+1})^+) / \mathrm{tr}(\Sigma_W^l (\Sigma_B^l)^+)",
        steps=(
            Step(
                "ratio of neighbours",
                first * ratio ** (layer + 1) / (first * ratio**layer),
                ratio,
                because="an exponential",
            ),
        ),
    ),
    entry(
        "3.2 perfectly linear",
        "3.2",
        "The logarithm of NC1 is perfectly linear in the layer, as Pearson's r shows.",
        Finding.OPEN,
        "A matter of measurement, and r of three layers is a blunt one: anything that falls twice has |r| of at least "
        "0.866, and two random steps have 0.99 or more one time in four. The two log-ratios say more.",
        closed_form="collapse.three_layer_correlation",
        steps=(
            Check("falling profiles", _any_falling_profile_is_nearly_linear, "a thousand random ones"),
            Step(
                "the least |r| of a falling profile",
                sp.Limit(magnitude, sp.Symbol("first", positive=True), 0),
                sp.sqrt(3) / 2,
                because="all of the fall in one step",
            ),
        ),
    ),
    _open("3.2 proven elsewhere", "3.2", "A version of the law was proven for tr Sigma_W / tr Sigma_B.", "Quoted."),
    entry(
        "3.3 largest sufficiency",
        "3.3",
        "The largest value of the sufficiency term is log2 10, about 3.32 bits.",
        Finding.CONFIRMED,
        "Ten equally frequent labels.",
        printed=r"\log_2 10 \approx 3.32",
        steps=(Check("3.32", lambda: round(math.log2(CLASSES), 2) == 3.32, "arithmetic"),),
    ),
    _open(
        "3.3 sufficiency and minimality of f_+",
        "3.3",
        "Early layers saturate; only the last one shows a train-test gap.",
    ),
    entry(
        "3.3 weights of the last layer",
        "3.3",
        "The last layer of f_+ has 256 x 10 + 10 = 2570 weights.",
        Finding.CONFIRMED,
        "Arithmetic.",
        printed=r"256 \times 10 + 10 = 2570",
        steps=(Check("2570", lambda: CHANNELS[-1] * CLASSES + CLASSES == LAST_LAYER, "arithmetic"),),
    ),
    DIMENSIONS,
    entry(
        "3.3 same size of h^2",
        "3.3",
        "h^2 of f_- has the same size on both datasets.",
        Finding.CONFIRMED,
        "3 x 3 x 32.",
        steps=(
            Check(
                "3 x 3 x 32",
                lambda: shapes("f_-", "CIFAR-10")[1] == shapes("f_-", "Fashion-MNIST")[1] == (3, 3, 32),
                "arithmetic of sizes",
            ),
        ),
    ),
    entry(
        "Figure 3.6, corner",
        "3.3",
        "Saturated layers lie at (log2 10, log2 10) of the information plane.",
        Finding.CONFIRMED,
        "With 1000 samples a class all three relabellings are uniform, so both terms have this maximum.",
        steps=(
            Check(
                "entropy of every relabelling",
                lambda: bool(np.all(np.abs(relabelling_entropy(PER_CLASS, CLASSES) - math.log2(CLASSES)) < 1e-12)),
                "counting digits",
            ),
        ),
    ),
    _open(
        "3.3 minimality of f_-",
        "3.3",
        "The minimality term of f_- rises during training; there is no compression phase.",
    ),
    _open(
        "4 questions", "4", "Why geometric and information-theoretic compression differ.", "Questions, not statements."
    ),
)
