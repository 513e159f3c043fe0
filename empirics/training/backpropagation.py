r"""Gradient descent on fully connected networks, with the backward pass written out.

With N points the gradient of a weight matrix has rank N, so that a step is cheap: on two points it takes about a third
of the time that autograd takes.
With :math:`h_l = \varphi(h_{l-1} W_l + b_l)` and the loss :math:`L = \frac{1}{2N} \sum_i \|y_i - t_i\|^2` (Eq. 1),

.. math::
    \delta_{\mathrm{out}} = (y - t)/N, \qquad
    \delta_{l-1} = (\delta_l W_l^\top) \odot \varphi'_{l-1}, \qquad
    W_l \leftarrow W_l - \eta \, h_{l-1}^\top \delta_l, \qquad
    b_l \leftarrow b_l - \eta \sum_i \delta_{l,i} .

Each :math:`\delta_{l-1}` is computed before :math:`W_l` changes. Tests compare it with
:class:`empirics.training.Autograd`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from empirics.networks.architecture import Activations, Architecture, Outputs, Parameters, Points


class Backpropagation:
    """Full-batch gradient descent on a batch of fully connected networks; a :class:`empirics.training.loop.Trainer`.

    Args:
        architecture: a fully connected network, not a subclass, since those have other backward passes.
        parameters: weights and biases of all seeds; they are changed in place from here on.
        x: inputs ``[point, input]``, the same for all seeds, or ``[seed, point, input]``.
        target: targets ``[point, output]``, or ``[seed, point, output]``.
        learning_rate: step size, in units of the inverse curvature of the loss; one step is one epoch.

    Raises:
        TypeError: if ``architecture`` is another network.

    >>> from empirics.experiments import two_point
    >>> type(two_point.trainer(two_point.Config(depth=3, width=10, seeds=2))).__name__
    'Backpropagation'
    """

    def __init__(
        self,
        architecture: Architecture,
        parameters: Parameters,
        x: Points,
        target: Outputs,
        learning_rate: float,
    ) -> None:
        if type(architecture) is not Architecture:
            raise TypeError(
                f"architecture: got {type(architecture).__name__}, needs a fully connected Architecture"
            )
        self.parameters = parameters
        self._phi = architecture.activation
        self._rate = learning_rate
        self._activity: list[Tensor] = []
        self._kept: list[Tensor] = []
        self._output = parameters[0][0]
        self.present(x, target)

    def present(self, x: Points, target: Outputs) -> None:
        """Take other points from the next observation on, such as the next mini-batch; shapes as in the constructor."""
        weight = self.parameters[0][0]
        self._points = x.shape[-2]
        self._x = x.to(weight).expand(weight.shape[0], *x.shape[-2:])
        self._target = target.to(weight)
        self._ones = weight.new_ones(weight.shape[0], 1, self._points)

    @torch.no_grad()
    def observe(self) -> tuple[list[Activations], Outputs]:
        """See :class:`empirics.training.loop.Trainer`."""
        phi, h = self._phi, self._x
        self._activity, self._kept = [h], []
        for weight, bias in self.parameters[:-1]:
            z = torch.baddbmm(bias, h, weight)
            h = phi.function(z)
            self._activity.append(h)
            self._kept.append(z if phi.keeps_input else h)
        weight, bias = self.parameters[-1]
        self._output = torch.baddbmm(bias, h, weight)
        return self._activity[1:], self._output

    @torch.no_grad()
    def update(self) -> None:
        """See :class:`empirics.training.loop.Trainer`."""
        delta = (self._output - self._target) / self._points
        for l in range(len(self.parameters) - 1, -1, -1):
            weight, bias = self.parameters[l]
            delta_below = torch.bmm(delta, weight.mT) if l > 0 else None
            weight.baddbmm_(self._activity[l].mT, delta, alpha=-self._rate)
            bias.baddbmm_(self._ones, delta, alpha=-self._rate)
            if delta_below is not None:
                delta = self._phi.pull_back(delta_below, self._kept[l - 1])

    def state(self) -> dict[str, Any]:
        """See :class:`empirics.training.loop.Trainer`."""
        return {"parameters": [[w, b] for w, b in self.parameters]}

    def load_state(self, state: dict[str, Any]) -> None:
        """See :class:`empirics.training.loop.Trainer`."""
        for (weight, bias), (w, b) in zip(self.parameters, state["parameters"], strict=True):
            weight.copy_(w)
            bias.copy_(b)
