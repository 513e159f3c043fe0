r"""Section 5: which layer is looked at, Eq. (14)."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Scales, Witness, Word
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import allowed, in_every_case
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.tables import HIDDEN_LAYERS, TABLE_1, UNITS
from theory.two_point.symbols import dh2_0, dx2

G, n = sp.symbols("G n", positive=True)
GAIN, WIDTH = 0.6, 5
POWERS = {"squared distances": 2, "activations": 1}
LAW = Scales(dh2_0, G**n * dx2)


@cache
def squared_distance(layers: int, distance: float) -> float:
    """Squared distance of two points after layers that multiply the length of activations by the gain."""
    draw = np.random.default_rng(9)
    x = np.full(WIDTH, distance / np.sqrt(WIDTH))
    for _ in range(layers):
        x = GAIN * np.linalg.qr(draw.normal(size=(WIDTH, WIDTH)))[0] @ x
    return float(x @ x)


def scales_with_depth(statement: Any) -> tuple[Check, ...]:
    """Three and six layers, two distances of the inputs, for the gains that the condition allows, or for both."""
    relation, kinds = allowed(statement, "what", POWERS)

    def agrees() -> bool:
        ratios = []
        for kind in kinds:
            for layers, distance in ((3, 1.0), (6, 1.0), (6, 1.7)):
                case = {"dh2_0": squared_distance(layers, distance), "G": GAIN ** POWERS[kind], "n": layers,
                        "dx2": distance**2}  # fmt: skip
                ratios.append(float(evaluate(relation.lhs, case) / evaluate(relation.rhs, case)))
        return bool(np.ptp(ratios) < 1e-9 * abs(ratios[0]))

    return (Check("layers of one gain", agrees, "explicit matrices"),)


def goes(claim: Claim) -> tuple[Check, ...]:
    """Eq. (14) over the depth at G < 1."""
    values = [float(evaluate(LAW.rhs, {"G": GAIN, "n": layers, "dx2": 1.0})) for layers in range(1, 20)]
    falls = bool((np.diff(values) < 0).all())
    return (Check("20 layers", lambda: falls is (claim["how"] == "a decreasing"), "Eq. (14)"),)


def chain_rate(layers: int, gain: float) -> float:
    """Effective rate of the product of a chain of single weights: its change per step of gradient descent."""
    weights = np.full(layers, gain)
    slopes = [(np.prod(weights + 0.5 * unit) - np.prod(weights - 0.5 * unit)) for unit in np.eye(layers)]
    return float(np.sum(np.square(slopes)))


GAINS = {"one": 1.0, "one half": 0.5}


def grows_with_parameters(gain: str) -> bool:
    """Whether the rates of chains of two to six layers are proportional to their number."""
    rates = [chain_rate(layers, GAINS[gain]) / layers for layers in range(2, 7)]
    return bool(np.allclose(rates, rates[0]))


def parameters(layer: int) -> tuple[int, int]:
    """Weights and biases of the default network before a hidden layer and after it."""
    sizes = [1, *[int(TABLE_1["Default"][UNITS])] * int(TABLE_1["Default"][HIDDEN_LAYERS]), 1]
    counts = [first * second + second for first, second in pairwise(sizes)]
    return sum(counts[:layer]), sum(counts[layer:])


def shifts(claim: Claim) -> tuple[Check, ...]:
    """Parameters of both parts of the default network at all hidden layers."""
    encoder, decoder = zip(*(parameters(layer) for layer in range(1, 21)), strict=True)
    found = (bool((np.diff(encoder) > 0).all()), bool((np.diff(decoder) < 0).all()))
    said = (claim["encoder"] == "increases", claim["decoder"] == "decreases")
    return (Check("counted", lambda: found == said, "Table 1"),)


EQUATIONS = (
    entry(
        "(14)",
        "5.1",
        "The initial squared distance after n layers is about G^n dx2, G the gain of a layer.",
        Finding.CONDITIONAL,
        "Linear layers of one gain, in explicit matrices.",
        printed=LAW,
        condition=Claim("G is the gain of {what}", {"what": Word("squared distances", ("activations",))}),
        prove=scales_with_depth,
        witness=Witness(
            {"gain of activations": GAIN, "n": 6, "dx2": 1},
            lambda: squared_distance(6, 1.0),
            value=lambda relation: float(evaluate(relation.rhs, {"G": GAIN, "n": 6, "dx2": 1.0, "dh2_0": 1.0})),
        ),
        harmless={"printed: exponent n -> n + 1": "One more factor G, and constant factors are left open."},
        consequence="The text says 'average activational gain factor'. With G the gain of activations, as 'init gain' "
        "in Table 1 is for linear layers, it is G^(2n).",
    ),
    entry(
        "5.1 decreasing",
        "5.1",
        "",
        Finding.CONFIRMED,
        "Eq. (14) for 1 to 19 layers at G < 1.",
        printed=Claim(
            "With G < 1 this is {how} function of the depth.", {"how": Word("a decreasing", ("an increasing",))}
        ),
        prove=goes,
    ),
    entry(
        "5.1 and Figure 10",
        "5.1",
        "The theory is accurate in the second half of the layers only.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-layer.",
    ),
    entry(
        "5.2 parameters",
        "5.2",
        "",
        Finding.CONDITIONAL,
        "Chains of linear layers of one unit: the effective rate of their product.",
        printed=Claim(
            "A gradient descent update makes changes to a map {how} the number of parameters it contains.",
            {"how": Word("proportional to", ("independent of",))},
        ),
        condition=Claim("each layer passes signals on with a gain of {gain}", {"gain": Word("one", ("one half",))}),
        prove=in_every_case(
            "gain", GAINS, grows_with_parameters, lambda claim: claim["how"] == "proportional to", "chains"
        ),
        witness=Witness(
            {"gain": 0.5, "layers": (2, 6), "the number": "rate of six layers over that of two"},
            lambda: chain_rate(6, 0.5) / chain_rate(2, 0.5),
            value=lambda claim: 3.0 if claim["how"] == "proportional to" else 1.0,
        ),
        consequence="With gains g below one a chain of n layers has the rate n g^(2n-2), which falls with n once n > "
        "1/(2 ln(1/g)): more parameters, slower. Which effect wins is a matter of measurement.",
    ),
    entry(
        "5.2 counts",
        "5.2",
        "",
        Finding.CONFIRMED,
        "Weights and biases of the default network before and after each of its hidden layers.",
        printed=Claim(
            "At later hidden layers the number of parameters in the encoder map {encoder}, that in the decoder map "
            "{decoder}.",
            {"encoder": Word("increases", ("decreases",)), "decoder": Word("decreases", ("increases",))},
        ),
        prove=shifts,
    ),
    entry(
        "5.2 and Figure 10",
        "5.2",
        "The effective rate of the encoder grows with the depth, that of the decoder falls, in the later layers.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-layer.",
    ),
)
