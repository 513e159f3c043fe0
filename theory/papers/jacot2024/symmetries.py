"""Section 1.2: the range of integration and the scale of the outputs."""

from __future__ import annotations

from functools import partial

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, Word, equal, for_all, numerically
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import symmetries as exact
from theory.papers.jacot2024 import stretched_nets as nets
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import L

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


EQUATIONS = (
    PAPER.entry(
        "1.2 stretched weights",
        "1.2",
        "The weights on the range [0, c] that belong to weights on [0, 1]; the leakage is divided by c.",
        Finding.DEFINITION,
        "It introduces W'.",
        printed=r"W'_q = \tfrac{1}{c} W_{q/c}, \quad q \in [0, c]",
    ),
    PAPER.entry(
        "1.2 stretched activations",
        "1.2",
        "The path on the longer range.",
        Finding.MISPRINT,
        "Both paths integrated. The position on [0, 1] that is stretched to q is q/c.",
        printed=equal(alpha_prime(q), alpha_at(p / c)),
        corrected=equal(alpha_prime(q), alpha_at(q / c)),
        prove=on_longer_range,
        witness=Witness(
            {"c": 3, "q": 1.2, "p": 0.4, "number": "first entry of the representation"},
            lambda: nets.STRETCHED["alpha_prime"](nets.AT)[0, 0],
            value=lambda equation: evaluate(solved(equation, alpha_prime(q)), nets.STRETCHED)[0, 0],
            tolerance=PATHS,
        ),
        consequence="None beyond this line: the display after it uses the right path.",
    ),
    PAPER.entry(
        "1.2 stretched equation",
        "1.2",
        "The equation of the stretched path, first equality.",
        Finding.CONFIRMED,
        "Differences of the integrated path.",
        printed=equal(rate_prime(q), -L / c * alpha_prime(q) + weighted(q / c) / c),
        prove=with_lemmas(on_longer_range, *exact.RANGE),
    ),
    PAPER.entry(
        "1.2 integration range",
        "1.2",
        "The equation of the stretched path, second equality.",
        Finding.MISPRINT,
        "The chain rule gives the velocity at q/c; a path integrated on the longer range agrees.",
        printed=equal(rate_prime(q), rate_at(q / 2) / c),
        corrected=equal(rate_prime(q), rate_at(q / c) / c),
        prove=on_longer_range,
        witness=Witness(
            {"c": 3, "q": 1.2, "number": "first entry of the velocity"},
            lambda: nets.STRETCHED["rate_prime"](nets.AT)[0, 0],
            value=lambda equation: evaluate(solved(equation, rate_prime(q)), nets.STRETCHED)[0, 0],
            tolerance=PATHS,
        ),
        consequence="None beyond this line, which is right for c = 2; the definition before it has q/c.",
    ),
    PAPER.entry(
        "1.2 parameter norm",
        "1.2",
        "Stretching divides the integrated squared weights by c.",
        Finding.CONFIRMED,
        "Both integrals of a net by quadrature.",
        printed=equal(sp.Integral(W_prime(q) ** 2, (q, 0, c)), squared_weights / c),
        prove=on_longer_range,
    ),
    PAPER.entry(
        "1.2 unit leakage",
        "1.2",
        "",
        Finding.CONFIRMED,
        "Both paths integrated for two ranges. (In the squared norm the factor is 1/c.)",
        printed=Claim(
            "A path on [0, c] with leakage {one} is a path on [0, 1] with leakage {other}, up to a factor of {factor} "
            "in front of the weights.",
            {"one": sp.S.One, "other": c, "factor": c},
        ),
        prove=is_one_net,
    ),
    PAPER.entry(
        "1.2 regularisation",
        "1.2",
        "",
        Finding.CONDITIONAL,
        "The squared weights of the net with leakage 1 on the range [0, depth], and of the same net on [0, 1].",
        printed=Claim(
            "A regularisation lambda over the depth to the power {power} makes up for the factor.", {"power": sp.S.One}
        ),
        condition=sp.Gt(depth, 0),
        prove=regularises,
        witness=Witness({"depth": 0, "number": "lambda over the depth, inverse"}, lambda: 0.0, value=lambda claim: 1.0),
        consequence="At depth zero the range is empty, the weights W' do not exist and lambda over the depth is "
        "infinite: the nonleaky ResNet is no member of the family of costs, only of the family of equations. A plain "
        "ResNet needs another constant in place of the depth.",
    ),
    PAPER.entry(
        "1.2 no leakage",
        "1.2",
        "",
        Finding.CONFIRMED,
        "Both paths integrated. The range still has an effect, that of dividing lambda by it.",
        printed=Claim(
            "In the absence of leakage (depth {depth}) changing the range of integration has {effect} effect on the "
            "effective depth.",
            {"depth": sp.S.Zero, "effect": Word("no", ("an",))},
        ),
        prove=has_no_effect,
    ),
    PAPER.entry(
        "1.2 scaled path",
        "1.2",
        "Without bias, leakage increased by c scales the path down.",
        Finding.CONFIRMED,
        "Both paths integrated, with the same weights. With bias the same holds if the bias is scaled along. With "
        "finitely many layers the weights must shrink, too, by the factor of the skip connection.",
        printed=equal(alpha_prime(p), sp.exp(-c * p) * alpha_at(p)),
        prove=with_more_leakage,
    ),
    PAPER.entry(
        "1.2 same input",
        "1.2",
        "Both paths begin at the input.",
        Finding.CONFIRMED,
        "The first point of both integrated paths.",
        printed=equal(alpha_prime(0), alpha_at(0)),
        prove=with_more_leakage,
    ),
    PAPER.entry(
        "1.2 output scaling",
        "1.2",
        "The equation of the scaled path, in three forms.",
        Finding.CONFIRMED,
        "Each form against differences of the integrated path with more leakage.",
        printed=sp.Tuple(
            equal(rate_prime_p, -(L + c) * alpha_prime(p) + weighted_p(p)),
            equal(rate_prime_p, sp.exp(-c * p) * (rate_at(p) - c * alpha_at(p))),
            equal(rate_prime_p, scaled_rate),
        ),
        prove=with_lemmas(with_more_leakage, *exact.LEAKAGE),
    ),
    PAPER.entry(
        "1.2 large outputs",
        "1.2",
        "A net without leakage and with large outputs is a leaky one with outputs scaled down. (No bias, as said.)",
        Finding.CONFIRMED,
        "Both nets integrated with the same weights. They are one function of their inputs; their costs differ, as "
        "'1.2 regularisation' has it.",
        printed=equal(output, sp.exp(-L) * output_0),
        prove=numerically(
            lambda: [
                {"L": x, "output": nets.path(1.0, x, False), "output_0": nets.path(1.0, 0.0, False)} for x in (0.6, 2.3)
            ],
            "integrated paths",
            tolerance=PATHS,
        ),
    ),
    PAPER.entry(
        "1.2 cross-entropy",
        "1.2",
        "With losses that are minimised at infinite outputs the effective depth grows during training.",
        Finding.ASSUMPTION,
        "About training; rests on the works cited there. No study of the project trains with such a loss.",
    ),
)
