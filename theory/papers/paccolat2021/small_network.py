"""A network of a few neurons with finite differences of its output, against which Eqs. (2) to (4) are checked."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from theory.papers.paccolat2021.notation import Array

INPUTS, WIDTH, POINTS = 3, 4, 6
STEP = 1e-5  # f and the loss are linear in each weight between two kinks, so that the step leaves rounding only
ROUNDING = 1e-8  # of such a difference


def outputs(weights: Array, inputs: Array) -> Array:
    """Output of Eq. (1), ``[point]``, of ``[width, omega_1 ... omega_d, b, beta]`` at inputs ``[point, d]``."""
    omega, b, beta = weights[:, :-2], weights[:, -2], weights[:, -1]
    active = np.sqrt(2) * np.maximum(0, inputs @ omega.T / np.sqrt(inputs.shape[1]) + b)
    return np.asarray(active @ beta / len(weights))


def slopes(function: Callable[[Array], Any], weights: Array) -> Array:
    """Derivatives of ``function`` in every weight, ``[width, d + 2, ...]``."""
    found = []
    for index in np.ndindex(weights.shape):
        up, down = weights.copy(), weights.copy()
        up[index] += STEP
        down[index] -= STEP
        found.append((np.asarray(function(up)) - function(down)) / (2 * STEP))
    return np.array(found).reshape((*weights.shape, *np.shape(found[0])))


def kernel(weights: Array, pair: Any, columns: slice = slice(None)) -> float:
    """Tangent kernel of a network by differences; of some of its weights only, by their columns."""
    one, other = (slopes(lambda w, at=at: outputs(w, at[None])[0], weights)[:, columns] for at in pair)  # type: ignore[misc]
    return float((one * other).sum())


class Training:
    """A network part of the way through its training on random points, with a scale of the predictor."""

    def __init__(self, seed: int, alpha: float = 1.0) -> None:
        rng = np.random.default_rng(seed)
        self.alpha = alpha
        self.initial = rng.normal(size=(WIDTH, INPUTS + 2))
        self.weights = self.initial + 3 * rng.normal(size=self.initial.shape)
        self.inputs = rng.normal(size=(POINTS, INPUTS))
        self.labels = rng.choice([-1.0, 1.0], POINTS)

    def predictor(self, weights: Array) -> Array:
        """F = alpha (f - f_0) at the training points."""
        return self.alpha * (outputs(weights, self.inputs) - outputs(self.initial, self.inputs))

    def loss(self, weights: Array) -> float:
        """Mean hinge loss."""
        return float(np.maximum(0, 1 - self.labels * self.predictor(weights)).mean())

    def descent(self) -> Array:
        """Minus the gradient of the loss, ``[width, d + 2]``."""
        return -slopes(self.loss, self.weights)

    def printed_descent(self) -> Array:
        """The velocity of Eq. (2), with l' the step function, ``[width, d + 2]``."""
        below = self.labels * (self.labels * self.predictor(self.weights) < 1)
        return slopes(lambda w: outputs(w, self.inputs), self.weights) @ below / POINTS

    def letters(self) -> dict[str, Any]:
        """Values of the letters that all equations of the flow share; ``mu`` counts from 1."""
        predicted = self.predictor(self.weights)
        return {
            "p": POINTS,
            "h": WIDTH,
            "d": INPUTS,
            "alpha": self.alpha,
            "x": lambda mu: self.inputs[mu - 1],
            "y": lambda mu: self.labels[mu - 1],
            "F": lambda mu: predicted[mu - 1],
            "lprime": lambda margin: float(margin < 1),
        }


def trainings(*alphas: float) -> Iterator[Training]:
    """Two networks for each scale of the predictor; some of their points are fitted and some are not."""
    for seed, alpha in enumerate((*alphas, *alphas)):
        yield Training(seed, alpha)
