r"""Barlow Twins and SimCLR with a ResNet backbone, and the volume element of its features (2301.11375, Figure 6).

The network is trained without labels. Its predictions are those of a linear probe, a logistic regression fitted anew to
the backbone's features at every snapshot. The measured geometry is that of the backbone, not of the projector. Since
SimCLR compares embeddings on the unit sphere, the metric that the sphere induces through the features divided by their
length is measured on the lines as well, for both methods.

The losses of Barlow Twins and of SimCLR, on the embeddings of two views of the same images.

Barlow Twins (Zbontar et al. 2021, arXiv 2103.03230, Eq. 1): :math:`\sum_i (1 - C_{ii})^2 + \lambda \sum_{i \ne j}
C_{ij}^2` with :math:`C_{ij}` the correlation over the batch of feature i of one view with feature j of the other.

SimCLR (Chen et al. 2020, arXiv 2002.05709, Eq. 1): each of the 2N embeddings, normalised to length one, is to identify
the other view of its image among the other 2N - 1. The loss is the cross-entropy of the cosines divided by a
temperature, in nats.

The linear probe minimises :math:`\sum_n \mathrm{CE}(W h_n + b, y_n) + \tfrac{\ell}{2} \|W\|^2` (Appendix G 4, with
:math:`\ell = 1`, C = 1 in scikit-learn) without a penalty of biases; a constant added to all of these changes nothing.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize
from torch.optim.lr_scheduler import LambdaLR

from closedform import checks
from empirics import tensor_checks
from empirics.data.names import CLASSES
from empirics.experiments.geometry.images import augmentation
from empirics.experiments.geometry.images.augmentation import IMAGENET, SeedImages, Statistics
from empirics.experiments.geometry.images.config import OFF_DIAGONAL, TEMPERATURE
from empirics.experiments.geometry.images.config import SelfSupervisedConfig as Config
from empirics.experiments.geometry.images.resnet import MIRRORED
from empirics.experiments.geometry.images.training import EpochTraining, one_seed, recorded
from empirics.networks.resnet import ResNet
from empirics.runs.session import RunResult, Session, run_of
from empirics.seeding import generator

NEWTON_STEPS = 100  # largest number of Newton steps
TOLERANCE = 1e-9  # on the largest component of the gradient of the mean loss
ROUNDING = 1e-14  # relative rounding error of the loss
ENOUGH = 1e-4  # required fraction of the first-order decrease of a step (Armijo)


def logistic_regression(
    features: Tensor, labels: Tensor, classes: int, penalty: float = 1.0
) -> tuple[Tensor, Tensor]:
    """Return weights ``[C, p]`` and biases ``[C]``, of sum zero, by Newton's method with halved steps."""
    fits = features.ndim == 2 and labels.shape == features.shape[:1] and len(features) > 0
    tensor_checks.shape("labels", labels, fits, f"one for each of features {list(features.shape)}")
    tensor_checks.finite("features", features)
    checks.positive_number("penalty", penalty)
    x = features.detach().double()
    mean, variance = x.mean(0), x.var(0, correction=0)
    # approximate root of a weight's second derivative
    scale = (variance / classes + penalty / len(x)).sqrt()
    inputs = torch.cat([(x - mean) / scale, x.new_ones(len(x), 1)], dim=1)
    # the biases are not penalised
    ridge = torch.cat([penalty / len(x) / scale**2, x.new_zeros(1)])
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
        return (logits.logsumexp(1) - (logits * target).sum(1)).mean() + (
            ridge * parameters.square()
        ).sum() / 2

    for _ in range(NEWTON_STEPS):
        probabilities = (x @ theta.T).softmax(1)
        gradient = (probabilities - target).T @ x / len(x) + ridge * theta
        if float(gradient.abs().max()) <= TOLERANCE:
            return theta
        step = -torch.linalg.solve(_hessian(x, probabilities, ridge), gradient.flatten()).reshape(
            classes, p
        )
        slope, current, size = float((step * gradient).sum()), float(loss(theta)), 1.0
        while (
            float(loss(theta + size * step))
            > current + ENOUGH * size * slope + ROUNDING * abs(current)
            and size > ROUNDING
        ):
            size /= 2
        theta = theta + size * step
    warnings.warn(
        f"linear probe: gradient still {float(gradient.abs().max()):.1e}",
        RuntimeWarning,
        stacklevel=3,
    )
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


EPSILON = 1e-5  # added to the variance of a feature, as in batch normalisation

__all__ = ["Config", "run"]


