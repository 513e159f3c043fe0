r"""Neural collapse of labelled representations: NC1 to NC4.

:math:`\Sigma_W = \frac1N \sum_i (h_i - \mu_{y_i})(h_i - \mu_{y_i})^\top`,
:math:`\Sigma_B = \frac1N \sum_c n_c (\mu_c - \bar\mu)(\mu_c - \bar\mu)^\top`, and
:math:`\mathrm{NC1} = \mathrm{tr}(\Sigma_W \Sigma_B^+)` (thesis, section 1.2), for classes of any sizes; by two passes
(its Algorithm 1) that store C·D numbers and never form a D x D matrix. The theory is ``theory.collapse``.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from jaxtyping import Float, Int, Real
from torch import Tensor

from empirics.measure.collapse_basis import freeze
from empirics.measure.collapse_means import CollapseMeans
from empirics.measure.collapse_report import NeuralCollapse
from empirics.measure.collapse_scatter import CollapseScatter


def neural_collapse(
    features: Real[Tensor, "N ..."] | Any,
    labels: Int[Tensor, " N"] | Any,
    *,
    classes: int | None = None,
    weights: Float[Tensor, "C D"] | Any | None = None,
    biases: Float[Tensor, " C"] | Any | None = None,
    predictions: Int[Tensor, " N"] | Any | None = None,
    divide_by_classes: bool = False,
    centre: Literal["samples", "classes"] = "samples",
    tolerance: float | None = None,
) -> NeuralCollapse:
    """Measure how far representations have collapsed onto their class means.

    For representations that do not fit into memory, or come from several workers, use the two accumulators behind it,
    :class:`CollapseMeans` and :class:`CollapseScatter`; for a model, :func:`layerwise_collapse`.

    Args:
        features: ``[N, ...]``, flattened to ``[N, D]``; any real type, on any device. Accumulated in float64.
        labels: class indices ``[N]``.
        classes: C; the largest label plus one where None.
        weights: of the linear classifier behind this representation, ``[C, D]``: for NC3, and for NC4's predictions.
        biases: of that classifier, ``[C]``.
        predictions: classes that the network decides on ``[N]``, for NC4 of a layer without a classifier.
        divide_by_classes: divide NC1 by the number of classes, as some packages do.
        centre: what NC2 and NC3 count class means from: the mean of all samples (the thesis), or the mean of the class
            means, about which an imbalanced simplex is regular, too. NC1 always uses the former.
        tolerance: see :func:`empirics.measure.collapse_basis.freeze`.

    Returns:
        All measures, the rank of Σ_B, and a note where one of them has nothing to say.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if shapes do not fit, or a value is out of range or not finite.
    """
    if classes is None:
        indices = torch.as_tensor(labels)
        classes = int(indices.max()) + 1 if indices.numel() and not indices.is_floating_point() else 1
    means = CollapseMeans(classes).update(features, labels)
    scatter = CollapseScatter(freeze(means, tolerance), weights, biases).update(features, labels, predictions)
    return scatter.result(divide_by_classes, centre)


__all__ = ["CollapseMeans", "CollapseScatter", "NeuralCollapse", "freeze", "neural_collapse"]
