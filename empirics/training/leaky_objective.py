r"""The paper's cost of a batch of Leaky ResNets, and its gradient with the backward pass written out.

.. math::
    \mathcal L = \frac1N \sum_i \|f^*(x_i) - f(x_i)\|^2
        + \frac{\lambda}{2 \tilde L} \Big( \sum_\ell \rho_\ell \|W_\ell\|_F^2 + \|P\|_F^2 + \|Q\|_F^2 \Big) .

The sum over outputs stands inside the norm: torch's mean squared error is this cost divided by the number of outputs.
:math:`P` and :math:`Q` count only where they are learned (free of charge, a learned :math:`Q` would undo any leak).

With :math:`G_\ell = \partial C / \partial A_\ell`, :math:`B_\ell = -G_\ell/\lambda`, the gradient is

.. math:: \partial_{W_\ell} \mathcal L
    = \frac{\lambda \rho_\ell}{\tilde L} \big( W_\ell - \tilde L B_\ell \sigma(A_{\ell-1})^\top \big) ,

so at a critical point :math:`W_\ell = \tilde L B_\ell \sigma(A_{\ell-1})^\top` holds exactly, in each layer, on any
mesh.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from empirics import check
from empirics.networks.leaky_resnet import LeakyResNets


@dataclass(frozen=True)
class Pass:
    """What one forward and backward pass leaves behind.

    Attributes:
        cost: C of each network, ``[net]``.
        penalty: its regulariser, ``[net]``.
        path: A, ``[net, width, point]`` for ℓ = 0 ... L.
        momenta: B, the same; ``-1/λ`` times the derivative of C by A.
        gradients: of cost + penalty by weights, and by input and output map where these are learned.
    """

    cost: Tensor
    penalty: Tensor
    path: list[Tensor]
    momenta: list[Tensor]
    gradients: list[Tensor]


class Objective:
    """Cost and gradient of a batch at given data.

    Args:
        nets: the batch; its tensors are only read.
        x: inputs ``[net or 1, input, point]``.
        target: ``[net or 1, output, point]``.
        decay: λ > 0, one for each network, ``[net]``; dimensionless in units of the squared target.
        learned_maps: whether P and Q are trained, too.
    """

    def __init__(
        self, nets: LeakyResNets, x: Tensor, target: Tensor, decay: Tensor, learned_maps: bool = False
    ) -> None:
        count = nets.weights.shape[0]
        for name, data, rows in (("x", x, nets.input_map.shape[2]), ("target", target, nets.output_map.shape[1])):
            fits = data.ndim == 3 and data.shape[0] in (1, count) and data.shape[1] == rows and data.numel() > 0
            check.shape(name, data, fits, f"[{count} or 1, {rows}, point]")
            check.finite(name, data)
        if x.shape[2] != target.shape[2]:
            raise ValueError(f"target: got {target.shape[2]} points, needs as many as x, {x.shape[2]}")
        if decay.shape != (count,) or not bool((torch.isfinite(decay) & (decay > 0)).all()):
            raise ValueError(f"decay: got {decay.tolist()}, needs {count} positive finite numbers")
        self.nets, self.learned_maps = nets, learned_maps
        self.x, self.target = x.to(nets.weights), target.to(nets.weights)
        self.decay = decay.to(nets.weights)
        self._shapes = [tuple(t.shape[1:]) for t in self._trained()]
        points = self.x.shape[-1]
        size = (nets.weights.shape[0], nets.width + nets.bias, points)
        self._sigma = [nets.weights.new_ones(size) for _ in range(nets.layers)]  # the last row stays at one

    def _trained(self) -> list[Tensor]:
        n = self.nets
        return [n.weights, n.input_map, n.output_map] if self.learned_maps else [n.weights]

    def flat(self) -> Tensor:
        """The trained parameters, ``[net, parameter]``, a copy."""
        return torch.cat([t.flatten(1) for t in self._trained()], 1)

    def nets_at(self, flat: Tensor) -> LeakyResNets:
        """The batch with the trained parameters in ``flat``, views of it."""
        parts = torch.split(flat, [torch.Size(s).numel() for s in self._shapes], dim=1)
        tensors = [part.reshape(-1, *shape) for part, shape in zip(parts, self._shapes, strict=True)]
        if not self.learned_maps:
            return replace(self.nets, weights=tensors[0])
        return replace(self.nets, weights=tensors[0], input_map=tensors[1], output_map=tensors[2])

    def __call__(self, flat: Tensor) -> tuple[Tensor, Tensor]:
        """Value ``[net]`` and gradient ``[net, parameter]``."""
        done = self.propagate(self.nets_at(flat))
        return done.cost + done.penalty, torch.cat([g.flatten(1) for g in done.gradients], 1)

    @torch.no_grad()
    def propagate(self, nets: LeakyResNets) -> Pass:
        """One forward and backward pass of ``nets``."""
        width, rho = nets.width, nets.rho[:, :, None, None]
        keep = 1 - rho * nets.depth[:, None, None, None]
        scaled = rho * nets.weights
        path = [nets.input_map @ self.x]
        for layer, s in enumerate(self._sigma):
            if nets.linear:
                s[:, :width] = path[-1]
            else:
                torch.clamp_min(path[-1], 0, out=s[:, :width])
            path.append((keep[:, layer] * path[-1]).baddbmm_(scaled[:, layer], s))
        error = torch.baddbmm(-self.target.expand(len(rho), -1, -1), nets.output_map, path[-1])
        points = self.x.shape[-1]
        cost = error.square().sum((1, 2)) / points
        weight = self.decay / nets.depth  # λ/L̃
        momentum = (-2 / points / self.decay[:, None, None]) * (nets.output_map.mT @ error)
        momenta, gradient = [momentum], torch.empty_like(nets.weights)
        for layer in range(nets.layers - 1, -1, -1):
            s = self._sigma[layer]
            torch.bmm(momentum, s.mT, out=gradient[:, layer])
            below = torch.bmm(scaled[:, layer, :, :width].mT, momentum)
            if not nets.linear:
                below = torch.ops.aten.threshold_backward(below, s[:, :width], 0)
            momentum = torch.addcmul(below, momentum, keep[:, layer])
            momenta.append(momentum)
        momenta.reverse()
        coupling = weight[:, None, None, None] * rho
        gradients = [coupling * torch.sub(nets.weights, nets.depth[:, None, None, None] * gradient)]
        penalty = (rho * nets.weights.square()).sum((1, 2, 3))
        if self.learned_maps:
            decay, ratio = self.decay[:, None, None], weight[:, None, None]
            gradients.append(ratio * nets.input_map - decay * (momenta[0] @ self.x.mT))
            gradients.append(ratio * nets.output_map + (2 / points) * (error @ path[-1].mT))
            penalty = penalty + nets.input_map.square().sum((1, 2)) + nets.output_map.square().sum((1, 2))
        return Pass(cost, weight / 2 * penalty, path, momenta, gradients)

    def residual(self, done: Pass, nets: LeakyResNets) -> Tensor:
        r"""How far from critical, ``[net]``, dimensionless.

        :math:`\sqrt{\sum_\ell \rho_\ell \|W_\ell - \tilde L B_\ell \sigma(A_{\ell-1})^\top\|^2 / \sum_\ell \rho_\ell
        \|W_\ell\|^2}`: the weights' gradient in units of the regulariser's.
        """
        coupling = (self.decay / nets.depth)[:, None, None, None] * nets.rho[:, :, None, None]
        off = (done.gradients[0].square() / (coupling * (self.decay / nets.depth)[:, None, None, None])).sum((1, 2, 3))
        size = (nets.rho[:, :, None, None] * nets.weights.square()).sum((1, 2, 3))
        return (off / size).sqrt()
