r"""A linear probe: multiclass logistic regression on frozen features.

Minimises :math:`\sum_n \mathrm{CE}(W h_n + b, y_n) + \tfrac{\ell}{2} \|W\|^2` (arXiv 2301.11375, Appendix G 4, with
:math:`\ell = 1`: what scikit-learn calls C = 1). The bias is not penalised. The problem is convex and its minimum
unique up to a constant added to all biases.
"""

from __future__ import annotations

import warnings

import torch
from torch import Tensor

from empirics import check

STEPS = 100
TOLERANCE = 1e-9  # of the largest component of the gradient of the mean loss
ROUNDING = 1e-14  # of a loss of order one
ENOUGH = 1e-4  # of the decrease that a Newton step promises to first order (Armijo)


def logistic_regression(features: Tensor, labels: Tensor, classes: int, penalty: float = 1.0) -> tuple[Tensor, Tensor]:
    """Weights ``[C, p]`` and biases ``[C]`` of the probe, in float64; the biases sum to zero before centring.

    Newton's method with the exact Hessian, ``[C (p + 1)]`` squared, and steps halved until the loss falls.

    Args:
        features: ``[N, p]``.
        labels: ``[N]``, int64.
        classes: C.
        penalty: strength of the ridge, in inverse squared units of the weights.

    Warns:
        RuntimeWarning: if the gradient is not small after all steps.

    Raises:
        ValueError: if shapes do not fit, values are not finite, or the penalty is not positive.
    """
    fits = features.ndim == 2 and labels.shape == features.shape[:1] and len(features) > 0
    check.shape("labels", labels, fits, f"one for each of features {list(features.shape)}")
    check.finite("features", features)
    check.real("penalty", penalty, positive=True)
    x = features.detach().double()
    mean, variance = x.mean(0), x.var(0, correction=0)
    scale = (variance / classes + penalty / len(x)).sqrt()  # root of the second derivative by a weight, near enough
    inputs = torch.cat([(x - mean) / scale, x.new_ones(len(x), 1)], dim=1)
    ridge = torch.cat([penalty / len(x) / scale**2, x.new_zeros(1)])  # the bias is free
    theta = _minimum(inputs, torch.nn.functional.one_hot(labels, classes).double(), ridge)
    weight = theta[:, :-1] / scale
    return weight, theta[:, -1] - weight @ mean


def _minimum(x: Tensor, target: Tensor, ridge: Tensor) -> Tensor:
    """Parameters ``[C, p]`` that minimise the mean cross-entropy plus half the weighted sum of squares."""
    classes, p = target.shape[1], x.shape[1]
    theta = x.new_zeros(classes, p)
    gradient = x.new_zeros(classes, p)

    def loss(at: Tensor) -> Tensor:
        logits = x @ at.T
        return (logits.logsumexp(1) - (logits * target).sum(1)).mean() + (ridge * at.square()).sum() / 2

    for _ in range(STEPS):
        share = (x @ theta.T).softmax(1)
        gradient = (share - target).T @ x / len(x) + ridge * theta
        if float(gradient.abs().max()) <= TOLERANCE:
            return theta
        step = -torch.linalg.solve(_hessian(x, share, ridge), gradient.flatten()).reshape(classes, p)
        slope, now, size = float((step * gradient).sum()), float(loss(theta)), 1.0
        while float(loss(theta + size * step)) > now + ENOUGH * size * slope + ROUNDING * abs(now) and size > ROUNDING:
            size /= 2
        theta = theta + size * step
    warnings.warn(f"linear probe: gradient still {float(gradient.abs().max()):.1e}", RuntimeWarning, stacklevel=3)
    return theta


def _hessian(x: Tensor, share: Tensor, ridge: Tensor) -> Tensor:
    """Second derivatives ``[C p, C p]``; the sum of the biases, which the loss does not see, is pinned."""
    classes, p = share.shape[1], x.shape[1]
    result = x.new_empty(classes, p, classes, p)
    for c in range(classes):
        for d in range(c + 1):
            curvature = share[:, c] * (float(c == d) - share[:, d]) / len(x)
            block = (x * curvature[:, None]).T @ x
            result[c, :, d], result[d, :, c] = block, block
        result[c, :, c] += torch.diag(ridge)
    result[:, -1, :, -1] += 1 / classes
    return result.reshape(classes * p, classes * p)
