r"""Appendix G: tasks, networks and numerical remarks, Eqs. (G.1) to (G.3)."""

from __future__ import annotations

import math

import numpy as np

from theory.core import Check, Finding, Reading
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, POINT, WEIGHTS
from theory.papers.zavatoneveth2023.network import Network, close, random_network
from theory.papers.zavatoneveth2023.pair_sums import scalar, scalar_15
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.threefold import witness_network

XOR = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
LABELS = np.array([0, 1, 1, 0])


def _double_precision(net: Network) -> float:
    """R from the metric and its derivatives, in double precision throughout."""
    return scalar(net)


def _hundred_digits() -> float:
    weights = [row[:2] for row in WEIGHTS]
    return christoffel.scalar(explicit_metrics.erf_network(weights, BIASES), POINT[:2])


def _differentiation_is_accurate() -> bool:
    """Derivatives of the metric in double precision give R to ten digits."""
    return close(_double_precision(witness_network(2)), _hundred_digits(), 1e-10)


def _overestimates_by_rounding() -> bool:
    """As printed: (B.15) is right, and what differentiation gives differs from it by rounding, a millionth or less."""
    return close(_hundred_digits(), scalar_15(witness_network(2), 3), 1e-6)


def _correct_value_is_larger_where_negative() -> bool:
    """A third of a negative number is larger."""
    values = [(scalar(net), scalar_15(net, 3)) for net in (random_network(seed, 10, 2) for seed in range(20))]
    negative = [(right, printed) for right, printed in values if right < 0]
    return len(negative) > 5 and all(right > printed for right, printed in negative)


def _singular_values() -> bool:
    net = random_network(0, 6, 3)
    jacobian = net.slopes[:, None] * net.weights / math.sqrt(6)
    return close(np.log(np.linalg.svd(jacobian, compute_uv=False)).sum(), math.log(net.determinant) / 2)


SMALLEST64 = float(np.finfo(np.float64).smallest_subnormal)

