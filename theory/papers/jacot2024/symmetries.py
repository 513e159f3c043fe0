"""Section 1.2: the range of integration and the scale of the outputs."""

from __future__ import annotations

from functools import partial

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Given, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import symmetries as exact
from theory.papers.jacot2024 import stretched_nets as nets
from theory.papers.jacot2024.lemmas import with_lemmas

p, q, c = sp.symbols("p q c", positive=True)
depth = sp.Symbol("L", real=True)
rate_prime_p, scaled_rate, output, output_0 = sp.symbols("rate_prime_p scaled_rate output output_0")
alpha_prime, alpha_at, rate_prime, rate_at, weighted, weighted_p, W_at, W_prime = (
    sp.Function(name)
    for name in ("alpha_prime", "alpha_at", "rate_prime", "rate_at", "weighted", "weighted_p", "W_at", "W_prime")
)
PATHS = 1e-6  # what differences of integrated paths are good for

on_longer_range = numerically(lambda: [nets.STRETCHED], "integrated paths", tolerance=PATHS)
with_more_leakage = numerically(lambda: [nets.leakier()], "integrated paths", tolerance=PATHS)
squared_weights = sp.Integral(W_at(p) ** 2, (p, 0, 1))


def is_one_net(claim: Claim) -> tuple[Check, ...]:
    """The path on [0, c] and the path on [0, 1], at the middle of both."""

    def agrees(stretch: float) -> bool:
        one, other, factor = (float(sp.sympify(claim[name]).subs(c, stretch)) for name in ("one", "other", "factor"))
        longer = nets.stretched(stretch / 2, stretch, one, 1 / stretch)
        return bool(np.abs(longer - nets.stretched(0.5, 1.0, other, factor / stretch)).max() < PATHS)

    return (Check("two ranges", lambda: for_all((0.6, 3.0), agrees), "integrated paths"),)


def regularises(statement: Claim | Given) -> tuple[Check, ...]:
    """The squared weights on [0, depth] at leakage 1, and on [0, 1] over a power of the depth."""
    claim, condition = (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, True)

    def agrees(range_: float) -> bool:
        weights = np.array([nets.weights((i + 0.5) / 40) for i in range(40)])
        with np.errstate(all="ignore"):  # at depth zero both are 0/0 or infinite
            longer = np.float64(range_) * ((weights / np.float64(range_)) ** 2).sum()
            return bool(np.isclose(longer, (weights**2).sum() / np.float64(range_) ** float(claim["power"])))

    allowed = [x for x in (0.0, 0.4, 2.5) if bool(evaluate(condition, {"L": x}))]
    return (Check("each depth", partial(for_all, allowed, agrees), "sums over the range"),)


def has_no_effect(claim: Claim) -> tuple[Check, ...]:
    """Whether the same net on a range twice as long, with the same leakage, has the same path, stretched."""
    leakage = float(claim["depth"])

    def agrees() -> bool:
        longer, shorter = nets.stretched(1.0, 2.0, leakage, 0.5), nets.stretched(0.5, 1.0, leakage, 1.0)
        return bool(np.abs(longer - shorter).max() < PATHS) is (claim["effect"] == "no")

    return (Check("twice the range", agrees, "integrated paths"),)


PROGRAMS: Programs = {
    "1.2 stretched activations": Program(
        on_longer_range,
        lambda: nets.STRETCHED["alpha_prime"](nets.AT)[0, 0],
        value=lambda equation: evaluate(solved(equation, alpha_prime(q)), nets.STRETCHED)[0, 0],
        tolerance=PATHS,
    ),
    "1.2 stretched equation": with_lemmas(on_longer_range, *exact.RANGE),
    "1.2 integration range": Program(
        on_longer_range,
        lambda: nets.STRETCHED["rate_prime"](nets.AT)[0, 0],
        value=lambda equation: evaluate(solved(equation, rate_prime(q)), nets.STRETCHED)[0, 0],
        tolerance=PATHS,
    ),
    "1.2 parameter norm": on_longer_range,
    "1.2 unit leakage": is_one_net,
    "1.2 regularisation": Program(regularises, lambda: 0.0, value=lambda claim: 1.0),
    "1.2 no leakage": has_no_effect,
    "1.2 scaled path": with_more_leakage,
    "1.2 same input": with_more_leakage,
    "1.2 output scaling": with_lemmas(with_more_leakage, *exact.LEAKAGE),
    "1.2 large outputs": numerically(
        lambda: [
            {"L": x, "output": nets.path(1.0, x, False), "output_0": nets.path(1.0, 0.0, False)} for x in (0.6, 2.3)
        ],
        "integrated paths",
        tolerance=PATHS,
    ),
}
