r"""Section 1.1: bins of tanh units, and information in deterministic representations, Theorems 1 and 2."""

import itertools
import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from papers.cheong2025.ledger.alphabets import bits, information_between
from papers.cheong2025.ledger.notation import agreed
from theory.core import Program, Programs, chosen, evaluate, of_each_relation, stating

BINS = 30
LARGE = 1e6  # standard deviation of preactivations
CLOSE = 1e-4  # share of such preactivations, and bits, that do not saturate
SMALL = 1e-3  # preactivations far from saturation
FINE = 64  # equally likely cells of a
MAPS: tuple[Callable[[Any], Any], ...] = (lambda a: 2 * a - 1, lambda a: (a - 0.3) ** 2, np.tanh)


def chances_of_bins() -> list[float]:
    """Probabilities of the 30 bins of tanh of a Gaussian with mean 0 and a large standard deviation."""
    borders = [math.atanh(2 * k / BINS - 1) for k in range(1, BINS)]
    below = [0.0, *(math.erfc(-border / LARGE / math.sqrt(2)) / 2 for border in borders), 1.0]
    return [upper - lower for lower, upper in itertools.pairwise(below)]


def share_that_is_not_linear(scale: float = SMALL) -> float:
    """Share of the variance of two tanh units, with preactivations of at most 0.002, that no linear function has.

    The units are tanh(2z) - 2 tanh(z), which is -2 z^3 for small z, for uniform inputs.
    """
    nodes, weights = np.polynomial.legendre.leggauss(12)
    values = np.tanh(2 * scale * nodes) - 2 * np.tanh(scale * nodes)
    linear = np.sum(weights * values * nodes) ** 2 / np.sum(weights * nodes**2)
    return float(1 - linear / np.sum(weights * values**2))


def exceeds_every_bound(statement: sp.Eq) -> bool:
    """Information about n quantiles of f(a) is a lower bound and equals log n, whatever the continuous f(a) is."""
    cells = (np.arange(FINE) + 0.5) / FINE

    def of_quantiles(count: int) -> Callable[[Any, Any], float]:
        def between(one: Any, other: Any) -> float:
            quantile = np.argsort(np.argsort(other)) * count // FINE
            return information_between([1 / FINE] * FINE)(np.argsort(np.argsort(one)), quantile)

        return between

    growths = [
        evaluate(statement.lhs, {"a": cells, "f": f, "I": of_quantiles(2**k)}) - k
        for f, k in product(MAPS, range(1, 7))
    ]
    return max(map(abs, growths)) < 1e-9 and bool(statement.rhs == sp.oo)


@cache
def entropies_of_densities() -> dict[str, tuple[str, str, float]]:
    """Densities of b: whether the density and b are bounded, and the entropy in nats.

    The last two are 1/(|b| log^2 |b|). With u = |log b| their entropy is the integral
    of (2 log u + u)/u^2, or (2 log u - u)/u^2, from 1 on.
    """
    u, end = sp.symbols("u end", positive=True)
    far, near = (
        float(
            sp.limit(
                sp.integrate(sp.expand((2 * sp.log(u) + sign * u) / u**2), (u, 1, end)), end, sp.oo
            )
        )
        for sign in (1, -1)
    )
    return {
        "5 for 0 < b < 1/5": ("bounded", "bounded", math.log(0.2)),
        "2b for 0 < b < 1": ("bounded", "bounded", 0.5 - math.log(2)),
        "1/(b log^2 b) for b > e": ("bounded", "unbounded", far),
        "1/(b log^2 b) for b < 1/e": ("unbounded", "bounded", near),
    }


def entropy_is(density: str = "", support: str = "") -> str:
    """What the entropies of the densities of a kind have in common; of all densities if no kind is named."""
    cases = (
        case
        for case in entropies_of_densities().values()
        if density in ("", case[0]) and support in ("", case[1])
    )
    return agreed((math.isfinite(entropy) for *_, entropy in cases), "finiteness", "infiniteness")


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "strictly increasing": np.tanh,
    "a rectifier": lambda z: np.maximum(0, z),
}


