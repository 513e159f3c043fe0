r"""Sections 1.2 to 2.3 and 3.2.1: network, gradient flow, tangent kernel, one neuron; Eqs. (2) to (4)."""

import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from papers.paccolat2021.ledger.notation import (
    ROUNDING,
    STRIPE,
    Training,
    kernel,
    letters,
    outputs,
    trainings,
)
from theory.compression import neuron_flow, tangent_kernel
from theory.core import (
    Claim,
    Program,
    Programs,
    chosen,
    deciding,
    numerically,
    stating,
)
from theory.core.numbers.differences import slopes

p = letters("p")
ALPHA = 2.5
POINTS = (-1.5, 0.3, 0.9, 1.1)  # on both sides of the kink of the hinge


def least_norm(gap: float) -> float:
    """Square of the least norm, in the space of the tangent kernel, of a function with both labels so far apart."""
    value = tangent_kernel().function("numpy")
    same, other = (float(value(gap**2 / 4, gap**2 / 4, side * gap**2 / 4, 2)) for side in (1, -1))
    return 4 / (2 * same - 2 * other)


def norm_of_steps() -> str:
    """Total variation of the slope of a ramp between the labels, width to 0; least norms at two points, gap to 0."""
    width = sp.Symbol("w", positive=True)
    slope = 2 / width  # from -1 to +1; it starts and ends at zero slope
    grows = [least_norm(gap / 10) > 5 * least_norm(gap) for gap in (1e-1, 1e-2, 1e-3)]
    return "infinite" if sp.limit(2 * slope, width, 0, "+") == sp.oo and all(grows) else "finite"


def separation() -> str:
    """Gaussian points with the paper's labels, projected: separated in all of 400 sets, by gaps that fall as 1/p."""
    rng, means = np.random.default_rng(0), []
    for points in (100, 400):
        places = np.sort(rng.normal(size=(400, points)), axis=1)
        between = STRIPE(places[:, 1:]) != STRIPE(places[:, :-1])
        gaps = np.where(between, np.diff(places, axis=1), np.inf).min(axis=1)
        means.append(gaps.mean() if gaps.min() > 0 else 0.0)
    return (
        "occurs" if means[1] > 0 and abs(means[0] / means[1] / 4 - 1) < 0.2 else "does not occur"
    )


@cache
def every_weight() -> list[dict[str, Any]]:
    """Letters of Eq. (2) for every weight of small networks; the velocity is minus the gradient of the loss."""
    cases = []
    for training in trainings(1.0, ALPHA):
        descent = training.descent()
        for index in np.ndindex(descent.shape):

            def output(
                weight: float,
                at: np.ndarray,
                start: np.ndarray = training.weights,
                index: Any = index,
            ) -> float:
                weights = start.copy()
                weights[index] = weight
                return float(outputs(weights, at[None])[0])

            letters = {"W": training.weights[index], "f_of": output, "W_dot": descent[index]}
            cases.append({**training.letters(), **letters})
    return cases


def activation(u: Any) -> float:
    """ReLU of Eq. (1)."""
    return math.sqrt(2) * max(0.0, float(u))


def hinge_slope(u: Any) -> Any:
    """Slope of max(0, 1 - x) by differences."""
    return slopes(lambda v: np.maximum(0, 1 - v), np.array(float(u)))


def hinge_slopes() -> list[dict[str, Any]]:
    """Differences of max(0, 1 - x) on both sides of the kink."""
    return [{"x": at, "lprime": hinge_slope} for at in POINTS]


def activations() -> list[dict[str, Any]]:
    """ReLU and differences of it, on both sides of the kink."""
    return [
        {
            "x": at,
            "sigma": activation,
            "sigma_prime": lambda u: slopes(activation, np.array(float(u))),
        }
        for at in (-1.3, 0.4, 2.0)
    ]


def moving_outputs() -> Iterator[dict[str, Any]]:
    """The output of small networks moved along Eq. (2), and their tangent kernel by differences."""
    at = np.array([0.4, -0.7, 1.1])
    for training in trainings(1.0, ALPHA):
        values = [kernel(training.weights, (at, point)) for point in training.inputs]
        moved = training.weights + 1e-7 * training.printed_descent()
        velocity = float(
            (outputs(moved, at[None]) - outputs(training.weights, at[None]))[0] / 1e-7
        )
        yield {
            **training.letters(),
            "Theta": lambda mu, values=values: values[mu - 1],
            "f_dot": velocity,
        }


def neurons_in_training() -> Iterator[dict[str, Any]]:
    """Eq. (2) for every neuron of small networks, some of whose points are fitted, with slopes by differences."""
    for training in trainings(1.0, ALPHA):
        for weights, velocity in zip(training.weights, training.printed_descent(), strict=True):
            yield {
                **training.letters(),
                "omega_vec": weights[:-2],
                "b": weights[-2],
                "beta": weights[-1],
                "inner": np.dot,
                "omega_dot": velocity[:-2],
                "b_dot": velocity[-2],
                "beta_dot": velocity[-1],
                "sigma": activation,
                "sigma_prime": lambda u: math.sqrt(2) * (u > 0),
            }


