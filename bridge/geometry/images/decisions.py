"""From logits to what the paper draws: predictions, entropies over their maximum, and where predictions change."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def entropy(logits: Array) -> Array:
    """Entropy of the softmax over its maximum log C: 0 is certain, 1 undecided (arXiv 2301.11375, Appendix G 3).

    Args:
        logits: ``[..., C]``, C >= 2.

    Returns:
        ``[...]``, in [0, 1].
    """
    log_p = log_probabilities(logits)
    result: Array = -(np.exp(log_p) * log_p).sum(-1) / np.log(logits.shape[-1])
    return result


def log_probabilities(logits: Array) -> Array:
    """Logarithm of the softmax over the last axis, natural; never of a rounded zero."""
    shifted = logits - logits.max(-1, keepdims=True)
    result: Array = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return result


def prediction(logits: Array) -> NDArray[np.int64]:
    """The class of the largest logit, ``[..., C] -> [...]``."""
    result: NDArray[np.int64] = logits.argmax(-1)
    return result


def crossings(predicted: NDArray[np.int64], position: Array) -> Array:
    """Positions half-way between neighbours on a line at which the prediction changes.

    Args:
        predicted: ``[n]``.
        position: ``[n]``.
    """
    changes = np.flatnonzero(np.diff(predicted))
    return (position[changes] + position[changes + 1]) / 2
