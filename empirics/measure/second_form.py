r"""Second fundamental form of a feature map, block by block, from second derivatives along an orthonormal frame.

For tangent vectors :math:`e_a` that the metric makes orthonormal,
:math:`II_{ab} = (1 - QQ^T)\, \partial^2\Phi(e_a, e_b)`. First derivatives along a block of directions are shared by all
its pairs, and only one block of pairs is in memory at a time.

Forward mode over forward mode is the fastest, but torch lacks it for some operations (Mish) and has it wrong for
others (2.13: LayerNorm and InstanceNorm, whose saved statistics it does not differentiate). Hence it is held against
reverse mode at the first point, and given up for it where the two differ.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.func import grad, vjp

from empirics.measure.feature_map import FeatureMap
from empirics.measure.forward_mode import jvp, unhurried, vmap
from empirics.measure.jacobian import CACHE, TEMPORARIES

Map = Callable[[Tensor], Tensor]
Along = Callable[[Map, Tensor, Tensor, Tensor], Tensor]
REVERSE_COST = 4  # how much more memory reverse mode takes, roughly: it keeps what it passes


def forward_over_forward(call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Second derivative of ``call`` at ``x`` along ``u`` and ``v``, all ``[batch, d]``; ``[batch, features]``."""
    result: Tensor = jvp(lambda y: jvp(call, (y,), (u,))[1], (x,), (v,))[1]
    return result


def reverse_over_reverse(call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """The same by reverse mode alone: the derivative of w . D²call(u, v), linear in w, in w.

    No derivative in ``x`` is taken beyond the second: torch has those of LayerNorm wrong in reverse mode, too.
    """

    def bend(w: Tensor) -> Tensor:
        slope = grad(lambda y: (vjp(call, y)[1](w)[0] * u).sum())(x)
        bent: Tensor = (slope * v).sum()
        return bent

    result: Tensor = grad(bend)(torch.zeros_like(call(x)))
    return result


def second_derivative(feature_map: FeatureMap) -> Along:
    """The mode to take for ``feature_map``: forward where torch has it and has it right, else reverse.

    Raises:
        ValueError: if torch has neither.
    """
    x = feature_map.x[:1]
    generator = torch.Generator().manual_seed(0)
    u, v = (torch.randn(x.shape, generator=generator, dtype=torch.float64).to(x) for _ in range(2))
    found: list[Tensor] = []
    problem: Exception | None = None
    for mode in (forward_over_forward, reverse_over_reverse):
        try:
            found.append(mode(feature_map.call, x, u, v).detach())
        except (RuntimeError, NotImplementedError) as error:
            problem = error
            found.append(torch.full((), torch.nan, dtype=x.dtype, device=x.device))
    forward, reverse = found
    if bool(reverse.isnan().any()):
        if bool(forward.isnan().any()):
            raise ValueError(f"feature_map: torch has no second derivative of it at the first point ({problem})")
        return forward_over_forward
    tolerance = torch.finfo(x.dtype).eps ** 0.4 * reverse.abs().max()
    return forward_over_forward if bool((forward - reverse).abs().max() <= tolerance) else reverse_over_reverse


def over_all_pairs(along: Along, call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Along every ``u[i]`` ``[m, batch, d]`` and ``v[j]`` ``[n, batch, d]``; returns ``[m, n, batch, features]``."""
    with torch.no_grad(), unhurried():
        result: Tensor = vmap(lambda a: vmap(lambda b: along(call, x, a, b))(v))(u)
        return result


def over_matched_pairs(along: Along, call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Along ``u[i]`` and ``v[i]``, both ``[m, batch, d]``; returns ``[m, batch, features]``."""
    with torch.no_grad(), unhurried():
        result: Tensor = vmap(lambda a, b: along(call, x, a, b))(u, v)
        return result


def normal(q: Tensor, vectors: Tensor) -> Tensor:
    """Part of ``vectors`` ``[..., batch, features]`` normal to the columns of ``q`` ``[batch, features, d]``."""
    flat = vectors.flatten(0, -3).transpose(0, 1)  # [batch, pairs, features]
    return (flat - (flat @ q) @ q.transpose(1, 2)).transpose(0, 1).reshape(vectors.shape)


def pairs_at_once(feature_map: FeatureMap, along: Along, batch: int, memory: int) -> int:
    """How many pairs of directions fit into ``memory``, at least one."""
    budget = min(memory, CACHE) if feature_map.x.device.type == "cpu" else memory
    pair = batch * (TEMPORARIES * feature_map.widest + 4 * 8 * feature_map.features)
    pair += REVERSE_COST * batch * feature_map.graph if along is reverse_over_reverse else 0
    return max(1, budget // pair)


def contractions(
    feature_map: FeatureMap, along: Along, x: Tensor, q: Tensor, directions: Tensor, memory: int
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Trace and squared norm of II, over all pairs of ``directions``.

    Args:
        feature_map: the map.
        along: how to differentiate, of :func:`second_derivative`.
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
    block = max(1, int(pairs_at_once(feature_map, along, len(x), memory) ** 0.5))
    starts = range(0, d, block)
    for i in starts:
        for j in (j for j in starts if j >= i):
            one, two = directions[i : i + block], directions[j : j + block]
            second = over_all_pairs(along, feature_map.call, x, one, two).double()
            largest = torch.maximum(largest, second.abs().amax(dim=(0, 1, 3)))
            form = normal(q, second)
            square += (1 if i == j else 2) * form.square().sum(dim=(0, 1, 3))
            if i == j:
                trace += form.diagonal(dim1=0, dim2=1).sum(dim=-1)
    return trace, square, largest
