r"""Sections 4.4 to 4.6 and B.2 to B.4: XOR, feature collapse and MNIST, and the weighting of Eq. (50)."""

from __future__ import annotations

import itertools

import numpy as np

from theory.core import Check, Finding
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.regimes import final_number

XOR_INPUTS = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
XOR_TARGETS = np.array([0, 1, 1, 0])
SMALL, LARGE = 1e-3, 1e3  # dh2(0)/dx2 of small and of large weights; the decoder's ratio is half of it


def _squares(points: np.ndarray) -> np.ndarray:
    """Squared distances of all pairs."""
    return np.sum((points[:, None] - points[None]) ** 2, axis=-1).astype(float)


def small_weight_distances(inputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """A_low of all pairs at equal time constants: the squared distances that Eq. (10) predicts for small weights."""
    return np.sqrt(_squares(inputs) * _squares(targets))


def weighted(squared: np.ndarray) -> np.ndarray:
    """Eq. (50)."""
    weights = np.exp(-squared)
    return weights @ squared @ weights


def violations(squared: np.ndarray) -> float:
    """Fraction of triangles with a side longer than the other two together."""
    length = np.sqrt(squared)
    triples = itertools.permutations(range(len(length)), 3)
    return float(np.mean([length[i, j] > length[i, k] + length[k, j] + 1e-9 for i, j, k in triples]))


def _merged_pairs(scale: float) -> list[tuple[int, int]]:
    """Pairs of XOR whose final distance is below 5 % of the largest, encoder scale ``scale``, decoder half of it."""
    pairs = list(itertools.combinations(range(4), 2))
    distances = [
        final_number(scale, scale / 2, dx2=_squares(XOR_INPUTS)[i, j], target2=float(XOR_TARGETS[i] != XOR_TARGETS[j]))
        for i, j in pairs
    ]
    return [pair for pair, distance in zip(pairs, distances, strict=True) if distance < 0.05 * max(distances)]


# B is close to A as an input, and has C's target: close to C as a representation.
ABC = small_weight_distances(np.array([[0.0], [0.01], [1.0]]), np.array([[0.0], [1.0], [1.0]]))


def _random_distances(seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return small_weight_distances(draw.normal(size=(8, 2)), draw.integers(0, 3, size=(8, 1)))


def _weighting_helps() -> bool:
    before, after = (
        [violations(change(_random_distances(seed))) for seed in range(20)] for change in (np.copy, weighted)
    )
    return bool(np.mean(before) > 0.1 and np.mean(after) < 0.01)


def _weighting_is_no_average() -> bool:
    """The weights of a row do not sum to one, and a point is predicted to be at a distance from itself."""
    distances = _random_distances(0)
    return bool(np.exp(-distances).sum(axis=0).min() > 1.5 and np.diag(weighted(distances)).min() > 0)


EQUATIONS_4 = (
    entry(
        "4.4 small weights",
        "4.4",
        "At small weights the two pairs of XOR with the same target merge, and no others.",
        Finding.CONFIRMED,
        "Eq. (10) for all six pairs; A_low is zero for these two.",
        steps=(Check("merged pairs", lambda: _merged_pairs(SMALL) == [(0, 3), (1, 2)], "Eq. (10)"),),
    ),
    entry(
        "4.4 large weights",
        "4.4",
        "At large weights no pair merges.",
        Finding.CONDITIONAL,
        "Eq. (10) for all six pairs.",
        condition="A_high > 0",
        steps=(
            Check(
                "no pair merges for an encoder stronger than the decoder", lambda: not _merged_pairs(LARGE), "Eq. (10)"
            ),
        ),
        counterexample=lambda: final_number(LARGE, 2 * LARGE, dx2=2.0, target2=0.0) < 1e-9 * LARGE,
        consequence="Where the decoder is the stronger layer, pairs with the same target merge from large weights as "
        "well.",
    ),
    entry(
        "4.4 and Figure 6",
        "4.4",
        "The 20-layer network matches; a two-layer one merges one pair only.",
        Finding.OPEN,
        "A matter of measurement; not done here.",
    ),
    entry(
        "4.5 small weights",
        "4.5",
        "At small weights the direction that does not change the output collapses.",
        Finding.CONFIRMED,
        "Eq. (10) with target2 = 0 vanishes with the weights.",
        steps=(
            Check(
                "proportional to the weights",
                lambda: abs(final_number(SMALL, SMALL / 2, dx2=1.0, target2=0.0) - SMALL / 2) < 1e-12,
                "Eq. (10)",
            ),
        ),
    ),
    entry(
        "4.5 large weights",
        "4.5",
        "At large weights the structure of the inputs remains.",
        Finding.CONDITIONAL,
        "For one ratio of encoder and decoder Eq. (10) is then proportional to dx2.",
        condition="A_high > 0",
        steps=(
            Check(
                "twice the distance for twice dx2",
                lambda: abs(final_number(LARGE, LARGE / 2, dx2=2.0) / final_number(LARGE, LARGE / 2) - 2) < 1e-4,
                "Eq. (10)",
            ),
        ),
        counterexample=lambda: final_number(LARGE, 2 * LARGE, dx2=2.0) < 2e-3,
        consequence="With a decoder stronger than the encoder the representations end close together instead.",
    ),
    entry(
        "4.5 and Figure 8",
        "4.5",
        "Both structures appear in a 5-layer tanh network.",
        Finding.OPEN,
        "A matter of measurement.",
    ),
    entry(
        "4.6 triangle inequality",
        "4.6",
        "The predicted distances need not satisfy the triangle inequality.",
        Finding.CONFIRMED,
        "Three points on a line with two targets.",
        steps=(Check("a violation", lambda: violations(ABC) > 0, "A_low of three pairs"),),
    ),
    entry(
        "4.6 and Figure 9",
        "4.6",
        "Pearson correlation with the theory 0.703, and 0.512 off the diagonal blocks.",
        Finding.OPEN,
        "A matter of measurement; not done here.",
    ),
)

EQUATIONS_B = (
    entry(
        "B.2 data",
        "B.2",
        "The four points of XOR.",
        Finding.DEFINITION,
        "The target is the exclusive or of the inputs.",
        steps=(
            Check(
                "exclusive or", lambda: bool((XOR_INPUTS[:, 0] ^ XOR_INPUTS[:, 1] == XOR_TARGETS).all()), "truth table"
            ),
        ),
    ),
    entry(
        "B.3 data",
        "B.3",
        "2*30*30 images of 5*5 pixels and a one-hot context: 27 inputs.",
        Finding.CONFIRMED,
        "Counted.",
        steps=(Check("inputs", lambda: 5 * 5 + 2 == 27, "arithmetic"),),
    ),
    entry(
        "B.4 triangle inequality",
        "B.4",
        "Even for independent pairs A and B may be predicted close, B and C too, and A and C far away.",
        Finding.CONFIRMED,
        "The same three points.",
        steps=(
            Check(
                "close, close, far",
                lambda: bool(ABC[0, 1] < 0.02 and ABC[1, 2] < 0.02 and ABC[0, 2] > 0.9),
                "A_low of three pairs",
            ),
        ),
    ),
    entry(
        "(50)",
        "B.4",
        "Exponentially weighted predictions.",
        Finding.DEFINITION,
        "Not an average: the weights of a row do not sum to one, and the predicted distance of a point from itself is "
        "positive.",
        printed=r"\|dh_{i,j}(\infty)\|^2_{\mathrm{pred}} = \sum_{k,l} e^{-\|dh_{i,k}(\infty)\|^2_{\mathrm{theory}}} "
        r"e^{-\|dh_{l,j}(\infty)\|^2_{\mathrm{theory}}} \|dh_{k,l}(\infty)\|^2_{\mathrm{theory}}",
        steps=(Check("neither normalised nor zero on the diagonal", _weighting_is_no_average, "random data"),),
    ),
    entry(
        "B.4 large distance",
        "B.4",
        "The large distance of A and C makes those of A and B and of B and C large.",
        Finding.CONFIRMED,
        "Eq. (50) on the three points: both exceed that of A and C.",
        steps=(
            Check(
                "both are large",
                lambda: bool(min(weighted(ABC)[0, 1], weighted(ABC)[1, 2]) > weighted(ABC)[0, 2]),
                "Eq. (50)",
            ),
        ),
    ),
    entry(
        "B.4 fewer violations",
        "B.4",
        "The weighting reduces violations of the triangle inequality.",
        Finding.CONFIRMED,
        "Random data with three targets: from a fifth of all triangles to none.",
        steps=(Check("before and after", _weighting_helps, "Eq. (50) on 20 random sets of 8 points"),),
    ),
)
