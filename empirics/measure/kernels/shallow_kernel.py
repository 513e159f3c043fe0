r"""Tangent kernel of the one-hidden-layer ReLU network, at finite width and in the limit.

For :math:`f(x) = h^{-1}\sum_n \beta_n \sigma(\tilde\omega_n\cdot\tilde x)`, :math:`\sigma = \sqrt 2\max(0, .)`,
:math:`\tilde x = (x/\sqrt d, 1)`, the kernel times the width is

.. math:: h\Theta(x, z) = \frac 1h \sum_n \bigl[\sigma_n(x)\sigma_n(z)
          + \beta_n^2\,\dot\sigma_n(x)\dot\sigma_n(z)\,\tilde x\cdot\tilde z\bigr],

where the first term comes from the output weights (the last layer's kernel). With standard Gaussian weights, as
:math:`h\to\infty`, it becomes :math:`\sqrt{q_x q_z}\,[\sin\theta + 2(\pi-\theta)\cos\theta]/\pi`, where
:math:`q_x = |\tilde x|^2` and :math:`\theta` is the angle between :math:`\tilde x` and :math:`\tilde z`. Source:
Paccolat et al. (2021), Eqs. (1), (3).
"""

import math

import torch
from torch import Tensor

from empirics import tensor_checks

BLOCK = 1 << 24  # entries of one block of preactivations
CACHE = 1 << 18  # entries of one block of the analytic kernel


def analytic_tangent_gram(x: Tensor, z: Tensor | None = None) -> Tensor:
    """Compute the infinite-width tangent kernel at initialisation of points ``[N, d]``, times the width, ``[N, M]``."""
    left = _extended(x, "x")
    right = left if z is None else _extended(z, "z", x.shape[1])
    norms = left.norm(dim=1), right.norm(dim=1)
    result = left.new_empty(len(left), len(right))
    rows = max(1, CACHE // len(right))
    for start in range(0, len(left), rows):
        part = slice(start, start + rows)
        _shape(left[part], right, norms[0][part, None] * norms[1], result[part])
    if z is None:
        # arccos near 1 turns rounding into its square root
        result.diagonal().copy_(2 * norms[0].square())
    return result


def _shape(left: Tensor, right: Tensor, sizes: Tensor, out: Tensor) -> None:
    """Write ``sizes [sin + 2 (pi - angle) cos]/pi``, for the angles between rows, into ``out``; all in place."""
    cosine = (left @ right.T).div_(sizes).clamp_(-1, 1)  # rounding alone can exceed 1
    torch.acos(cosine, out=out)
    out.sub_(math.pi).mul_(cosine).mul_(-2)
    out.add_(cosine.square_().neg_().add_(1).clamp_min_(0).sqrt_()).mul_(sizes).div_(math.pi)


def shallow_tangent_gram(
    hidden: Tensor, output: Tensor, x: Tensor, z: Tensor | None = None
) -> Tensor:
    """Compute the tangent kernel times the width, ``[N, M]``, of ``hidden`` ``[neuron, d + 1]`` and ``output``."""
    return _gram(hidden, output, x, z, output.square())


def shallow_last_layer_gram(hidden: Tensor, x: Tensor, z: Tensor | None = None) -> Tensor:
    """Compute the kernel of the output weights alone times the width, ``[N, M]``; see :func:`shallow_tangent_gram`."""
    return _gram(hidden, hidden[:, 0], x, z, None)


def _gram(
    hidden: Tensor, output: Tensor, x: Tensor, z: Tensor | None, squared: Tensor | None
) -> Tensor:
    fits = hidden.ndim == 2 and hidden.shape[1] >= 2 and hidden.numel() > 0
    tensor_checks.shape("hidden", hidden, fits, "[neuron, d + 1]")
    tensor_checks.shape("output", output, output.shape == hidden.shape[:1], f"[{len(hidden)}]")
    tensor_checks.finite("hidden", hidden)
    tensor_checks.finite("output", output)
    left = _extended(x, "x", hidden.shape[1] - 1)
    right = left if z is None else _extended(z, "z", hidden.shape[1] - 1)
    block = max(1, BLOCK // (len(left) + len(right)))
    last = left.new_zeros(len(left), len(right))
    gates = torch.zeros_like(last)
    for start in range(0, len(hidden), block):
        part = hidden[start : start + block]
        first = left @ part.T
        second = first if z is None else right @ part.T
        if squared is not None:
            gates += ((first > 0) * squared[start : start + block]) @ (second > 0).to(
                first.dtype
            ).T
        last += first.clamp_min(0) @ second.clamp_min(0).T
    if squared is not None:
        last += gates * (left @ right.T)
    return 2 / len(hidden) * last


def _extended(x: Tensor, name: str, d: int | None = None) -> Tensor:
    """Return ``(x/sqrt(d), 1)``, ``[N, d + 1]``."""
    fits = x.ndim == 2 and x.numel() > 0 and d in (None, x.shape[1])
    tensor_checks.shape(name, x, fits, f"[N, {'d' if d is None else d}]")
    tensor_checks.finite(name, x)
    return torch.cat([x / math.sqrt(x.shape[1]), torch.ones_like(x[:, :1])], dim=1)
