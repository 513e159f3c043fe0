r"""Section 2.1: Eq. (2.1), and the first pass inside the training loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen, is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.algorithm_1 import brute_force
from theory.papers.cheong2025.conditions import allowed_words, apart
from theory.papers.cheong2025.labelled_features import any_sizes, features
from theory.papers.cheong2025.networks import IMAGES, SAMPLES, shapes
from theory.papers.cheong2025.notation import letters

G, samples, dimension = letters("G N_pos D")

DRIFT = 0.5
AVOIDS = {"can still": True, "cannot": False}
SHARES = {"into": 1.0, "after": 0.0}
"""How much of the drift of the weights in training the first pass sees."""


def with_second_moments() -> Iterator[dict[str, Any]]:
    """Samples of any class sizes, with the sum of their outer products."""
    for case in any_sizes():
        pairs = [(k, i) for k in range(1, case["C"] + 1) for i in range(1, case["n"](k) + 1)]
        rows = np.stack([case["h"](*pair) for pair in pairs])
        yield case | {"G": rows.T @ rows}


def saves(sentence: Claim | Given) -> tuple[Check, ...]:
    """Numbers of G and of all representations, for the layers of both networks, and for one as wide as the data."""
    claim, condition = apart(sentence)
    sizes = [float(np.prod(shape)) for net in ("f_+", "f_-") for data in IMAGES for shape in shapes(net, data)]
    allowed = [size for size in (*sizes, float(SAMPLES)) if evaluate(condition, {"D": size, "N": SAMPLES})]

    def agrees(size: float) -> bool:
        return (size**2 < SAMPLES * size) is chosen(claim, "can", AVOIDS)

    return (Check("layers", lambda: for_all(allowed, agrees), "counting numbers"),)


def error_of_means(drift: float) -> float:
    """Metric with class means gathered while a linear encoder shrinks, over the metric of the network afterwards."""
    rows = np.concatenate(list(features((3, 3, 3)).values()))
    labels = np.repeat(np.arange(3), 3)
    moved = rows * (1 + drift * (1 - np.arange(9)[::-1] / 9))[:, None]
    centred, late = np.empty_like(rows), np.empty_like(rows)
    for k in range(3):
        late[labels == k] = moved[labels == k].mean(axis=0)
        centred[labels == k] = rows[labels == k] - late[labels == k]
    between = np.cov(late.T, bias=True)
    return float(np.mean(np.sum(centred @ np.linalg.pinv(between, rcond=1e-10) * centred, axis=1))) / brute_force(
        rows, labels
    )


def gathers_means(sentence: Claim | Given) -> tuple[Check, ...]:
    """The metric from means of the first pass over that of the network, without and with drift of the weights."""
    claim, condition = apart(sentence)
    drifts = [0.0 if weights == "rest" else DRIFT for weights in allowed_words(condition, "weights", ("rest", "move"))]

    def agrees(drift: float) -> bool:
        return is_close(error_of_means(drift * chosen(claim, "where", SHARES)), 1.0)

    return (Check("a linear encoder", lambda: for_all(drifts, agrees), "pseudo-inverse"),)


PROGRAMS: Programs = {
    "(2.1)": numerically(with_second_moments, "numpy's covariances"),
    "2.1 one pass": Program(
        saves, lambda: 16_384**2 / (16_384 * SAMPLES), value=lambda claim: 1.0 if chosen(claim, "can", AVOIDS) else 2.0
    ),
    "2.1 first pass inside training": Program(
        gathers_means,
        lambda: error_of_means(DRIFT),
        value=lambda _: 1.0,
    ),
}
