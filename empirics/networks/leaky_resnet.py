r"""Leaky ResNets, many as one: weights carry a leading network dimension (seeds, effective depths).

.. math:: A_0 = P x, \qquad A_\ell = (1 - \rho_\ell \tilde L) A_{\ell-1} + \rho_\ell W_\ell \, \sigma(A_{\ell-1}),
    \qquad f(x) = Q A_L ,

with :math:`\sigma` the ReLU (or the identity), with a one appended where the network has a bias. Representations are
``[net, unit, point]``, as the paper writes them (columns are points).

Layer steps of a Leaky ResNet: partitions of the interval [0, 1] into steps :math:`\rho_1, \dots, \rho_L`.

Section 3 of the paper of Leaky ResNets (its file is the source of :mod:`theory.leaky_resnet`) has three meshes:

- equidistant: :math:`\rho_\ell = 1/L`;
- irregular: :math:`\rho_\ell = \frac1L + \frac aL (\frac14 - |\frac \ell L - \frac12|)`, small at both ends. As printed
  it sums to one for even L only (:math:`1 - a/4L^2` for odd L), so it is divided by its sum;
- adaptive: :math:`\rho_\ell = c_\ell^{-1} / \sum_k c_k^{-1}` with :math:`c_\ell = \|A_\ell - A_{\ell-1}\| / (\rho_\ell
  \|A_\ell\|)`, so that all layers move the representation by the same relative distance. A fixed-point map, applied
  again and again while the network trains.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from closedform import checks
from closedform.rounding import ROUNDINGS
from empirics import seeding, tensor_checks
from empirics.networks.module import linear_map
from empirics.networks.names import MESHES, Mesh


@dataclass
class LeakyResNets:
    """A batch of Leaky ResNets of one size."""

    depth: Tensor  # effective depths L̃ > 0, [net]
    rho: Tensor  # layer steps [net, layer], each row of sum 1
    weights: (
        Tensor  # W, [net, layer, width, width + bias]; with a bias, the last column is the bias
    )
    input_map: Tensor  # P, [net, width, input]
    output_map: Tensor  # Q, [net, output, width]
    bias: bool = True  # whether σ appends a one
    linear: bool = False  # whether σ is the identity instead of the ReLU

    @property
    def width(self) -> int:
        """The number of units in a layer."""
        return self.weights.shape[2]

    @property
    def layers(self) -> int:
        """The number of layers L."""
        return self.weights.shape[1]

    def path(self, x: Tensor) -> Tensor:
        """Return the representations ``[net, layer + 1, width, point]`` of ``x`` ``[net or 1, input, point]``."""
        activations = [self.input_map @ x]
        for layer in range(self.layers):
            activations.append(step(self, layer, activations[-1]))
        return torch.stack(activations, 1)

    def __call__(self, x: Tensor) -> Tensor:
        """Return the outputs ``[net, output, point]`` at ``x`` ``[net or 1, input, point]``."""
        return self.output_map @ self.path(x)[:, -1]

    def to(self, device: torch.device | str, dtype: torch.dtype | None = None) -> LeakyResNets:
        """Return the same networks on another device and in another dtype; default: the present dtype."""
        names = ("depth", "rho", "weights", "input_map", "output_map")
        return replace(self, **{name: getattr(self, name).to(device, dtype) for name in names})


def step(nets: LeakyResNets, layer: int, a: Tensor) -> Tensor:
    """Return the representation after layer ``layer`` (from 0), from that before it, both ``[net, width, point]``."""
    rho = nets.rho[:, layer, None, None]
    carried = (1 - rho * nets.depth[:, None, None]) * a
    return torch.baddbmm(carried, rho * nets.weights[:, layer], sigma(a, nets.bias, nets.linear))


def stretched(nets: LeakyResNets, depth: Tensor) -> LeakyResNets:
    """Return networks of other effective depths L̃ ``[net]``: a layer is that at the same L̃p from the nearer end.

    A longer network repeats its middle layer, where a bottleneck hardly changes the representation.
    """
    after, ratio = nets.rho.cumsum(1), (depth / nets.depth)[:, None]
    centre = after - nets.rho / 2
    from_end = (torch.minimum(centre, 1 - centre) * ratio).clamp_max(0.5)
    position = torch.where(centre < 0.5, from_end, 1 - from_end)
    layer = torch.searchsorted(after, position).clamp_max(nets.layers - 1)
    weights = nets.weights[torch.arange(len(layer))[:, None], layer] * ratio[..., None, None]
    return replace(nets, depth=depth, weights=weights)


def sigma(a: Tensor, bias: bool, linear: bool = False) -> Tensor:
    """Return σ(A), ``[..., width + bias, point]``: ReLU or identity, with a row of ones if there is a bias."""
    out = a if linear else a.clamp_min(0)
    return torch.cat([out, out.new_ones(*out.shape[:-2], 1, out.shape[-1])], -2) if bias else out


def initial_nets(
    *,
    seeds: Sequence[int],
    depth: float | Sequence[float],
    inputs: int,
    outputs: int,
    width: int,
    layers: int,
    bias: bool = True,
    linear: bool = False,
    mesh: Mesh = "equidistant",
    slope: float = 0.9,
    gain: float = 1.0,
    dtype: torch.dtype = torch.float64,
    device: torch.device | str = "cpu",
) -> LeakyResNets:
    r"""Draw one network per seed, on the CPU in float64.

    Input and output map are random isometries, which preserve norms. Weights :math:`W_\ell = \tilde L g \sqrt{2/w} \,
    N(0, 1)`, with the gain g, make a ReLU layer without leak preserve the size of a representation. There is one depth
    for all or one per network.
    """
    checks.require(len(seeds) > 0, "seeds", "none", "at least one")
    checks.size("inputs", inputs)
    checks.size("outputs", outputs)
    checks.size("width", width, max(inputs, outputs))
    checks.nonnegative_number("gain", gain)
    depths = torch.as_tensor(depth, dtype=torch.float64).expand(len(seeds)).clone()
    if not bool((torch.isfinite(depths) & (depths > 0)).all()):
        raise ValueError(f"depth: got {depth}, needs positive finite numbers")
    rho = steps(mesh, layers, slope).expand(len(seeds), layers).clone()
    spread = gain * math.sqrt((1 if linear else 2) / width)
    with tensor_checks.memory_for(
        inputs=inputs, outputs=outputs, width=width, layers=layers, seeds=len(seeds)
    ):
        weights = torch.zeros(len(seeds), layers, width, width + bias, dtype=torch.float64)
        into = torch.empty(len(seeds), width, inputs, dtype=torch.float64)
        out = torch.empty(len(seeds), outputs, width, dtype=torch.float64)
        for net, stream in enumerate(seeding.generators(seeds, "weights")):
            into[net] = _isometry(width, inputs, stream)
            out[net] = _isometry(width, outputs, stream).T
            noise = torch.randn(layers, width, width, generator=stream, dtype=torch.float64)
            weights[net, :, :, :width] = depths[net] * spread * noise
    nets = LeakyResNets(depths, rho, weights, into, out, bias, linear)
    return nets.to(device, dtype)


def _isometry(rows: int, columns: int, stream: torch.Generator) -> Tensor:
    """Draw a uniformly distributed matrix ``[rows, columns]`` with orthonormal columns (QR with diagonal R > 0)."""
    q, r = torch.linalg.qr(torch.randn(rows, columns, generator=stream, dtype=torch.float64))
    isometry: Tensor = q * torch.sign(torch.diagonal(r))
    return isometry


def steps(mesh: Mesh, layers: int, slope: float = 0.9) -> Tensor:
    """Return the initial positive steps ``[layer]`` of a mesh, of sum 1; the adaptive mesh starts equidistant."""
    checks.layers("layers", layers)
    checks.one_of("mesh", mesh, MESHES)
    checks.real_number("slope", slope, least=0, below=1)
    if mesh != "irregular":
        return torch.full((layers,), 1 / layers, dtype=torch.float64)
    position = torch.arange(1, layers + 1, dtype=torch.float64) / layers
    printed = (1 + slope * (0.25 - (position - 0.5).abs())) / layers
    return printed / printed.sum()


def adapted(rho: Tensor, path: Tensor, relaxation: float = 1.0) -> Tensor:
    """Apply the adaptive rule to a path ``[..., layer + 1, unit, point]`` once; the paper's exponent is 1."""
    nodes = rho.shape[-1] + 1
    tensor_checks.shape(
        "path", path, path.ndim >= 3 and path.shape[-3] == nodes, f"[..., {nodes}, unit, point]"
    )
    checks.real_number("relaxation", relaxation, above=0, most=1)
    moved = torch.linalg.matrix_norm(path[..., 1:, :, :] - path[..., :-1, :, :])
    size = torch.linalg.matrix_norm(path[..., 1:, :, :])
    distance = moved / size
    rounding = ROUNDINGS * torch.finfo(path.dtype).eps
    if not bool((torch.isfinite(distance) & (distance > rounding)).all()):
        raise ValueError(
            "path: a layer leaves its representation as it is (or at zero): no adaptive step"
        )
    share = rho * distance.pow(-relaxation)  # rho / distance = 1 / c
    new: Tensor = share / share.sum(-1, keepdim=True)
    return new


