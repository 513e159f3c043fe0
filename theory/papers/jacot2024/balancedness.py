r"""Appendix A.3: balancedness of fully connected nets, Proposition 9, and the reparametrised path of its proof."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.optimize import minimize_scalar

from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import allowed, chosen, is_close, stating, unconditional, with_lemmas
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import nets
from theory.papers.jacot2024.nets import Array, Case, witnessed

DEPTH, LEAK = 1.2, 1.5
PLACES = np.linspace(0, 1, 2001)
INTEGRATED = 1e-7  # Runge-Kutta steps, and a polynomial through them


def distinctness() -> str:
    """Two states of one neuron without bias that differ where the neuron is not active."""
    A, B = np.array([[0.8, -0.5]]), np.array([[0.6, 0.3]])
    states = (A, A * [[1.0, 3.0]])
    weights = [float((B @ nets.activation(state, False).T)[0, 0]) for state in states]
    energies = [nets.energy(state, B, 2.0) for state in states]
    differ = abs(weights[0] - weights[1]) < 1e-12 and abs(energies[0] - energies[1]) > 0.1
    return "distinct from" if differ else "a function of"


def layer_after(factor: float, z: float) -> float:
    """What a neuron with incoming weight z times a factor gives to the next layer; the outgoing weight is 1.3."""
    return 1.3 / factor * max(0.0, factor * z) if factor else float("nan")


def leaves_the_layers(statement: Any) -> tuple[Check, ...]:
    """Neurons with inputs of both signs."""
    is_same = chosen(unconditional(statement), "without", {"without": True, "while": False})
    cases = allowed(statement, [{"factor": factor, "z": z} for factor in (0.4, 3.0, 0.0, -2.0) for z in (0.7, -1.1)])

    def agrees(case: Case) -> bool:
        return is_close(layer_after(case["factor"], case["z"]), layer_after(1.0, case["z"])) is is_same

    return (Check("neurons", lambda: for_all(cases, agrees), "numbers"),)


@cache
def balanced_neurons() -> tuple[Case, ...]:
    """Norms of incoming weights, bias and outgoing weights at the factor that makes their squares least; a search."""
    cases = []
    for incoming, bias, outgoing in ((2.0, 0.5, 1.0), (0.3, 0.7, 4.0)):

        def cost(log_factor: float, x: float = incoming, b: float = bias, y: float = outgoing) -> float:
            factor = float(np.exp(log_factor))
            return factor**2 * (x**2 + b**2) + (y / factor) ** 2

        factor = float(np.exp(minimize_scalar(cost, tol=1e-10).x))
        cases.append({**nets.MARKS, "W_in": factor * incoming, "b_in": factor * bias, "W_out": outgoing / factor})
    return tuple(cases)


@cache
def balanced_layers(has_bias: bool = True) -> Case:
    """Four layers of a fully connected net whose neurons are balanced, by their number."""
    draw = np.random.default_rng(0)
    weights, biases = [draw.normal(size=(5, 5))], []
    for _ in range(3):
        biases.append(has_bias * draw.normal(size=5))
        outgoing = draw.normal(size=(5, 5))
        wanted = np.sqrt((weights[-1] ** 2).sum(axis=1) + biases[-1] ** 2)
        weights.append(outgoing * wanted / np.linalg.norm(outgoing, axis=0))
    return {**nets.MARKS, "W_at": lambda k: weights[int(k) - 1], "b_at": lambda k: biases[int(k) - 1], "l": 3}


def growth_of_norms(has_bias: bool) -> str:
    """What the norms of the layers of a balanced net do."""
    changes = np.diff([nets.norm(balanced_layers(has_bias)["W_at"](index)) for index in (1, 2, 3, 4)])
    if (np.abs(changes) < 1e-9).all():
        return "constant"
    return "increasing" if (changes > 0.01).all() else "decreasing"


@cache
def _critical() -> tuple[Chebyshev, Chebyshev]:
    """Squared weights without bias, and squared biases, along an integrated path on which no neuron switches."""
    A, B = nets.joint_path(*nets.random_state(52, samples=2, size=0.6), DEPTH, bias=True)
    squares = np.array([DEPTH * b @ nets.activation(a, True).T for a, b in zip(A, B, strict=True)]) ** 2
    sums = squares[:, :, :-1].sum(axis=(1, 2)), squares[:, :, -1].sum(axis=1)
    whole, bias = (Chebyshev.fit(np.linspace(0, 1, len(A)), values, 20, [0, 1]) for values in sums)
    return whole, bias


@cache
def critical_weights(whole: bool) -> tuple[Case, ...]:
    """Sizes of the weights and of the bias along a critical path, at two places.

    Args:
        whole: whether the weights have the bias as their last column.
    """
    weights, biases = _critical()
    shown = weights + biases if whole else weights
    shared = {
        **nets.MARKS, "L": DEPTH, "W_at": lambda p: np.sqrt(shown(p)), "b_col": lambda p: np.sqrt(biases(p)),
        "b_at": lambda p: np.sqrt(biases(p)), "dr": lambda p: np.sin(np.pi * p),
        "dr_prime": lambda p: np.pi * np.cos(np.pi * p),
    }  # fmt: skip
    return tuple({**shared, "p": p} for p in (0.35, 0.8))


def critical(number: Any) -> float:
    """Of an expression along the critical path, at p = 0.35."""
    return float(evaluate(number, critical_weights(False)[0]))


def first_variation() -> float:
    """Slope of the squared weights along the critical path reparametrised by q + size sin(pi q), by differences."""
    weights, biases = _critical()
    direction, pushed = np.sin(np.pi * PLACES), np.pi * np.cos(np.pi * PLACES)

    def total(size: float) -> float:
        at = PLACES + size * direction
        swelling = np.exp(2 * DEPTH * (at - PLACES))
        return nets.mean((1 + size * pushed) ** 2 * (weights(at) + swelling * biases(at)))

    return (total(1e-4) - total(-1e-4)) / 2e-4


def slope(place: Any) -> Any:
    """Derivative of the squared weights and biases along the critical path."""
    return sum(part.deriv()(place) for part in _critical())


_DRAW = np.random.default_rng(22)
_V, _B, _START = _DRAW.normal(size=(2, 2)), _DRAW.normal(size=(2, 1)), _DRAW.normal(size=(2, 2))


def net(p: float) -> tuple[Array, Array]:
    """Weights and bias of a net of two neurons."""
    return _V * np.cos(p), _B * p


def other(q: float) -> float:
    """The new parameter r(q); its derivative is q + 1/2."""
    return q * (1 + q) / 2


def new_net(q: float) -> tuple[Array, Array]:
    """Weights and bias of the reparametrised net."""
    W, b = net(other(q))
    return (q + 0.5) * W, (q + 0.5) * np.exp(LEAK * (other(q) - q)) * b


@lru_cache(maxsize=4096)
def path(p: float, is_new: bool) -> Array:
    """The path of the net, or of the reparametrised one."""

    def rate(s: float, A: Array) -> Array:
        W, b = new_net(s) if is_new else net(s)
        return -LEAK * A + W @ np.maximum(A, 0) + b

    return nets.flow(_START, rate, 0.0, p, 100)


def reparametrised() -> list[Case]:
    """Letters of both nets at three places."""
    new, old = partial(path, is_new=True), partial(path, is_new=False)
    shared = {
        **nets.MARKS, "L": LEAK, "r": other, "r_prime": lambda q: q + 0.5, "A_at": old, "A_new": new, "Z_new": new,
        "V_at": lambda p: net(p)[0], "W_at": lambda p: net(p)[0], "b_at": lambda p: net(p)[1],
        "V_new": lambda q: new_net(q)[0], "W_new": lambda q: new_net(q)[0], "b_new": lambda q: new_net(q)[1],
        "A_dot_at": lambda p: (old(p + 1e-4) - old(p - 1e-4)) / 2e-4,
    }  # fmt: skip
    return [{**shared, "q": q} for q in (0.2, 0.5, 0.9)]


def new_velocity() -> Array:
    """Velocity of the reparametrised net at q = 0.2."""
    return (path(0.2001, True) - path(0.1999, True)) / 2e-4


at_places = numerically(reparametrised, "integrated paths", tolerance=1e-6)
in_layers = numerically(lambda: [balanced_layers()], "balanced layers")
on_the_path = numerically(partial(critical_weights, False), "integrated path", tolerance=INTEGRATED, scale=1.0)


def at_a_place(independent: Any) -> Program:
    """A line on critical paths, at p = 0.35."""
    return witnessed(on_the_path, lambda: critical_weights(False)[0], independent, tolerance=INTEGRATED)


def vanishing(independent: Any) -> Program:
    """A line whose left-hand side vanishes; its number is one more than what it says of it."""
    return Program(on_the_path, independent, lambda equation: 1 + critical(equation.lhs - equation.rhs), 1e-6)


PROGRAMS: Programs = {
    "A.3 distinct": stating({"distinct": distinctness}, "both invariants"),
    "A.3 scalar": Program(leaves_the_layers, lambda: layer_after(-2.0, 0.7), value=lambda claim: layer_after(1.0, 0.7)),
    "A.3 scaling a neuron": numerically(balanced_neurons, "search", tolerance=1e-6),
    "A.3 summed": in_layers,
    "A.3 norms grow": in_layers,
    "A.3 growth": stating(
        {"with": partial(growth_of_norms, True), "without": partial(growth_of_norms, False)}, "layers"
    ),
    "Proposition 9": witnessed(
        with_lemmas(
            numerically(partial(critical_weights, True), "integration", tolerance=INTEGRATED), *canonical.BALANCED
        ),
        lambda: critical_weights(True)[0],
        lambda: sum(part(0.35) for part in _critical()),
        tolerance=INTEGRATED,
    ),
    "A.3 reparametrised path": at_places,
    "A.3 first line": at_places,
    "A.3 second line": at_places,
    "A.3 third line": witnessed(at_places, lambda: reparametrised()[0], new_velocity, tolerance=1e-6),
    "A.3 fourth line": at_places,
    "A.3 parameter norm": numerically(lambda: reparametrised()[:1], "quadrature"),
    "A.3 first variation": vanishing(lambda: 1 + first_variation()),
    "A.3 integration by parts": at_a_place(lambda: -nets.mean(slope(PLACES) * np.sin(np.pi * PLACES))),
    "A.3 condition": vanishing(lambda: 1.0),
    "A.3 conclusion": at_a_place(lambda: slope(0.35)),
    "A.3 integrated": at_a_place(lambda: sum(part(0.35) for part in _critical())),
}
