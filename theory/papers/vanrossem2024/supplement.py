r"""Appendices C.2 to C.5: further losses, very low weights, the linear approximation and Adam."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, for_all
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024 import loss, printed_system
from theory.papers.vanrossem2024.conditions import allowed, in_every_case
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights
from theory.papers.vanrossem2024.letters import A_HIGH, A_LOW
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.toy_tasks import GRID
from theory.papers.vanrossem2024.weights import TAUS_OF_EQ_6, final_number
from theory.two_point.symbols import dy2, t, target2, w

LINEARITY = (
    "A matter of measurement: the study two-point-mnist-linearity, at the learning rate of Table 2 and the loss of Eq. "
    "(1) as printed; it shows the rate of the released code, too, which amounts to a tenth of it"
)
STRENGTHS = {"stronger than": 0.5, "no stronger than": 1.5}
"""Decoder in units of the encoder, dimensionless."""
STRENGTH = Word("no stronger than", ("stronger than",))


def has_unknowns(claim: Claim) -> tuple[Check, ...]:
    """What Eq. (9) holds besides the fitted curves, the data and the initial mean output."""
    known = {t, dy2, w, target2, loss.y_0, loss.middle}
    left = set().union(*(term.free_symbols for term in loss.TERMS.values())) - known
    return (Check("number", lambda: len(left) == claim["number"], "symbols of Eq. (9)"),)


def ends_at_zero(strength: str) -> bool:
    """Whether Eq. (10) at identical targets is zero."""
    return final_number(0.1, 0.1 * STRENGTHS[strength], target2=0.0) < 1e-12


def has_partners(claim: Claim) -> tuple[Check, ...]:
    """The points of Section 4.5: whether each has a point with its output in the other context."""
    outputs = [{point[context] for point in GRID} for context in (0, 1)]
    everywhere = outputs[0] == outputs[1]
    return (Check("all points", lambda: everywhere is (claim["share"] == "every"), "both contexts"),)


@cache
def time_to_merge(distance: float) -> float:
    """Time until dh2 is 1 % of its start: flow of two numbers with identical targets, the decoder twice the encoder."""
    problem, weights = scalar_weights(0.5, 1.0, distance, 0.0)
    times = np.linspace(0, 12, 601)
    values = np.array([problem.state(at)[0] for at in problem.flow(weights, TAUS_OF_EQ_6, times)])
    return float(np.interp(-0.01 * values[0], -values, times))


def takes_longer(limit: str, strength: str) -> bool | None:
    """Whether points with larger inputs are further from zero: at the same weights, or in time; None where neither."""
    if limit == "training time":
        return time_to_merge(1.5) > time_to_merge(1.0) if strength == "no stronger than" else None
    small, large = (final_number(1e-2, 1e-2 * STRENGTHS[strength], dx2=dx2, target2=0.0) for dx2 in (1.0, 4.0))
    return large > small if small != large else None


def larger_inputs(sentence: Any) -> tuple[Check, ...]:
    """What larger inputs do in all readings that the condition allows."""
    claim, limits = allowed(sentence, "limit", ("weights", "training time"))
    _, strengths = allowed(sentence, "strength", STRENGTHS)
    readings = [takes_longer(limit, strength) for limit in limits for strength in strengths]

    def agrees(reading: bool | None) -> bool:
        return reading is not None and reading is (claim["how"] == "longer")

    return (Check("readings", lambda: for_all(readings, agrees), "Eq. (10) and explicit matrices"),)


def keeps_structure(claim: Claim) -> tuple[Check, ...]:
    """Both rates times three: all velocities get the factor, which is a change of clock, A_high and A_low do not."""
    at = {"dh2_0": 1.3, "dy2_0": 0.4, "tau_h": 1.7, "tau_y": 0.6, "dx2": 0.7, "target2": 1.9}
    faster = {**at, "tau_h": at["tau_h"] / 3, "tau_y": at["tau_y"] / 3}
    constants = [{name: case[name] for name in ("tau_h", "tau_y", "dx2", "target2")} for case in (at, faster)]
    rates = [np.array(printed_system.rates_at((0.8, 0.5, -0.1), **values)) for values in constants]
    same = all(np.isclose(evaluate(letter, at), evaluate(letter, faster)) for letter in (A_HIGH, A_LOW))
    unchanged = bool(same and np.allclose(rates[1], 3 * rates[0]))
    return (Check("clock", lambda: unchanged is (claim["verb"] == "does not depend"), "Eqs. (7) and (11)"),)


EQUATIONS = (
    entry(
        "C.2 one more unknown",
        "C.2",
        "",
        Finding.CONFIRMED,
        "Eq. (9) holds, besides curves, data and the initial mean output, the time constant of the mean.",
        printed=Claim(
            "With the fitted dynamics of the 3-dimensional system, the loss requires the fitting of {number} more "
            "unknown parameter.",
            {"number": sp.S.One},
        ),
        prove=has_unknowns,
    ),
    entry(
        "C.2 and Figure 12",
        "C.2",
        "The loss curves of all architectures fit.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-architectures.",
    ),
    entry(
        "C.3 respective points",
        "C.3",
        "",
        Finding.CONFIRMED,
        "All points of the grid of Section 4.5: both coordinates take the same values.",
        printed=Claim(
            "For {share} point in each context there is a respective point with the same output in the other context.",
            {"share": Word("every", ("not every",))},
        ),
        prove=has_partners,
    ),
    entry(
        "C.3 zero distance",
        "C.3",
        "",
        Finding.CONDITIONAL,
        "Eq. (10) at identical targets.",
        printed=Claim(
            "By Eq. (10) the representations of points with the same output should end up {where}.",
            {"where": Word("at zero", ("apart",))},
        ),
        condition=Claim("the encoder is {strength} the decoder", {"strength": STRENGTH}),
        prove=in_every_case(
            "strength", STRENGTHS, ends_at_zero, lambda claim: claim["where"] == "at zero", "root of rest"
        ),
        witness=Witness(
            {"dh2(0)/dx2": 0.1, "dy2(0)/dh2(0)": 0.05, "y_2": "y_1", "tau_y": "tau_h"},
            lambda: final_number(0.1, 0.05, target2=0.0),
            value=lambda claim: 0.0 if claim["where"] == "at zero" else float("inf"),
        ),
        consequence="With an encoder stronger than the decoder they end at A_high, which vanishes in the limit of "
        "small weights only: this is what C.3 goes on to explain.",
    ),
    entry(
        "C.3 larger inputs",
        "C.3",
        "",
        Finding.CONDITIONAL,
        "Eq. (10) at identical targets for inputs at two distances; flows of two numbers for the reading in time.",
        printed=Claim(
            "The larger the difference in inputs, the {how} the representational distance takes to go to zero in the "
            "small weight limit.",
            {"how": Word("longer", ("shorter",))},
        ),
        condition=Claim(
            "the limit is one of {limit}, and the encoder is {strength} the decoder",
            {
                "limit": Word("weights", ("training time",)),
                "strength": Word("stronger than", ("no stronger than",)),
            },
        ),
        prove=larger_inputs,
        witness=Witness(
            {"dx": (1, 1.5), "encoder": 0.5, "decoder": 1, "the number": "time of the larger over that of the smaller"},
            lambda: time_to_merge(1.5) / time_to_merge(1.0),
            value=lambda claim: 1.0,
        ),
        consequence="The final distance at the same weights, A_high, is proportional to dx2 where it is positive. In "
        "time it is the other way round: the rate |A_high|/tau_y grows with dx2.",
    ),
    entry(
        "C.3 and Figure 13",
        "C.3",
        "At very low weights the representation collapses to a line.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-blobs.",
    ),
    entry(
        "C.4 and Figure 14",
        "C.4",
        "After 30 epochs the first order of the Taylor expansion dominates for nearby points, in both maps, and less "
        "the further away they are.",
        Finding.OPEN,
        f"{LINEARITY}; how the error falls for smooth maps: Eq. (5).",
    ),
    entry(
        "Figure 14 first epoch",
        "C.4",
        "The trend is not present at initialisation, but is visible even at a single epoch.",
        Finding.OPEN,
        f"{LINEARITY}.",
    ),
    entry(
        "C.5 and Figure 15",
        "C.5",
        "The theory does not fit Adam well.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-adam.",
    ),
    entry(
        "Figure 15 earlier part",
        "C.5",
        "With Adam the fit is not very good, especially in the earlier part of the dynamics.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-adam has the misfit over the whole training. That of its parts "
        "would decide it.",
    ),
    entry(
        "C.5 learning-rate changes",
        "C.5",
        "",
        Finding.CONFIRMED,
        "A factor common to both rates is a change of clock: all velocities get it, A_high and A_low do not.",
        printed=Claim(
            "The predicted structure {verb} on changes to the learning rate during training.",
            {"verb": Word("does not depend", ("depends",))},
        ),
        prove=keeps_structure,
    ),
    entry(
        "C.5 and Figures 16 to 18",
        "C.5",
        "With Adam the predicted structures still hold.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-xor, by Adam; two-point-blobs and two-point-mnist-structure show "
        "the others.",
    ),
)
