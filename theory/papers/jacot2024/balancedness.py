r"""Appendix A.3: balancedness of fully connected nets, and Proposition 9."""

from __future__ import annotations

from functools import partial

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import balancedness_numbers as numbers
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.paper import PAPER
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


EQUATIONS = (
    PAPER.entry(
        "A.3 distinct",
        "A.3",
        "",
        Finding.CONFIRMED,
        "Two states with the same weights and different Hamiltonians. Without bias both are constant along a path, and "
        "with them Tr B A'.",
        printed=Claim(
            "The Hamiltonian is {distinct} the invariant that arises as the result of balancedness.",
            {"distinct": Word("distinct from", ("a function of",))},
        ),
        prove=are_distinct,
    ),
    PAPER.entry(
        "A.3 scalar",
        "A.3",
        "Incoming weights multiplied by a scalar and outgoing ones divided by it leave the layers after them alone.",
        Finding.CONDITIONAL,
        "A neuron with inputs of both signs, for positive and negative scalars.",
        printed=equal(outgoing / factor * relu_at(factor * z), outgoing * relu_at(z)),
        condition=sp.Gt(factor, 0),
        prove=numerically(numbers.scaled_neurons, "numbers"),
        witness=Witness(
            {"alpha": -2, "input": 0.7, "outgoing": 1.3},
            lambda: 1.3 / -2 * max(0.0, -1.4),
            value=lambda equation: evaluate(equation.rhs, numbers.scaled_neurons()[4]),
        ),
        consequence="None: the scale that is used is positive.",
    ),
    PAPER.entry(
        "A.3 scaling a neuron",
        "A.3",
        "The norm is least where the incoming weights of a neuron equal the outgoing ones.",
        Finding.CONFIRMED,
        "The least squares of weights of two neurons, searched over the scale.",
        printed=equal(incoming**2 + bias**2, outgoing**2),
        prove=numerically(numbers.balanced_neurons, "search", tolerance=1e-6),
    ),
    PAPER.entry(
        "A.3 summed",
        "A.3",
        "The same, summed over the neurons of a layer.",
        Finding.CONFIRMED,
        "A net of four layers with balanced neurons.",
        printed=equal(W_layer(l) ** 2 + b_layer(l) ** 2, W_layer(l + 1) ** 2),
        prove=numerically(lambda: [numbers.balanced_layers()], "balanced layers"),
    ),
    PAPER.entry(
        "A.3 norms grow",
        "A.3",
        "Summed over the layers the squared weights grow by the squared biases.",
        Finding.ILLEGIBLE,
        "The text that was read has neither an equals sign nor a right-hand side. What is shown follows from the "
        "formula before it, layer by layer, and has its sum.",
        printed=r"\|W_\ell\|_F^2 + \sum_{k=1}^{\ell-1} \|b_k\|_F^2",
        inferred=equal(W_layer(l) ** 2, W_layer(1) ** 2 + sp.Sum(b_layer(k) ** 2, (k, 1, l - 1))),
        prove=numerically(lambda: [numbers.balanced_layers()], "balanced layers"),
    ),
    PAPER.entry(
        "A.3 growth",
        "A.3",
        "",
        Finding.CONFIRMED,
        "Nets of four layers with balanced neurons, with bias and without.",
        printed=Claim(
            "The norm of the weights is {with} throughout the layers, and in the absence of bias it is {without}.",
            {"with": Word("increasing", ("decreasing",)), "without": Word("constant", ("increasing",))},
        ),
        prove=grow,
    ),
    PAPER.entry(
        "Proposition 9",
        "A.3",
        "At a critical point the squared weights grow by depth times the integrated squared bias.",
        Finding.MISPRINT,
        "By twice that, along an integrated path and by Hamilton's equations, in symbols and for any slopes of the "
        "activation. Under the integral the place is q. With finitely many layers step/depth times the squared bias is "
        "what Tr B A' grows by, exactly.",
        printed=growth(p, 1),
        corrected=growth(q, 2),
        prove=with_lemmas(
            numerically(partial(numbers.critical_weights, True), "integration", tolerance=INTEGRATED),
            *canonical.BALANCED,
        ),
        witness=Witness(
            {"state": "three neurons, two samples, with bias", "depth": 1.2, "p": 0.35, "number": "squared weights"},
            lambda: numbers.critical_weights(True)[0]["W_at"](0.35) ** 2,
            value=lambda equation: evaluate(
                equation.rhs * W_at(p) ** 2 / equation.lhs, numbers.critical_weights(True)[0]
            ),
            tolerance=INTEGRATED,
        ),
        consequence="A balancedness residual measured with the printed factor does not vanish in trained nets.",
        heirs=("2.1 weights",),
    ),
)
