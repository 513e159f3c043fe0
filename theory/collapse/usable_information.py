r"""Usable (V-) information on finite sets, from its definition: what can be said exactly.

The sufficiency term is the entropy of the labels less the least cross-entropy over a family of decoders,
:math:`I_{\mathcal V}(h \to y) = H(y) - \inf_{f \in \mathcal V} \mathbb{E}[-\log_2 f[h](y)]`; the minimality term
(``theory.collapse.minimality_term``) averages it over relabellings of each class.

What equals what: :math:`I_{\mathcal V} \le I(h; y)`, with equality if and only if the family contains the posterior (or
comes arbitrarily close). It is non-negative if the family contains the constant decoder that answers with the
label frequencies; without it the entropy and the cross-entropy come from different families and it may be negative.
It may grow under a fixed map of *h*, which mutual information cannot: a decoder of limited means profits
from work done for it.

Conventions: bits; :math:`0 \log 0 = 0`; the entropy is the empirical one, never an assumed :math:`\log_2 C`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.core.arguments import real_array

_SUM = 1e-9


def _distribution(name: str, value: ArrayLike, dimensions: int) -> NDArray[np.float64]:
    table = real_array(name, value, dimensions)
    if np.any(table < 0) or abs(table.sum() - 1) > _SUM:
        raise ValueError(f"{name} must be non-negative and sum to 1, got a sum of {table.sum()}")
    return table


def entropy(probabilities: ArrayLike) -> float:
    """Shannon entropy in bits of probabilities [values].

    Raises:
        TypeError, ValueError: unless they are non-negative and sum to 1.
    """
    p = _distribution("probabilities", probabilities, 1)
    p = p[p > 0]
    return float(-np.sum(p * np.log2(p)))


def mutual_information(joint: ArrayLike) -> float:
    """Mutual information in bits of a table of probabilities [h, y].

    Raises:
        TypeError, ValueError: unless they are non-negative and sum to 1.
    """
    p = _distribution("joint", joint, 2)
    independent = np.outer(p.sum(axis=1), p.sum(axis=0))
    seen = p > 0
    return float(np.sum(p[seen] * np.log2(p[seen] / independent[seen])))


def cross_entropy(joint: ArrayLike, decoder: ArrayLike) -> float:
    """E[-log2 f[h](y)] in bits; infinite where the decoder rules out what occurs.

    Args:
        joint: probabilities [h, y].
        decoder: its answers [h, y], each row a distribution.

    Raises:
        TypeError, ValueError: unless both are such tables of one shape.
    """
    p, f = _distribution("joint", joint, 2), real_array("decoder", decoder, 2)
    if f.shape != p.shape or np.any(f < 0) or np.any(np.abs(f.sum(axis=1) - 1) > _SUM):
        raise ValueError(f"decoder must have rows that are distributions, shape {p.shape}, got shape {f.shape}")
    seen = p > 0
    if np.any(f[seen] == 0):
        return float("inf")
    return float(-np.sum(p[seen] * np.log2(f[seen])))


def sufficiency(joint: ArrayLike, decoders: Iterable[ArrayLike]) -> float:
    """Usable information in bits about the labels, over a finite family of decoders [h, y].

    Raises:
        TypeError, ValueError: as ``cross_entropy``, or if the family is empty.
    """
    p = _distribution("joint", joint, 2)
    costs = [cross_entropy(p, decoder) for decoder in decoders]
    if not costs:
        raise ValueError("decoders must hold at least one decoder")
    return entropy(p.sum(axis=0)) - min(costs)
