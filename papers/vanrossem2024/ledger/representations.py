"""Sections 4.2 to 4.6, B.4 and C.3: final distances that Eq. (10) predicts, for two points and for data sets."""

import itertools
from functools import cache, partial
from typing import Any

import numpy as np

from papers.vanrossem2024.ledger.flows import printed
from papers.vanrossem2024.ledger.rest import final_number, path
from papers.vanrossem2024.ledger.settings import GRID, XOR
from papers.vanrossem2024.ledger.three_variables import rates_in
from theory.core import Program, Programs, evaluate, stating

SMALL, LARGE = 1e-3, 1e3  # dh2(0)/dx2 of small and of large weights
PAIRS = list(itertools.combinations(XOR, 2))
SAME = [XOR[first] == XOR[second] for first, second in PAIRS]


def final(size: float, decoder: float, **data: float) -> float:
    """Final distance from an encoder of a size and a decoder in units of it."""
    return final_number(size, size * decoder, **data)


def direction(target: float, start: float) -> str:
    """In which direction the representations of two points move at every step of a flow of two numbers."""
    steps = np.diff(path(start, start * 0.8, target, 3.0)[1])
    return "closer" if (steps < 0).all() else "apart" if (steps > 0).all() else "neither"


def merged_pairs(size: float, decoder: float) -> list[bool]:
    """For all six pairs of XOR: whether the final distance is below 5 % of the distance of different targets."""
    data = [{"dx2": float(np.sum(np.subtract(*pair) ** 2)), "target2": float(not same)}
            for pair, same in zip(PAIRS, SAME, strict=True)]  # fmt: skip
    distances = [final(size, decoder, **pair) for pair in data]
    return [distance < 0.05 * max(*distances, 1e-3 * size) for distance in distances]


def those_that_merge() -> str:
    """Eq. (10) for all six pairs of XOR at small weights; A_low is zero for the two that merge."""
    merged = merged_pairs(SMALL, 0.5)
    return (
        "the same"
        if merged == SAME
        else "different"
        if merged == [not same for same in SAME]
        else "neither"
    )


def collapses() -> str:
    """Eq. (10) at identical targets vanishes with the weights, and at different ones it does not."""
    targets = {"irrelevant": 0.0, "relevant": 1.0}
    ratios = {
        name: final(1e-6, 0.5, target2=t) / final(1e-4, 0.5, target2=t)
        for name, t in targets.items()
    }
    return " and ".join(name for name, ratio in ratios.items() if ratio < 0.02)


def kept_at_large_weights(strength: str = "weaker") -> str:
    """For one ratio of encoder and decoder Eq. (10) is proportional to |x_2 - x_1|^2 at large weights."""
    closer, farther = (final(LARGE, STRENGTH[strength], dx2=dx2) for dx2 in (1.0, 2.0))
    return "input data" if abs(farther / closer - 2) < 1e-4 and closer > 0.1 * LARGE else "output"


def distances(inputs: Any, targets: Any) -> Any:
    """A_low of all pairs at equal time constants: the squared distances that Eq. (10) predicts for small weights."""
    first, second = (
        np.linalg.norm(points[:, None] - points, axis=-1)
        for points in map(np.asarray, (inputs, targets))
    )
    return first * second


# B is close to A as an input, and has C's target: close to C as a representation.
ABC = distances([[0.0], [0.01], [1.0]], [[0.0], [1.0], [1.0]])


def weighted(squared: Any) -> Any:
    """Eq. (50) for all pairs, ``[point, point]``."""
    size = len(squared)
    predictions = np.empty_like(squared)
    for row, column in np.ndindex(predictions.shape):
        values = {"i": row + 1, "j": column + 1, "N": size, "theory": np.sqrt,
                  "dh_pair": lambda a, b: squared[int(a) - 1, int(b) - 1]}  # fmt: skip
        predictions[row, column] = evaluate(printed("(50)").rhs, values)
    return predictions


def share_of_violations(squared: Any) -> float:
    """Fraction of the triangles that have a side longer than the other two together."""
    length = np.sqrt(squared)
    triangles = itertools.combinations(range(len(length)), 3)
    sides = [sorted((length[a, b], length[b, c], length[a, c])) for a, b, c in triangles]
    return float(np.mean([longest > short + middle + 1e-9 for short, middle, longest in sides]))


@cache
def shares(scale: float) -> tuple[float, float]:
    """Violations before and after Eq. (50) on random sets of seven points, squared distances times ``scale``."""
    draws = [np.random.default_rng(seed) for seed in range(4)]
    sets = [
        scale * distances(draw.normal(size=(7, 2)), draw.normal(size=(7, 1))) for draw in draws
    ]
    before, after = np.mean(
        [(share_of_violations(s), share_of_violations(weighted(s))) for s in sets], axis=0
    )
    return float(before), float(after)


