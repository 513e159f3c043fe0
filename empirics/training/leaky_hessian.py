r"""Products of the Hessian of Leaky ResNets with vectors, by a forward and a backward pass of the changes.

With :math:`M_\ell = \partial C / \partial A_\ell` and a change :math:`V` of the weights, the representations change by

.. math:: dA_\ell = (1 - \rho_\ell \tilde L) dA_{\ell-1}
    + \rho_\ell \big( V_\ell \sigma(A_{\ell-1}) + W_\ell (\sigma'(A_{\ell-1}) \odot dA_{\ell-1}) \big) ,

and the derivatives with respect to them, from :math:`dM_L = \tfrac2N Q^\top Q \, dA_L` on, by

.. math:: dM_{\ell-1} = (1 - \rho_\ell \tilde L) dM_\ell
    + \rho_\ell \sigma' \odot (V_\ell^\top M_\ell + W_\ell^\top dM_\ell)
    + \rho_\ell \sigma'' \odot dA_{\ell-1} \odot W_\ell^\top M_\ell .

The product is :math:`\rho_\ell (dM_\ell \sigma^\top + M_\ell (\sigma' \odot dA_{\ell-1})^\top)` plus the regulariser's
part. Without the terms in :math:`M_\ell` it is that of the Gauss-Newton matrix.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from empirics.training.leaky_objective import Objective


class Hessian:
    """The Hessians of cost plus regulariser of a batch of networks, at fixed weights.

    Args:
        objective: cost, data and networks with fixed input and output maps; the ReLU is that of its ``smoothing``, and
            without smoothing its second derivative counts as zero.
        flat: parameters ``[net, parameter]`` at which the Hessians are taken.

    Raises:
        ValueError: if the maps of the networks are trained.
    """

    def __init__(self, objective: Objective, flat: Tensor) -> None:
        if objective.learned_maps:
            raise ValueError("objective: trains the maps of its networks, needs fixed ones for a Hessian")
        self._nets = nets = objective.nets_at(flat)
        passed = objective.propagate(nets)
        self._points = objective.x.shape[-1]
        self._penalty = (objective.decay / nets.depth)[:, None, None, None] * nets.rho[:, :, None, None]
        self._momenta = [-objective.decay[:, None, None] * b for b in passed.momenta]
        self._features, self._slopes, self._bends = [], [], []
        for layer, path in enumerate(passed.path[:-1]):
            value, slope, curvature = objective.activation(layer, path)
            pull = nets.weights[:, layer, :, : nets.width].mT @ self._momenta[layer + 1]
            self._features.append(functional.pad(value, (0, 0, 0, int(nets.bias)), value=1.0))
            self._slopes.append(slope)
            self._bends.append(curvature * pull)

    @torch.no_grad()
    def __call__(self, vector: Tensor) -> Tensor:
        """Return the Hessians times ``vector``, ``[net, parameter]``."""
        nets, width = self._nets, self._nets.width
        change = vector.reshape(nets.weights.shape)
        rho = nets.rho[:, :, None, None]
        kept = 1 - rho * nets.depth[:, None, None, None]
        moved = torch.zeros_like(self._slopes[0])
        moves = []
        for layer, (features, slope) in enumerate(zip(self._features, self._slopes, strict=True)):
            moves.append(moved)
            inward = change[:, layer] @ features + nets.weights[:, layer, :, :width] @ (slope * moved)
            moved = kept[:, layer] * moved + rho[:, layer] * inward
        outward = nets.output_map
        back = 2 / self._points * (outward.mT @ (outward @ moved))
        result = torch.empty_like(change)
        for layer in range(nets.layers - 1, -1, -1):
            momentum, slope, moved = self._momenta[layer + 1], self._slopes[layer], moves[layer]
            result[:, layer] = back @ self._features[layer].mT
            result[:, layer, :, :width] += momentum @ (slope * moved).mT
            fed = nets.weights[:, layer, :, :width].mT @ back + change[:, layer, :, :width].mT @ momentum
            back = kept[:, layer] * back + rho[:, layer] * (slope * fed + self._bends[layer] * moved)
        return (rho * result + self._penalty * change).flatten(1)

    @property
    def penalty(self) -> Tensor:
        """The diagonal of the regulariser's part of the Hessians, ``[net, parameter]``, positive."""
        return self._penalty.expand_as(self._nets.weights).flatten(1)
