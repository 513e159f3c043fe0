r"""The minimality term on finite sets: usable information about relabellings, averaged over the classes.

By definition every class and every relabelling has its own decoder. Implementations usually train one decoder for all
classes (for one relabelling, such as a digit of Algorithm 2). If the new labels are distributed alike in all classes,
as for balanced classes under Algorithm 2, the shared decoder finds at most as much: its best is one candidate for each
class. For classes of different sizes the entropies differ as well, and either may be larger.

Information is in bits. In the definition all classes have equal weight at any size; for a shared decoder all samples
have equal weight.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.checks.arrays import integer_array
from theory.collapse.usable_information import sufficiency, tables_of
from theory.core.formula.arguments import LARGEST_ARRAY, integer


def every_relabelling(samples: int, classes: int) -> Iterator[tuple[int, ...]]:
    """Yield all ``classes ** samples`` ways to assign new labels to ``samples`` samples.

    Raises:
        TypeError, ValueError: if an argument is not an integer from 1 to ten million.

    >>> list(every_relabelling(samples=2, classes=2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    size, count = integer("samples", samples, 1, LARGEST_ARRAY), integer("classes", classes, 1, LARGEST_ARRAY)
    return itertools.product(range(count), repeat=size)


def relabelled_information(
    representation: Sequence[int],
    labels: Sequence[int],
    new_labels: Sequence[int],
    classes: int,
    decoders: Sequence[ArrayLike],
    shared: bool = False,
) -> float:
    """Return the usable information about new labels, in bits.

    Args:
        representation: value of h for each sample, 0 to (rows of a decoder) - 1, [samples].
        labels: label of each sample, 0 to classes - 1, [samples]; every class must occur.
        new_labels: new label of each sample, 0 to classes - 1, [samples].
        classes: number of classes.
        decoders: decoders of the family, [h, classes] each, with probabilities in each row.
        shared: whether all classes share one decoder; by default each class has its own and the result is the mean.

    Raises:
        TypeError, ValueError: if tables or labels have wrong shapes or values.

    >>> sharp = [[1, 0], [0, 1]]
    >>> relabelled_information([0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 0, 1], 2, [sharp])
    1.0
    """
    h, y, tables = _checked(representation, labels, classes, decoders)
    new = integer_array("new_labels", new_labels)
    if new.shape != y.shape or new.min() < 0 or new.max() >= classes:
        raise ValueError(f"new_labels: got shape {new.shape}, needs 0 to {classes - 1}, one for each sample")
    groups = [np.ones(len(y), dtype=bool)] if shared else [y == c for c in range(classes)]
    return float(np.mean([_usable(h[group], new[group], classes, tables) for group in groups]))


def _usable(h: NDArray[np.int64], new: NDArray[np.int64], classes: int, tables: list[NDArray[np.float64]]) -> float:
    joint = np.zeros((len(tables[0]), classes))
    np.add.at(joint, (h, new), 1 / len(h))
    return sufficiency(joint, tables)


def _checked(
    representation: Sequence[int], labels: Sequence[int], classes: int, decoders: Sequence[ArrayLike]
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[NDArray[np.float64]]]:
    h, y = integer_array("representation", representation), integer_array("labels", labels)
    if h.ndim != 1 or h.shape != y.shape:
        raise ValueError(f"labels: got shape {y.shape} for representation {h.shape}, needs one shape [samples]")
    if sorted(set(y.tolist())) != list(range(integer("classes", classes, 1))):
        raise ValueError(f"labels: got {y.min()} to {y.max()}, needs 0 to {classes - 1} with every class present")
    tables = tables_of(decoders)
    if h.min() < 0 or h.max() >= len(tables[0]):
        raise ValueError(
            f"representation: got {h.min()} to {h.max()}, needs 0 to {len(tables[0]) - 1}, the rows of a decoder"
        )
    return h, y, tables


def minimality(
    representation: Sequence[int], labels: Sequence[int], classes: int, decoders: Sequence[ArrayLike]
) -> float:
    """Return the minimality term by definition, over all relabellings of each class with a decoder for each; in bits.

    Args:
        representation: value of h for each sample, 0 to (rows of a decoder) - 1, [samples].
        labels: label of each sample, 0 to classes - 1, [samples]; every class must occur.
        classes: number of classes.
        decoders: decoders of the family, [h, classes] each, with probabilities in each row.

    Raises:
        TypeError, ValueError: if tables or labels have wrong shapes or values.

    >>> blind = [[0.5, 0.5], [0.5, 0.5]]
    >>> minimality([0, 0, 1, 1], [0, 0, 1, 1], 2, [blind])
    -0.5
    """
    h, y, tables = _checked(representation, labels, classes, decoders)
    of_class = []
    for c in range(classes):
        mine = h[y == c]
        relabellings = every_relabelling(len(mine), classes)
        of_class.append(np.mean([_usable(mine, np.array(new), classes, tables) for new in relabellings]))
    return float(np.mean(of_class))
