r"""The paper's cost of a batch of Leaky ResNets, and its gradient with the backward pass written out.

.. math::
    \mathcal L = \frac1N \sum_i \|f^*(x_i) - f(x_i)\|^2
        + \frac{\lambda}{2 \tilde L} \Big( \sum_\ell \rho_\ell \|W_\ell\|_F^2 + \|P\|_F^2 + \|Q\|_F^2 \Big) .

The norm sums over the outputs: torch's mean squared error is the first term divided by the number of outputs.
The input map :math:`P` and the output map :math:`Q` are penalised only where they are trained (an unpenalised trained
:math:`Q` could undo any leak).

With :math:`C` the first term, :math:`G_\ell = \partial C / \partial A_\ell` and :math:`B_\ell = -G_\ell/\lambda`, the
gradient is

.. math:: \partial_{W_\ell} \mathcal L
    = \frac{\lambda \rho_\ell}{\tilde L} \big( W_\ell - \tilde L B_\ell \sigma(A_{\ell-1})^\top \big) ,

so that a critical point satisfies :math:`W_\ell = \tilde L B_\ell \sigma(A_{\ell-1})^\top` exactly, in every layer and
on any mesh.

With smoothing, :math:`(a + \sqrt{a^2 + \epsilon_\ell^2})/2` replaces the ReLU, which has the derivative 0 to 1 near a
kink that the gradients of the ReLU network on both sides of the kink have in their convex hull.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from empirics import tensor_checks
from empirics.networks.leaky_resnet import LeakyResNets


@dataclass(frozen=True)
class Pass:
    """Results of one forward and backward pass."""

    cost: Tensor  # C of each network, [net], in units of the squared target
    penalty: Tensor  # regulariser of each network, [net], in the same units
    path: list[Tensor]  # A, [net, width, point] for ℓ = 0 ... L
    momenta: list[Tensor]  # B, -1/λ times the derivative of C by A, in the same order and shape
    # of cost + penalty by the weights, and by the input and output maps if trained
    gradients: list[Tensor]


class Objective:
    """Cost and gradient of a batch on inputs ``[net or 1, input, point]``; ``smoothing`` are widths of the ReLU."""

    smoothing: Tensor | None = None

    def __init__(
        self,
        nets: LeakyResNets,
        x: Tensor,
        target: Tensor,
        decay: Tensor,
        learned_maps: bool = False,
    ) -> None:
        count = nets.weights.shape[0]
        for name, data, rows in (
            ("x", x, nets.input_map.shape[2]),
            ("target", target, nets.output_map.shape[1]),
        ):
            fits = (
                data.ndim == 3
                and data.shape[0] in (1, count)
                and data.shape[1] == rows
                and data.numel() > 0
            )
            tensor_checks.shape(name, data, fits, f"[{count} or 1, {rows}, point]")
            tensor_checks.finite(name, data)
        if x.shape[2] != target.shape[2]:
            raise ValueError(
                f"target: got {target.shape[2]} points, needs as many as x, {x.shape[2]}"
            )
        if decay.shape != (count,) or not bool((torch.isfinite(decay) & (decay > 0)).all()):
            raise ValueError(f"decay: got {decay.tolist()}, needs {count} positive finite numbers")
        self.nets, self.learned_maps = nets, learned_maps
        self.x, self.target = x.to(nets.weights), target.to(nets.weights)
        self.decay = decay.to(nets.weights)
        self._shapes = [tuple(t.shape[1:]) for t in self._trained()]
        points = self.x.shape[-1]
        size = (nets.weights.shape[0], nets.width + nets.bias, points)
        # the last row stays at one
        self._sigma = [nets.weights.new_ones(size) for _ in range(nets.layers)]

    def _trained(self) -> list[Tensor]:
        """Return the trained tensors, with the networks along their first dimension."""
        nets = self.nets
        return (
            [nets.weights, nets.input_map, nets.output_map]
            if self.learned_maps
            else [nets.weights]
        )

    def flat(self) -> Tensor:
        """Return a copy of the trained parameters, ``[net, parameter]``."""
        return torch.cat([t.flatten(1) for t in self._trained()], 1)

    def nets_at(self, flat: Tensor) -> LeakyResNets:
        """Return the networks whose trained parameters are ``flat`` ``[net, parameter]``, as views of it."""
        parts = torch.split(flat, [torch.Size(s).numel() for s in self._shapes], dim=1)
        tensors = [
            part.reshape(-1, *shape) for part, shape in zip(parts, self._shapes, strict=True)
        ]
        if not self.learned_maps:
            return replace(self.nets, weights=tensors[0])
        return replace(self.nets, weights=tensors[0], input_map=tensors[1], output_map=tensors[2])

    def __call__(self, flat: Tensor) -> tuple[Tensor, Tensor]:
        """Return the value of cost + penalty ``[net]`` and its gradient ``[net, parameter]`` at ``flat``."""
        result = self.propagate(self.nets_at(flat))
        return result.cost + result.penalty, torch.cat([g.flatten(1) for g in result.gradients], 1)

    def activation(self, layer: int, path: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return σ(A) and two derivatives (the ReLU's second is zero), ``[net, unit, point]``, for A before a layer."""
        if self.nets.linear:
            return path, torch.ones_like(path), torch.zeros_like(path)
        if self.smoothing is None:
            return path.clamp_min(0), (path > 0).to(path), torch.zeros_like(path)
        square = self.smoothing[:, layer, None, None] ** 2
        size = (path**2 + square).sqrt()
        return (path + size) / 2, (1 + path / size) / 2, square / (2 * size**3)

    @torch.no_grad()
    def propagate(self, nets: LeakyResNets) -> Pass:
        """Run one forward and one backward pass of ``nets``, a batch of the shapes of this objective."""
        width, rho = nets.width, nets.rho[:, :, None, None]
        kept_fraction = 1 - rho * nets.depth[:, None, None, None]
        scaled = rho * nets.weights
        path = [nets.input_map @ self.x]
        for layer, features in enumerate(self._sigma):
            if nets.linear:
                features[:, :width] = path[-1]
            else:
                torch.clamp_min(path[-1], 0, out=features[:, :width])
                # (a + sqrt(a² + ε²))/2, without the difference of two large numbers
                if self.smoothing is not None:
                    square = self.smoothing[:, layer, None, None] ** 2
                    size = path[-1].abs()
                    features[:, :width] += square / (2 * (size + (size * size + square).sqrt()))
            path.append((kept_fraction[:, layer] * path[-1]).baddbmm_(scaled[:, layer], features))
        error = torch.baddbmm(-self.target.expand(len(rho), -1, -1), nets.output_map, path[-1])
        points = self.x.shape[-1]
        cost = error.square().sum((1, 2)) / points
        penalty_weight = self.decay / nets.depth  # λ/L̃
        momentum = (-2 / points / self.decay[:, None, None]) * (nets.output_map.mT @ error)
        momenta, gradient = [momentum], torch.empty_like(nets.weights)
        for layer in range(nets.layers - 1, -1, -1):
            features = self._sigma[layer]
            torch.bmm(momentum, features.mT, out=gradient[:, layer])
            gradient_below = torch.bmm(scaled[:, layer, :, :width].mT, momentum)
            if self.smoothing is not None and not nets.linear:
                gradient_below = gradient_below * (
                    features[:, :width] / (2 * features[:, :width] - path[layer])
                )
            elif not nets.linear:
                gradient_below = torch.ops.aten.threshold_backward(
                    gradient_below, features[:, :width], 0
                )
            momentum = torch.addcmul(gradient_below, momentum, kept_fraction[:, layer])
            momenta.append(momentum)
        momenta.reverse()
        coupling = penalty_weight[:, None, None, None] * rho
        gradients = [
            coupling * torch.sub(nets.weights, nets.depth[:, None, None, None] * gradient)
        ]
        penalty = (rho * nets.weights.square()).sum((1, 2, 3))
        if self.learned_maps:
            decay, ratio = self.decay[:, None, None], penalty_weight[:, None, None]
            gradients.append(ratio * nets.input_map - decay * (momenta[0] @ self.x.mT))
            gradients.append(ratio * nets.output_map + (2 / points) * (error @ path[-1].mT))
            penalty = (
                penalty
                + nets.input_map.square().sum((1, 2))
                + nets.output_map.square().sum((1, 2))
            )
        return Pass(cost, penalty_weight / 2 * penalty, path, momenta, gradients)

    def residual(self, done: Pass, nets: LeakyResNets) -> Tensor:
        r"""Return the relative distance of each network from a critical point, ``[net]``, dimensionless.

        It is the size of the gradient with respect to the weights, in units of the regulariser's part of it:
        :math:`\sqrt{\sum_\ell \rho_\ell \|W_\ell - \tilde L B_\ell \sigma(A_{\ell-1})^\top\|^2 / \sum_\ell \rho_\ell
        \|W_\ell\|^2}`.
        """
        return self.relative(done.gradients[0], nets)

    def relative(self, gradient: Tensor, nets: LeakyResNets) -> Tensor:
        """Return the :meth:`residual` of ``nets`` with this gradient of the weights, in their shape."""
        penalty_weight = (self.decay / nets.depth)[:, None, None, None]
        rho = nets.rho[:, :, None, None]
        squared = (gradient.square() / (penalty_weight**2 * rho)).sum((1, 2, 3))
        return (squared / (rho * nets.weights.square()).sum((1, 2, 3))).sqrt()
