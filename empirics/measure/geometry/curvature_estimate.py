r"""Monte Carlo estimate of the scalar curvature of a map of many inputs, from random directions, with standard error.

In a g-orthonormal frame :math:`R = \|\operatorname{tr} II\|^2 - \|II\|^2`. The trace is computed exactly, from d second
derivatives. The norm would take d(d+1)/2 of them; for independent directions u, v with :math:`\mathbb{E}[u u^T] = 1`
it is :math:`\|II\|^2 = \mathbb{E}\, \|II(u, v)\|^2`, which gives an unbiased estimate at one second derivative per
probe. Directions are uniform on the sphere of radius :math:`\sqrt d`, so that their lengths add no variance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from jaxtyping import Float64, Real
from torch import Tensor

from closedform import checks
from empirics.measure.geometry.chain_curvature import (
    normal,
    over_matched_pairs,
    pairs_at_once,
    terms_of,
)
from empirics.measure.geometry.curvature import (
    check_finite,
    curvature_error,
    tangent_frames,
    warn_of,
)
from empirics.measure.geometry.second_derivative import Along, bend_of, second_derivative
from empirics.measure.geometry.smooth import Kinks, check_not_piecewise_linear, check_smooth
from empirics.measure.models.feature_map import FeatureMap, prepare
from empirics.measure.models.memory import bytes_of
from empirics.measure.models.points import Precision

MOST_PROBES = 1_000_000  # a relative error of 1e-3 of the spread, after hours


class CurvatureEstimate(NamedTuple):
    """An unbiased estimate of the scalar curvature.

    Attributes:
        value: estimated scalar curvature ``[batch]``, float64, in inverse squared units of the features.
        standard_error: standard error of ``value``, ``[batch]``, from the scatter of the probes. All points share their
            random directions (in frame coordinates), so that their errors are correlated. The squared norms are skewed
            to the right: a value that is too high tends to come with too small an error, so that
            (value - truth)/error has a mean of about skewness/(2 sqrt(probes)), 0.1 at 256 probes and skewness 3.
    """

    value: Float64[Tensor, " batch"]
    standard_error: Float64[Tensor, " batch"]


def scalar_curvature_estimate(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    probes: int = 256,
    *,
    seed: int = 0,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
    kinks: Kinks = "refuse",
) -> CurvatureEstimate:
    """Estimate the scalar curvature at every point from d + ``probes`` second derivatives instead of d(d+1)/2.

    Args:
        feature_map, x, memory, precision, kinks: as for :func:`empirics.measure.scalar_curvature`.
        probes: number of independent pairs of random directions, 2 to a million, default 256; the standard error falls
            as its inverse square root.
        seed: seed of the random directions, a non-negative integer, default 0; torch's random state is unchanged.

    Returns:
        The value and its standard error, both ``[batch]``; NaN where the metric is singular to rounding.

    Warns:
        RuntimeWarning: under the conditions of ``scalar_curvature``, where a standard error above the curvature counts
            in its place.

    Raises:
        TypeError, ValueError: as ``scalar_curvature``, or if ``probes`` or ``seed`` is out of range.

    >>> sphere = lambda x: torch.cat([x, (1 - (x**2).sum(1, keepdim=True)).sqrt()], dim=1)
    >>> estimate = scalar_curvature_estimate(sphere, [[0.1, 0.2, 0.3]])
    >>> bool(abs(estimate.value - 6) < 4 * estimate.standard_error)
    True
    """
    checks.integer("probes", probes, 2, MOST_PROBES)
    checks.seed("seed", seed)
    size = bytes_of(memory)
    ready = prepare(feature_map, x, precision)
    check_smooth(ready, kinks)
    d = ready.x.shape[1]
    value, spread, error = (ready.x.new_zeros(len(ready.x), dtype=torch.float64) for _ in range(3))
    largest = torch.ones_like(value)
    for frames in tangent_frames(ready, size):
        part = frames.part
        error[part] = frames.error
        if d in (1, ready.features):
            continue  # the image is a curve, or an open subset of flat space: no curvature
        terms = torch.empty_like(frames.error)
        for along, some in second_derivative(
            ready, frames.x, frames.lengths, part.start, size // 2
        ):
            here = frames.x[some], frames.q[some], frames.directions[some]
            trace, squares, whole, largest[part][some] = _contractions(
                ready, along, *here, probes, seed, size // 2
            )
            mean = squares.mean(dim=0)
            ratios = squares / torch.where(mean == 0, 1.0, mean)  # whose squares are within floats
            traces = trace.square().sum(dim=1)
            value[part][some], spread[part][some] = (
                traces - mean,
                mean * ratios.std(dim=0) / probes**0.5,
            )
            terms[some] = terms_of(traces, mean, whole, d)
        scale = torch.maximum(value[part].abs(), spread[part])
        error[part] = curvature_error(ready, frames, scale, terms)
    check_finite(value, error)
    check_not_piecewise_linear(ready, kinks, largest, bend_of(ready, size))
    warn_of("scalar_curvature_estimate", ready, error)
    singular = torch.isinf(error)
    return CurvatureEstimate(
        torch.where(singular, torch.nan, value), torch.where(singular, torch.nan, spread)
    )


def _contractions(
    ready: FeatureMap,
    along: Along,
    x: Tensor,
    q: Tensor,
    directions: Tensor,
    probes: int,
    seed: int,
    memory: int,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the trace of II, its square for each probe ``[probes, points]``, their mean before projection on normals.

    The fourth is the largest second derivative along the axes, ``[points]``.
    """
    axes, d = directions.transpose(0, 1), len(directions[0])  # [d, points, d]
    count = pairs_at_once(ready, along, len(x), memory)
    trace, largest, whole = q.new_zeros(q.shape[:2]), q.new_zeros(len(q)), q.new_zeros(len(q))
    for start in range(0, d, count):
        selected_axes = axes[start : start + count].to(x.dtype)
        second = over_matched_pairs(along, ready.call, x, selected_axes, selected_axes).double()
        trace += normal(q, second).sum(dim=0)
        largest = torch.maximum(largest, second.abs().amax(dim=(0, 2)))
    generator = torch.Generator().manual_seed(seed)
    squares = []
    for start in range(0, probes, count):
        u, v = (_directions(min(count, probes - start), directions, generator) for _ in range(2))
        second = over_matched_pairs(along, ready.call, x, u.to(x), v.to(x)).double()
        squares.append(normal(q, second).square().sum(dim=2))
        whole += second.square().sum(dim=(0, 2)) / probes
    return trace, torch.cat(squares), whole, largest


def _directions(count: int, frame: Tensor, generator: torch.Generator) -> Tensor:
    """Draw random tangent vectors ``[count, points, d]``, the same in the coordinates of every point's frame."""
    d = frame.shape[1]
    numbers = torch.randn(count, d, generator=generator, dtype=torch.float64).to(frame.device)
    numbers *= d**0.5 / torch.linalg.vector_norm(numbers, dim=1, keepdim=True)
    return torch.einsum("ka,bai->kbi", numbers, frame)
