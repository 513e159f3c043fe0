r"""Exact results on usable (V-) information on finite sets, from its definition.

The sufficiency term is the entropy of the labels less the least cross-entropy over a family of decoders,
:math:`I_{\mathcal V}(h \to y) = H(y) - \inf_{f \in \mathcal V} \mathbb{E}[-\log_2 f[h](y)]`; the minimality term
averages it over relabellings of each class. By definition every class and every relabelling has its own decoder, and
all classes have equal weight at any size. Implementations usually train one decoder for all classes, in which all
samples have equal weight. If the new labels are distributed alike in all classes, as for balanced classes under
Algorithm 2, the shared decoder finds at most as much; for classes of different sizes either may find more.

The bound :math:`I_{\mathcal V} \le I(h; y)` holds, with equality if and only if the family contains the posterior (or
comes arbitrarily close). It is non-negative if the family contains the constant decoder that answers with the label
frequencies; without it the entropy and the cross-entropy come from different families and it may be negative. Unlike
mutual information, it may increase under a fixed map of *h*, because the map may do computations that the decoders of
the family cannot.

Information is in bits, :math:`0 \log 0 = 0`, and the entropy is the empirical one, not an assumed :math:`\log_2 C`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.checks import sequence
from closedform.checks.arrays import integer_array
from theory.core.numbers.arguments import integer, real_array

_SUM = 1e-9


def _distribution(name: str, value: ArrayLike, dimensions: int) -> NDArray[np.float64]:
    table = real_array(name, value, dimensions)
    if np.any(table < 0) or abs(table.sum() - 1) > _SUM:
        raise ValueError(
            f"{name}: got entries from {table.min():g} and a sum of {table.sum()}, needs probabilities"
        )
    return table


def entropy(probabilities: ArrayLike) -> float:
    """Return the Shannon entropy in bits of probabilities [values].

    Args:
        probabilities: numbers of at least 0 that sum to 1, ``[values]``.

    Raises:
        TypeError, ValueError: for another shape, a negative number, or another sum.

    >>> entropy([0.5, 0.25, 0.25])
    1.5
    """
    p = _distribution("probabilities", probabilities, 1)
    p = p[p > 0]
    return float(-np.sum(p * np.log2(p)))


def cross_entropy(joint: ArrayLike, decoder: ArrayLike) -> float:
    """Return E[-log2 f[h](y)] in bits; infinite if the decoder gives probability 0 to an outcome that occurs.

    Args:
        joint: joint probabilities, [h, y].
        decoder: the decoder's probabilities of y given h, [h, y]; each row is a distribution.

    >>> cross_entropy([[0.5, 0], [0, 0.5]], decoder=[[1, 0], [0.5, 0.5]])
    0.5
    """
    return float(
        _cross_entropies(_distribution("joint", joint, 2), [real_array("decoder", decoder, 2)])[0]
    )


def _cross_entropies(
    p: NDArray[np.float64], tables: Sequence[NDArray[np.float64]]
) -> NDArray[np.float64]:
    shapes = {table.shape for table in tables}
    f = np.stack(tables) if shapes == {p.shape} else None
    if f is None or np.any(f < 0) or np.any(np.abs(f.sum(axis=2) - 1) > _SUM):
        got = ", ".join(map(str, sorted(shapes)))
        raise ValueError(
            f"decoder: got shape {got}, needs {p.shape}, of which each row is a distribution"
        )
    seen = p > 0
    with np.errstate(divide="ignore"):
        return -np.sum(p[seen] * np.log2(f[:, seen]), axis=1)


def sufficiency(joint: ArrayLike, decoders: Iterable[ArrayLike]) -> float:
    """Return the usable information in bits about the labels, over a finite family of decoders [h, y].

    Args:
        joint: joint probabilities of representation and label, ``[h, y]``.
        decoders: the family of decoders, each a table of probabilities ``[h, y]``.

    Raises:
        TypeError, ValueError: for probabilities of another shape, that are negative, or that do not sum to 1.

    >>> sufficiency([[0.5, 0], [0, 0.5]], decoders=[[[1, 0], [0, 1]]])
    1.0
    """
    p = _distribution("joint", joint, 2)
    return entropy(p.sum(axis=0)) - float(_cross_entropies(p, tables_of(decoders)).min())


def tables_of(decoders: Iterable[ArrayLike]) -> list[NDArray[np.float64]]:
    """Return the tables [h, y] of a family of decoders; TypeError or ValueError if there are none."""
    given = sequence("decoders", decoders, "tables [h, y]")
    tables = [real_array(f"decoders[{index}]", table, 2) for index, table in enumerate(given)]
    if not tables:
        raise ValueError("decoders: got none, needs at least one")
    return tables


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

    >>> sharp = [[1, 0], [0, 1]]
    >>> relabelled_information([0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 0, 1], 2, [sharp])
    1.0
    """
    h, y, tables = _checked(representation, labels, classes, decoders)
    new = integer_array("new_labels", new_labels)
    if new.shape != y.shape or new.min() < 0 or new.max() >= classes:
        raise ValueError(
            f"new_labels: got shape {new.shape}, needs 0 to {classes - 1}, one for each sample"
        )
    groups = [np.ones(len(y), dtype=bool)] if shared else [y == c for c in range(classes)]
    return float(np.mean([_usable(h[group], new[group], classes, tables) for group in groups]))


def _usable(
    h: NDArray[np.int64], new: NDArray[np.int64], classes: int, tables: list[NDArray[np.float64]]
) -> float:
    joint = np.zeros((len(tables[0]), classes))
    np.add.at(joint, (h, new), 1 / len(h))
    return sufficiency(joint, tables)


def _checked(
    representation: Sequence[int],
    labels: Sequence[int],
    classes: int,
    decoders: Sequence[ArrayLike],
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[NDArray[np.float64]]]:
    h, y = integer_array("representation", representation), integer_array("labels", labels)
    if h.ndim != 1 or h.shape != y.shape:
        raise ValueError(
            f"labels: got shape {y.shape} for representation {h.shape}, needs one shape [samples]"
        )
    if sorted(set(y.tolist())) != list(range(integer("classes", classes, 1))):
        raise ValueError(
            f"labels: got {y.min()} to {y.max()}, needs 0 to {classes - 1} with every class present"
        )
    tables = tables_of(decoders)
    if h.min() < 0 or h.max() >= len(tables[0]):
        raise ValueError(
            f"representation: got {h.min()} to {h.max()}, needs 0 to {len(tables[0]) - 1}, the rows of a decoder"
        )
    return h, y, tables


def minimality(
    representation: Sequence[int],
    labels: Sequence[int],
    classes: int,
    decoders: Sequence[ArrayLike],
) -> float:
    """Return the minimality term by definition, over all relabellings of each class with a decoder for each; in bits.

    Args:
        representation: representation of each sample, an index, ``[samples]``.
        labels: class of each sample, from 0, ``[samples]``.
        classes: number of classes.
        decoders: the family of decoders, each a table of probabilities ``[h, y]``.

    Raises:
        TypeError, ValueError: as of ``relabelled_information``.

    >>> blind = [[0.5, 0.5], [0.5, 0.5]]
    >>> minimality([0, 0, 1, 1], [0, 0, 1, 1], 2, [blind])
    -0.5
    """
    h, y, tables = _checked(representation, labels, classes, decoders)
    of_class = []
    for c in range(classes):
        mine = h[y == c]
        relabellings = itertools.product(range(classes), repeat=len(mine))
        of_class.append(
            np.mean([_usable(mine, np.array(new), classes, tables) for new in relabellings])
        )
    return float(np.mean(of_class))