def condition(rho: Tensor, depth: Tensor | float) -> Tensor:
    """Return the largest step times the effective depth, ``[...]``; below one, no layer's skip term changes sign."""
    return rho.amax(-1) * depth


class LeakyLayer(nn.Module):
    """One layer, (1 - ρ L̃) a + ρ W σ(a); the last of the columns ``[width, width + bias]`` of W is the bias."""

    def __init__(self, weight: Tensor, rho: float, depth: float, bias: bool, linear: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight.detach().clone())
        self.rho, self.depth, self.bias, self.linear = rho, depth, bias, linear

    def forward(self, a: Tensor) -> Tensor:
        """Return the next representation."""
        width = self.weight.shape[0]
        active = a if self.linear else a.clamp_min(0)
        shift = self.weight[:, width] if self.bias else None
        return (1 - self.rho * self.depth) * a + self.rho * nn.functional.linear(
            active, self.weight[:, :width], shift
        )


class LeakyResNet(nn.Module):
    """A single Leaky ResNet, ``[point, input] -> [point, output]``, with the attributes of :class:`LeakyResNets`."""

    def __init__(self, nets: LeakyResNets, index: int) -> None:
        super().__init__()
        self.depth, self.rho = float(nets.depth[index]), nets.rho[index].detach().clone()
        self.bias, self.linear = nets.bias, nets.linear
        self.input = linear_map(nets.input_map[index])
        self.layers = nn.ModuleList(
            LeakyLayer(weight, float(rho), self.depth, nets.bias, nets.linear)
            for weight, rho in zip(nets.weights[index], self.rho, strict=True)
        )
        self.output = linear_map(nets.output_map[index])

    def forward(self, x: Tensor) -> Tensor:
        """Return the output at ``x``."""
        a = self.input(x)
        for layer in self.layers:
            a = layer(a)
        out: Tensor = self.output(a)
        return out


def single(nets: LeakyResNets, index: int = 0) -> LeakyResNet:
    """Return network number ``index`` of a batch, with its own copy of the parameters.

    Raises:
        IndexError: if the batch has no such network.
    """
    if not 0 <= index < nets.weights.shape[0]:
        raise IndexError(
            f"index: got {index}, needs 0 <= index < {nets.weights.shape[0]} (the networks in the batch)"
        )
    with torch.no_grad():
        return LeakyResNet(nets, index)
