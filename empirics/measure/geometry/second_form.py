r"""The second fundamental form of a feature map, from second derivatives along an orthonormal frame.

For tangent vectors :math:`e_a` that are orthonormal in the induced metric,
:math:`II_{ab} = (1 - QQ^T)\, \partial^2\Phi(e_a, e_b)`. All pairs of a block of directions share their first
derivatives, and only one block of pairs is in memory at a time.
"""

from __future__ import annotations

import torch
from torch import Tensor

from empirics.measure.geometry.jacobian import CACHE, TEMPORARIES
from empirics.measure.geometry.second_derivative import Along, Map, backward_thrice, forward_over_forward
from empirics.measure.models.differentiation import unhurried, vmap
from empirics.measure.models.feature_map import FeatureMap

REVERSE_COST = 4  # approximate factor of memory in reverse mode, which stores intermediate results


def over_all_pairs(along: Along, call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Differentiate along all pairs of ``u`` ``[m, batch, d]`` and ``v`` ``[n, batch, d]``: ``[m, n, batch, p]``."""
    if along is not backward_thrice:
        try:
            with torch.no_grad(), unhurried():
                result: Tensor = vmap(lambda a: vmap(lambda b: along(call, x, a, b))(v))(u)
                return result
        except RuntimeError:  # an operation that cannot be batched twice (LSTM)
            pass
    every = over_matched_pairs(along, call, x, u.repeat_interleave(len(v), 0), v.repeat(len(u), 1, 1))
    return every.reshape(len(u), len(v), *every.shape[1:])


def over_matched_pairs(along: Along, call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Differentiate along ``u[i]`` and ``v[i]``, both ``[m, batch, d]``; returns ``[m, batch, features]``."""
    with torch.no_grad(), unhurried():
        if along is not backward_thrice:
            try:
                result: Tensor = vmap(lambda a, b: along(call, x, a, b))(u, v)
                return result
            except RuntimeError:  # an operation that cannot be batched
                pass
        return torch.stack([along(call, x, a, b) for a, b in zip(u, v, strict=True)])


def normal(q: Tensor, vectors: Tensor) -> Tensor:
    """Project ``vectors`` ``[..., batch, features]`` off the columns of ``q`` ``[batch, features, d]``."""
    flat = vectors.flatten(0, -3).transpose(0, 1)  # [batch, pairs, features]
    return (flat - (flat @ q) @ q.transpose(1, 2)).transpose(0, 1).reshape(vectors.shape)


def pairs_at_once(feature_map: FeatureMap, along: Along, batch: int, memory: int) -> int:
    """Return the number of pairs of directions that fit into ``memory`` bytes, at least one."""
    budget = min(memory, CACHE) if feature_map.x.device.type == "cpu" else memory
    pair = batch * (TEMPORARIES * feature_map.widest + 4 * 8 * feature_map.features)
    pair += REVERSE_COST * batch * feature_map.graph if along is not forward_over_forward else 0
    return max(1, budget // pair)


def contractions(
    feature_map: FeatureMap, along: Along, x: Tensor, q: Tensor, directions: Tensor, memory: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Compute the trace and the squared norm of II over all pairs of ``directions`` ``[d, batch, d]``.

    ``q`` ``[batch, features, d]`` is the same orthonormal frame in feature space. Returns the trace ``[batch,
    features]``, the squared norm ``[batch]``, the same before the projection on the normal space, and the largest
    second derivative.
    """
    trace = q.new_zeros(q.shape[:2])
    square, whole, largest = (q.new_zeros(len(q)) for _ in range(3))
    d = len(directions)
    block = max(1, int(pairs_at_once(feature_map, along, len(x), memory) ** 0.5))
    starts = range(0, d, block)
    for i in starts:
        for j in (j for j in starts if j >= i):
            one, two = directions[i : i + block], directions[j : j + block]
            second = over_all_pairs(along, feature_map.call, x, one, two).double()
            largest = torch.maximum(largest, second.abs().amax(dim=(0, 1, 3)))
            form = normal(q, second)
            pairs = 1 if i == j else 2
            square += pairs * form.square().sum(dim=(0, 1, 3))
            whole += pairs * second.square().sum(dim=(0, 1, 3))
            if i == j:
                trace += form.diagonal(dim1=0, dim2=1).sum(dim=-1)
    return trace, square, whole, largest
