"""Section 1.5: momenta, Hamilton's equations, conservation."""

from functools import cache, partial
from typing import Any

import numpy as np

from papers.jacot2024.ledger import nets
from papers.jacot2024.ledger.nets import Array, Case, states
from theory import leaky_resnet
from theory.core import Programs, evaluate, for_all, letters_of, numerically, solved
from theory.core.ledger.proving import is_close, of_each_relation, stating, with_lemmas
from theory.core.numbers.differences import slopes
from theory.leaky_resnet import canonical

H = letters_of(__package__)("H")
DEPTH, STRENGTH, STEP, SAMPLES = 1.5, 0.2, 1 / 3, 3
_DRAW = np.random.default_rng(2)
_START, _TARGET = _DRAW.normal(size=(2, 2, SAMPLES))
_WEIGHTS = 0.5 * _DRAW.normal(size=(3, 2, 3))


def _after(A: Array, layers: Array) -> Array:
    for layer in layers:
        A = (1 - STEP * DEPTH) * A + STEP * layer @ nets.activation(A, True)
    return A


def mean_cost(output: Array) -> float:
    """The cost of Section 1.1: squared error, mean over samples."""
    return float(((_TARGET - output) ** 2).sum() / SAMPLES)


def _cost_after(A: Array, layers: Array) -> float:
    return mean_cost(_after(A, layers))


def _whole(layers: Array) -> float:
    return _cost_after(_START, layers) + STRENGTH / (2 * DEPTH) * STEP * float((layers**2).sum())


@cache
def critical() -> tuple[Case, ...]:
    """Each layer of a net of three: the weights at which the gradient of the whole cost is zero, and gradients.

    The regulariser is quadratic, so that these weights are at a distance of gradient over curvature.
    """
    whole = slopes(_whole, _WEIGHTS)
    plain = slopes(partial(_cost_after, _START), _WEIGHTS)
    cases = []
    for index in range(3):
        before = _after(_START, _WEIGHTS[:index])
        output = _after(before, _WEIGHTS[index : index + 1])
        slope = slopes(partial(_cost_after, layers=_WEIGHTS[index + 1 :]), output)
        made = _WEIGHTS[index] - whole[index] * DEPTH / (STRENGTH * STEP)
        cases.append({"L": DEPTH, "lam": STRENGTH, "W": made, "weights": made, "grad_W": plain[index] / STEP,
                      "grad_A": slope, "B": -slope / STRENGTH, "S": nets.activation(before, True)})  # fmt: skip
    return tuple(cases)


def last_layer() -> list[Case]:
    """The cost of Section 1.1, and the momentum that makes the critical weights of the last of three layers."""
    case = critical()[2]
    momentum = np.linalg.lstsq(case["S"], case["W"].T / DEPTH, rcond=None)[0].T
    output = _after(_START, _WEIGHTS)
    return [
        {
            **nets.MARKS,
            "F": _TARGET,
            "A_1": output,
            "C": mean_cost,
            "B_1": momentum,
            "lam": STRENGTH,
            "N": SAMPLES,
        }
    ]


@cache
def backward() -> tuple[Case, ...]:
    """Momenta in the middle of an integrated net with bias, and their derivative in p, by differences."""
    constant, rising = np.random.default_rng(5).normal(size=(2, 2, 3))
    rate = nets.leaky(lambda p: constant + p * rising, DEPTH, True)

    def momentum(p: float) -> Array:
        there = nets.flow(_START, rate, 0.0, p, 60)
        return -slopes(lambda A: mean_cost(nets.flow(A, rate, p, 1.0, 60)), there, 1e-4) / STRENGTH

    h, p = 1e-3, 0.55
    return ({
        "L": DEPTH, "W": (constant + p * rising)[:, :-1], "B": momentum(p),
        "slopes": (nets.flow(_START, rate, 0.0, p, 60) > 0).astype(float),
        "B_dot": (momentum(p + h) - momentum(p - h)) / (2 * h),
    },)  # fmt: skip


def neurons_of_states() -> list[Case]:
    """The row of ones has no slope."""
    return [
        {**case, "S": np.maximum(case["A"], 0), "slopes": (case["A"] > 0).astype(float)}
        for case in states()
    ]


@cache
def gradients() -> tuple[Case, ...]:
    """Derivatives of the Hamiltonian, with bias and without."""
    cases = []
    for case in states():
        A, B, depth, bias = case["A"], case["B"], case["L"], bool(case["beta"])
        in_A = slopes(partial(nets.energy, B=B, depth=depth, bias=bias), A)
        in_B = slopes(partial(nets.energy, A, depth=depth, bias=bias), B)
        cases.append({**case, "grad_A_H": in_A, "grad_B": in_B})
    return tuple(cases)


def generates_the_flow(relation: Any) -> bool:
    """Derivatives of the printed function are the velocities of the forward and the backward pass."""

    def agrees(case: Case) -> bool:
        A, B = case["A"], case["B"]

        def value(A: Array, B: Array) -> float:
            features = nets.activation(A, bool(case["beta"]))
            return float(evaluate(solved(relation, H), {**case, "A": A, "B": B, "S": features}))

        in_B, in_A = slopes(partial(value, A), B), slopes(partial(value, B=B), A)
        return is_close(in_B, case["A_dot"], 1e-6, 1.0) and is_close(
            in_A, -case["B_dot"], 1e-6, 1.0
        )

    return for_all(states(), agrees)


@cache
def fate_of_the_hamiltonian() -> str:
    """What the Hamiltonian does on integrated paths on which neurons switch, relative to its larger term."""
    changes = []
    for seed in (1, 2, 5):
        path = leaky_resnet.flow(
            *nets.random_state(seed, width=4, samples=5), 2.0, np.linspace(0, 1, 21)
        )
        energies = [nets.energy(a, b, 2.0, bias=True) for a, b in path]
        size = 2.0 * max(float((b * a).sum()) for a, b in np.abs(path))
        changes.append(np.ptp(energies) < 1e-10 * size and np.diff(path[:, 0] > 0, axis=0).any())
    return "constant" if all(changes) else "increasing"


at_criticality = numerically(critical, "differences", tolerance=1e-6, scale=0.1)
by_differences = numerically(gradients, "differences", tolerance=1e-6)

PROGRAMS: Programs = {
    "1.5 terminal momentum": numerically(last_layer, "least squares", tolerance=1e-6),
    "1.5 backward pass": with_lemmas(numerically(backward, tolerance=1e-5), canonical.BACKWARD),
    "1.5 critical point | 1.5 critical weights": at_criticality,
    "1.5 joint dynamics": numerically(states, "the forward pass with critical weights"),
    "1.5 joint dynamics, momenta": numerically(
        neurons_of_states, "the backward pass with critical weights"
    ),
    "1.5 Hamilton's equations": with_lemmas(by_differences, *canonical.HAMILTON),
    "1.5 Hamiltonian": with_lemmas(of_each_relation(generates_the_flow), *canonical.LEGENDRE),
    "1.5 conservation": with_lemmas(stating(kept=fate_of_the_hamiltonian), *canonical.CONSERVED),
}
