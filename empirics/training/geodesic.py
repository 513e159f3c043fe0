r"""Representation geodesics: the path of least action between two given sets of representations, without a network.

This is a second route, without weights or back-propagation, to the paths that Leaky ResNets learn. The unknowns are the
representations between two fixed ends. The action of Section 1.3,

.. math:: S = \frac{1}{2 \tilde L} \int_0^1 \|\tilde L A_p + \partial_p A_p\|_{K_p}^2 dp ,

is discretised in one of two ways. The scheme "euler" takes K and A at the left node of each step, so that the action is
exactly the regulariser of a network with these steps, and the path of a trained network must be a critical point. The
scheme "midpoint" is of second order in the step and serves the continuum limit. The norm is
:math:`\|M R^{-1}\|_F^2` with :math:`\sigma(A) = Q R`. It needs σ(A) of full column rank as judged by
:func:`independent_columns`, hence at least as many units as points (the bias counts as a unit).
"""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from closedform import checks
from closedform.rounding import is_nonzero
from empirics import tensor_checks
from empirics.networks.leaky_resnet import sigma
from empirics.training.lbfgs import BatchedLBFGS


def independent_columns(matrix: Tensor) -> Tensor:
    """Return whether the columns of matrices ``[..., row, column]``, at length one, are independent beyond rounding."""
    rows, columns = matrix.shape[-2:]
    lengths = torch.linalg.vector_norm(matrix, dim=-2, keepdim=True)
    scaled = matrix / torch.where(lengths > 0, lengths, 1)
    is_finite = torch.isfinite(scaled).all(-1).all(-1)
    values = torch.linalg.svdvals(torch.where(is_finite[..., None, None], scaled, 0))
    if rows < columns:
        return torch.zeros_like(is_finite)
    kept: Tensor = is_nonzero(values, rows, columns, torch.finfo(matrix.dtype).eps)
    return is_finite & kept.all(-1)


Scheme = Literal["euler", "midpoint"]
CRITICAL = 1e-7  # slope of the action at which the minimiser stops


@dataclass(frozen=True)
class Geodesic:
    """A path of locally least action."""

    path: Tensor  # A, [node, width, point], float64; its two ends are those that were given
    action: float  # S, dimensionless
    slope: float  # largest |derivative of S| by an entry of the inner nodes, times their norm; dimensionless
    iterations: int  # steps of L-BFGS


def action(
    path: Tensor,
    rho: Tensor,
    depth: float,
    *,
    bias: bool = True,
    linear: bool = False,
    scheme: Scheme = "euler",
) -> Tensor:
    """Return the action of a path ``[node, width, point]``, infinite where σ(A) lacks full column rank."""
    nodes = path[:-1] if scheme == "euler" else (path[:-1] + path[1:]) / 2
    product = depth * nodes + path.diff(dim=0) / rho[:, None, None]
    features = sigma(nodes, bias, linear)
    if not bool(independent_columns(features.detach()).all()):
        return (0 * path).sum() + torch.inf
    r = torch.linalg.qr(features).R
    costs = torch.linalg.solve_triangular(r, product, upper=True, left=False).square().sum((1, 2))
    total: Tensor = (rho * costs).sum() / (2 * depth)
    return total


def geodesic(
    path: Tensor,
    depth: float,
    *,
    rho: Tensor | None = None,
    bias: bool = True,
    linear: bool = False,
    scheme: Scheme = "euler",
    iterations: int = 2000,
) -> Geodesic:
    """Minimise the action over paths with the ends of ``path``, from that one; ``rho`` None are equal steps."""
    is_path = path.ndim == 3 and path.shape[0] >= 3
    tensor_checks.shape("path", path, is_path, "[node, width, point] with at least three nodes")
    rows = path.shape[1] + bias
    checks.require(
        path.shape[2] <= rows, "path", f"{path.shape[2]} points", f"at most {rows} (rows of σ(A))"
    )
    checks.positive_number("depth", depth)
    checks.one_of("scheme", scheme, ("euler", "midpoint"))
    path = path.detach().double()
    layers = path.shape[0] - 1
    steps = torch.full((layers,), 1 / layers).to(path) if rho is None else rho.detach().to(path)
    if steps.shape != (layers,) or not bool((steps > 0).all()):
        raise ValueError(f"rho: got {steps.tolist()}, needs {layers} positive steps")
    inner_shape = path[1:-1].shape

    # action and gradient at the inner nodes, [1] and [1, entry]
    def evaluate(
        flat: Tensor,
    ) -> tuple[Tensor, Tensor]:
        free = flat[0].detach().clone().reshape(inner_shape).requires_grad_()
        with torch.enable_grad():
            full_path = torch.cat([path[:1], free, path[-1:]])
            value = action(full_path, steps, depth, bias=bias, linear=linear, scheme=scheme)
            (gradient,) = torch.autograd.grad(value, free)
        return value.detach()[None], gradient.flatten()[None]

    solver = BatchedLBFGS(evaluate, path[1:-1].flatten()[None])
    if not bool(torch.isfinite(solver.value).all()):
        raise ValueError(
            "path: σ(A) does not have full column rank everywhere on it, needs another initial path"
        )
    count = 0
    while count < iterations and _slope(solver) > CRITICAL and not solver.done:
        solver.step()
        count += 1
    solution = torch.cat([path[:1], solver.parameters[0].reshape(inner_shape), path[-1:]])
    return Geodesic(solution, float(solver.value[0]), _slope(solver), count)


def _slope(solver: BatchedLBFGS) -> float:
    return float(solver.gradient.abs().max() * solver.parameters.norm())
