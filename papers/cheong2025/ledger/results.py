"""Section 2.3 and Chapter 3: sizes of the two networks, and what the thesis says of them and of its results."""

import itertools
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import sympy as sp

from papers.cheong2025.ledger.notation import agreed, counted, letters
from theory.collapse.relabellings import relabelling_entropy
from theory.collapse.usable_information import sufficiency
from theory.core import Claim, Program, Programs, evaluate, identity, numerically
from theory.core.ledger.proving import (
    chosen,
    deciding,
    declaring,
    has_digits,
    of_each_relation,
    stating,
)

CHANNELS = (3, 64, 128, 256)
IMAGES = {"CIFAR-10": (32, 3), "Fashion-MNIST": (28, 1)}
"""Side and channels of the images."""
POOL = {"f_+": (2, 1), "f_-": (3, 4)}
"""Pooling kernel, and what the channels are divided by."""
SCENARIOS = dict(
    zip(("Cplus", "Cminus", "Fplus", "Fminus"), itertools.product(IMAGES, POOL), strict=True)
)
CLASSES = 10
SAMPLES = 10_000
"""Training samples: as many as test samples."""
LABELS = SAMPLES * CLASSES
"""Numbers that the labels of all samples amount to."""


def shapes(data: str, network: str) -> list[tuple[int, int, int]]:
    """Representations of the three blocks: convolutions keep the side, pooling divides it and drops the rest."""
    kernel, divisor = POOL[network]
    sides = itertools.accumulate([IMAGES[data][0], *[kernel] * 3], lambda side, by: side // by)
    return [
        (side, side, channels // divisor)
        for side, channels in list(zip(sides, CHANNELS, strict=True))[1:]
    ]


def dimensions(data: str, network: str) -> list[int]:
    """Dimensions of the input and of the three representations."""
    side, channels = IMAGES[data]
    return [side * side * channels, *map(math.prod, shapes(data, network))]


def weights_of_f_plus() -> Iterator[int]:
    """Learnable numbers of f_+ on each dataset: two normalised convolutions of 3 x 3 a block, and the last layer."""
    for _, image in IMAGES.values():
        pairs = list(itertools.pairwise((image, *CHANNELS[1:])))
        convolutions = sum(
            9 * before * (before + after) + 2 * (before + after) for before, after in pairs
        )
        yield convolutions + CHANNELS[-1] * CLASSES + CLASSES


def channels_of(index: float) -> float:
    """Channels d_l of Section 2.3; an index between two layers is read off the line between them."""
    if not 0 <= index <= 3:
        raise ValueError(f"index: got {index}, needs 0 to 3")
    return float(np.interp(index, range(len(CHANNELS)), CHANNELS))


def layers(network: str) -> Iterator[dict[str, Any]]:
    """The channels of Section 2.3 and the sides of all layers on both datasets."""
    for data, (_, image) in IMAGES.items():
        sizes = dimensions(data, network)
        depths = [image, *(shape[-1] for shape in shapes(data, network))]
        for layer in (1, 2, 3):
            yield {
                "l": layer,
                "d": channels_of,
                "channels": lambda index, depths=depths: depths[int(index)],
                "D_l": lambda index, sizes=sizes: sizes[int(index)],
                "kernel": shapes(data, network)[-1][0],
                "inputs": sizes[-1],
            }


SIZES = [dimensions(*scenario) for scenario in SCENARIOS.values()]
"""Dimensions of the input and of layers 1 to 3 of each scenario."""


def change_of_sizes(layers: str = "") -> str:
    """The table of Section 3.3, and the images before it."""
    first = 1 if layers == "1 to 3" else 0
    steps = chain.from_iterable(itertools.pairwise(sizes[first:]) for sizes in SIZES)
    return agreed(
        (after < before for before, after in steps),
        "monotonically decrease",
        "monotonically increase",
    )


def batches() -> Iterator[dict[str, Any]]:
    """A batch of values before batch normalisation, with a bias."""

    def normalised(values: Any) -> Any:
        return (values - np.mean(values)) / np.std(values) * 1.7 + 0.3

    yield {"x": np.array([0.2, -1.1, 0.7, 2.5]), "bias_b": 0.9, "bn": normalised}


def avoids_storing(claim: Claim) -> bool:
    """Numbers of G against those of all representations, for layers with dimensions below N, not the first of f_+."""
    sizes = [size for size in chain.from_iterable(sizes[1:] for sizes in SIZES) if size < SAMPLES]
    return all(size**2 < SAMPLES * size for size in sizes) is chosen(
        claim, "can", {"can still": True, "cannot": False}
    )


def bytes_of(case: Any) -> int:
    """Memory of N numbers of 32 bits in D dimensions."""
    return int(case["N"] * case["D"] * np.dtype(np.float32).itemsize)


FIRST = dimensions("CIFAR-10", "f_+")[1]


def _printed_shapes(scenario: Any, _: Any) -> Any:
    return np.array(shapes(*scenario))


OF_THE_TABLE = {name: partial(_printed_shapes, scenario) for name, scenario in SCENARIOS.items()}
SIZES_OF_H_2 = {dimensions(data, "f_-")[2] for data in IMAGES}


tr, product, plus, Sigma_W_l, Sigma_B_l, ratio = letters(
    "tr product plus Sigma_W_l Sigma_B_l ratio"
)
first, between = sp.symbols("first between", positive=True)
# Test accuracy in per cent and test loss, Section 3.1.
RESULTS = {
    ("f_+", "CIFAR-10"): ("75.3", "0.757"),
    ("f_-", "CIFAR-10"): ("62.6", "1.260"),
    ("f_+", "Fashion-MNIST"): ("91.0", "0.323"),
    ("f_-", "Fashion-MNIST"): ("88.4", "0.387"),
}
TRAINING = dict.fromkeys(RESULTS, 100.0)
"""Training accuracy in per cent, Section 3.1."""
LAYERS, MEASURED = 4, (1, 2, 3)  # Section 2.3, and the columns of the table of Section 3.3
PER_CLASS = 1000
LAST_LAYER: dict[str, Any] = {"pixels": ((1.0, 0.2), (0.1, 0.8)), "weight": 0.7, "bias": 0.1}
"""Two representations of two pixels each, and the layer after them."""


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
    count_in_accuracy, count_in_loss = chosen(claim, "places", ROUNDINGS)
    return all(
        count_in_accuracy(accuracy) == count_in_loss(loss) == claim["count"]
        for accuracy, loss in RESULTS.values()
    )


def losses(data: str) -> tuple[float, float]:
    """What f_- loses to f_+ on a dataset: accuracy in per cent, and loss."""
    better, worse = (RESULTS[network, data] for network in ("f_+", "f_-"))
    return float(better[0]) - float(worse[0]), float(worse[1]) - float(better[1])


def higher_accuracy() -> str:
    """Which accuracies of f_+ are higher on Fashion-MNIST, by Section 3.1."""
    fashion, cifar = (("f_+", data) for data in ("Fashion-MNIST", "CIFAR-10"))
    test = float(RESULTS[fashion][0]) > float(RESULTS[cifar][0])
    return agreed([test and TRAINING[fashion] > TRAINING[cifar]], "train and test", "test")


def is_the_maximum(relation: Any) -> bool:
    """Usable information, in bits, of a representation that determines one of ten equally frequent labels."""
    largest = sufficiency(np.eye(CLASSES) / CLASSES, [np.eye(CLASSES)])
    shown = evaluate(relation.lhs, {"log_base": math.log})
    return bool(abs(shown - largest) < 1e-12) and has_digits(largest, relation.rhs)


def last_layer(pixels: Any, weight: float, bias: float) -> float:
    """A pool over two pixels, and then weight and bias."""
    return float(weight * np.max(pixels) + bias)


def of_the_middle(pixels: Any, weight: float, bias: float) -> float:
    """The last layer of the average of two representations."""
    return last_layer(np.mean(pixels, axis=0), weight, bias)


def middle_of_values(pixels: Any, weight: float, bias: float) -> float:
    """The average of the last layer's values of both."""
    return float(np.mean([last_layer(representation, weight, bias) for representation in pixels]))


AFFINE = {"affine linear": middle_of_values, "affine and pooling": of_the_middle}

PROGRAMS: Programs = {
    "Figure 1.1, overparametrised": stating(
        what=lambda: agreed(
            (n > LABELS for n in weights_of_f_plus()), "overparametrised", "not overparametrised"
        )
    ),
    "2.1 storage": counted(
        lambda: [{"N": 50_000, "D": FIRST}],
        size=lambda _: FIRST,
        bits=lambda _: np.finfo(np.float32).bits,
        bytes=bytes_of,
        gibibytes=lambda case: round(bytes_of(case) / 2**30),
    ),
    "2.1 one pass": deciding(avoids_storing),
    "2.3 redundant pool": stating(
        what=lambda: agreed(
            (shapes(data, "f_-")[-1][0] == 1 for data in IMAGES), "redundant", "needed"
        )
    ),
    "2.3 blocks of f_- | 2.3 last layer of f_-": numerically(partial(layers, "f_-")),
    "2.3 no bias": numerically(batches),
    "2.3 blocks of f_+ | 2.3 last layer of f_+": numerically(partial(layers, "f_+")),
    "3.3 dimensionalities": counted(lambda: [{}], **OF_THE_TABLE),
    "3.3 same size of h^2": stating(
        size=lambda: agreed([len(SIZES_OF_H_2) == 1], "the same size", "another size")
    ),
    "4 sizes": Program(
        stating(change=change_of_sizes),
        lambda side, channels: float((side // 2) ** 2 * CHANNELS[1] > side**2 * channels),
        value=lambda claim: float(claim["change"] == "monotonically increase"),
        at={"side": 28, "channels": 1},
        quantity="1 if layer 1 of f_+ has more dimensions than the image",
    ),
    "Figure 1.1, accuracy": stating(accuracy=lambda: float(RESULTS["f_+", "Fashion-MNIST"][0])),
    "3.1 rounding": Program(
        deciding(is_rounded),
        lambda network, data: float(figures(RESULTS[network, data][1])),
        value=lambda claim: (
            float(claim["count"]) + (chosen(claim, "places", ROUNDINGS)[1] is decimals)
        ),
        at={"network": "f_-", "data": "CIFAR-10"},
        quantity="significant figures of the loss",
    ),
    "3.1 comparison": stating(
        than=lambda: agreed(
            (loss > 0 for loss in chain.from_iterable(map(losses, IMAGES))), "worse", "better"
        ),
        difference=lambda: agreed(
            [losses("Fashion-MNIST")[0] < losses("CIFAR-10")[0]], "smaller", "larger"
        ),
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
        value=lambda claim, L: float(evaluate(claim["last"], {"L": L})),
        at={"L": LAYERS},
        quantity="last layer that is measured",
    ),
    "3.3 higher accuracy": Program(
        stating(which=higher_accuracy),
        lambda network: float(TRAINING[network, "Fashion-MNIST"] > TRAINING[network, "CIFAR-10"]),
        value=lambda claim: float(claim["which"] == "train and test"),
        at={"network": "f_+"},
        quantity="1 if the training accuracy is higher on Fashion-MNIST, else 0",
    ),
    "3.3 largest sufficiency": declaring(of_each_relation(is_the_maximum), "≈"),
    "3.3 affine last layer": Program(
        stating(
            what=lambda: agreed(
                [of_the_middle(**LAST_LAYER) == middle_of_values(**LAST_LAYER)], *AFFINE
            )
        ),
        of_the_middle,
        value=lambda claim, **case: chosen(claim, "what", AFFINE)(**case),
        at=LAST_LAYER,
        quantity="value of the last layer in the middle",
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
