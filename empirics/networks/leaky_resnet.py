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
from torch import Tensor

from closedform import checks
from closedform.rounding import ROUNDINGS
from empirics import seeding, tensor_checks
from empirics.networks.names import MESHES, Mesh


@dataclass
class LeakyResNets:
    """A batch of Leaky ResNets of one size."""

    depth: Tensor  # effective depths L̃ > 0, [net]
    rho: Tensor  # layer steps [net, layer], each row of sum 1
    weights: Tensor  # W, [net, layer, width, width + bias]; with a bias, the last column is the bias
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
    r"""Draw one network per seed, on the CPU in float64, so that a seed gives the same network on every device.

    The input map is a random isometry (orthonormal columns), the output map the transpose of another: they preserve
    norms, so that the cost of the weights does not depend on them. The weights :math:`W_\ell = \tilde L g \sqrt{2/w} \,
    N(0, 1)`, with the gain g, make a ReLU layer without leak preserve the size of a representation; biases start at
    zero. There is one depth for all or one per network.
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
    weights = torch.zeros(len(seeds), layers, width, width + bias, dtype=torch.float64)
    into = torch.empty(len(seeds), width, inputs, dtype=torch.float64)
    out = torch.empty(len(seeds), outputs, width, dtype=torch.float64)
    spread = gain * math.sqrt((1 if linear else 2) / width)
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
    checks.size("layers", layers)
    checks.one_of("mesh", mesh, MESHES)
    checks.real_number("slope", slope, least=0, below=1)
    if mesh != "irregular":
        return torch.full((layers,), 1 / layers, dtype=torch.float64)
    position = torch.arange(1, layers + 1, dtype=torch.float64) / layers
    printed = (1 + slope * (0.25 - (position - 0.5).abs())) / layers
    return printed / printed.sum()


def adapted(rho: Tensor, path: Tensor, relaxation: float = 1.0) -> Tensor:
    """Apply the adaptive rule once: return new positive steps ``[..., layer]``, in every row of sum 1.

    The path ``[..., layer + 1, unit, point]`` is that of the network with the present steps. The exponent 1 is the
    paper's rule, a smaller one changes the mesh slowly. ValueError if a layer does not move the representation beyond
    rounding.
    """
    nodes = rho.shape[-1] + 1
    tensor_checks.shape("path", path, path.ndim >= 3 and path.shape[-3] == nodes, f"[..., {nodes}, unit, point]")
    checks.real_number("relaxation", relaxation, above=0, most=1)
    moved = torch.linalg.matrix_norm(path[..., 1:, :, :] - path[..., :-1, :, :])
    size = torch.linalg.matrix_norm(path[..., 1:, :, :])
    distance = moved / size
    rounding = ROUNDINGS * torch.finfo(path.dtype).eps
    if not bool((torch.isfinite(distance) & (distance > rounding)).all()):
        raise ValueError("path: a layer leaves its representation as it is (or at zero): no adaptive step")
    share = rho * distance.pow(-relaxation)  # rho / distance = 1 / c
    new: Tensor = share / share.sum(-1, keepdim=True)
    return new


def condition(rho: Tensor, depth: Tensor | float) -> Tensor:
    """Return the largest step times the effective depth, ``[...]``; below one, no layer's skip term changes sign."""
    return rho.amax(-1) * depth
