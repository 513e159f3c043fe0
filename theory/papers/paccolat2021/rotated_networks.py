r"""Rotated inputs, weights and members of a group, against which Appendix A is checked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, numerically
from theory.core.ledger.printed import Given
from theory.papers.paccolat2021.notation import letters
from theory.papers.paccolat2021.small_network import INPUTS, Training, outputs, slopes

h = letters("h")
OBLIQUE = np.array([[1.0, 0.4, 0.1], [-0.3, 1.2, 0.0], [0.2, 0.1, 0.9]])
STEP = 1e-5
DIFFERENCE = 1e-4  # relative error of a one-sided difference with that step
loss_gradient, moved_loss_gradient, weights, moved_weights = letters("grad_L grad_L_D w w_D")


def member(squeeze: float, mirror: float) -> np.ndarray:
    """A member of a group that is not orthogonal: a plane squeezed along oblique axes, the third axis reflected."""
    return np.asarray(np.linalg.solve(OBLIQUE, np.diag([squeeze, 1 / squeeze, mirror]) @ OBLIQUE))


def invariant(at: np.ndarray) -> float:
    """A function that the group leaves as it is."""
    x = OBLIQUE @ np.asarray(at).ravel()
    return float(np.sin(x[0] * x[1]) + x[0] * x[1] * x[2] ** 2)


def gradient_of(at: np.ndarray) -> np.ndarray:
    """Its gradient by central differences, ``[3, 1]``."""
    steps = STEP * np.eye(3)
    return np.array([[invariant(at.ravel() + s) - invariant(at.ravel() - s)] for s in steps]) / (2 * STEP)


def group_members() -> Iterator[dict[str, Any]]:
    """Letters of the lemma and of its proof, for members of the group, points and directions."""
    rng = np.random.default_rng(0)
    for squeeze, mirror in ((1.6, 1.0), (0.7, -1.0), (-1.3, 1.0)):
        at, along = rng.normal(size=(2, 3, 1))
        moved = gradient_of(member(squeeze, mirror) @ at)
        yield {
            "D": member(squeeze, mirror),
            "x": at,
            "u": along,
            "grad_f": gradient_of(at),
            "grad_f_D": moved,
            "h": STEP,
            "f": invariant,
            "inner": lambda one, other: float((np.asarray(one).T @ np.asarray(other))[0, 0]),
        }


def by_small_steps(line: sp.Eq) -> tuple[Check, ...]:
    """A line of the proof, its limit taken at a small step."""
    finite = line.replace(lambda node: isinstance(node, sp.Limit), lambda node: node.args[0].subs(h, node.args[2] + h))
    return numerically(group_members, "differences", tolerance=DIFFERENCE, scale=1.0)(finite)


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
    """Gradients of the loss, and weights after training, of networks and of the same networks turned."""
    cases = []
    for seed in (0, 2):
        turn = orthogonal(seed)
        acting = np.kron(np.eye(4), np.block([[turn, np.zeros((3, 2))], [np.zeros((2, 3)), np.eye(2)]]))
        plain, other = Training(seed, 1.0), turned(Training(seed, 1.0), turn)
        values = {"D_w": acting, "grad_L": -plain.descent(), "grad_L_D": -other.descent()}
        values |= {"w": trained(plain), "w_D": trained(other)}
        cases.append({k: v if k == "D_w" else v.reshape(-1, 1) for k, v in values.items()})
    return tuple(cases)


def performance(initial: np.ndarray, turn: np.ndarray) -> float:
    """Mean test loss of a network in the plane, trained and tested on turned points from given initial weights."""
    rng = np.random.default_rng(7)
    points, tests = rng.normal(size=(8, 2)) @ turn.T, rng.normal(size=(20, 2)) @ turn.T
    labels, truth = (np.sign((x @ turn)[:, 0] - 0.2) for x in (points, tests))

    def loss(w: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
        return float(np.maximum(0, 1 - y * (outputs(w, x) - outputs(initial, x))).mean())

    now = initial.copy()
    for _ in range(30):
        now = now - 0.5 * slopes(lambda w: loss(w, points, labels), now)
    return loss(now, tests, truth)


@cache
def mean_performance(turns: int, quarter: bool) -> float:
    """Mean over initial weights, turned 0 to ``turns`` - 1 quarters; data as they are or turned by a quarter."""
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    initial = np.random.default_rng(3).normal(size=(3, 4))
    total = 0.0
    for k in range(turns):
        start = initial.copy()
        start[:, :2] = start[:, :2] @ np.linalg.matrix_power(turn, k).T
        total += performance(start, turn if quarter else np.eye(2))
    return total / turns


def same_performance(turns: int) -> bool:
    """Whether the mean performance on turned data is that on the data as they are."""
    return abs(mean_performance(turns, True) - mean_performance(turns, False)) < 1e-6


def unaffected(statement: Claim | Given) -> tuple[Check, ...]:
    """A fixed start, or, as the condition may say, the mean over a set of starts that the turn leaves as it is."""
    claim = statement.statement if isinstance(statement, Given) else statement
    averaged = isinstance(statement, Given) and statement.condition["start"] == "rotation-invariant"
    same = same_performance(4 if averaged else 1)
    return (Check("a quarter turn", lambda: same is (claim["effect"] == "doesn't affect"), "trained small networks"),)


def independent(claim: Claim) -> tuple[Check, ...]:
    """The mean over a set of starts that the turn leaves as it is, and over one that it does not."""
    same = same_performance(4 if claim["distribution"] == "satisfies" else 1)
    return (Check("a quarter turn", lambda: same is (claim["performance"] == "independent"), "trained networks"),)
