"""Predictions, normalised entropies and changes of the prediction, from logits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def entropy(logits: Array) -> Array:
    """Return the entropy of the softmax over the last axis relative to its maximum log C; arXiv 2301.11375, G 3."""
    log_p = log_probabilities(logits)
    result: Array = -(np.exp(log_p) * log_p).sum(-1) / np.log(logits.shape[-1])
    return result


def log_probabilities(logits: Array) -> Array:
    """Compute the natural logarithm of the softmax over the last axis, without rounding a probability to zero."""
    shifted = logits - logits.max(-1, keepdims=True)
    result: Array = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return result


def prediction(logits: Array) -> NDArray[np.int64]:
    """Return the class of the largest logit, ``[..., C] -> [...]``."""
    result: NDArray[np.int64] = logits.argmax(-1)
    return result


def crossings(predicted: NDArray[np.int64], position: Array) -> Array:
    """Return the positions ``[n]``, half-way between neighbours on a line, at which the prediction ``[n]`` changes."""
    changes = np.flatnonzero(np.diff(predicted))
    return (position[changes] + position[changes + 1]) / 2
