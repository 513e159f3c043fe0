r"""Appendix A.3: balancedness of fully connected nets, Proposition 9, and the reparametrised path of its proof."""

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.optimize import minimize_scalar

from papers.jacot2024.ledger import nets
from papers.jacot2024.ledger.nets import Array, Case
from theory.core import (
    Program,
    Programs,
    chosen,
    deciding,
    is_close,
    numerically,
    stating,
    with_lemmas,
)
from theory.leaky_resnet import canonical

DEPTH, LEAK = 1.2, 1.5
INTEGRATED = 1e-7  # Runge-Kutta steps, and a polynomial through them


def distinctness() -> str:
    """Two states with the same weights and different Hamiltonians: they differ where the neuron is not active."""
    A, B = np.array([[0.8, -0.5]]), np.array([[0.6, 0.3]])
    states = (A, A * [[1.0, 3.0]])
    weights = [float((B @ nets.activation(state, False).T)[0, 0]) for state in states]
    energies = [nets.energy(state, B, 2.0) for state in states]
    differ = abs(weights[0] - weights[1]) < 1e-12 and abs(energies[0] - energies[1]) > 0.1
    return "distinct from" if differ else "a function of"


def layer_after(factor: float, z: float) -> float:
    """What a neuron with incoming weight z times a factor gives to the next layer; the outgoing weight is 1.3."""
    return 1.3 / factor * max(0.0, factor * z) if factor else float("nan")


NEURONS = [{"factor": factor, "z": z} for factor, z in product((0.4, 3.0, 0.0, -2.0), (0.7, -1.1))]


def leaves_the_layers(claim: Any, case: Case) -> bool:
    """A neuron with inputs of both signs, for positive and negative scalars."""
    is_same = chosen(claim, "without", {"without": True, "while": False})
    return is_close(layer_after(case["factor"], case["z"]), layer_after(1.0, case["z"])) is is_same


def output_after(factor: float, kept: float) -> float:
    """Output of two layers of one neuron; incoming weight 0.7 times a factor, outgoing 1.3 divided by it."""
    state = kept * 0.6 + factor * 0.7 * 0.6
    return kept * state + 1.3 / factor * max(0.0, state)


def is_kept(factor: float, kept: float) -> bool:
    """Whether a factor of the neuron leaves the output of layers that keep a part of their input."""
    return is_close(output_after(factor, kept), output_after(1.0, kept))


def keeps(claim: Any) -> bool:
    """Whether the claim has leaky layers keep their output, as connected ones do."""
    return bool(chosen(claim, "which", {"the same": True, "another": False}))


def balanced_neurons() -> Iterator[Case]:
    """The least squares of weights of two neurons, over factors of the incoming weights that divide the outgoing."""

    def squares(logarithm: float, incoming: Array, outgoing: float) -> float:
        return float(
            np.exp(2 * logarithm) * (incoming**2).sum() + np.exp(-2 * logarithm) * outgoing**2
        )

    for incoming, outgoing in ((np.array([2.0, 0.5]), 1.0), (np.array([0.3, 0.7]), 4.0)):
        factor = np.exp(minimize_scalar(squares, args=(incoming, outgoing), tol=1e-10).x)
        W_in, b_in = factor * incoming
        yield {**nets.MARKS, "W_in": W_in, "b_in": b_in, "W_out": outgoing / factor}


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
    return {
        **nets.MARKS,
        "W_at": lambda k: weights[int(k) - 1],
        "b_at": lambda k: biases[int(k) - 1],
        "l": 3,
    }


def growth_of_norms(has_bias: bool) -> str:
    """Nets of four layers with balanced neurons, with bias and without."""
    changes = np.diff(
        [nets.norm(balanced_layers(has_bias)["W_at"](index)) for index in (1, 2, 3, 4)]
    )
    if (np.abs(changes) < 1e-9).all():
        return "constant"
    return "increasing" if (changes > 0.01).all() else "decreasing"


