r"""Appendix A.3: balancedness of fully connected nets, and Proposition 9."""

from __future__ import annotations

from functools import partial

import numpy as np
import sympy as sp

from theory.core import Check, Claim, equal, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import balancedness_numbers as numbers
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.symbols import L

factor, outgoing, z = sp.symbols("factor outgoing z", real=True)
incoming, bias = sp.symbols("incoming bias", positive=True)
l, k = sp.symbols("l k", integer=True, positive=True)
p, q = sp.symbols("p q", positive=True)
relu_at, W_layer, b_layer, W_at, bias_at = (
    sp.Function(name, nonnegative=True) for name in ("relu_at", "W_layer", "b_layer", "W_at", "bias_at")
)
INTEGRATED = 1e-7  # Runge-Kutta steps, and a polynomial through them


def growth(places: sp.Expr, times: int) -> sp.Eq:
    """The squared weights, with a multiple of depth times the integrated squared bias."""
    return equal(W_at(p) ** 2, W_at(0) ** 2 + times * L * sp.Integral(bias_at(places) ** 2, (q, 0, p)))


def grow(claim: Claim) -> tuple[Check, ...]:
    """Norms of the layers of balanced nets with and without bias."""

    def sizes(has_bias: bool) -> list[float]:
        return [numbers.balanced_layers(has_bias)["W_layer"](index) for index in (1, 2, 3, 4)]

    rises = bool((np.diff(sizes(True)) > 0.01).all())
    stays = for_all(sizes(False), lambda size: bool(abs(size - sizes(False)[0]) < 1e-9))
    return (
        Check("with bias", lambda: rises is (claim["with"] == "increasing"), "balanced layers"),
        Check("without", lambda: stays is (claim["without"] == "constant"), "balanced layers"),
    )


def are_distinct(claim: Claim) -> tuple[Check, ...]:
    """Two states of one neuron without bias that differ where the neuron is not active."""

    def agrees() -> bool:
        A, B = np.array([[0.8, -0.5]]), np.array([[0.6, 0.3]])
        other = A * [[1.0, 3.0]]
        weights = [float((B @ nets.activation(state, False).T)[0, 0]) for state in (A, other)]
        energies = [nets.energy(state, B, 2.0) for state in (A, other)]
        differ = bool(abs(weights[0] - weights[1]) < 1e-12 and abs(energies[0] - energies[1]) > 0.1)
        return differ is (claim["distinct"] == "distinct from")

    return (Check("two states", agrees, "both invariants"),)


PROGRAMS: Programs = {
    "A.3 distinct": are_distinct,
    "A.3 scalar": Program(
        numerically(numbers.scaled_neurons, "numbers"),
        lambda: 1.3 / -2 * max(0.0, -1.4),
        value=lambda equation: evaluate(equation.rhs, numbers.scaled_neurons()[4]),
    ),
    "A.3 scaling a neuron": numerically(numbers.balanced_neurons, "search", tolerance=1e-6),
    "A.3 summed": numerically(lambda: [numbers.balanced_layers()], "balanced layers"),
    "A.3 norms grow": numerically(lambda: [numbers.balanced_layers()], "balanced layers"),
    "A.3 growth": grow,
    "Proposition 9": Program(
        with_lemmas(
            numerically(partial(numbers.critical_weights, True), "integration", tolerance=INTEGRATED),
            *canonical.BALANCED,
        ),
        lambda: numbers.critical_weights(True)[0]["W_at"](0.35) ** 2,
        value=lambda equation: evaluate(equation.rhs * W_at(p) ** 2 / equation.lhs, numbers.critical_weights(True)[0]),
        tolerance=INTEGRATED,
    ),
}
