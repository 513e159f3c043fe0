r"""Layer steps of a Leaky ResNet: partitions of the interval [0, 1] into steps :math:`\rho_1, \dots, \rho_L`.

Section 3 of the paper of Leaky ResNets (its file is the source of :mod:`theory.leaky_resnet`) has three meshes:

- equidistant: :math:`\rho_\ell = 1/L`;
- irregular: :math:`\rho_\ell = \frac1L + \frac aL (\frac14 - |\frac \ell L - \frac12|)`, small at both ends. As printed
  it sums to one for even L only (:math:`1 - a/4L^2` for odd L), so it is divided by its sum;
- adaptive: :math:`\rho_\ell = c_\ell^{-1} / \sum_k c_k^{-1}` with :math:`c_\ell = \|A_\ell - A_{\ell-1}\| / (\rho_\ell
  \|A_\ell\|)`, so that all layers move the representation by the same relative distance. A fixed-point map, applied
  again and again while the network trains.
"""

from __future__ import annotations

import torch
from torch import Tensor

from closedform import checks
from closedform.rounding import ROUNDINGS
from empirics import tensor_checks
from empirics.networks.names import MESHES, Mesh


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
