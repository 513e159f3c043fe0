r"""Section 1.1, Theorems 1 and 2: information in deterministic representations."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import cache

import sympy as sp

from theory.core import Check, Claim, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given, solved
from theory.core.ledger.proving import chosen
from theory.papers.cheong2025.conditions import allowed_words, apart
from theory.papers.cheong2025.finite_alphabets import Joint, information
from theory.papers.cheong2025.notation import letters

information_of_f = letters("information")
FINE = 64  # equally likely cells of a
FINITE = {"finiteness": True, "infiniteness": False}
INFINITE = {"infinite": True, "finite": False}
CONSTANT = {"piecewise constant": True, "nowhere constant": False}
FUNCTIONS: tuple[Callable[[float], float], ...] = (lambda a: 2 * a - 1, lambda a: (a - 0.3) ** 2, math.tanh)


def binned(function: Callable[[float], float], bins: int) -> float:
    """Information in bits of a, uniform on 64 cells, with the quantile of b = f(a) among ``bins``: a lower bound."""
    cells = [(i + 0.5) / FINE for i in range(FINE)]
    ranked = sorted(cells, key=function)
    joint: Joint = {(cells.index(a), rank * bins // FINE): 1 / FINE for rank, a in enumerate(ranked)}
    return information(joint, 0, 1)


def exceeds_every_bound(statement: sp.Eq) -> tuple[Check, ...]:
    """The information of quantiles of b, which that of a and b exceeds, grows with their number beyond what is finite.

    It is the entropy of the quantiles, the logarithm of their number, for every continuous b.
    """
    bound = float(solved(statement, information_of_f))

    def agrees(function: Callable[[float], float]) -> bool:
        lower = [binned(function, 2**k) for k in range(1, 7)]
        return all(abs(value - k) < 1e-9 for k, value in enumerate(lower, 1)) and bound > 1e9

    return (Check("quantiles of three functions", lambda: for_all(FUNCTIONS, agrees), "mutual information of cells"),)


@cache
def densities() -> tuple[tuple[str, str, float], ...]:
    """Densities of b: whether the density and b are bounded, and the entropy in nats.

    The last two are 1/(|b| log^2 |b|), for b > e and for 0 < b < 1/e. With u = |log b| their entropy is the integral
    of (2 log u + u)/u^2, or (2 log u - u)/u^2, from 1 on.
    """
    u, end = sp.symbols("u end", positive=True)
    far, near = (
        float(sp.limit(sp.integrate(sp.expand((2 * sp.log(u) + sign * u) / u**2), (u, 1, end)), end, sp.oo))
        for sign in (1, -1)
    )
    return (
        ("bounded", "bounded", math.log(0.2)),  # uniform on an interval of this length
        ("bounded", "bounded", 0.5 - math.log(2)),  # 2b on [0, 1]
        ("bounded", "unbounded", far),
        ("unbounded", "bounded", near),
    )


def is_finite(sentence: Claim | Given) -> tuple[Check, ...]:
    """The entropies of those densities that the condition allows."""
    claim, condition = apart(sentence)
    kinds = [allowed_words(condition, name, ("bounded", "unbounded")) for name in ("density", "support")]
    cases = [case for case in densities() if case[0] in kinds[0] and case[1] in kinds[1]]

    def agrees(case: tuple[str, str, float]) -> bool:
        return math.isfinite(case[-1]) is chosen(claim, "entropy", FINITE)

    return (Check("entropies", lambda: for_all(cases, agrees), "integrals"),)


def knows(activation: Callable[[float], float], weight: float, bias: float, inputs: int) -> float:
    """I(h; x) in bits of h = activation(w x + b) for equally likely inputs in [0, 1]."""
    joint: Joint = {}
    for i in range(inputs):
        joint[i, int(1e12 * activation(weight * i / inputs + bias))] = 1 / inputs
    return information(joint, 0, 1)


ACTIVATIONS: dict[str, Callable[[float], float]] = {
    "strictly increasing": math.tanh,
    "a rectifier": lambda z: max(0, z),
}


def about_networks(sentence: Claim | Given) -> tuple[Check, ...]:
    """I(h; x) of ever finer inputs, and of four inputs at neighbouring weights, for an open set of weights."""
    claim, condition = apart(sentence)
    kinds = allowed_words(condition, "kind", tuple(ACTIVATIONS))
    draw = random.Random(0)
    weights = [(draw.uniform(-1.5, 0.5), draw.uniform(-1, 0)) for _ in range(30)]
    cases = [(ACTIVATIONS[kind], *pair) for kind in kinds for pair in weights]

    def grows(case: tuple[Callable[[float], float], float, float]) -> bool:
        few, many = (knows(*case, count) for count in (32, 512))
        return (many - few > 1) is chosen(claim, "continuous", INFINITE)

    def stays(case: tuple[Callable[[float], float], float, float]) -> bool:
        activation, weight, bias = case
        values = {knows(activation, weight + shift, bias, 4) for shift in (0.0, 1e-6, 2e-6)}
        return (len(values) == 1) is chosen(claim, "discrete", CONSTANT)

    return (
        Check("finer inputs", lambda: for_all(cases, grows), "mutual information of inputs"),
        Check("neighbouring weights", lambda: for_all(cases, stays), "mutual information of inputs"),
    )


PROGRAMS: Programs = {
    "Theorem 1": exceeds_every_bound,
    "Theorem 1, finite entropy": Program(
        is_finite,
        lambda: 1 / (1 + abs(densities()[2][-1])),
        value=lambda claim: 0.5 if chosen(claim, "entropy", FINITE) else 0.0,
    ),
    "Theorem 2": Program(
        about_networks,
        lambda: knows(ACTIVATIONS["a rectifier"], -1.0, -0.5, 512),
        value=lambda claim: math.log2(512) if chosen(claim, "continuous", INFINITE) else 0.0,
    ),
}
