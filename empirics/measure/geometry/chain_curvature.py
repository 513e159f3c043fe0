r"""Exact scalar curvature of fully connected networks, summed over pairs of directions or over pairs of neurons.

With the images of the tangent frame E, :math:`A_l = (\partial z_l / \partial x) E`, :math:`K_{lm} = A_l A_m^T` and
:math:`G_{lm} = \varphi_l'' (S_l^T (1 - QQ^T) S_m) \varphi_m''`, the Gauss equation becomes a sum over pairs of neurons,

.. math:: R = \sum_{lm} \sum_{kk'} G_{lm,kk'} \left( K_{ll,kk} K_{mm,k'k'} - K_{lm,kk'}^2 \right),

for O(width² d) operations where pairs of directions take O(width² d²). For one hidden layer K = W g⁻¹ Wᵀ, and
:math:`R = -\sum_{k \ne k'} \varphi_k' \varphi_k'' \varphi_{k'}' \varphi_{k'}'' K_{kk'} (K_{kk} K_{k'k'} - K_{kk'}^2)`.

The second fundamental form of a feature map, from second derivatives along an orthonormal frame.

For tangent vectors :math:`e_a` that are orthonormal in the induced metric,
:math:`II_{ab} = (1 - QQ^T)\, \partial^2\Phi(e_a, e_b)`. All pairs of a block of directions share their first
derivatives, and only one block of pairs is in memory at a time.
"""

import torch
from torch import Tensor, nn

from empirics.measure.geometry.forward_mode import Map, agrees
from empirics.measure.geometry.jacobian import CACHE, TEMPORARIES
from empirics.measure.geometry.second_derivative import (
    REVERSE_COST,
    Along,
    backward_thrice,
    forward_over_forward,
)
from empirics.measure.models.chain import Affine, Chain, Pointwise, push_pairs, widths
from empirics.measure.models.differentiation import unhurried, vmap
from empirics.measure.models.feature_map import FeatureMap
from empirics.measure.models.memory import require


def prefers_neurons(chain: Chain, d: int, features: int) -> bool:
    """Return whether the sum over pairs of neurons takes fewer operations than that over pairs of directions."""
    n = sum(widths(chain, d))
    weights = sum(link.weight.numel() for link in chain if isinstance(link, Affine))
    by_directions = d * (d + 1) // 2 * (2 * weights + 4 * features * d)
    by_neurons = n * n * (d + features) + 2 * features * (weights + n * d)
    return by_neurons < by_directions


