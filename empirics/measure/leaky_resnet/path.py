r"""The quantities of the theory of Leaky ResNets, measured layer by layer on a path of representations.

Layers are numbered ℓ = 1 ... L, and the representations A_ℓ belong to the nodes ℓ = 0 ... L between them. Quantities of
a layer are computed from :math:`A_{\ell-1}, B_\ell, W_\ell` and the velocity
:math:`\dot A_\ell = (A_\ell - A_{\ell-1})/\rho_\ell`: in a network at a critical point of the training loss,
:math:`W_\ell = \tilde L B_\ell \sigma(A_{\ell-1})^\top` and :math:`\tilde L A_{\ell-1} + \dot A_\ell = W_\ell
\sigma(A_{\ell-1})` hold exactly. The Hamiltonian is also given at the nodes, from (A_ℓ, B_ℓ); the two versions differ
by O(1/L).

A plain residual network is the case :math:`\tilde L = 0`: the regulariser is then
:math:`\frac\lambda2 \int \|W_p\|^2`, and a factor one replaces :math:`\tilde L` wherever it multiplies a norm in the
formulas.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from closedform import checks
from empirics import tensor_checks
from empirics.measure.leaky_resnet.image_norm import Image, singular_values
from empirics.measure.leaky_resnet.state import LeakyResNetState

OUTSIDE = 1e-8  # relative residual above which a matrix counts as outside the image, in float64
# estimated relative error of a finite cost of identity above which a warning is given
BLUNT = 1e-6


def path_state(
    path: Float[Tensor, "node width point"] | Any,
    rho: Float[Tensor, " layer"] | Any,
    depth: float,
    *,
    weights: Float[Tensor, "layer width fan_in"] | Any | None = None,
    momenta: Float[Tensor, "node width point"] | Any | None = None,
    bias: bool = True,
    linear: bool = False,
    gamma: float = 1e-3,
) -> LeakyResNetState:
    """Measure the theory's quantities along a path of representations.

    Args:
        path: representations A, a tensor or array ``[node, width, point]``; all numbers are converted to float64.
        rho: layer steps ``[layer]``, positive, one fewer than the nodes.
        depth: effective depth L̃ >= 0, dimensionless; 0 for a plain residual network.
        weights: weights W, ``[layer, width, width + bias]``; default None.
        momenta: momenta B, ``[node, width, point]``; default None.
        bias: whether σ appends a row of ones; default True.
        linear: whether σ is the identity; default False, for the ReLU.
        gamma: γ₀ > 0, in units of the squared operator norm of σ(A) and thus dimensionless; default 1e-3.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if shapes do not fit or a number is out of range or not finite.

    >>> path = torch.linspace(1, 2, 4)[:, None, None].double()
    >>> path_state(path, [1 / 3] * 3, depth=3, bias=False).position.tolist()
    [0.0, 0.3333333333333333, 0.6666666666666666, 1.0]
    """
    path, rho = _checked(path, rho)
    depth, gamma = (
        checks.nonnegative_number("depth", depth),
        checks.positive_number("gamma", gamma),
    )
    fan_in = path.shape[1] + checks.boolean("bias", bias)
    checks.boolean("linear", linear)
    momenta = _like("momenta", momenta, path, path.shape, "that of path")
    weights = _like(
        "weights", weights, path, (len(rho), path.shape[1], fan_in), "[layer, width, width + bias]"
    )
    unit = depth if depth > 0 else 1.0
    nodes, _, points = path.shape
    active = path if linear else path.clamp_min(0)
    s = torch.cat([active, active.new_ones(nodes, 1, points)], 1) if bias else active
    image = Image.of(s)
    strength = gamma * image.values.amax(-1).square()
    strength = torch.where(strength > 0, strength, torch.finfo(path.dtype).tiny)
    identity = image.project(path)
    residual = identity.residual()
    outside = residual > OUTSIDE
    _warn(image.condition, outside)
    image_before = Image(image.values[:-1], image.basis[:-1], image.kept[:-1])
    moved = path.diff(dim=0)
    velocity = moved / rho[:, None, None]
    kinetic = image_before.project(velocity)
    astray = kinetic.residual()
    stable = identity.stable_norm2(strength)
    stable_kinetic = kinetic.stable_norm2(strength[:-1]) / (2 * unit)
    measured: dict[str, Tensor] = {
        "position": torch.cat([rho.new_zeros(1), rho.cumsum(0)]),
        "path": path,
        "cost_of_identity": torch.where(outside, torch.inf, identity.norm2()),
        "image_residual": residual,
        "condition": image.condition,
        "gamma": strength,
        "stable_cost_of_identity": stable,
        "kinetic_energy": torch.where(astray > OUTSIDE, torch.inf, kinetic.norm2() / (2 * unit)),
        "velocity_residual": astray,
        "stable_kinetic_energy": stable_kinetic,
        "stable_hamiltonian": stable_kinetic - depth / 2 * stable[:-1],
        "activation_values": singular_values(path),
        "centred_values": singular_values(path - path.mean(-1, keepdim=True)),
        "negative_share": _negative_share(path),
    }
    if momenta is not None:
        measured |= _with_momenta(path, momenta, s, rho, depth, unit, weights, bias)
    if weights is not None:
        measured |= _of_weights(weights, rho, depth, bias)
    length = float(torch.linalg.matrix_norm(moved).sum())
    return LeakyResNetState(
        path_length=length, **{k: v.cpu().numpy() for k, v in measured.items()}
    )


def _negative_share(path: Tensor) -> Tensor:
    size = torch.linalg.matrix_norm(path)
    share: Tensor = torch.linalg.matrix_norm(path.clamp_max(0)) / torch.where(size > 0, size, 1)
    return share


def _with_momenta(
    a: Tensor,
    b: Tensor,
    s: Tensor,
    rho: Tensor,
    depth: float,
    unit: float,
    weights: Tensor | None,
    bias: bool,
) -> dict[str, Tensor]:
    paired = (b[1:] * a[:-1]).sum((1, 2))
    meeting, at_nodes = b[1:] @ s[:-1].mT, b @ s.mT
    out = {
        "momenta": b,
        "hamiltonian": unit / 2 * meeting.square().sum((1, 2)) - depth * paired,
        "hamiltonian_at_nodes": unit / 2 * at_nodes.square().sum((1, 2))
        - depth * (b * a).sum((1, 2)),
        "momentum_norm": torch.linalg.matrix_norm(b),
        "weight_from_momenta_norm": torch.linalg.matrix_norm(meeting),
    }
    if weights is not None:
        w = weights
        size = torch.linalg.matrix_norm(w)
        off = torch.linalg.matrix_norm(w - unit * meeting)
        out["stationarity"] = torch.where(size > 0, off / torch.where(size > 0, size, 1), off)
        source = rho * w[:, :, -1].square().sum(1) / unit if bias else torch.zeros_like(rho)
        out["exchange"] = (b * a).sum((1, 2)).diff() - source
    return out


def _of_weights(w: Tensor, rho: Tensor, depth: float, bias: bool) -> dict[str, Tensor]:
    norm2 = w.square().sum((1, 2))
    bias2 = w[:, :, -1].square().sum(1) if bias else torch.zeros_like(rho)
    steps = (rho[:-1] * bias2[:-1] + rho[1:] * bias2[1:]) / 2
    fed = 2 * depth * torch.cat([rho.new_zeros(1), steps.cumsum(0)])
    return {"weight_values": torch.linalg.svdvals(w), "balancedness": norm2 - norm2[0] - fed}


def _checked(path: Any, rho: Any) -> tuple[Tensor, Tensor]:
    path = tensor_checks.real_numbers("path", path)
    two = path.ndim == 3 and path.shape[0] >= 2 and path.numel() > 0
    tensor_checks.shape("path", path, two, "[node, width, point] with at least two nodes")
    path = path.double()
    tensor_checks.finite("path", path)
    rho = tensor_checks.real_numbers("rho", rho).to(path)
    if rho.shape != (path.shape[0] - 1,) or not bool((torch.isfinite(rho) & (rho > 0)).all()):
        raise ValueError(
            f"rho: got {rho.tolist()}, needs {path.shape[0] - 1} positive finite steps"
        )
    return path, rho


def _like(
    name: str, value: Any, path: Tensor, shape: tuple[int, ...], needs: str
) -> Tensor | None:
    """Return a finite tensor of this shape in the precision and on the device of ``path``, or None for None."""
    if value is None:
        return None
    numbers = tensor_checks.real_numbers(name, value).to(path)
    tensor_checks.shape(name, numbers, numbers.shape == shape, f"{needs}, {list(shape)}")
    tensor_checks.finite(name, numbers)
    return numbers


def _warn(condition: Tensor, outside: Tensor) -> None:
    error = condition * torch.finfo(condition.dtype).eps
    blunt = torch.nonzero((error > BLUNT) & ~outside).flatten().tolist()
    if blunt:
        warnings.warn(
            f"cost of identity at nodes {blunt}: σ(A) has condition number {float(condition[blunt].max()):.1e}, so the "
            f"relative error may be {float(error[blunt].max()):.1e}; use the stable version there",
            RuntimeWarning,
            stacklevel=3,
        )
