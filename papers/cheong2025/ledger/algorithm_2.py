"""Algorithm 2 as printed and as corrected, what its relabellings are, and entropies of labels; Section 2.2."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from theory.core import Algorithm, Program, Programs, deciding, numerically, stating
from theory.core.ledger.ledger import printed_algorithm

SIZES = ((27, 2, 5), (2, 5, 27), (8, 20, 3))
"""Of three classes: the largest first and last, a power of three and not."""


def logarithm(number: float, base: float) -> float:
    """Logarithm that is exact for powers of the base."""
    power = round(math.log(number, base))
    return power if base**power == number else math.log(number, base)


def digits(number: int, base: int) -> list[int]:
    """Digits with leading zeros, the last one first, from numpy's text of the number."""
    return [int(digit) for digit in reversed(np.base_repr(number, base).zfill(40))]


def relabelled(algorithm: Algorithm, sizes: Sequence[int]) -> dict[tuple[int, int], list[int]]:
    """New labels of each sample from the lines of the algorithm, by class from 1 and index."""
    names: dict[str, Any] = {"ceil": math.ceil, "log": logarithm, "in_base": digits, "r": {}}
    return dict(algorithm.run(C=len(sizes), n=dict(enumerate(sizes, 1)), **names)["r"])


def errors(algorithm: Algorithm, class_sizes: Sequence[Sequence[int]] = SIZES) -> Any:
    """For three sets of class sizes: how many samples are relabelled, and the sum of |sum_k y_k C^k - i| over them."""
    rows = []
    for sizes in class_sizes:
        labels = relabelled(algorithm, sizes)
        total = 0
        for (_, i), new in labels.items():
            in_base_3 = sum(y * 3**k for k, y in enumerate(new))
            total += abs(in_base_3 - i)
        rows.append([len(labels), total])
    return np.array(rows, dtype=float)


def rebuilt(class_sizes: Sequence[Sequence[int]] = SIZES) -> Any:
    """How many samples there are, and no error, from texts of the indices."""
    wrong = sum(abs(int(np.base_repr(i, 3), 3) - i) for i in range(27))
    return np.array([[sum(sizes), wrong] for sizes in class_sizes], dtype=float)


def samples_of_each_class() -> int:
    """Algorithm 2 as printed, run on three classes of 20 and of 27 samples."""
    printed = Algorithm("\n".join(printed_algorithm(__package__, "Algorithm 2, range of i")))
    numbers = set()
    for size in (20, 27):
        worn = Counter(
            (tuple(new), of_class)
            for (of_class, _), new in relabelled(printed, [size] * 3).items()
        )
        is_shared = len(worn) == 3 * len({vector for vector, _ in worn}) == 3 * size
        numbers |= set(worn.values()) if is_shared else {0}
    return min(numbers) if len(numbers) == 1 else 0


def of_classes(*sizes: int) -> dict[str, Any]:
    """The letters for labels of classes of these sizes, of which all relabellings are listed one by one."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    shares = np.array(sizes) / sum(sizes)
    return {
        "C": len(sizes),
        "N": sum(sizes),
        "c": np.arange(1, len(sizes) + 1),
        "n": lambda c: np.array(sizes)[np.asarray(c, dtype=int) - 1],
        "max_c": np.max,
        "label": labels,
        "p": lambda label: shares[label],
        "mean_y": np.mean,
    }


def numbers_of_digits() -> Iterator[dict[str, Any]]:
    """Thirteen sizes of the largest class in four bases, with the fewest digits that tell all its indices apart."""
    functions = {"log_base": lambda size, base: logarithm(int(size), int(base))}
    for base, size in itertools.product(
        (2, 3, 5, 10), (1, 2, 3, 4, 5, 9, 10, 26, 27, 28, 125, 1000, 1001)
    ):
        fewest = next(k for k in itertools.count() if base**k >= size)
        yield {**of_classes(size, *[1] * (base - 1)), **functions, "N_D": fewest}


def counted_relabellings() -> Iterator[dict[str, Any]]:
    """Numbers of relabellings of all classes, listed one by one."""
    for sizes in ((3, 2), (4, 1), (2, 1, 3)):
        listed = sum(
            len(list(itertools.product(range(len(sizes)), repeat=size))) for size in sizes
        )
        yield {**of_classes(*sizes), "count": listed}


def balanced_labels() -> list[dict[str, Any]]:
    """Three balanced sets."""
    return [of_classes(3, 3, 3), of_classes(4, 4), of_classes(2, 2, 2, 2, 2)]


def any_labels() -> list[dict[str, Any]]:
    """Averages over the samples of balanced and imbalanced classes."""
    return [*balanced_labels(), of_classes(1, 2, 5), of_classes(7, 1, 1, 1)]


def digits_of_classes() -> Iterator[dict[str, Any]]:
    """Digits of indices from 0, counted."""
    for base, size, k in (
        (10, 1000, 2),
        (10, 600, 1),
        (10, 600, 2),
        (3, 27, 2),
        (3, 18, 2),
        (2, 6, 1),
    ):
        column = np.array([digits(i, base)[k] for i in range(size)])
        shares = np.bincount(column) / size
        yield {
            "C": base,
            "n_c": size,
            "k": k,
            "n_y": column,
            "p": lambda y, shares=shares: shares[y],
            "mean_n": np.mean,
        }


PROGRAMS: Programs = {
    "2.2 number of relabellings": numerically(counted_relabellings),
    "Algorithm 2, number of labels": numerically(numbers_of_digits),
    "Algorithm 2, range of i": Program(
        deciding(lambda algorithm: np.array_equal(errors(algorithm), rebuilt())),
        rebuilt,
        errors,
        at={"class_sizes": SIZES},
        quantity="number of samples, sum of errors",
    ),
    "2.2 vector labels": stating(samples=samples_of_each_class),
    "2.2 balanced relabellings": numerically(digits_of_classes),
    "2.2 entropy of the labels | 2.2 maximal entropy": numerically(any_labels),
    "2.2 largest entropy": numerically(balanced_labels),
}