EQUATIONS = (
    entry(
        "(G.1)",
        "G.1",
        "The four points of XOR, with labels 0, 1, 1, 0.",
        Finding.DEFINITION,
        "The label is 1 where the signs differ.",
        printed=r"\{(-1, -1), (-1, 1), (1, -1), (1, 1)\}",
        steps=(
            Check("exclusive or", lambda: bool(((XOR[:, 0] != XOR[:, 1]).astype(int) == LABELS).all()), "truth table"),
        ),
    ),
    entry(
        "G.1 training on XOR",
        "G.1",
        "Widths [2, w, 2], sigmoid, w = 2 and 10, 100, 250, 500; SGD with rate 0.02, momentum 0.9, weight decay 1e-4; "
        "cross entropy, 2000 epochs; float64.",
        Finding.DEFINITION,
        "Settings.",
    ),
    entry(
        "(G.2)",
        "G.1",
        "Labels of the sinusoid: 400 points, uniform in the square [-1, 1]^2.",
        Finding.DEFINITION,
        "The amplitude is not legible in the text read; the caption of Figure 2 has the same fraction, and the "
        "released code 0.6.",
        printed=r"\begin{cases} 1 & y > \tfrac35 \sin(7x - 1) \\ 0 & y \leq \tfrac35 \sin(7x - 1) \end{cases}",
    ),
    entry(
        "G.1 training on the sinusoid",
        "G.1",
        "Widths [2, 8, 8, 2]; SGD with rate 0.05, momentum 0.9, no weight decay; cross entropy, 10000 epochs.",
        Finding.OPEN,
        "Figure 2 shows a single hidden layer of 20 units, Figure G.7 three hidden layers; which of the figures have "
        "these widths is not said.",
    ),
    entry(
        "G.1 grid",
        "G.1",
        "1600 points evenly spaced in [-1.5, 1.5]^2.",
        Finding.CONFIRMED,
        "40 by 40.",
        steps=(Check("a square number", lambda: math.isqrt(1600) ** 2 == 1600, "arithmetic"),),
    ),
    entry(
        "(G.3)",
        "G.1",
        "The metric of the first hidden layer.",
        Finding.DEFINITION,
        "The same as (1).",
        printed=r"g_{\mu\nu} = \partial_\mu \Phi_i \partial_\nu \Phi_i",
    ),
    entry(
        "G.1 differentiation",
        "G.1",
        "Differentiation leads to a consistent overestimation of the curvature, due to numerical issues; (B.15) is "
        "used instead.",
        Finding.MISPRINT,
        "Derivatives in double precision agree with the definition in 100 digits to 1e-10. Both are a third of (B.15) "
        "as printed, at any precision; where R is negative, a third of it is the larger number.",
        printed=r"R_{\text{(B.15)}} = R, \quad R_{\text{differentiated}} > R \text{ by rounding}",
        corrected=r"R_{\text{differentiated}} = R = \tfrac13 R_{\text{(B.15)}}",
        steps=(
            Check("double precision suffices", _differentiation_is_accurate, "definition in 100 digits"),
            Check(
                "a third of (B.15)",
                lambda: close(_hundred_digits(), scalar_15(witness_network(2), 3) / 3, 1e-10),
                "definition in 100 digits",
            ),
            Check("larger where negative", _correct_value_is_larger_where_negative, "random networks of ten units"),
        ),
        printed_steps=(Check("equal up to rounding", _overestimates_by_rounding, "definition in 100 digits"),),
        witness={"weights": WEIGHTS, "biases": BIASES, "x": POINT[:2], "activation": "erf(z/sqrt 2)"},
        oracle=lambda: Reading(
            scalar_15(witness_network(2), 3), _double_precision(witness_network(2)), _hundred_digits()
        ),
        consequence="Differentiation by the usual definition of the Riemann tensor is right, and differs from (B.15) "
        "as printed by the factor 3, not by rounding. The paper does not say how it differentiates.",
    ),
    entry(
        "G.2 expansion",
        "G.2",
        "Widths [784, 2000, 10], a 2.6-fold expansion.",
        Finding.CONFIRMED,
        "2.55.",
        steps=(Check("ratio of widths", lambda: round(2000 / 784, 1) == 2.6, "arithmetic"),),
    ),
    entry(
        "G.2 training on MNIST",
        "G.2",
        "60000 images, split 75/25, batches of 1000, 200 epochs, Adam with rate 0.001 and weight decay 1e-4, negative "
        "log-likelihood, float64.",
        Finding.DEFINITION,
        "Settings: 45 batches an epoch.",
        steps=(Check("batches", lambda: 60000 * 3 // 4 // 1000 == 45, "arithmetic"),),
    ),
    entry(
        "G.2 slices",
        "G.2",
        "Lines between two images and planes through three.",
        Finding.DEFINITION,
        "Convex hulls; the affine hull has the same formula without bounds.",
        printed=r"\mathbf{y}(t) = (1 - t) \mathbf{x}_1 + t \mathbf{x}_2, \quad \mathbf{y}(t_1, t_2, t_3) = t_1 "
        r"\mathbf{x}_1 + t_2 \mathbf{x}_2 + t_3 \mathbf{x}_3, \; t_1 + t_2 + t_3 = 1",
    ),
    entry(
        "G.2 singular values",
        "G.2",
        "The logarithm of the volume element is the sum of those of the singular values of the Jacobian.",
        Finding.CONFIRMED,
        "Features scaled by the root of the width; without that the sum is larger by half the number of singular "
        "values times log n.",
        steps=(Check("six units on three inputs", _singular_values, "singular values"),),
    ),
    entry(
        "G.2 range of float64",
        "G.2",
        "1e-320 is close to the smallest positive number of float64.",
        Finding.CONFIRMED,
        "4.9e-324, subnormal: with few digits left.",
        steps=(Check("orders of magnitude", lambda: SMALLEST64 < 1e-320 < 1e4 * SMALLEST64, "machine constants"),),
    ),
    entry(
        "G.2 accuracies",
        "G.2",
        "Accuracies above 95 %, and eigenvalues that fall in training.",
        Finding.OPEN,
        "A matter of measurement.",
    ),
)