@dataclass(frozen=True)
class SelfSupervised:
    """Self-supervised learning: two views of each image and a linear projector; the readout is a probe."""

    config: Config
    statistics: Statistics = IMAGENET
    on_sphere: bool = True

    def loss(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the loss of two batches of embeddings ``[batch, projection]``."""
        if self.config.method == "simclr":
            return simclr(first, second, self.config.temperature)
        return barlow_twins(first, second, self.config.off_diagonal)

    def training(self, model: ResNet, images: SeedImages, seed: int) -> EpochTraining:
        """Return the training of ``model``; an epoch returns the mean training loss."""
        config = self.config
        order, noise = generator(seed, "batches"), generator(seed, "augmentation")
        projector = _projector(model.feature_count, config.projection, noise).to(images.device)
        learned = [*model.stem.parameters(), *model.blocks.parameters(), *projector.parameters()]
        optimiser = _optimiser(config, learned)
        mirror = config.dataset in MIRRORED
        views = augmentation.two_views(
            config.side, mirror, config.smallest_crop, config.largest_blur
        )
        batches = augmentation.Augmented(
            images.train, images.train_labels, config.batch_size, views, config.together
        )  # fmt: skip
        steps = config.epochs * -(-len(images.train) // config.batch_size)
        rate = LambdaLR(optimiser, partial(share_of_the_rate, warm_up=config.warm_up, steps=steps))

        def epoch() -> float:
            model.train()
            total = torch.zeros((), dtype=torch.float64, device=images.device)
            for pair, _ in batches.epoch(order, noise):
                first, second = (
                    projector(model.features(images.normalised(v.to(images.device)))) for v in pair
                )
                optimiser.zero_grad()
                loss = self.loss(first, second)
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                rate.step()
                total += loss.detach().double() * len(first)
            return float(total) / len(images.train)

        networks = {"model": model, "projector": projector}
        return EpochTraining(
            {**networks, "optimiser": optimiser, "rate": rate, "order": order, "noise": noise},
            epoch,
        )

    def before_training(self, model: ResNet, images: SeedImages) -> None:
        """Fit the linear probe to the features of the training images, not augmented, and make it the readout."""
        training = model.training
        model.eval()
        with torch.no_grad():
            chunks = torch.split(images.normalised(images.train), self.config.batch_size)
            features = torch.cat([model.features(chunk) for chunk in chunks])
        weight, bias = logistic_regression(
            features, images.train_labels, CLASSES, self.config.penalty
        )
        with torch.no_grad():
            model.readout.weight.copy_(weight)
            model.readout.bias.copy_(bias)
        model.train(training)


def share_of_the_rate(step: int, warm_up: float, steps: int) -> float:
    """Return the learning rate of a step, from 0, in units of its largest value; without warm-up it is constant."""
    if not warm_up:
        return 1.0
    rising = max(round(warm_up * steps), 1)
    if step < rising:
        return (step + 1) / rising
    return (1 + math.cos(math.pi * (step - rising) / max(steps - rising, 1))) / 2


def _optimiser(config: Config, parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    if config.optimiser == "adamw":
        return torch.optim.AdamW(
            parameters, config.learning_rate, weight_decay=config.weight_decay
        )
    return torch.optim.SGD(
        parameters, config.learning_rate, config.momentum, weight_decay=config.weight_decay
    )


def _projector(features: int, embedding: int, stream: torch.Generator) -> nn.Linear:
    """Create a linear map without bias, with torch's default initial weights drawn from ``stream``."""
    with torch.random.fork_rng(devices=[]):
        projector = nn.Linear(features, embedding, bias=False)
    nn.init.uniform_(projector.weight, -(features**-0.5), features**-0.5, generator=stream)
    return projector


@run_of(Config, dtype="float32")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` without labels and measure their geometry along lines and over planes.

    Returns:
        The variables of :func:`empirics.experiments.geometry.images.resnet.run`, and ``line_sphere_log_volume``.
    """
    return recorded(
        config,
        session.one_by_one(partial(one_seed, session, SelfSupervised(config))),
        on_sphere=True,
    )


def barlow_twins(first: Tensor, second: Tensor, off_diagonal: float = OFF_DIAGONAL) -> Tensor:
    """Return the loss of Barlow Twins of two views ``[batch, features]`` of the same images, dimensionless."""
    _check_pair(first, second)
    checks.nonnegative_number("off_diagonal", off_diagonal)
    a, b = (_standardised(z) for z in (first, second))
    correlation = a.T @ b / len(a)
    diagonal = correlation.diagonal()
    invariance = (1 - diagonal).square().sum()
    return invariance + off_diagonal * (correlation.square().sum() - diagonal.square().sum())


def simclr(first: Tensor, second: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """Return the loss of SimCLR (NT-Xent) of two views ``[batch, features]`` of the same images, in nats."""
    _check_pair(first, second)
    checks.positive_number("temperature", temperature)
    z = normalize(torch.cat([first, second]), dim=1)
    cosines = (z @ z.T / temperature).masked_fill(
        torch.eye(len(z), dtype=torch.bool, device=z.device), -torch.inf
    )
    partner = torch.arange(len(z), device=z.device).roll(len(first))
    return cross_entropy(cosines, partner)


def _check_pair(first: Tensor, second: Tensor) -> None:
    """Raise ValueError unless both are ``[batch, features]`` of the same shape with at least two images."""
    fits = first.ndim == 2 and first.shape == second.shape
    tensor_checks.shape(
        "second", second, fits, f"[batch, features], the shape of first: {list(first.shape)}"
    )
    checks.require(len(first) >= 2, "first", f"{len(first)} image", "at least two")


def _standardised(z: Tensor) -> Tensor:
    """Return features with mean zero and standard deviation one over the batch."""
    centred = z - z.mean(0)
    return centred / (centred.square().mean(0) + EPSILON).sqrt()
