"""Kernels of infinitely wide networks for GPyTorch, with gradients in their scales. They need the extra ``gpytorch``.

covariance = WideNetworkKernel("erf", depth=3)
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import torch
from gpytorch.constraints import Positive
from gpytorch.kernels import Kernel
from torch import Tensor

from bridge.geometry.wide_kernel import WideNetwork
from theory.activations import Activation


class WideNetworkKernel(Kernel):  # type: ignore[misc]
    """NNGP or tangent kernel of an infinitely wide network.

    The kernel is computed in float64 on the CPU. It has gradients in its scales, but not in the inputs.

    Args:
        activation: activation of every hidden layer, its name, or an expression in ``z`` such as ``"z*erf(z)"``.
        depth: number of hidden layers, at least 1. Default: 1.
        kind: ``"nngp"`` (default) or ``"ntk"``.
        sigma: initial standard deviation of each weight, positive; 1/input in the first layer. Default: 1.
        zeta: initial standard deviation of each bias, positive. Default: 0.1.
        xi: initial standard deviation of each readout weight, positive; for the tangent kernel only. Default: 1.
    """

    has_lengthscale = False

    def __init__(
        self,
        activation: Activation | str = "relu",
        depth: int = 1,
        kind: Literal["nngp", "ntk"] = "nngp",
        *,
        sigma: float = 1.0,
        zeta: float = 0.1,
        xi: float = 1.0,
    ) -> None:
        super().__init__()
        self.network = WideNetwork(activation, depth, kind)
        scales = {"sigma": sigma, "zeta": zeta} | ({"xi": xi} if kind == "ntk" else {})
        self.names = tuple(scales)
        for name, value in scales.items():
            if not value > 0:
                raise ValueError(f"{name}: got {value!r}, needs a positive number")
            self.register_parameter(
                f"raw_{name}", torch.nn.Parameter(torch.zeros((), dtype=torch.float64))
            )
            self.register_constraint(f"raw_{name}", Positive())
            self.initialize(
                **{f"raw_{name}": self.constraint(name).inverse_transform(torch.tensor(value))}
            )

    def constraint(self, name: str) -> Any:
        """Return the constraint that keeps a scale positive."""
        return getattr(self, f"raw_{name}_constraint")

    def scale(self, name: str) -> Tensor:
        """Return the current value of ``"sigma"``, ``"zeta"`` or ``"xi"``, with its gradient."""
        value: Tensor = self.constraint(name).transform(getattr(self, f"raw_{name}"))
        return value

    def forward(self, x1: Tensor, x2: Tensor, diag: bool = False, **params: Any) -> Tensor:
        """Return the kernel ``[..., N, M]`` or its diagonal ``[..., N]``; ValueError if an input needs a gradient."""
        if x1.requires_grad or x2.requires_grad:
            raise ValueError(
                "x1, x2: require a gradient, which these kernels have in their scales only"
            )
        result: Tensor = _Evaluation.apply(  # type: ignore[no-untyped-call]
            self.network, self.names, x1, x2, diag, *map(self.scale, self.names)
        )
        return result.to(x1)


class _Evaluation(torch.autograd.Function):
    """The kernel matrix as a function of the scales."""

    @staticmethod
    def forward(ctx: Any, network: WideNetwork, names: tuple[str, ...], x1: Tensor, x2: Tensor, diag: bool,
                *scales: Tensor) -> Tensor:  # fmt: skip
        """Compute the kernel, batch by batch."""
        values = {name: float(scale) for name, scale in zip(names, scales, strict=True)}
        ctx.given = (network, values, x1, x2, diag)
        return _batched(network.diagonal if diag else network.matrix, values, x1, x2)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        """Contract the gradient with the derivative in each scale."""
        network, values, x1, x2, diag = ctx.given
        parts: list[Tensor | None] = []
        for number, name in enumerate(values):
            if not ctx.needs_input_grad[5 + number]:
                parts.append(None)
                continue

            slope = _batched(partial(network.derivative, name, diagonal=diag), values, x1, x2)
            parts.append((gradients[0].to(slope) * slope).sum() / values[name])
        return (None, None, None, None, None, *parts)


def _batched(function: Any, scales: dict[str, float], x1: Tensor, x2: Tensor) -> Tensor:
    """Apply a function of two arrays ``[N, d]``, ``[M, d]`` to all batches, on the CPU in float64."""
    batch = torch.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])  # type: ignore[no-untyped-call]
    first = x1.detach().double().cpu().expand(*batch, *x1.shape[-2:]).reshape(-1, *x1.shape[-2:])
    second = x2.detach().double().cpu().expand(*batch, *x2.shape[-2:]).reshape(-1, *x2.shape[-2:])
    pairs = zip(first.numpy(), second.numpy(), strict=True)
    stacked = torch.stack(
        [torch.as_tensor(function(rows, columns, **scales)) for rows, columns in pairs]
    )
    return stacked.reshape(*batch, *stacked.shape[1:])
