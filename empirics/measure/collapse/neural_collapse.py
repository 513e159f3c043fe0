r"""Neural collapse of labelled representations: NC1 to NC4.

:math:`\Sigma_W = \frac1N \sum_i (h_i - \mu_{y_i})(h_i - \mu_{y_i})^\top`,
:math:`\Sigma_B = \frac1N \sum_c n_c (\mu_c - \bar\mu)(\mu_c - \bar\mu)^\top`, and
:math:`\mathrm{NC1} = \mathrm{tr}(\Sigma_W \Sigma_B^+)` (thesis, section 1.2), for balanced and imbalanced classes. Two
passes over the data (its Algorithm 1) store C·D numbers and never form a D x D matrix. The theory is
``theory.collapse``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import torch
from jaxtyping import Float, Int, Real
from torch import Tensor

from closedform.rounding import power_of_two
from empirics import tensor_checks
from empirics.measure.collapse.basis import freeze
from empirics.measure.collapse.means import CollapseMeans
from empirics.measure.collapse.report import NeuralCollapse
from empirics.measure.collapse.scatter import CollapseScatter


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
    class_weights: Literal["samples", "equal"] = "samples",
    tolerance: float | None = None,
) -> NeuralCollapse:
    """Measure how far representations have collapsed onto their class means.

    For representations that do not fit into memory, or that come from several workers, use the two accumulators
    :class:`CollapseMeans` and :class:`CollapseScatter`, on which this function rests; for all layers of a model, use
    :func:`layerwise_collapse`.

    Args:
        features: representations ``[N, ...]``, flattened to ``[N, D]``; any real type, on any device. Sums are
            accumulated in float64.
        labels: class indices ``[N]``, integers.
        classes: number of classes C; None (default) takes the largest label plus one.
        weights: weights ``[C, D]`` of the linear classifier that reads this representation, used for NC3 and for the
            predictions of NC4; None (default) leaves NC3 undefined.
        biases: biases ``[C]`` of that classifier; None (default) stands for zero.
        predictions: the network's predicted classes ``[N]``, for NC4 of a layer without a classifier; default None.
        divide_by_classes: whether to divide NC1 by the number of classes, as some packages do; default False.
        centre: origin of the class means in NC2 and NC3: ``"samples"`` (default), the mean of all samples as in the
            thesis, or ``"classes"``, the mean of the class means, about which a simplex is regular even if the classes
            are imbalanced. NC1 always uses the mean of all samples.
        class_weights: weights of the classes in Σ_B: ``"samples"`` (default), their numbers of samples, or ``"equal"``,
            which leaves Σ_B unweighted, as in other packages; they differ where the classes are imbalanced.
        tolerance: relative threshold for zero singular values, dimensionless, default None; see
            :func:`empirics.measure.collapse.basis.freeze`.

    Returns:
        All measures, the rank of Σ_B, and a note where a measure is undefined.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if shapes do not fit, or a value is out of range or not finite.

    >>> state = neural_collapse([[0.0, 0], [0, 1], [0, 3], [0, 4]], [0, 0, 1, 1])
    >>> round(float(state.nc1), 4)
    0.1111
    """
    if classes is None:
        indices = tensor_checks.class_indices("labels", labels)
        classes = max(int(indices.max()) + 1, 1) if indices.numel() else 1
    scaled = tensor_checks.real_numbers("features", features)
    times = power_of_two(scaled)
    if times != 1:
        scaled = scaled.to(torch.float64) * times
        weights = (
            None
            if weights is None
            else tensor_checks.real_numbers("weights", weights).to(torch.float64) / times
        )
    means = CollapseMeans(classes).update(scaled, labels)
    scatter = CollapseScatter(freeze(means, tolerance, class_weights), weights, biases).update(
        scaled, labels, predictions
    )
    result = scatter.result(divide_by_classes, centre)
    if times == 1:
        return result
    within, between = result.within / times / times, result.between / times / times
    return replace(
        result, within=within, between=between, sizes=tuple(size / times for size in result.sizes)
    )


__all__ = ["CollapseMeans", "CollapseScatter", "NeuralCollapse", "freeze", "neural_collapse"]
