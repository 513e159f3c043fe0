"""Jacobians of a feature map, computed within a memory budget: some points and some rows or columns at a time.

A map with fewer features than inputs is differentiated by rows in reverse mode, any other by columns in forward mode.
Either several copies of each point pass through the map, and one backward pass gives a row for each copy, or all rows
(columns) share one forward pass, whose memory does not grow with their number, but which torch takes back through a
convolution one row at a time. Copies of a single point are stored once where that saves time.
"""

from collections.abc import Iterator
from contextlib import nullcontext

import torch
from torch import Tensor

from empirics.measure.geometry.equal_copies import EqualCopies
from empirics.measure.geometry.forward_mode import (
    agrees,
    balanced,
    graphs_at_once,
    random_vectors,
    require_agreement,
    reverse_slope,
)
from empirics.measure.geometry.slope_check import warn_of_other_slope
from empirics.measure.geometry.smooth import SaturationErrors
from empirics.measure.models.chain import Chain, jacobian_of, widths
from empirics.measure.models.differentiation import grad, jvp, unhurried, vmap
from empirics.measure.models.feature_map import FeatureMap
from empirics.measure.models.memory import require

TEMPORARIES = 4  # per direction: incoming and outgoing gradients, and two temporaries of a derivative formula
COPIES = 4  # of a float64 Jacobian: the Jacobian, its scaled transpose, and two in LAPACK
CACHE = 2**26  # bytes: on a CPU, larger working sets are slower, not faster
# bytes on a CPU for copies of points; their batches are faster also outside the cache
COPIED = 6 * CACHE
BATCH = 16  # points and copies in a backward pass, above which convolutions are not faster
PASSES = 4  # backward passes that the forward pass of the copies must serve to be worth its time
# bytes of the graph of a point, from which finding equal copies may take less time than it saves
LARGE = 2**21


def jacobians(
    feature_map: FeatureMap, memory: int, copies: int = COPIES
) -> Iterator[tuple[slice, Tensor]]:
    """Yield finite Jacobians ``[points, features, d]``, float64, with their slice; the caller holds ``copies``."""
    chain, saturation = (
        feature_map.chain,
        SaturationErrors(min(feature_map.features, feature_map.x.shape[1])),
    )
    pieces = (
        _of_any(feature_map, memory, copies)
        if chain is None
        else _of_chain(feature_map, chain, memory, copies)
    )
    for part, jacobian in pieces:
        with torch.no_grad(), saturation:
            output = feature_map.call(feature_map.x[part], layout=feature_map.layout)
        require_finite("the map", output, part.start)
        require_finite("its derivative", jacobian, part.start)
        yield part, jacobian
    saturation.warn()
    if chain is None:
        warn_of_other_slope(feature_map)


def require_finite(what: str, values: Tensor, start: int = 0) -> None:
    """Raise ValueError unless all ``values`` ``[points, ...]`` are finite; ``start`` is the first point's number."""
    is_bad = ~torch.isfinite(values).flatten(1).all(dim=1)
    if bool(is_bad.any()):
        first = start + int(is_bad.nonzero()[0])
        raise ValueError(
            f"feature_map: {what} is not finite at point {first}; needs points where it is"
        )