def knows(activation: Callable[[Any], Any], weight: float, bias: float, inputs: int) -> float:
    """I(h; x) in bits of h = activation(w x + b) for equally likely inputs in [0, 1]."""
    outputs = activation(weight * np.arange(inputs) / inputs + bias)
    return bits(np.unique((1e12 * outputs).astype(int), return_counts=True)[1] / inputs)


def units(kind: str) -> Iterator[tuple[Callable[[Any], Any], float, float]]:
    """Units of a kind, or of all, with weights and biases from an open set."""
    draw = random.Random(0)
    weights = [(draw.uniform(-1.5, 0.5), draw.uniform(-1, 0)) for _ in range(30)]
    functions = [f for name, f in ACTIVATIONS.items() if kind in ("", name)]
    return ((f, *pair) for f, pair in product(functions, weights))


def of_continuous_inputs(kind: str = "") -> str:
    """What I(h; x) is of ever finer inputs."""
    return agreed(
        (knows(*unit, 512) - knows(*unit, 32) > 1 for unit in units(kind)), "infinite", "finite"
    )


def of_discrete_inputs(kind: str = "") -> str:
    """What I(h; x) of four inputs is as a function of the weights, by those of neighbours."""

    def is_constant(activation: Callable[[Any], Any], weight: float, bias: float) -> bool:
        return (
            len({knows(activation, weight + shift, bias, 4) for shift in (0.0, 1e-6, 2e-6)}) == 1
        )

    return agreed(
        (is_constant(*unit) for unit in units(kind)), "piecewise constant", "nowhere constant"
    )


PROGRAMS: Programs = {
    "1.1 tanh is linear | Theorem 1, infinite": of_each_relation(
        lambda limit: limit.lhs.doit() == limit.rhs, "the limit"
    ),
    "1.1 saturated entries": stating(
        bins=lambda: agreed([sum(chances_of_bins()[1:-1]) < CLOSE], "top or bottom", "middle"),
        bits=lambda: agreed(
            [abs(bits(chances_of_bins()) - 1) < CLOSE], "a single bit", "more or less"
        ),
    ),
    "1.1 must saturate": Program(
        stating(must=lambda: "need not" if share_that_is_not_linear() > 0.1 else "must"),
        lambda: 1 - (1 / 5) ** 2 / (1 / 3 * 1 / 7),  # of x^3, by the moments of a uniform x
        value=lambda claim, scale: chosen(
            claim, "must", {"must": 0.0, "need not": share_that_is_not_linear(scale)}
        ),
        tolerance=1e-5,
        at={"scale": SMALL},
        quantity="share of the variance of tanh(2z) - 2 tanh(z), z = scale x, x uniform on [-1, 1], not linear in x",
    ),
    "Theorem 1": of_each_relation(exceeds_every_bound),
    "Theorem 1, finite entropy": Program(
        stating(entropy=entropy_is),
        lambda p_b: 1 / (1 + abs(entropies_of_densities()[p_b][-1])),
        value=lambda claim: chosen(claim, "entropy", {"finiteness": 0.5, "infiniteness": 0.0}),
        at={"p_b": "1/(b log^2 b) for b > e"},
        quantity="1/(1 + |E[-log p(b)]|), positive where this is finite",
    ),
    "Theorem 2": Program(
        stating(continuous=of_continuous_inputs, discrete=of_discrete_inputs),
        lambda activation, weight, bias, inputs: knows(
            ACTIVATIONS[activation], weight, bias, inputs
        ),
        value=lambda claim, inputs: chosen(
            claim, "continuous", {"infinite": math.log2(inputs), "finite": 0.0}
        ),
        at={"activation": "a rectifier", "weight": -1.0, "bias": -0.5, "inputs": 512},
        quantity="I(h; x) in bits, x uniform on so many inputs in [0, 1]",
    ),
}
