r"""Section 1.1, Theorems 1 and 2: information in deterministic representations, with Eq. (1.3)."""

from __future__ import annotations

import math
import random

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.cheong2025.finite_alphabets import LOPSIDED, bits, conditional_entropy, information, marginal
from theory.papers.cheong2025.paper import entry

CLOSE = 1e-12  # rounding of sums of a dozen terms

w, u, x = sp.symbols("w u x", positive=True)


def _decomposition_holds() -> bool:
    """I(a; b) = E log p(b|a) + E[-log p(b)] on a table of probabilities."""
    own = bits(marginal(LOPSIDED, 1).values())
    return abs(information(LOPSIDED, 0, 1) - (own - conditional_entropy(LOPSIDED, 1, 0))) < CLOSE


def _conditioned_sum() -> bool:
    """E_{a,b} log p(b|a) as an average over a of averages over b."""
    average = 0.0
    for (a,), p in marginal(LOPSIDED, 0).items():
        average += p * -bits(q / p for (i, _), q in LOPSIDED.items() if i == a)
    return abs(average + conditional_entropy(LOPSIDED, 1, 0)) < CLOSE


def _entropy_need_not_be_finite() -> bool:
    """Density 1/(b log^2 b), b > e: in u = log b the entropy integrates (u + 2 log u)/u^2, which grows as log u."""
    reach = [float(sp.integrate((u + 2 * sp.log(u)) / u**2, (u, 1, 10**k))) for k in (2, 4, 8)]
    return float(sp.integrate(u**-2, (u, 1, sp.oo))) == 1.0 and reach[2] - reach[1] > 9 and reach[1] - reach[0] > 4


def _dead_layer_knows_nothing() -> bool:
    """relu(w x + b) of inputs in [0, 1] is zero for all weights of an open set: no information at all."""
    draw = random.Random(0)
    inputs = [i / 50 for i in range(51)]
    for _ in range(200):
        weight, bias = draw.uniform(-2, 0.5), draw.uniform(-2, -1)
        if any(max(0.0, weight * x + bias) for x in inputs):
            return False
    return True


def _increasing_layer_keeps_everything() -> bool:
    """tanh(w x + b) of ever finer inputs: I(h; x) is the log of their number, without bound."""
    for count in (10, 100, 1000):
        seen = {math.tanh(0.7 * i / count - 0.2) for i in range(count)}
        if len(seen) != count:
            return False
    return True


EQUATIONS = (
    entry(
        "Theorem 1",
        "1.1",
        "For nondegenerate continuous a and b = f(a), I(a; b) is infinite.",
        Finding.CONFIRMED,
        "The limit of a channel that adds uniform noise of width w to a uniform a: I = w/2 - log w.",
        printed=r"I(a; f(a)) = \infty",
        steps=(
            Step(
                "entropy of the sum: two ramps of width w",
                2 * w * sp.Integral(-x * sp.log(x), (x, 0, 1)),
                w / 2,
                because="the density is a trapezium; its flat part has log 1 = 0",
            ),
            Step(
                "exp(-I) vanishes with the noise",
                sp.Limit(w * sp.exp(-w / 2), w, 0),
                sp.S.Zero,
                because="I = w/2 - log w",
            ),
        ),
    ),
    entry(
        "Theorem 1, decomposition",
        "1.1",
        "I(a; b) = E[log p(b|a)] + E[-log p(b)], in four lines.",
        Finding.CONFIRMED,
        "A table of probabilities.",
        printed=r"I(a;b) = \mathbb{E}_{a,b}[\log p(b|a)] + \mathbb{E}_b[-\log p(b)]",
        steps=(Check("both sides on a table", _decomposition_holds, "three by two values"),),
    ),
    entry(
        "(1.3)",
        "1.1",
        "E log p(b|a) as an average over a.",
        Finding.CONFIRMED,
        "A table of probabilities; for a deterministic f the density is the limit of a uniform one.",
        printed=r"\mathbb{E}_{a,b}[\log p(b|a)] = \mathbb{E}_a[\mathbb{E}_{b|a=a}[\log p_{b|a=a}(b)]]",
        steps=(Check("both sides on a table", _conditioned_sum, "three by two values"),),
    ),
    entry(
        "Theorem 1, last lines",
        "1.1",
        "The inner integral of a uniform density of width w is -log w.",
        Finding.CONFIRMED,
        "Integration; the limit is infinite.",
        printed=r"\int_{-w/2}^{w/2} \delta_w(u) \log \delta_w(u)\, du = -\log w",
        steps=(
            Step(
                "inner integral",
                sp.Integral(1 / w * sp.log(1 / w), (u, -w / 2, w / 2)),
                -sp.log(w),
                because="a constant times the width",
            ),
        ),
    ),
    entry(
        "Theorem 1, finite entropy",
        "1.1",
        "E[-log p(b)] is finite for nondegenerate b.",
        Finding.CONDITIONAL,
        "Holds for bounded densities on bounded sets. A density may have an infinite entropy, of either sign.",
        condition="the density is bounded and b is bounded",
        steps=(
            Step(
                "the uniform density on an interval",
                sp.Integral(-1 / w * sp.log(1 / w), (u, 0, w)),
                sp.log(w),
                because="no density on an interval of this length has a larger entropy",
            ),
        ),
        counterexample=_entropy_need_not_be_finite,
        consequence="The theorem stands, as the joint distribution has no density at all; its proof needs the "
        "condition where the entropy would be minus infinity.",
    ),
    entry(
        "Theorem 2",
        "1.1",
        "For almost every deterministic network I(h; x) is infinite if x is continuous, and piecewise constant if x is "
        "discrete.",
        Finding.CONDITIONAL,
        "Stated from elsewhere, without its conditions on the activation. Confirmed for tanh; for ReLU whole open sets "
        "of weights give a constant.",
        condition="the activation is strictly increasing",
        steps=(Check("all inputs stay apart under tanh", _increasing_layer_keeps_everything, "up to 1000 inputs"),),
        counterexample=_dead_layer_knows_nothing,
        consequence="The networks of Section 2.3 use ReLU. Their information on continuous inputs is infinite or zero, "
        "depending on the weights; either way it measures nothing.",
    ),
)
