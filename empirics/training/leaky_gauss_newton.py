r"""The inverse of the Gauss-Newton matrix of Leaky ResNets, from a sketch of its largest eigenvalues.

With the derivative :math:`J` of all outputs by the weights, the Gauss-Newton matrix of cost plus regulariser is

.. math:: M = D + \tfrac2N J^\top J ,

where the diagonal :math:`D` is that of the regulariser, :math:`\lambda \rho_\ell / \tilde L`. The eigenvalues of
:math:`D^{-1/2} \tfrac2N J^\top J D^{-1/2}` fall from tens of thousands to below one within a few hundred, which is what
makes gradient methods slow. Its products with random vectors give the largest of them and their vectors by Nyström's
method, and all others are taken to be as large as the smallest of these. As the initial matrix of L-BFGS the inverse
leaves to the curvature pairs only what the Gauss-Newton matrix lacks.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from empirics.training.leaky_objective import Objective

PROBES = 150  # random vectors of a sketch, and the number of eigenvalues that it gives
NUMBERS = 2**17  # largest size of an intermediate result, which should stay in the cache
SEED = 0  # of the random vectors, so that a sketch can be made again
ROUNDING = 100  # eigenvalues below this many units of rounding of the largest one are left out


class GaussNewtonInverse:
    """The inverses of the Gauss-Newton matrices of a batch of networks, at fixed weights.

    Args:
        objective: cost, data and networks with fixed input and output maps; the ReLU is that of its ``smoothing``.
        flat: parameters ``[net, parameter]`` at which the matrices are taken.
        probes: number of random vectors, default 150; at most the number of parameters is used.

    Raises:
        ValueError: if the maps of the networks are trained.
    """

    def __init__(self, objective: Objective, flat: Tensor, probes: int = PROBES) -> None:
        if objective.learned_maps:
            raise ValueError("objective: trains the maps of its networks, needs fixed ones for a Gauss-Newton matrix")
        nets = objective.nets_at(flat)
        self._nets, self._points = nets, objective.x.shape[-1]
        self._kept = 1 - nets.rho * nets.depth[:, None]
        self._parts = [_layer(objective, layer, path) for layer, path in enumerate(objective.propagate(nets).path[:-1])]
        scale = (objective.decay / nets.depth)[:, None] * nets.rho
        self._root = scale.sqrt()[:, :, None, None].expand_as(nets.weights).flatten(1)
        stream = torch.Generator().manual_seed(SEED)
        random = torch.randn(min(probes, flat.shape[1]), flat.shape[1], generator=stream, dtype=flat.dtype)
        sketch = self.product(random.to(flat.device).expand(len(flat), -1, -1))
        values, vectors = torch.linalg.eigh(sketch @ random.to(flat.device).mT)
        factor = _inverse_root(values)[:, :, None] * (vectors.mT @ sketch)  # the matrix is its square, nearly
        values, vectors = torch.linalg.eigh(factor @ factor.mT)
        self.eigenvalues = values.clamp_min(0)
        self._modes = _inverse_root(values)[:, :, None] * (vectors.mT @ factor)

    def product(self, vectors: Tensor) -> Tensor:
        r"""Return :math:`D^{-1/2} \tfrac2N J^\top J D^{-1/2}` times ``vectors`` ``[net, vector, parameter]``."""
        size = max(1, NUMBERS // (self._parts[0][1].numel()))
        return torch.cat([self._product(part) for part in torch.split(vectors, size, dim=1)], 1)

    def _product(self, vectors: Tensor) -> Tensor:
        """Return the product by a forward pass of the changes of the outputs and a backward pass."""
        nets, rho = self._nets, self._nets.rho[:, :, None, None, None]
        count, layers, width = nets.weights.shape[:3]
        step = (vectors / self._root[:, None]).reshape(count, -1, *nets.weights.shape[1:])
        change = step.new_zeros(count, step.shape[1], width, self._points)
        for layer, (features, slope) in enumerate(self._parts):
            moved = step[:, :, layer] @ features + nets.weights[:, None, layer, :, :width] @ (slope * change)
            change = self._kept[:, layer, None, None, None] * change + rho[:, layer] * moved
        outward = nets.output_map[:, None]
        back = 2 / self._points * (outward.mT @ (outward @ change))
        result = torch.empty_like(step)
        for layer in range(layers - 1, -1, -1):
            features, slope = self._parts[layer]
            result[:, :, layer] = rho[:, layer] * (back @ features.mT)
            fed = slope * (nets.weights[:, None, layer, :, :width].mT @ back)
            back = self._kept[:, layer, None, None, None] * back + rho[:, layer] * fed
        return result.flatten(2) / self._root[:, None]

    def __call__(self, vector: Tensor) -> Tensor:
        """Return the inverse matrices times ``vector``, ``[net, parameter]``."""
        rest = 1 / (1 + self.eigenvalues[:, :1])
        scaled = (vector / self._root)[:, :, None]
        along = (1 / (1 + self.eigenvalues) - rest)[:, :, None] * (self._modes @ scaled)
        result: Tensor = (rest[:, :, None] * scaled + self._modes.mT @ along)[:, :, 0] / self._root
        return result


def _layer(objective: Objective, layer: int, path: Tensor) -> tuple[Tensor, Tensor]:
    """Return σ(A) with the appended ones and its derivative, ``[net, 1, unit, point]``, for A before this layer."""
    value, slope, _ = objective.activation(layer, path)
    features = functional.pad(value, (0, 0, 0, int(objective.nets.bias)), value=1.0)
    return features[:, None], slope[:, None]


def _inverse_root(values: Tensor) -> Tensor:
    """Return 1/√v of eigenvalues ``[net, value]`` in rising order, and 0 where v is zero up to rounding."""
    least = ROUNDING * torch.finfo(values.dtype).eps * values[:, -1:].clamp_min(torch.finfo(values.dtype).tiny)
    return torch.where(values > least, values.clamp_min(least).rsqrt(), 0)
