"""Training of networks in the feature regime, all realisations at once, until their training points are fitted.

The points have invariant directions, with one random stream for each realisation: the stripe and the cylinder of
Paccolat et al. (2021), section 3 with footnote 2 and section 4 with footnote 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from empirics.data.invariant import CYLINDER, STRIPE, shell_labels, stripe_labels
from empirics.experiments.compression.history import follow
from empirics.experiments.compression.learning_curves_config import INFORMATIVE
from empirics.measure import amplification
from empirics.training.hinge_flow import HingeFlow, extended, values

if TYPE_CHECKING:
    from empirics.experiments.compression.learning_curves_config import Config

# Random streams of a realisation; FRESH gives points that the network is not trained on.
TRAIN, TEST, FRESH, WEIGHTS = range(4)


def draw(model: str, shape: tuple[int, ...], *entropy: int) -> tuple[Tensor, Tensor]:
    """Draw Gaussian points and labels (the paper's), float64 on the CPU; ``entropy`` identifies the random stream."""
    points = torch.from_numpy(np.random.default_rng(entropy).standard_normal(shape))
    labels = stripe_labels(points, STRIPE, 1) if model == "stripe" else shell_labels(points, CYLINDER, 2, -1)
    return points, labels.to(points.dtype)


def wrong_share(outputs: Tensor, labels: Tensor) -> Tensor:
    """Return the fraction of points ``[N]`` whose output has the wrong sign, a float64 number on the CPU."""
    return ((outputs > 0) != (labels > 0)).double().mean().cpu()


def compressed(model: str, points: Tensor, factor: float) -> Tensor:
    r"""Return points ``[..., d]`` with uninformative directions compressed, :math:`x_\perp \to x_\perp/\Lambda`."""
    scale = torch.ones(points.shape[-1], dtype=points.dtype, device=points.device)
    scale[INFORMATIVE[model] :] = 1 / factor
    return points * scale


REACHED = 0.1  # fraction of fitted training points that defines t*


@dataclass(frozen=True)
class Trained:
    """The trained networks of all realisations: the flow at its end."""

    flow: HingeFlow
    amplification: Tensor  # of each network at t*, [seed], or at the end if t* was not reached

    @property
    def fitted(self) -> Tensor:
        """Fraction of fitted training points, ``[seed]``, on the CPU."""
        return self.flow.fitted.cpu()

    @property
    def steps(self) -> Tensor:
        """Number of accepted steps, ``[seed]``, on the CPU."""
        return self.flow.steps.cpu()

    def weights(self, realisation: int) -> tuple[Tensor, Tensor]:
        """Return the hidden and output weights of one network at the end, in float64."""
        return self.flow.hidden[realisation].double(), self.flow.output[realisation].double()

    def predictor(self, realisation: int, points: Tensor) -> Tensor:
        """Return the predictor *F* ``[N]`` of one network at points ``[N, d]``, in float64."""
        inputs, one = extended(points.double())[None], slice(realisation, realisation + 1)
        before, after = (
            values(inputs, hidden[one].double(), output[one].double())[0]
            for hidden, output in (self.flow.initial, (self.flow.hidden, self.flow.output))
        )
        return self.flow.alpha * (after - before)


def train(config: Config, size: int, stream: int, device: torch.device) -> Trained:
    """Train the networks of all realisations with ``size`` training points, in float32.

    Args:
        config: data and networks.
        size: number of training points.
        stream: random stream of the data.
        device: device of the training.
    """
    drawn = [draw(config.model, (size, config.dimension), seed, size, stream) for seed in config.seed_numbers]
    x, y = (torch.stack(tensors).float().to(device) for tensors in zip(*drawn, strict=True))
    hidden, output = _initial(config, size, device)
    flow = HingeFlow(x, y, hidden, output, alpha=config.alpha, turning=config.turning, moving=config.moving)
    informative = range(INFORMATIVE[config.model])
    history = follow(flow, (REACHED, 1.0), informative=informative, rounds=config.most_steps, progress=False)
    at_t_star, final = history.at["amplification"][0], amplification(flow.weights, informative).cpu()
    return Trained(flow, torch.where(at_t_star.isnan(), final, at_t_star))


def _initial(config: Config, size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return standard Gaussian weights ``[seed, neuron, d + 1]`` and ``[seed, neuron]``."""
    shape = (config.width, config.dimension + 2)
    weights = [np.random.default_rng((seed, size, WEIGHTS)).standard_normal(shape) for seed in config.seed_numbers]
    stacked = torch.from_numpy(np.stack(weights)).float().to(device)
    return stacked[..., :-1].contiguous(), stacked[..., -1].contiguous()