def predicted(*pairs: tuple[int, int]) -> str:
    """How far the predictions place the points of these pairs, in one word."""
    (word,) = {"close" if ABC[pair] < 0.02 else "far away" for pair in pairs}
    return word


def size_after_weighting(scale: str = "much larger") -> str:
    """Eq. (50) on the three points, and on the same points at other scales."""
    before = SCALES[scale] * ABC
    after = weighted(before)
    return "large" if min(after[0, 1], after[1, 2]) > 0.5 * before[0, 2] else "small"


def effect_of_weighting(scale: str = "much larger") -> str:
    """Whether Eq. (50) leaves less than a tenth of the triangles that violate the inequality."""
    before, after = shares(SCALES[scale])
    return "reduces" if after < 0.1 * before else "does not reduce"


def end_of_identical_outputs() -> str:
    """Eq. (10) at identical targets for weights of 10^-6, encoders stronger and weaker than the decoder."""
    return (
        "at zero"
        if max(final(1e-6, decoder, target2=0.0) for decoder in (0.5, 1.5)) < 1e-5
        else "apart"
    )


def approach_of_larger_inputs() -> str:
    """Whether larger inputs with identical targets need smaller weights to come as close to zero."""
    closer, farther = (final(SMALL, 0.5, dx2=dx2, target2=0.0) for dx2 in (1.0, 4.0))
    return "longer" if farther > closer else "shorter"


def determined(decoder: str = "as strong as") -> str:
    """Final over initial distance at weights of 100."""
    ratio = {"much weaker than": 1e-4, "as strong as": 0.99}[decoder]
    return "at initialization" if abs(final(100, ratio) / 100 - 1) < 0.01 else "in the data"


def conditional(
    slot: str, truth: Any, there: Any, promised: float, at: dict[str, Any], quantity: str
) -> Program:
    """The program of a sentence that needs a condition, with the number in a case without it, good to 1 in 1000."""
    return Program(
        stating(**{slot: truth}), there, lambda _: promised, 1e-3, at=at, quantity=quantity
    )


OF_ENCODER = "; sizes in |x_2 - x_1|^2, the decoder in units of the encoder"


# Decoders in units of the encoder, by what the condition says of the encoder, and scales of squared distances.
STRENGTH = {"stronger": 0.5, "weaker": 2.0}
SCALES = {"of the order of one": 1.0, "much larger": 1000.0}

PROGRAMS: Programs = {
    "4.2 unknowns": stating(number=lambda: rates_in(printed("(11)")[1])),
    "4.3 large weights": conditional(
        "where",
        determined,
        lambda size, decoder: final(size, decoder) / size,
        1.0,
        {"size": 100.0, "decoder": 0.99},
        "final over initial squared distance" + OF_ENCODER,
    ),
    "4.3 same outputs": stating(where=partial(direction, 0.0, 0.9)),
    "4.3 different outputs": stating(where=partial(direction, 1.0, 1e-2)),
    "4.4 small weights": stating(which=those_that_merge),
    "4.4 large weights": conditional(
        "which",
        lambda strength="weaker": (
            "the same" if any(merged_pairs(LARGE, STRENGTH[strength])) else "no such"
        ),
        lambda size, decoder: float(any(merged_pairs(size, decoder))),
        0.0,
        {"size": LARGE, "decoder": 2.0},
        "1 if a pair with the same target merges" + OF_ENCODER,
    ),
    "4.5 small weights": stating(direction=collapses),
    "4.5 large weights": conditional(
        "what",
        kept_at_large_weights,
        lambda size, decoder: final(size, decoder) / size,
        1.0,
        {"size": LARGE, "decoder": 2.0},
        "final over initial squared distance" + OF_ENCODER,
    ),
    "4.6 triangle inequality": stating(
        what=lambda: "not expected" if share_of_violations(ABC) > 0 else "expected"
    ),
    "B.4 triangle inequality": stating(
        ab=partial(predicted, (0, 1), (1, 2)), ac=partial(predicted, (0, 2))
    ),
    "B.4 large distance": conditional(
        "size",
        size_after_weighting,
        lambda scale: weighted(scale * ABC)[1, 2] / scale,
        1.0,
        {"scale": 1000.0},
        "squared distance of B and C after Eq. (50), over the scale; of A to C in this unit 1",
    ),
    "B.4 fewer violations": conditional(
        "verb",
        effect_of_weighting,
        lambda scale: shares(scale)[1] / shares(scale)[0],
        0.0,
        {"scale": 1000.0},
        "share of violations after Eq. (50) over that before; squared distances times the scale",
    ),
    "C.3 respective points": stating(
        share=lambda: "every" if {x for x, _ in GRID} == {y for _, y in GRID} else "not every"
    ),
    "C.3 zero distance": stating(where=end_of_identical_outputs),
    "C.3 larger inputs": stating(how=approach_of_larger_inputs),
}
