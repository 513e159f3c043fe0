"""Jacobians of a feature map, computed within a memory budget: some points and some rows or columns at a time.

A map with fewer features than inputs is differentiated by rows in reverse mode, any other by columns in forward mode.
One backward pass gives a row for each of several copies of a point, whose forward pass is that of one point, or, where
a batch has many points, one row for all of them.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from empirics.measure.geometry.equal_copies import EqualCopies
from empirics.measure.geometry.smooth import SaturationErrors
from empirics.measure.models.chain import Chain, jacobian_of, widths
from empirics.measure.models.differentiation import grad, jvp, unhurried, vmap
from empirics.measure.models.feature_map import FeatureMap
from empirics.measure.models.memory import require

TEMPORARIES = 4  # per direction: incoming and outgoing gradients, and two temporaries of a derivative formula
COPIES = 4  # of a float64 Jacobian: the Jacobian, its scaled transpose, and two in LAPACK
CACHE = 2**26  # bytes: on a CPU, larger working sets are slower, not faster
COPIED = 6 * CACHE  # bytes on a CPU for copies of points; their batches are faster also outside the cache
BATCH = 32  # points or copies in a backward pass, above which convolutions are not faster


def jacobians(feature_map: FeatureMap, memory: int, copies: int = COPIES) -> Iterator[tuple[slice, Tensor]]:
    """Yield finite Jacobians ``[points, features, d]``, float64, with their slice; the caller holds ``copies``."""
    chain, saturation = feature_map.chain, SaturationErrors(min(feature_map.features, feature_map.x.shape[1]))
    pieces = _of_any(feature_map, memory, copies) if chain is None else _of_chain(feature_map, chain, memory, copies)
    for part, jacobian in pieces:
        with torch.no_grad(), saturation:
            output = feature_map.call(feature_map.x[part], layout=feature_map.layout)
        for subject, values in (("the map", output), ("its derivative", jacobian)):
            is_bad = ~torch.isfinite(values).flatten(1).all(dim=1)
            if bool(is_bad.any()):
                first = part.start + int(is_bad.nonzero()[0])
                raise ValueError(f"feature_map: {subject} is not finite at point {first}; needs points where it is")
        yield part, jacobian
    saturation.warn()


def _of_any(feature_map: FeatureMap, memory: int, copies: int) -> Iterator[tuple[slice, Tensor]]:
    batch, d = feature_map.x.shape
    reverse = feature_map.features < d
    per_point = 8 * feature_map.features * d * copies + (feature_map.graph if reverse else 0) + feature_map.widest
    row = TEMPORARIES * feature_map.widest
    require(memory, per_point + row, "one point of this map")
    points = max(1, min(batch, (memory // 2) // (per_point + row)))
    spare = memory - points * per_point
    copied = spare
    if feature_map.x.device.type == "cpu":
        points = min(points, max(1, CACHE // (per_point + row)))
        copied, spare = min(spare, COPIED), min(spare, CACHE)
    copies = max(1, min(BATCH, feature_map.features, copied // (feature_map.graph + row)))
    copies = math.ceil(feature_map.features / math.ceil(feature_map.features / copies))  # in every backward pass
    for start in range(0, batch, points):
        part = slice(start, min(start + points, batch))
        x = feature_map.x[part]
        if not reverse:
            yield part, _by_columns(feature_map, x, max(1, spare // (points * row)))
        elif len(x) < copies:
            yield part, torch.cat([_by_copies(feature_map, point, copies) for point in x.unsqueeze(1)])
        else:
            yield part, _by_rows(feature_map, x)


def _of_chain(feature_map: FeatureMap, chain: Chain, memory: int, copies: int) -> Iterator[tuple[slice, Tensor]]:
    batch, d = feature_map.x.shape
    widest = max([feature_map.features, *widths(chain, d)])
    point = 8 * (min(d, feature_map.features) * 3 * widest + copies * d * feature_map.features)
    require(memory, point, "one point of this map")
    points = max(1, min(memory, CACHE if feature_map.x.device.type == "cpu" else memory) // point)
    for start in range(0, batch, points):
        part = slice(start, min(start + points, batch))
        yield part, jacobian_of(chain, feature_map.x[part]).double()


def _by_copies(feature_map: FeatureMap, x: Tensor, copies: int) -> Tensor:
    """Compute the Jacobian at a point ``[1, d]`` in reverse mode, one feature for each of several copies at a time."""
    p = feature_map.features
    result = x.new_empty(1, p, x.shape[1], dtype=torch.float64)
    mode = EqualCopies(copies)
    x = x.detach().expand(copies, -1).requires_grad_()
    with torch.enable_grad():
        try:
            with mode:
                y = feature_map.call(x, layout=feature_map.layout)
        except RuntimeError:  # an operation that changes single copies in place
            return _by_rows(feature_map, x[:1])
    for start in range(0, p, copies):
        rows = range(min(copies, p - start))
        which = torch.zeros_like(y)
        which[rows, range(start, start + len(rows))] = 1
        with mode:
            (gradients,) = grad(y, x, which, retain_graph=True)
        result[0, start : start + copies] = gradients[: len(rows)]
    return result


def _by_rows(feature_map: FeatureMap, x: Tensor) -> Tensor:
    """Compute Jacobians in reverse mode, one feature of all points at a time."""
    result = x.new_empty(x.shape[0], feature_map.features, x.shape[1], dtype=torch.float64)
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = feature_map.call(x, layout=feature_map.layout)
        for row, feature in enumerate(y.unbind(1)):
            result[:, row] = grad(feature.sum(), x, retain_graph=True)[0]
    return result


def _by_columns(feature_map: FeatureMap, x: Tensor, columns: int) -> Tensor:
    """Compute Jacobians in forward mode, ``columns`` inputs at a time."""
    batch, d = x.shape
    result = x.new_empty(batch, feature_map.features, d, dtype=torch.float64)
    for start in range(0, d, columns):
        stop = min(start + columns, d)
        directions = torch.zeros(stop - start, batch, d, dtype=x.dtype, device=x.device)
        directions[range(stop - start), :, range(start, stop)] = 1
        try:
            with torch.no_grad(), unhurried():
                part = vmap(lambda v: jvp(feature_map.call, (x,), (v,))[1])(directions)
        except (RuntimeError, NotImplementedError):  # an operation without forward mode
            return _by_rows(feature_map, x)
        result[:, :, start:stop] = part.permute(1, 2, 0)
    return result
