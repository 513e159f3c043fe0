r"""Section 1.3: usable information of finite families of decoders; Figure 2.2 and the weaker decoder of Chapter 4."""

import itertools
import math
from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.cheong2025.ledger.notation import agreed
from theory.collapse.usable_information import cross_entropy, relabelled_information, sufficiency
from theory.core import Program, Programs, chosen, evaluate, is_close, numerically, stating

Table = NDArray[np.float64]
ROUGH = 0.05  # what counts as approximately equal
JOINT = np.array([[0.3, 0.02], [0.08, 0.2], [0.05, 0.35]])  # of three values of h^l and two labels
ENCODERS = tuple(itertools.product((0, 1), repeat=3))  # of three values into two
UNIFORM = np.array([[0.25, 0.0], [0.25, 0.125], [0.0, 0.375]])
"""Probabilities of three representations and two equally frequent labels."""
SKEWED = np.array([[0.3, 0.0], [0.25, 0.05], [0.0, 0.4]])
CROSSED = {"representation": [0, 1, 0, 1], "labels": [0, 0, 1, 1], "new_labels": [0, 1, 1, 0]}
"""Four samples of two classes, whose new labels follow the representation in one class and oppose it in the other."""


@cache
def decoders(inputs: int, *answers: float) -> list[Table]:
    """All decoders from a number of inputs to two labels, with probabilities of the second label among ``answers``."""
    return [
        np.column_stack([1 - np.array(p), p]) for p in itertools.product(answers, repeat=inputs)
    ]


LATER = (2, 0.1, 0.35, 0.6, 0.85)
FAMILY = (3, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0, 0.0, 1 / 3, 2 / 3)


def seen_through(encoder: tuple[int, ...]) -> Table:
    """Probabilities of the values of an encoder of h^l and of the labels."""
    seen = np.zeros((2, 2))
    np.add.at(seen, list(encoder), JOINT)
    return seen


def of_the_later_layer() -> str:
    """What decoder a later layer has, by the least cross-entropies of two neighbours for every map between them."""
    earlier = [decoder[list(further)] for further, decoder in product(ENCODERS, decoders(*LATER))]
    least = min(cross_entropy(JOINT, decoder) for decoder in earlier)

    def is_weaker(encoder: tuple[int, ...]) -> bool:
        seen = seen_through(encoder)
        return min(cross_entropy(seen, decoder) for decoder in decoders(*LATER)) >= least - 1e-12

    return agreed(map(is_weaker, ENCODERS), "weaker", "stronger")


def objectives() -> str:
    """Whether the least expected loss of the network and the usable information have one sum for all encoders."""

    def loss(encoder: tuple[int, ...], decoder: Table) -> float:
        return -sum(p * math.log2(decoder[encoder[h], y]) for (h, y), p in np.ndenumerate(JOINT))

    family = decoders(*LATER)
    sums = []
    for encoder in ENCODERS:
        least = min(loss(encoder, decoder) for decoder in family)
        sums.append(sufficiency(seen_through(encoder), family) + least)
    return agreed([is_close(max(sums), min(sums))], "equivalent to", "different from")


def with_their_own_labels(*tables: Table) -> Iterator[dict[str, Any]]:
    """Usable information in bits on n_y = y within each class, which is one value there, and on y in all samples."""
    for joint in tables:

        def within(y: int, joint: Table = joint) -> Table:
            return np.where(np.arange(2) == y - 1, joint, 0) / joint[:, y - 1].sum()

        yield {
            "rep_l": joint,
            "label": 0,
            "count_Y": 2,
            # negative, and zero for y itself: no other letter stands for labels
            "new": lambda y: -int(y),
            "given": lambda h, y, within=within: within(int(y)) if np.ndim(h) == 2 else math.nan,
            "I_V": lambda joint, y: (
                sufficiency(joint, decoders(*FAMILY)) if np.max(y) <= 0 else math.nan
            ),
        }


