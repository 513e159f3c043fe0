r"""Exact results on usable (V-) information on finite sets, from its definition.

The sufficiency term is the entropy of the labels less the least cross-entropy over a family of decoders,
:math:`I_{\mathcal V}(h \to y) = H(y) - \inf_{f \in \mathcal V} \mathbb{E}[-\log_2 f[h](y)]`; the minimality term
(``theory.collapse.minimality_term``) averages it over relabellings of each class.

The bound :math:`I_{\mathcal V} \le I(h; y)` holds, with equality if and only if the family contains the posterior (or
comes arbitrarily close). It is non-negative if the family contains the constant decoder that answers with the label
frequencies; without it the entropy and the cross-entropy come from different families and it may be negative. Unlike
mutual information, it may increase under a fixed map of *h*, because the map may do computations that the decoders of
the family cannot.

Information is in bits, :math:`0 \log 0 = 0`, and the entropy is the empirical one, not an assumed :math:`\log_2 C`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.core.formula.arguments import real_array

_SUM = 1e-9


def _distribution(name: str, value: ArrayLike, dimensions: int) -> NDArray[np.float64]:
    table = real_array(name, value, dimensions)
    if np.any(table < 0) or abs(table.sum() - 1) > _SUM:
        raise ValueError(f"{name}: got entries from {table.min():g} and a sum of {table.sum()}, needs probabilities")
    return table


def entropy(probabilities: ArrayLike) -> float:
    """Return the Shannon entropy in bits of probabilities [values].

    Raises:
        TypeError, ValueError: if the probabilities are not non-negative numbers that sum to 1.

    >>> entropy([0.5, 0.25, 0.25])
    1.5
    """
    p = _distribution("probabilities", probabilities, 1)
    p = p[p > 0]
    return float(-np.sum(p * np.log2(p)))


def mutual_information(joint: ArrayLike) -> float:
    """Return the mutual information in bits of a table of joint probabilities [h, y].

    Raises:
        TypeError, ValueError: if the probabilities are not non-negative numbers that sum to 1.

    >>> mutual_information([[0.5, 0], [0, 0.5]])
    1.0
    """
    p = _distribution("joint", joint, 2)
    independent = np.outer(p.sum(axis=1), p.sum(axis=0))
    seen = p > 0
    return float(np.sum(p[seen] * np.log2(p[seen] / independent[seen])))


def cross_entropy(joint: ArrayLike, decoder: ArrayLike) -> float:
    """Return E[-log2 f[h](y)] in bits; infinite if the decoder gives probability 0 to an outcome that occurs.

    Args:
        joint: joint probabilities, [h, y].
        decoder: the decoder's probabilities of y given h, [h, y]; each row is a distribution.

    Raises:
        TypeError, ValueError: if the tables are not of this kind, or their shapes differ.

    >>> cross_entropy([[0.5, 0], [0, 0.5]], decoder=[[1, 0], [0.5, 0.5]])
    0.5
    """
    return float(_cross_entropies(_distribution("joint", joint, 2), [real_array("decoder", decoder, 2)])[0])


def _cross_entropies(p: NDArray[np.float64], tables: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the cross-entropy of each decoder, [tables]."""
    shapes = {table.shape for table in tables}
    f = np.stack(tables) if shapes == {p.shape} else None
    if f is None or np.any(f < 0) or np.any(np.abs(f.sum(axis=2) - 1) > _SUM):
        got = ", ".join(map(str, sorted(shapes)))
        raise ValueError(f"decoder: got shape {got}, needs {p.shape}, of which each row is a distribution")
    seen = p > 0
    with np.errstate(divide="ignore"):
        return -np.sum(p[seen] * np.log2(f[:, seen]), axis=1)


def sufficiency(joint: ArrayLike, decoders: Iterable[ArrayLike]) -> float:
    """Return the usable information in bits about the labels, over a finite family of decoders [h, y].

    Raises:
        TypeError, ValueError: as ``cross_entropy``, or if the family is empty.

    >>> sufficiency([[0.5, 0], [0, 0.5]], decoders=[[[1, 0], [0, 1]]])
    1.0
    """
    p = _distribution("joint", joint, 2)
    return entropy(p.sum(axis=0)) - float(_cross_entropies(p, tables_of(decoders)).min())


def tables_of(decoders: Iterable[ArrayLike]) -> list[NDArray[np.float64]]:
    """Return the tables [h, y] of a family of decoders.

    Raises:
        TypeError, ValueError: if it is not a sequence of tables of numbers, or empty.
    """
    if isinstance(decoders, str) or not isinstance(decoders, Iterable):
        raise TypeError(f"decoders: got {decoders!r}, needs a sequence of tables [h, y]")
    tables = [real_array(f"decoders[{index}]", table, 2) for index, table in enumerate(decoders)]
    if not tables:
        raise ValueError("decoders: got none, needs at least one")
    return tables
