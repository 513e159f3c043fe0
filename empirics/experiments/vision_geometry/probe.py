r"""A linear probe: multiclass logistic regression on frozen features.

Minimises :math:`\sum_n \mathrm{CE}(W h_n + b, y_n) + \tfrac{\ell}{2} \|W\|^2` (arXiv 2301.11375, Appendix G 4, with
:math:`\ell = 1`: what scikit-learn calls C = 1). The bias is not penalised. The problem is convex and its minimum unique
up to a constant added to all biases.
"""

from __future__ import annotations

import warnings

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

STEPS = 2000
TOLERANCE = 1e-5  # of the largest component of the gradient of the mean loss: logits are then good to three digits


def logistic_regression(features: Tensor, labels: Tensor, classes: int, penalty: float = 1.0) -> tuple[Tensor, Tensor]:
    """Weights ``[C, p]`` and biases ``[C]`` of the probe, in float64.

    L-BFGS in standardised features (which changes the path, not the minimum).

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
    if features.ndim != 2 or labels.shape != features.shape[:1] or len(features) == 0:
        raise ValueError(
            f"labels: got shape {list(labels.shape)} for features {list(features.shape)}, needs one for each"
        )
    if not torch.isfinite(features).all():
        raise ValueError("features: has values that are not finite")
    if not 0 < penalty < float("inf"):
        raise ValueError(f"penalty: got {penalty}, needs a positive number")
    x = features.detach().double()
    mean, spread = x.mean(0), x.std(0, correction=0)
    scale = torch.where(spread > 0, spread, torch.ones_like(spread))
    z = (x - mean) / scale
    weight = z.new_zeros(classes, z.shape[1], requires_grad=True)  # of the standardised features: W times scale
    bias = z.new_zeros(classes, requires_grad=True)
    optimiser = torch.optim.LBFGS(
        [weight, bias], max_iter=STEPS, tolerance_grad=TOLERANCE, tolerance_change=0, history_size=20,
        line_search_fn="strong_wolfe",
    )  # fmt: skip

    def loss() -> Tensor:
        ridge = penalty / 2 * (weight / scale).square().sum()
        return cross_entropy(z @ weight.T + bias, labels) + ridge / len(z)

    def closure() -> Tensor:
        optimiser.zero_grad()
        value = loss()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    with torch.enable_grad():
        optimiser.step(closure)  # type: ignore[no-untyped-call]
        closure()
    assert weight.grad is not None
    assert bias.grad is not None
    left = max(float(weight.grad.abs().max()), float(bias.grad.abs().max()))
    if left > 10 * TOLERANCE:
        warnings.warn(f"linear probe: the gradient is still {left:.1e} after the last step", RuntimeWarning, stacklevel=2)
    final = weight.detach() / scale
    return final, bias.detach() - final @ mean
