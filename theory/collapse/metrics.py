r"""Metrics of the four properties of neural collapse, computed directly from their definitions.

*NC1*: :math:`\mathrm{tr}(\Sigma_W \Sigma_B^+)`. *NC2*: equal lengths (spread of :math:`\|\mu_c - m\|` over their mean)
and equal angles (mean of :math:`|\cos + 1/(C-1)|` over pairs). *NC3*: :math:`\|W/\|W\| - M^\top/\|M\|\|^2`. *NC4*: the
share of samples that the classifier and the nearest class mean label differently; where k means or logits are equal to
rounding, each has the weight 1/k.

Conventions: covariances are divided by N; NC1 is not divided by C unless asked. In NC2 and NC3 the class means are
taken from the mean of all samples as in the thesis, or with ``centre="classes"`` from *their own* mean, each class
counting once: relative to the former, the means of a simplex do not satisfy NC2 if the classes differ in size. For
balanced classes the two are the same.

These D×D definitions are for small arrays and serve as a reference for tests. For networks use
``empirics.measure.neural_collapse``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.checks import boolean, one_of
from closedform.power_of_two import moderate
from closedform.rounding import ROUNDING
from theory.collapse.class_labels import class_labels
from theory.core.formula.arguments import real_array

Centre = Literal["samples", "classes"]
# Eigenvalues of Sigma_B below this fraction of the largest, times the dimension, count as rounding error.
_EPS = np.finfo(np.float64).eps


class Moments(NamedTuple):
    """Class means [C, D], sizes [C], within- and between-class covariance [D, D]."""

    means: NDArray[np.float64]
    sizes: NDArray[np.int64]
    within: NDArray[np.float64]
    between: NDArray[np.float64]


def moments(features: ArrayLike, labels: ArrayLike) -> Moments:
    """Return the class means and the two covariances, each divided by the number of samples.

    Args:
        features: features, [samples, D].
        labels: integers 0 to C - 1, [samples].

    Raises:
        TypeError, ValueError: for wrong shapes, values that are not finite, or a class without samples.
    """
    h = real_array("features", features, dimensions=2)
    y = class_labels(labels, len(h))
    sizes = np.bincount(y)
    # The common offset of the classes, which may far exceed their spread, is subtracted so that no digits are lost.
    h = h - h.mean(axis=0)
    means = np.stack([h[y == c].mean(axis=0) for c in range(len(sizes))])
    residuals = h - means[y]
    centred = (means - h.mean(axis=0)) * np.sqrt(sizes / len(h))[:, None]
    return Moments(means, sizes, residuals.T @ residuals / len(h), centred.T @ centred)


def nc1(features: ArrayLike, labels: ArrayLike, divide_by_classes: bool = False) -> float:
    """Return tr(Sigma_W Sigma_B^+), dimensionless; divided by the number of classes if ``divide_by_classes``.

    Raises:
        TypeError, ValueError: as ``moments``; ValueError if all class means coincide, because the pseudo-inverse of
            zero is zero, which would give NC1 = 0 as for perfect collapse.

    >>> round(nc1([[0, 0], [0, 1], [0, 3], [0, 4]], [0, 0, 1, 1]), 4)
    0.1111
    """
    divide_by_classes = boolean("divide_by_classes", divide_by_classes)
    features = moderate(real_array("features", features, dimensions=2))
    class_moments = moments(features, labels)
    values, vectors = np.linalg.eigh(class_moments.between)
    # Sigma_B is a sum of C matrices of rank one with one constraint; eigenvalues beyond that rank are rounding errors.
    rank = min(len(class_moments.sizes) - 1, len(values))
    cut = max(class_moments.within.max(), values[-1]) * len(values) * _EPS
    cut = max(cut, len(values) * _rounding(features) ** 2)
    keep = np.flatnonzero(values > cut)[-rank:]
    if not len(keep):
        raise ValueError("features: got class means that coincide to rounding, needs some that differ")
    basis = vectors[:, keep]
    trace = float(np.sum(np.einsum("dr,de,er->r", basis, class_moments.within, basis) / values[keep]))
    return trace / len(class_moments.sizes) if divide_by_classes else trace


def _centred_means(features: ArrayLike, labels: ArrayLike, centre: Centre) -> NDArray[np.float64]:
    one_of("centre", centre, ("samples", "classes"))
    features = moderate(real_array("features", features, dimensions=2))
    class_moments = moments(features, labels)
    centred = class_moments.means - np.average(
        class_moments.means, axis=0, weights=class_moments.sizes if centre == "samples" else None
    )
    if np.any(np.linalg.norm(centred, axis=1) <= _rounding(features) * np.sqrt(centred.shape[1])):
        raise ValueError("features: got a class mean on the centre of all, needs class means away from it")
    return centred


def nc2_norm(features: ArrayLike, labels: ArrayLike, centre: Centre = "samples") -> float:
    """Return the standard deviation over the mean of the distances of the class means from their centre; 0 if equal.

    Args:
        features: features, [samples, D].
        labels: integers 0 to C - 1, [samples].
        centre: "samples" (the default) for the mean of all samples, "classes" for the mean of the class means.

    Raises:
        TypeError, ValueError: as ``moments``; ValueError if a class mean lies on the centre.

    >>> nc2_norm([[1, 0], [-1, 0]], [0, 1])
    0.0
    """
    lengths = np.linalg.norm(_centred_means(features, labels, centre), axis=1)
    return float(lengths.std() / lengths.mean())


def nc2_angle(features: ArrayLike, labels: ArrayLike, centre: Centre = "samples") -> float:
    """Return the mean of |cosine + 1/(C - 1)| over pairs of classes, 0 for a simplex. Arguments as ``nc2_norm``.

    >>> round(nc2_angle([[1, 0], [-1, 2], [-1, -2]], [0, 1, 2]), 4)
    0.2225
    """
    centred = _centred_means(features, labels, centre)
    unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    pairs = np.triu_indices(len(unit), 1)
    return float(np.mean(np.abs((unit @ unit.T)[pairs] + 1 / (len(unit) - 1))))


def nc3(features: ArrayLike, labels: ArrayLike, weights: ArrayLike, centre: Centre = "samples") -> float:
    """Return the squared distance of the classifier's weights [C, D] and the centred means, each scaled to norm 1.

    >>> round(nc3([[1, 0], [-1, 0]], [0, 1], weights=[[0, 2], [0, -2]]), 4)
    2.0
    """
    centred = _centred_means(features, labels, centre)
    w = moderate(real_array("weights", weights, dimensions=2))
    if w.shape != centred.shape or not np.any(w):
        raise ValueError(f"weights: got shape {w.shape}, needs {centred.shape}, not all zero")
    return float(np.sum((w / np.linalg.norm(w) - centred / np.linalg.norm(centred)) ** 2))


def nc4(features: ArrayLike, labels: ArrayLike, logits: ArrayLike) -> float:
    """Return the fraction of samples whose largest logit and nearest class mean give different classes.

    >>> nc4([[1, 0], [-1, 0]], [0, 1], logits=[[2, 1], [2, 1]])
    0.5
    """
    features = moderate(real_array("features", features, dimensions=2))
    means = moments(features, labels).means
    h = features - features.mean(axis=0)
    scores = real_array("logits", logits, dimensions=2)
    if scores.shape != (len(h), len(means)):
        raise ValueError(f"logits: got shape {scores.shape}, needs {(len(h), len(means))}")
    closeness = -np.linalg.norm(h[:, None, :] - means[None], axis=2)
    nearest = _shares(closeness, _rounding(features) * np.sqrt(h.shape[1]))
    return float(1 - np.mean(np.sum(nearest * _shares(scores, ROUNDING * np.abs(scores).max()), axis=1)))


def _rounding(features: ArrayLike) -> float:
    """Return a bound on the rounding error of an entry of the features or of a class mean."""
    return float(ROUNDING * np.abs(real_array("features", features, dimensions=2)).max())


def _shares(values: NDArray[np.float64], rounding: float) -> NDArray[np.float64]:
    """Return 1/k for the k columns that attain the largest value of a row up to ``rounding``, and 0 for the others."""
    tied = values >= values.max(axis=1, keepdims=True) - rounding
    return tied / tied.sum(axis=1, keepdims=True)