@cache
def _critical() -> tuple[Chebyshev, Chebyshev]:
    """Squared weights without bias, and squared biases, along an integrated path on which no neuron switches."""
    A, B = nets.joint_path(*nets.random_state(52, samples=2, size=0.6), DEPTH, bias=True)
    squares = (
        np.array([DEPTH * b @ nets.activation(a, True).T for a, b in zip(A, B, strict=True)]) ** 2
    )
    sums = squares[:, :, :-1].sum(axis=(1, 2)), squares[:, :, -1].sum(axis=1)
    whole, bias = (Chebyshev.fit(np.linspace(0, 1, len(A)), values, 20, [0, 1]) for values in sums)
    return whole, bias


@cache
def critical_weights(whole: bool) -> tuple[Case, ...]:
    """Sizes of the weights, with the bias as their last column or without, along a critical path, at two places."""
    weights, biases = _critical()
    shown = weights + biases if whole else weights
    shared = {
        **nets.MARKS, "L": DEPTH, "W_at": lambda p: np.sqrt(shown(p)), "b_col": lambda p: np.sqrt(biases(p)),
        "b_at": lambda p: np.sqrt(biases(p)), "dr": lambda p: np.sin(np.pi * p),
        "dr_prime": lambda p: np.pi * np.cos(np.pi * p),
    }  # fmt: skip
    return tuple({**shared, "p": p} for p in (0.35, 0.8))


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
    """The net and the reparametrised one at three places."""
    new, old = partial(path, is_new=True), partial(path, is_new=False)
    shared = {
        **nets.MARKS, "L": LEAK, "r": other, "r_prime": lambda q: q + 0.5, "A_at": old, "A_new": new, "Z_new": new,
        "V_at": lambda p: net(p)[0], "W_at": lambda p: net(p)[0], "b_at": lambda p: net(p)[1],
        "V_new": lambda q: new_net(q)[0], "W_new": lambda q: new_net(q)[0], "b_new": lambda q: new_net(q)[1],
        "A_dot_at": lambda p: (old(p + 1e-4) - old(p - 1e-4)) / 2e-4,
    }  # fmt: skip
    return [{**shared, "q": q} for q in (0.2, 0.5, 0.9)]


at_places = numerically(reparametrised, "both nets integrated, differences", tolerance=1e-6)
in_layers = numerically(lambda: [balanced_layers()], "a net of four layers with balanced neurons")
on_the_path = numerically(
    partial(critical_weights, False), "integration", tolerance=INTEGRATED, scale=1.0
)
with_the_bias = numerically(partial(critical_weights, True), "integration", tolerance=INTEGRATED)

PROGRAMS: Programs = {
    "A.3 distinct": stating(distinct=distinctness),
    "A.3 scalar": Program(
        deciding(leaves_the_layers, cases=lambda: NEURONS),
        lambda alpha, z: layer_after(alpha, z),
        value=lambda claim, z: layer_after(1.0, z),
        at={"alpha": -2.0, "z": 0.7},
        quantity="what the neuron gives to the next layer",
    ),
    "A.3 scaling a neuron": numerically(
        balanced_neurons, "a search over the scale", tolerance=1e-6
    ),
    "A.3 summed | A.3 norms grow": in_layers,
    "A.3 growth": stating(
        biased=partial(growth_of_norms, True), unbiased=partial(growth_of_norms, False)
    ),
    "A.3 symmetry": Program(
        deciding(
            lambda claim: is_kept(2.5, 0.0) and is_kept(2.5, 0.5) is keeps(claim),
            "outputs of two layers",
        ),
        lambda factor, kept: float(is_kept(factor, kept)),
        value=lambda claim: float(keeps(claim)),
        at={"factor": 2.5, "kept": 0.5},
        quantity="1 if the factor leaves the output of layers that keep this part of their input, else 0",
    ),
    "Proposition 9": with_lemmas(with_the_bias, *canonical.BALANCED),
    "A.3 reparametrised path | A.3 first line | A.3 second line | A.3 third line | A.3 fourth line": at_places,
    "A.3 parameter norm": numerically(
        lambda: reparametrised()[:1], "quadrature of both integrals"
    ),
    "A.3 first variation | A.3 integration by parts | A.3 condition | A.3 conclusion | A.3 integrated": on_the_path,
}
