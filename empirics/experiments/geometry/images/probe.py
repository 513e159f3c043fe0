r"""A linear probe: multiclass logistic regression on frozen features.

The probe minimises :math:`\sum_n \mathrm{CE}(W h_n + b, y_n) + \tfrac{\ell}{2} \|W\|^2` (arXiv 2301.11375, Appendix G
4, with :math:`\ell = 1`, which is C = 1 in scikit-learn). The biases are not penalised. The problem is convex, and its
minimum is unique up to a constant added to all biases.
"""

import warnings

import torch
from torch import Tensor

from closedform import checks
from empirics import tensor_checks

STEPS = 100  # largest number of Newton steps
TOLERANCE = 1e-9  # on the largest component of the gradient of the mean loss
ROUNDING = 1e-14  # relative rounding error of the loss
ENOUGH = 1e-4  # required fraction of the first-order decrease of a step (Armijo)


def logistic_regression(features: Tensor, labels: Tensor, classes: int, penalty: float = 1.0) -> tuple[Tensor, Tensor]:
    """Return weights ``[C, p]`` and biases ``[C]``, of sum zero, by Newton's method with halved steps."""
    fits = features.ndim == 2 and labels.shape == features.shape[:1] and len(features) > 0
    tensor_checks.shape("labels", labels, fits, f"one for each of features {list(features.shape)}")
    tensor_checks.finite("features", features)
    checks.positive_number("penalty", penalty)
    x = features.detach().double()
    mean, variance = x.mean(0), x.var(0, correction=0)
    scale = (variance / classes + penalty / len(x)).sqrt()  # approximate root of a weight's second derivative
    inputs = torch.cat([(x - mean) / scale, x.new_ones(len(x), 1)], dim=1)
    ridge = torch.cat([penalty / len(x) / scale**2, x.new_zeros(1)])  # the biases are not penalised
    theta = _minimum(inputs, torch.nn.functional.one_hot(labels, classes).double(), ridge)
    weight = theta[:, :-1] / scale
    return weight, theta[:, -1] - weight @ mean


def _minimum(x: Tensor, target: Tensor, ridge: Tensor) -> Tensor:
    """Return the parameters ``[C, p]`` that minimise the mean cross-entropy plus half the weighted sum of squares."""
    classes, p = target.shape[1], x.shape[1]
    theta = x.new_zeros(classes, p)
    gradient = x.new_zeros(classes, p)

    def loss(parameters: Tensor) -> Tensor:
        logits = x @ parameters.T
        return (logits.logsumexp(1) - (logits * target).sum(1)).mean() + (ridge * parameters.square()).sum() / 2

    for _ in range(STEPS):
        probabilities = (x @ theta.T).softmax(1)
        gradient = (probabilities - target).T @ x / len(x) + ridge * theta
        if float(gradient.abs().max()) <= TOLERANCE:
            return theta
        step = -torch.linalg.solve(_hessian(x, probabilities, ridge), gradient.flatten()).reshape(classes, p)
        slope, current, size = float((step * gradient).sum()), float(loss(theta)), 1.0
        while (
            float(loss(theta + size * step)) > current + ENOUGH * size * slope + ROUNDING * abs(current)
            and size > ROUNDING
        ):
            size /= 2
        theta = theta + size * step
    warnings.warn(f"linear probe: gradient still {float(gradient.abs().max()):.1e}", RuntimeWarning, stacklevel=3)
    return theta


def _hessian(x: Tensor, probabilities: Tensor, ridge: Tensor) -> Tensor:
    """Return the second derivatives ``[C p, C p]``, plus a term that fixes the otherwise free sum of the biases."""
    classes, p = probabilities.shape[1], x.shape[1]
    result = x.new_empty(classes, p, classes, p)
    for c in range(classes):
        for d in range(c + 1):
            curvature = probabilities[:, c] * (float(c == d) - probabilities[:, d]) / len(x)
            block = (x * curvature[:, None]).T @ x
            result[c, :, d], result[d, :, c] = block, block
        result[c, :, c] += torch.diag(ridge)
    result[:, -1, :, -1] += 1 / classes
    return result.reshape(classes * p, classes * p)
