"""Warning of derivatives on which both of torch's modes agree, and which are not the slope of the map.

torch differentiates some operations as another map than the one that it computes: ``linalg.pinv(hermitian=True)`` reads
one triangle of a matrix and is differentiated as if the matrix were symmetric, and the statistics that
``native_batch_norm`` returns have no derivative. A custom function may define a slope that its values do not have (a
straight-through estimator), and ``detach`` hides a variable. No comparison of modes finds these. Values do: at one
point, moved off special values such as kinks, differences along one random direction are compared with the slope in
reverse mode, which takes a backward pass of one point and a few forward ones.
"""

import warnings

import torch

from empirics.measure.geometry.forward_mode import (
    balanced,
    is_off_slope,
    random_vectors,
    reverse_slope,
)
from empirics.measure.models.feature_map import FeatureMap

MOVE = 1e-2  # of the sizes at the point: off the kinks, within the domain of most maps
SPREAD = 1e-4  # step of the difference by which the features are weighted, relative to the point


def warn_of_other_slope(feature_map: FeatureMap) -> None:
    """Warn where reverse mode is not the slope of the map, near one point of the batch and along one direction.

    Nothing is compared in types shorter than float64, nor where the map or torch's derivative fails beside the point.

    Args:
        feature_map: the map with its points ``[batch, d]``.

    Warns:
        RuntimeWarning: if the values of the map contradict the derivative that torch takes of it.
    """
    if feature_map.x.dtype != torch.float64:
        return
    generator = torch.Generator().manual_seed(6)
    number = int(torch.randint(len(feature_map.x), (), generator=generator))
    point = feature_map.x[number : number + 1]
    size = 1 + point.abs().amax()
    x = point + MOVE * size * random_vectors(point, seed=5)
    u = random_vectors(point, seed=4)
    try:
        with torch.no_grad():
            before, after = (feature_map.call(x + sign * SPREAD * size * u) for sign in (-1, 1))
        w = balanced(random_vectors(after, seed=3), (after - before).abs())
        slope = reverse_slope(feature_map.call, x, w, u)
        is_off = bool(is_off_slope(feature_map.call, x, u, w, slope))
    except torch.OutOfMemoryError:
        raise
    # beside the point the map has no value, or torch no derivative
    except (RuntimeError, ValueError):
        return
    if is_off:
        warnings.warn(
            f"feature_map: torch's derivative near point {number} is not the slope of the values, so that measures of "
            "it are those of another map (linalg.pinv(hermitian=True) of a matrix that is not symmetric, "
            "torch.native_batch_norm, detach, or a custom backward pass?)",
            RuntimeWarning,
            stacklevel=3,
        )