def predictor_at_initialization() -> str:
    """The predictor of a network that has not moved."""
    training = Training(0, ALPHA)
    return "zero" if np.all(training.predictor(training.initial) == 0) else "one"


def predictor_at_rest(labels: tuple[float, ...]) -> float:
    """The smallest value of a predictor that descends the hinge loss at labelled points from zero until it rests."""
    signs, predictor = np.array(labels), np.zeros(len(labels))
    # steps that reach one exactly
    while (moving := signs * (signs * predictor < 1)).any():
        predictor = predictor + moving / 64
    return float(predictor.min())


def rests(claim: Claim, case: tuple[float, float]) -> bool:
    """Values of a predictor at points of both labels: the hinge loss has no slope there, or what is stated of them."""
    values, labels = np.array(case), np.array([1.0, -1.0])
    force = slopes(lambda v: float(np.maximum(0, 1 - labels * v).mean()), values)
    stated = chosen(
        claim, "quantity", {"it": values, "its product with the label": labels * values}
    )
    return bool((np.abs(force).max() < ROUNDING) == (stated.min() >= 1))


def points_at_rest(width: str) -> str:
    """Six training points that the predictor reaches before it rests: all, if their gradients are independent."""
    rng = np.random.default_rng(4)
    weights, inputs = (
        rng.normal(size=({"large": 40, "small": 1}[width], 5)),
        rng.normal(size=(6, 3)),
    )
    gradients = slopes(lambda w: outputs(w, inputs), weights).reshape(-1, 6)
    return "all" if np.linalg.matrix_rank(gradients, rtol=1e-6) == 6 else "some"


def kernel_symmetry(weights: str) -> str:
    """The kernel of a network whose hidden weights a rotation by a fifth of a turn maps onto themselves, or not."""
    turn = 2 * np.pi / 5
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    stretch = np.diag({"isotropic": (1.0, 1.0), "anisotropic": (3.0, 1.0)}[weights])
    hidden = [stretch @ np.linalg.matrix_power(rotation, k) @ [0.9, 0.4] for k in range(5)]
    network = np.array([[*omega, 0.3, 0.8] for omega in hidden])
    pairs = np.random.default_rng(0).normal(size=(4, 2, 2))
    same = all(
        abs(kernel(network, pair) - kernel(network, pair @ rotation.T)) < ROUNDING
        for pair in pairs
    )
    return "isotropic" if same else "anisotropic"


def factor_in_the_flow(time: str) -> int:
    """The step function of Section 2.2 at margins of the order of alpha, as before t*, or also far beyond."""
    margins = {r"t \ll t^*": (-1e-6, 0.0, 1e-6), r"t \gg t^*": (-1e-6, 0.0, 1e-6, 3.0)}[time]
    return int(all(margin < 1 for margin in margins))


def motion(points: str) -> str:
    """The velocity of Eq. (4) on three points, of which none or one lies on the active side of the neuron."""
    data = np.array([[0.5, -0.2], [0.1, 0.8], [-1.0, 0.3]])
    state = np.array([0.8, -0.5, {"no": -2.0, "some": 0.1}[points], 0.9])
    return "static" if np.all(neuron_flow(STRIPE, 2).rates_on(state, data) == 0) else "moving"


def contribution() -> str:
    """Derivatives of the loss of each training point of a small network: which points move a weight."""
    training = Training(10, alpha=2.0)
    margins = training.labels * training.predictor(training.weights)

    def losses(weights: np.ndarray) -> np.ndarray:
        return np.maximum(0.0, 1 - training.labels * training.predictor(weights))

    moves = slopes(losses, training.weights).any(axis=(0, 1))
    return "no longer" if np.array_equal(moves, margins < 1) else "still"


by_differences = numerically(neurons_in_training, tolerance=ROUNDING, scale=1.0)

PROGRAMS: Programs = {
    "1.2 norm": stating(norm=norm_of_steps),
    "1.2 separated": stating(occurs=separation),
    "2.3 at least one": Program(
        deciding(rests, cases=lambda: itertools.product((-1.5, 0.4, 1.5), repeat=2)),
        predictor_at_rest,
        value=lambda claim, labels: 1.0 if claim["quantity"] == "it" else min(labels),
        at={"labels": (1.0, -1.0)},
        quantity="least value of the predictor at rest",
    ),
    "(2)": numerically(every_weight, tolerance=ROUNDING, scale=1.0),
    "2.2 l'": Program(
        numerically(hinge_slopes, tolerance=1e-6),
        lambda x: [hinge_slope(at) for at in x],
        tolerance=1e-6,
        at={"x": POINTS},
    ),
    "(3)": numerically(moving_outputs, tolerance=1e-6, scale=1.0),
    "2.3 end": stating(points=points_at_rest),
    "2.3 start": stating(F=predictor_at_initialization),
    "2.3 isotropic kernel": stating(kernel=kernel_symmetry),
    "2.4 dropping out": stating(contribute=contribution),
    "(4) omega | (4) b | (4) beta | (4) invariant": by_differences,
    "3.2.1 homogeneous": numerically(activations, tolerance=ROUNDING),
    "3.2.1 independent neurons": stating(factor=factor_in_the_flow),
    "3.2.1 static neurons": stating(velocity=motion),
}