def by_directions(
    chain: Chain, x: Tensor, q: Tensor, directions: Tensor, memory: int
) -> tuple[Tensor, Tensor]:
    """Return the curvature, summed over pairs of ``directions``, and the size of what cancels in it."""
    d = x.shape[1]
    pairs = d * (d + 1) // 2
    widest = max([q.shape[1], *widths(chain, d)])
    point = 8 * 5 * pairs * widest
    require(memory, point, "the curvature at a point")
    points = max(1, min(memory, CACHE) // point)
    a, b = torch.triu_indices(d, d, device=x.device)
    weight = torch.where(a == b, 1.0, 2.0).to(q.dtype)
    curvatures, sizes = [], []
    for start in range(0, len(x), points):
        some = slice(start, start + points)
        second = push_pairs(chain, x[some], directions[some].to(x.dtype)).double()
        form = second - (second @ q[some]) @ q[some].transpose(1, 2)
        trace = form[:, a == b].sum(dim=1).square().sum(dim=1)
        square, whole = (matrices.square().sum(dim=2) @ weight for matrices in (form, second))
        curvatures.append(trace - square)
        sizes.append(terms_of(trace, square, whole, d))
    return torch.cat(curvatures), torch.cat(sizes)


def terms_of(trace: Tensor, square: Tensor, whole: Tensor, d: int) -> Tensor:
    """Return the size of what cancels in the curvature; ``whole`` is its square before projection on the normals."""
    return 2 * ((d * trace).sqrt() + square.sqrt()) * whole.sqrt()


def by_neurons(
    chain: Chain, x: Tensor, q: Tensor, directions: Tensor, memory: int
) -> tuple[Tensor, Tensor]:
    """Return the scalar curvature, summed over pairs of neurons, and its terms' size; see :func:`by_directions`."""
    points = [_at_point(chain, *point, memory) for point in zip(x, q, directions, strict=True)]
    curvatures, sizes = zip(*points, strict=True)
    return torch.stack(curvatures), torch.stack(sizes)


def _at_point(
    chain: Chain, x: Tensor, q: Tensor, directions: Tensor, memory: int
) -> tuple[Tensor, Tensor]:
    sites = widths(chain, len(x))
    # the layers whose (1 - QQᵀ) S_l is stored
    before_more = sites[:-1] if isinstance(chain[-1], Pointwise) else sites
    kept = 8 * (
        2 * sum(sites) * len(x)
        + 2 * len(q) * (sum(before_more) + max([0, *before_more]))
        + 2 * q.numel()
    )
    row = 8 * 4 * max(sites)
    require(memory, kept + row, "the curvature at a point")
    rows = max(1, min(memory - kept, CACHE) // row)
    images, bends, slopes = _forward(chain, x, directions.to(x.dtype))
    backs, reach = _backward(chain, images, slopes, q)
    lengths = [image.square().sum(dim=1) for image in images]
    total = q.new_zeros(())
    for i in range(len(sites)):
        for j in range(i, len(sites)):
            for start in range(0, sites[i], rows):
                part = slice(start, start + rows)
                # within one layer, every block of pairs is counted once
                beyond = slice(start if i == j else 0, None)
                overlap = images[i][part] @ images[j][beyond].T
                bent = torch.outer(lengths[i][part], lengths[j][beyond]).addcmul_(
                    overlap, overlap, value=-1
                )
                both = bends[i][part, None] * bends[j][beyond] * bent
                one, two = backs[i], backs[j]
                # 1 - QQᵀ with Q = φ' A; the 1 multiplies zeros (a neuron paired with itself)
                if one is None:
                    inner = -overlap * slopes[i][part, None] * slopes[j][beyond]
                else:
                    inner = one[:, part].T if two is None else one[:, part].T @ two[:, beyond]
                block = inner * both
                total = total + 2 * block.sum()
                if i == j:
                    total = total - block[:, : len(block)].sum()
    # A pair of neurons counts with the norms of its vectors, by which the rounding of their overlaps is bounded.
    sizes = [
        (bend.abs() * far * length).sum()
        for bend, far, length in zip(bends, reach, lengths, strict=True)
    ]
    return total, 3 * torch.stack(sizes).sum() ** 2


def _forward(
    chain: Chain, x: Tensor, tangents: Tensor
) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """Return A_l ``[n, d]``, φ'' ``[n]`` and φ' ``[n]`` of every nonlinearity."""
    images, bends, slopes = [], [], []
    for link in chain:
        if isinstance(link, Affine):
            x = nn.functional.linear(x, link.weight, link.bias)
            tangents = tangents @ link.weight.T
        else:
            images.append(tangents.T.double())
            x, first, second = link.with_derivatives(x)
            tangents = tangents * first
            bends.append(second.double())
            slopes.append(first.double())
    return images, bends, slopes


def _backward(
    chain: Chain, images: list[Tensor], slopes: list[Tensor], q: Tensor
) -> tuple[list[Tensor | None], list[Tensor]]:
    """Return (1 - QQᵀ) S_l ``[features, n]`` of every nonlinearity, None for S_l = 1, and the norms of its columns."""
    result: list[Tensor | None] = []
    norms: list[Tensor] = []
    back: Tensor | None = None
    site = len(slopes)
    for link in reversed(chain):
        if isinstance(link, Pointwise):
            site -= 1
            result.append(None if back is None else back - q @ (q.T @ back))
            norms.append(
                slopes[site].abs() * images[site].norm(dim=1) if back is None else back.norm(dim=0)
            )
            if site == 0:
                break
            back = torch.diag(slopes[site]) if back is None else back * slopes[site]
        else:
            weight = link.weight.double()
            back = weight if back is None else back @ weight
    return result[::-1], norms[::-1]


def over_all_pairs(along: Along, call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Differentiate along all pairs of ``u`` ``[m, batch, d]`` and ``v`` ``[n, batch, d]``: ``[m, n, batch, p]``.

    torch's ``vmap`` within ``vmap`` has some derivatives wrong (those of ``linalg.eigvals``). What it gives is compared
    with one derivative without it, along a random sum of ``u`` and one of ``v``.
    """
    if along is not backward_thrice:
        try:
            with torch.no_grad(), unhurried():
                result: Tensor = vmap(lambda a: vmap(lambda b: along(call, x, a, b))(v))(u)
                a, b = (
                    _coefficients(len(directions), seed).to(x)
                    for seed, directions in ((1, u), (2, v))
                )
                whole = along(call, x, torch.tensordot(a, u, 1), torch.tensordot(b, v, 1))
            if _is_same(torch.einsum("m,n,mnbp->bp", a, b, result), whole, call, x):
                return result
        except RuntimeError:  # an operation that cannot be batched twice (LSTM)
            pass
    every = over_matched_pairs(
        along, call, x, u.repeat_interleave(len(v), 0), v.repeat(len(u), 1, 1)
    )
    return every.reshape(len(u), len(v), *every.shape[1:])


def over_matched_pairs(along: Along, call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Differentiate along ``u[i]`` and ``v[i]``, both ``[m, batch, d]``; returns ``[m, batch, features]``.

    What ``vmap`` gives for the last pair is compared with the derivative without it.
    """
    with torch.no_grad(), unhurried():
        if along is not backward_thrice:
            try:
                result: Tensor = vmap(lambda a, b: along(call, x, a, b))(u, v)
                if _is_same(result[-1], along(call, x, u[-1], v[-1]), call, x):
                    return result
            except RuntimeError:  # an operation that cannot be batched
                pass
        return torch.stack([along(call, x, a, b) for a, b in zip(u, v, strict=True)])


def _coefficients(count: int, seed: int) -> Tensor:
    return torch.randn(count, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def _is_same(derivative: Tensor, other: Tensor, call: Map, x: Tensor) -> bool:
    """Return whether two derivatives ``[batch, features]`` agree at all points ``x``, up to rounding."""
    return bool(
        agrees(derivative, lambda _call, _x, w: (w.double() * other).sum(dim=1), call, x).all()
    )


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
    """Return trace and squared norm of II over ``directions``, the latter before projection, the largest derivative."""
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
