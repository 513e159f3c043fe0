"""Points with invariant directions and their labels: the stripe and the cylinder, one random stream per realisation.

Source: Paccolat et al. (2021), section 3 with footnote 2 and section 4 with footnote 4.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from empirics.data.invariant import CYLINDER, STRIPE, shell_labels, stripe_labels
from empirics.experiments.compression.learning_curves_config import INFORMATIVE


def draw(model: str, shape: tuple[int, ...], *entropy: int) -> tuple[Tensor, Tensor]:
    """Draw standard Gaussian points ``[*shape]`` and their labels ``[*shape[:-1]]``, +1 or -1, in float64 on the CPU.

    Args:
        model: "stripe" or "cylinder", with the paper's boundaries; both labels are equally probable.
        shape: shape of the points, with their dimension last.
        entropy: non-negative integers that identify the random stream.
    """
    points = torch.from_numpy(np.random.default_rng(entropy).standard_normal(shape))
    labels = stripe_labels(points, STRIPE, 1) if model == "stripe" else shell_labels(points, CYLINDER, 2, -1)
    return points, labels.to(points.dtype)


def compressed(model: str, points: Tensor, factor: float) -> Tensor:
    r"""Return points with their uninformative directions compressed, :math:`x_\perp \to x_\perp/\Lambda`.

    Args:
        model: "stripe" or "cylinder".
        points: ``[..., d]``.
        factor: :math:`\Lambda`, positive, dimensionless.
    """
    scale = torch.ones(points.shape[-1], dtype=points.dtype, device=points.device)
    scale[INFORMATIVE[model] :] = 1 / factor
    return points * scale
