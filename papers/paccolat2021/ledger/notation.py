"""The letters of the paper, its stripe, and a network of a few neurons, against which Eqs. (2) to (4) are checked."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from closedform.checks.arrays import Array as Array
from theory.compression import Stripes, attractors, neuron_flow
from theory.compression.attractor import Attractor
from theory.core import letters_of
from theory.core.numbers.differences import slopes

letters = letters_of(__package__)
STRIPE = Stripes((-0.3, 1.18549233272))


def state_at(d: int, point: Attractor, ahead: float = 0.0, across: float = 0.0) -> Array:
    """A neuron ``[omega_1 ... omega_d b beta]`` with |omega_1| = 1 next to a fixed point: ahead of it, or across."""
    state = np.zeros(d + 2)
    state[0], state[1] = point.side, across
    state[-2] = -point.side * (point.position + ahead) / math.sqrt(d)
    state[-1] = math.copysign(math.sqrt(1 + point.position**2 / d), point.side * point.c_parallel)
    return state


def path_from(index: int, *times: float, ahead: float = 0.0) -> Array:
    """States of a neuron in five dimensions from next to an attractor of the stripe on; the first time is the start."""
    start = state_at(5, attractors(STRIPE, 5)[index], ahead)
    return neuron_flow(STRIPE, 5).integrate(start, np.array(times))


INPUTS, WIDTH, POINTS = 3, 4, 6
STEP = 1e-5  # f and the loss are linear in each weight between two kinks, so that the step leaves rounding only
ROUNDING = 1e-8  # of such a difference


def outputs(weights: Array, inputs: Array) -> Array:
    """Output of Eq. (1), ``[point]``, of ``[width, omega_1 ... omega_d, b, beta]`` at inputs ``[point, d]``."""
    omega, b, beta = weights[:, :-2], weights[:, -2], weights[:, -1]
    active = np.sqrt(2) * np.maximum(0, inputs @ omega.T / np.sqrt(inputs.shape[1]) + b)
    return np.asarray(active @ beta / len(weights))


def kernel(weights: Array, pair: Any, columns: slice = slice(None)) -> float:
    """Tangent kernel of a network by differences; of some of its weights only, by their columns."""

    def slopes_at(point: Array) -> Any:
        return slopes(lambda w: outputs(w, point[None])[0], weights)[:, columns]

    first, second = pair
    return float((slopes_at(first) * slopes_at(second)).sum())


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
