r"""Second fundamental form of a feature map, block by block, from second derivatives along an orthonormal frame.

For tangent vectors :math:`e_a` that the metric makes orthonormal,
:math:`II_{ab} = (1 - QQ^T)\, \partial^2\Phi(e_a, e_b)`: forward mode over forward mode. First derivatives along a block
of directions are shared by all its pairs, and only one block of pairs is in memory at a time.
"""

from __future__ import annotations

import torch
from torch import Tensor

from empirics.measure.feature_map import FeatureMap
from empirics.measure.forward_mode import jvp, vmap
from empirics.measure.jacobian import CACHE, TEMPORARIES


def second_derivatives(feature_map: FeatureMap, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Second derivative along every pair of directions.

    Args:
        feature_map: the map.
        x: points ``[batch, d]``.
        u: directions ``[m, batch, d]``.
        v: directions ``[n, batch, d]``.

    Returns:
        ``[m, n, batch, features]``.
    """

    def along(first: Tensor, second: Tensor) -> Tensor:
        return jvp(lambda y: jvp(feature_map.call, (y,), (first,))[1], (x,), (second,))[1]  # type: ignore[no-any-return]

    with torch.no_grad():
        return vmap(lambda a: vmap(lambda b: along(a, b))(v))(u)  # type: ignore[no-any-return]


def second_derivatives_paired(feature_map: FeatureMap, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Second derivative along ``u[i]`` and ``v[i]``, both ``[m, batch, d]``; returns ``[m, batch, features]``."""

    def along(first: Tensor, second: Tensor) -> Tensor:
        return jvp(lambda y: jvp(feature_map.call, (y,), (first,))[1], (x,), (second,))[1]  # type: ignore[no-any-return]

    with torch.no_grad():
        return vmap(along)(u, v)  # type: ignore[no-any-return]


def normal(q: Tensor, vectors: Tensor) -> Tensor:
    """Part of ``vectors`` ``[..., batch, features]`` normal to the columns of ``q`` ``[batch, features, d]``."""
    flat = vectors.flatten(0, -3).transpose(0, 1)  # [batch, pairs, features]
    return (flat - (flat @ q) @ q.transpose(1, 2)).transpose(0, 1).reshape(vectors.shape)


def pairs_at_once(feature_map: FeatureMap, batch: int, memory: int) -> int:
    """How many pairs of directions fit into ``memory``, at least one."""
    budget = min(memory, CACHE) if feature_map.x.device.type == "cpu" else memory
    pair = batch * (TEMPORARIES * feature_map.widest + 4 * 8 * feature_map.features)
    return max(1, budget // pair)


def contractions(
    feature_map: FeatureMap, x: Tensor, q: Tensor, directions: Tensor, memory: int
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Trace and squared norm of II, over all pairs of ``directions``.

    Args:
        feature_map: the map.
        x: points ``[batch, d]``.
        q: orthonormal frame of the tangent space in the features, ``[batch, features, d]``.
        directions: the frame in the inputs, ``[d, batch, d]``, in the precision of ``x``.
        memory: bytes.

    Returns:
        The vector :math:`\sum_a II_{aa}` ``[batch, features]``, the number :math:`\sum_{ab} \|II_{ab}\|^2` ``[batch]``,
        and the largest second derivative met ``[batch]``.
    """
    trace, square, largest = q.new_zeros(q.shape[:2]), q.new_zeros(len(q)), q.new_zeros(len(q))
    d = len(directions)
    block = max(1, int(pairs_at_once(feature_map, len(x), memory) ** 0.5))
    starts = range(0, d, block)
    for i in starts:
        for j in (j for j in starts if j >= i):
            one, two = directions[i : i + block], directions[j : j + block]
            second = second_derivatives(feature_map, x, one, two).double()
            largest = torch.maximum(largest, second.abs().amax(dim=(0, 1, 3)))
            form = normal(q, second)
            square += (1 if i == j else 2) * form.square().sum(dim=(0, 1, 3))
            if i == j:
                trace += form.diagonal(dim1=0, dim2=1).sum(dim=-1)
    return trace, square, largest