def _own_labels(tolerance: float, *tables: Table, relations: str = "") -> Program:
    (case,) = with_their_own_labels(tables[-1])
    return Program(
        numerically(
            partial(with_their_own_labels, *tables),
            tolerance=tolerance,
            scale=1.0,
            relations=relations,
        ),
        lambda: 0.0,  # entropy of a label that has one value
        # The left-hand side is a multiple of what stands in it.
        lambda s: float(evaluate(s.rhs, case) / evaluate(s.lhs, {**case, "I_V": lambda *_: 1.0})),
        at=lambda: {"p(h, y)": case["rep_l"]},
        quantity="mean over classes, in bits",
    )


def separable_points() -> tuple[Table, Table, Table, Table]:
    """Forty points [40, 3], their labels +-1, weights that separate them with a margin, and signs of a flip."""
    trained = np.array([0.5, 2.0, -1.0])
    points = np.random.default_rng(3).standard_normal((400, 3))
    points = points[np.abs(points @ trained) > 0.5][:40]
    return points, np.sign(points @ trained), trained, np.array([1, -1, -1])


def best_decoder_is_lost() -> float:
    """1 if linear programming finds no weights that separate the flipped points with margin 1, else 0."""
    from scipy.optimize import linprog

    points, labels, _, signs = separable_points()
    seen = points * signs
    result = linprog(
        np.zeros(3), A_ub=-labels[:, None] * seen, b_ub=-np.ones(len(seen)), bounds=(None, None)
    )
    return 0.0 if result.status == 0 else 1.0


def under_permutations() -> str:
    """Softmax decoders with free weights for each label, as in a last layer: permuted weights are in the family."""
    tables = np.array(list(itertools.product((-1.0, 0.0, 2.0), repeat=6))).reshape(-1, 2, 3)
    family = list(np.exp(tables) / np.exp(tables).sum(axis=2, keepdims=True))
    joint = np.array([[0.3, 0.15, 0.05], [0.1, 0.1, 0.3]])
    values = [
        sufficiency(joint[:, list(order)], family) for order in itertools.permutations(range(3))
    ]
    return agreed(
        [is_close(max(values), min(values)) and max(values) > 0.01], "invariant", "not invariant"
    )


SHARED = {"decoders of its own": False, "the decoders of all classes": True}
COMPUTES = {"computes": True, "does not compute": False}


def usable_bits(shared: bool, **samples: list[int]) -> float:
    """Usable information on the crossed labels, by decoders of all classes or of each class; it has one bit in each."""
    family = decoders(2, 0.0, 0.3, 0.5, 1.0)
    return float(relabelled_information(**samples, classes=2, decoders=family, shared=shared))


def computed_by_the_network(decoders: str = "") -> str:
    """Whether the network of Figure 2.2 computes the term, with decoders of a kind, or with any."""
    kinds = (shared for kind, shared in SHARED.items() if decoders in ("", kind))
    return agreed((is_close(usable_bits(shared, **CROSSED), 1.0) for shared in kinds), *COMPUTES)


PROGRAMS: Programs = {
    "1.3 sign flips": Program(
        stating(what=lambda: agreed([best_decoder_is_lost()], "no longer being", "still being")),
        best_decoder_is_lost,
        value=lambda claim: chosen(claim, "what", {"no longer being": 1.0, "still being": 0.0}),
        at=lambda: dict(
            zip(("features", "labels", "weights", "signs"), separable_points(), strict=True)
        ),
        quantity="1 if the flipped features are not separable, else 0",
    ),
    "1.3 second term": stating(what=objectives),
    "1.3 own labels": _own_labels(ROUGH, UNIFORM, SKEWED, relations="≈ or ="),
    "Footnote 3": _own_labels(1e-9, UNIFORM),
    "2.2 permutations of labels": stating(what=under_permutations),
    "Figure 2.2": Program(
        stating(term=computed_by_the_network),
        lambda **samples: usable_bits(shared=True, **samples),
        value=lambda claim: float(chosen(claim, "term", COMPUTES)),
        at=CROSSED,
        quantity="usable information in bits, of decoders that all classes share",
    ),
    "4 weaker decoder": stating(decoder=of_the_later_layer),
}
