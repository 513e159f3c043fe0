r"""Representation geodesics solved directly: the path of least action between two given representations.

An independent way to the paths that networks learn: no weights, no back-propagation. Unknown are the representations
between two fixed ends; the action of Section 1.3,

.. math:: S = \frac{1}{2 \tilde L} \int_0^1 \|\tilde L A_p + \partial_p A_p\|_{K_p}^2 dp ,

is discretised with the weights' layer rule ("euler": K and A at the left node, exactly the regulariser of a network
with these steps, so a trained network's path must be a critical point) or at midpoints ("midpoint": second order in the
step, for the continuum). The norm is :math:`\|M R^{-1}\|_F^2` with :math:`\sigma(A) = Q R`; it needs σ(A) of full
column rank by :func:`empirics.rank.independent_columns`, so at least as many units (one more with a bias) as points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from empirics import check
from empirics.networks.leaky_resnet import sigma
from empirics.rank import independent_columns
from empirics.training.lbfgs import BatchedLBFGS

Scheme = Literal["euler", "midpoint"]


@dataclass(frozen=True)
class Geodesic:
    """A path of locally least action.

    Attributes:
        path: A, ``[node, width, point]``; its ends are the given ones.
        action: S, dimensionless.
        slope: largest derivative of the action by an inner entry of the path, times that path's size: dimensionless.
        iterations: L-BFGS steps made.
    """

    path: Tensor
    action: float
    slope: float
    iterations: int


def action(
    path: Tensor, rho: Tensor, depth: float, *, bias: bool = True, linear: bool = False, scheme: Scheme = "euler"
) -> Tensor:
    """S of a path ``[node, width, point]`` with steps ``rho`` ``[layer]``; differentiable; a number.

    Infinite where σ(A) has not full column rank at a node that counts.
    """
    here = path[:-1] if scheme == "euler" else (path[:-1] + path[1:]) / 2
    needed = depth * here + path.diff(dim=0) / rho[:, None, None]
    active = sigma(here, bias, linear)
    if not bool(independent_columns(active.detach()).all()):
        return (0 * path).sum() + torch.inf
    r = torch.linalg.qr(active).R
    costs = torch.linalg.solve_triangular(r, needed, upper=True, left=False).square().sum((1, 2))
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
    tolerance: float = 1e-7,
) -> Geodesic:
    """The path of least action with the ends of ``path``, from ``path`` downhill.

    Args:
        path: where to start, ``[node, width, point]``; a trained network's path is a good one, a straight line a bad
            one (σ(A) may lose rank on it).
        depth: effective depth L̃ > 0.
        rho: steps ``[layer]``; equal ones when not given.
        bias: whether σ appends a one.
        linear: whether σ is the identity.
        scheme: "euler" or "midpoint".
        iterations: at most.
        tolerance: on ``slope``.

    Raises:
        ValueError: if shapes do not fit, a number is out of range, or σ(A) has not full column rank at the start.
    """
    three = path.ndim == 3 and path.shape[0] >= 3
    check.shape("path", path, three, "[node, width, point] with at least three nodes")
    rows = path.shape[1] + bias
    check.require(path.shape[2] <= rows, "path", f"{path.shape[2]} points", f"at most {rows} (rows of σ(A))")
    check.real("depth", depth, positive=True)
    check.one_of("scheme", scheme, ("euler", "midpoint"))
    path = path.detach().double()
    layers = path.shape[0] - 1
    steps = torch.full((layers,), 1 / layers).to(path) if rho is None else rho.detach().to(path)
    if steps.shape != (layers,) or not bool((steps > 0).all()):
        raise ValueError(f"rho: got {steps.tolist()}, needs {layers} positive steps")
    inner = path[1:-1].shape

    def evaluate(flat: Tensor) -> tuple[Tensor, Tensor]:
        free = flat[0].detach().clone().reshape(inner).requires_grad_()
        with torch.enable_grad():
            whole = torch.cat([path[:1], free, path[-1:]])
            value = action(whole, steps, depth, bias=bias, linear=linear, scheme=scheme)
            (gradient,) = torch.autograd.grad(value, free)
        return value.detach()[None], gradient.flatten()[None]

    solver = BatchedLBFGS(evaluate, path[1:-1].flatten()[None])
    if not bool(torch.isfinite(solver.value).all()):
        raise ValueError("path: σ(A) has not full column rank somewhere on it, needs another start")
    done = 0
    while done < iterations and _slope(solver) > tolerance and not solver.done:
        solver.step()
        done += 1
    solution = torch.cat([path[:1], solver.parameters[0].reshape(inner), path[-1:]])
    return Geodesic(solution, float(solver.value[0]), _slope(solver), done)


def _slope(solver: BatchedLBFGS) -> float:
    return float(solver.gradient.abs().max() * solver.parameters.norm())