def _of_any(feature_map: FeatureMap, memory: int, copies: int) -> Iterator[tuple[slice, Tensor]]:
    batch, d = feature_map.x.shape
    reverse = feature_map.features < d
    per_point = (
        8 * feature_map.features * d * copies
        + (feature_map.graph if reverse else 0)
        + feature_map.widest
    )
    row = TEMPORARIES * feature_map.widest
    require(memory, per_point + row, "one point of this map")
    points = max(1, min(batch, (memory // 2) // (per_point + row)))
    spare = memory - points * per_point
    copied = spare
    if feature_map.x.device.type == "cpu":
        points = min(points, max(1, CACHE // (per_point + row)))
        copied, spare = min(spare, COPIED), min(spare, CACHE)
    rows, copied = max(1, spare // (points * row)), copied // (points * (feature_map.graph + row))
    once = (
        min(2 * BATCH, feature_map.features, copied)
        if points == 1 and feature_map.graph >= LARGE
        else 0
    )
    copies = min(BATCH // points, feature_map.features // PASSES, copied)
    for start in range(0, batch, points):
        part = slice(start, min(start + points, batch))
        x = feature_map.x[part]
        if not reverse:
            yield part, _by_columns(feature_map, x, start, rows, memory)
            continue
        jacobian = (
            _by_copies(feature_map, x, copies, once)
            if copies > 1
            else _by_rows(feature_map, x, rows)
        )
        require_agreement(feature_map, x, jacobian, start + torch.arange(len(x), device=x.device))
        yield part, jacobian


def _of_chain(
    feature_map: FeatureMap, chain: Chain, memory: int, copies: int
) -> Iterator[tuple[slice, Tensor]]:
    batch, d = feature_map.x.shape
    widest = max([feature_map.features, *widths(chain, d)])
    point = 8 * (min(d, feature_map.features) * 3 * widest + copies * d * feature_map.features)
    require(memory, point, "one point of this map")
    points = max(1, min(memory, CACHE if feature_map.x.device.type == "cpu" else memory) // point)
    for start in range(0, batch, points):
        part = slice(start, min(start + points, batch))
        yield part, jacobian_of(chain, feature_map.x[part]).double()


def _by_copies(feature_map: FeatureMap, x: Tensor, copies: int, once: int = 0) -> Tensor:
    """Compute Jacobians in reverse mode by copies of the points; ``once`` is the number of those that may be equal."""
    points, d = x.shape
    p = feature_map.features
    result = x.new_empty(points, p, d, dtype=torch.float64)
    mode: EqualCopies | nullcontext[None] = EqualCopies(once) if once else nullcontext()
    repeated = x.detach().expand(once, -1) if once else x.detach().repeat_interleave(copies, 0)
    try:
        with torch.enable_grad(), mode:
            y = feature_map.call(repeated.requires_grad_(), layout=feature_map.layout)
            if isinstance(mode, EqualCopies):
                mode.check_that_it_pays()
    except RuntimeError:
        if not once:
            raise
        return _by_copies(feature_map, x, copies)
    copies = once or copies
    for start in range(0, p, copies):
        rows = range(min(copies, p - start))
        which = torch.zeros(points, copies, p, dtype=y.dtype, device=y.device)
        which[:, rows, range(start, start + len(rows))] = 1
        with mode:
            (gradients,) = grad(y, repeated, which.reshape(y.shape), retain_graph=True)
        result[:, start : start + copies] = gradients.reshape(points, copies, d)[:, : len(rows)]
    return result


def _by_rows(feature_map: FeatureMap, x: Tensor, rows: int) -> Tensor:
    """Compute Jacobians in reverse mode, ``rows`` features at a time."""
    p = feature_map.features
    result = x.new_empty(x.shape[0], p, x.shape[1], dtype=torch.float64)
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = feature_map.call(x)
    for start in range(0, p, rows):
        stop = min(start + rows, p)
        which = torch.zeros(stop - start, *y.shape, dtype=y.dtype, device=y.device)
        which[range(stop - start), :, range(start, stop)] = 1
        try:
            with unhurried():
                (part,) = grad(y, x, which, retain_graph=True, is_grads_batched=True)
        # a backward that cannot be batched (a custom autograd.Function)
        except (RuntimeError, ValueError):
            part = torch.stack(
                [grad(y, x, direction, retain_graph=True)[0] for direction in which]
            )
        result[:, start:stop] = part.transpose(0, 1)
    return result


def _by_columns(
    feature_map: FeatureMap, x: Tensor, start: int, columns: int, memory: int
) -> Tensor:
    """Compute Jacobians in forward mode, ``columns`` inputs at a time, and by rows at points where that is wrong."""
    batch, d = x.shape
    result = x.new_empty(batch, feature_map.features, d, dtype=torch.float64)
    is_right = torch.zeros(batch, dtype=torch.bool, device=x.device)
    at_once = graphs_at_once(feature_map, memory)
    try:
        for first in range(0, d, columns):
            stop = min(first + columns, d)
            directions = torch.zeros(stop - first, batch, d, dtype=x.dtype, device=x.device)
            directions[range(stop - first), :, range(first, stop)] = 1
            with torch.no_grad(), unhurried():
                part = vmap(lambda v: jvp(feature_map.call, (x,), (v,))[1])(directions)
            result[:, :, first:stop] = part.permute(1, 2, 0)
    except torch.OutOfMemoryError:
        raise
    except RuntimeError:  # an operation without forward mode
        checked: tuple[Tensor, ...] = ()
    else:
        checked = torch.split(torch.arange(batch, device=x.device), at_once)
    for some in checked:
        u = balanced(
            random_vectors(x[some], seed=1).double(), torch.linalg.vector_norm(result[some], dim=1)
        )
        along = torch.einsum("npd,nd->np", result[some], u)
        is_right[some] = agrees(along.to(x.dtype), reverse_slope, feature_map.call, x[some], u)
    if not bool(is_right.all()):
        for some in torch.split((~is_right).nonzero().flatten(), at_once):
            result[some] = _by_rows(feature_map, x[some], columns)
            require_agreement(feature_map, x[some], result[some], start + some)
    return result
