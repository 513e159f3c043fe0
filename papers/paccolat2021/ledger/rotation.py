r"""Appendix A: rotated inputs and weights, members of a group; Eqs. (11) to (13)."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from papers.paccolat2021.ledger.notation import INPUTS, STEP, Training, letters, outputs
from theory.core import Check, Programs, numerically, stating
from theory.core.numbers.differences import slopes

h = letters("h")
OBLIQUE = np.array([[1.0, 0.4, 0.1], [-0.3, 1.2, 0.0], [0.2, 0.1, 0.9]])
DIFFERENCE = 1e-4  # relative error of a one-sided difference with that step


def member(squeeze: float, mirror: float) -> np.ndarray:
    """A member of a group that is not orthogonal: a plane squeezed along oblique axes, the third axis reflected."""
    return np.asarray(np.linalg.solve(OBLIQUE, np.diag([squeeze, 1 / squeeze, mirror]) @ OBLIQUE))


def invariant(at: np.ndarray) -> float:
    """A function that the group leaves as it is."""
    x = OBLIQUE @ np.asarray(at).ravel()
    return float(np.sin(x[0] * x[1]) + x[0] * x[1] * x[2] ** 2)


def group_members() -> Iterator[dict[str, Any]]:
    """An invariant function of a group that is not orthogonal: a plane squeezed along its axes, and a reflection."""
    rng = np.random.default_rng(0)
    for squeeze, mirror in ((1.6, 1.0), (0.7, -1.0), (-1.3, 1.0)):
        at, along = rng.normal(size=(2, 3, 1))
        yield {
            "D": member(squeeze, mirror),
            "x": at,
            "u": along,
            "nabla_f": partial(slopes, invariant),
            "times": np.matmul,
            "h": STEP,
            "f": invariant,
            "inner": lambda one, other: float((np.asarray(one).T @ np.asarray(other))[0, 0]),
        }


def by_small_steps(line: sp.Eq) -> tuple[Check, ...]:
    """The limit at a small step, for an invariant function of a group that is not orthogonal."""
    finite = line.replace(
        lambda node: isinstance(node, sp.Limit),
        lambda node: node.args[0].subs(h, node.args[2] + h),
    )
    return differentiated(finite)


def turned(training: Training, turn: np.ndarray) -> Training:
    """The same training with inputs and hidden weights turned."""
    other = Training(0, training.alpha)
    other.inputs, other.labels = training.inputs @ turn.T, training.labels
    other.initial, other.weights = training.initial.copy(), training.weights.copy()
    for array in (other.initial, other.weights):
        array[:, :INPUTS] = array[:, :INPUTS] @ turn.T
    return other


def orthogonal(seed: int, size: int = INPUTS) -> np.ndarray:
    """A random orthogonal matrix."""
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(size, size)))[0]


def trained(training: Training) -> np.ndarray:
    """Weights after 40 steps of gradient descent, ``[width, d + 2]``."""
    for _ in range(40):
        training.weights = training.weights + 0.1 * training.descent()
    return training.weights


@cache
def turned_networks() -> tuple[dict[str, Any], ...]:
    """Gradients of the loss by differences, and weights after 40 steps, of small networks and of the same turned."""
    cases = []
    for seed in (0, 2):
        turn, start = orthogonal(seed), Training(seed)
        acting = np.kron(
            np.eye(4), np.block([[turn, np.zeros((3, 2))], [np.zeros((2, 3)), np.eye(2)]])
        )
        functions = {"nabla_L": partial(gradient_of_loss, start.labels), "times": np.matmul}
        weights = {
            "w": start.weights,
            "w_t": trained(Training(seed)),
            "w_D": trained(turned(Training(seed), turn)),
        }
        columns = {name: matrix.reshape(-1, 1) for name, matrix in weights.items()}
        cases.append(
            {**functions, **columns, "D_w": acting, "D_x": turn, "inputs": start.inputs.T}
        )
    return tuple(cases)


def gradient_of_loss(labels: np.ndarray, weights: Any, inputs: Any) -> np.ndarray:
    """Of a network with these weights ``[20, 1]`` on inputs ``[3, point]``, in the weights; the output is F."""
    training = Training(0)
    training.labels, training.inputs = labels, np.asarray(inputs).T
    training.weights, training.initial = np.asarray(weights).reshape(4, 5), np.zeros((4, 5))
    return -training.descent().reshape(-1, 1)


def performance(start: np.ndarray, turn: np.ndarray) -> float:
    """Mean loss of a network on new points, trained and tested on turned points from given initial weights."""
    training = Training(0)
    training.inputs, training.initial, training.weights = training.inputs @ turn.T, start, start
    tests = np.random.default_rng(7).normal(size=(20, INPUTS))
    changes = outputs(trained(training), tests @ turn.T) - outputs(start, tests @ turn.T)
    return float(np.maximum(0, 1 - np.sign(tests[:, 0]) * changes).mean())


def performance_on_turned_inputs(distribution: str) -> str:
    """Whether a mean over initial weights, which a cycle of the axes permutes or not, is the same on turned inputs."""
    cycle, draw, means = np.roll(np.eye(INPUTS), 1, axis=0), Training(0).initial, np.zeros(2)
    for k in range({"satisfies": INPUTS, "violates": 1}[distribution]):
        start = draw.copy()
        start[:, :INPUTS] = start[:, :INPUTS] @ np.linalg.matrix_power(cycle, k).T
        means += [performance(start, np.eye(INPUTS)), performance(start, cycle)]
    return "independent" if abs(means[1] - means[0]) < 1e-6 else "dependent"


differentiated = numerically(group_members, tolerance=DIFFERENCE, scale=1.0)

PROGRAMS: Programs = {
    "A lemma | (13)": differentiated,
    "(11) | (12)": by_small_steps,
    "A loss | A weights": numerically(turned_networks, tolerance=1e-6, scale=1.0),
    "A expected performance": stating(performance=performance_on_turned_inputs),
}
