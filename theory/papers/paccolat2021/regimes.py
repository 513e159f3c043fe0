r"""Section 2.4: the compressing, the fitting and the over-fitting regime."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.compression import attractors
from theory.compression.fixed_points import Attractor
from theory.core import Check, Claim, Finding, Scales, Witness, Word, equal, for_all, numerically
from theory.core.ledger.printed import Given
from theory.papers.paccolat2021.neuron_paths import (
    QUARTER,
    STRIPE,
    SYMMETRIC,
    Array,
    fixed_vectors,
    neuron_vector,
    path_from,
    random_neurons,
    saturated,
)
from theory.papers.paccolat2021.paper import entry
from theory.papers.paccolat2021.small_network import Training, slopes

beta, beta_dot, correlation, z_perp_star = sp.symbols("beta beta_dot correlation z_perp_star", real=True)
p, lam = sp.symbols("p lam", positive=True)
ATTRACTORS = 3  # of the paper's stripe
SETTLED = 1e-3  # of the length scale of the data
LONG = 1e-2  # relative error of a power between two large training sets


def converge(sentence: Claim | Given) -> tuple[Check, ...]:
    """Where random neurons end, those that the condition allows: on an attractor or not, and on how many of them."""
    claim, condition = (sentence.statement, sentence.condition) if isinstance(sentence, Given) else (sentence, sp.true)
    neurons = [n for n in random_neurons() if condition.subs({beta: n.start[-1], beta_dot: n.velocity}) == sp.true]
    settled = [neuron.distance() < SETTLED for neuron in neurons]
    places = {tuple(np.round(neuron_vector(neuron.end), 3) + 0.0) for neuron in neurons}
    return (
        Check("how many", lambda: bool(settled) and all(settled) is (claim["share"] == "all"), "integrated flow"),
        Check("places", lambda: (len(places) <= ATTRACTORS) is (claim["number"] == "finite"), "integrated flow"),
    )


def fixed_points_of_stripes() -> Iterator[dict[str, Any]]:
    """Distance from the axis of each neuron vector that stands still; the paper's stripe and a symmetric one."""
    for labels in (STRIPE, SYMMETRIC):
        mean = float(labels.jumps @ np.exp(-(labels.places**2) / 2)) / math.sqrt(2 * math.pi)
        for vector in fixed_vectors(labels):
            yield {"z_perp_star": abs(vector[1]), "correlation": mean}


def is_the_power(index: int) -> Any:
    """Proves a power of p from the saturated flow: of the amplification factor (0), the distance from the axis (1)."""

    def ratio(scaling: Scales, points: int) -> float:
        letters = (scaling.lhs / scaling.rhs).free_symbols - {p}
        at = {p: points, **dict.fromkeys(letters, saturated(points)[index])}
        return float((scaling.lhs / scaling.rhs).subs(at))

    def prove(scaling: Scales) -> tuple[Check, ...]:
        return (
            Check(
                "10^8 points against 10^6",
                lambda: abs(ratio(scaling, 10**8) / ratio(scaling, 10**6) - 1) < LONG,
                "integrated flow",
            ),
        )

    return prove


def contributes(claim: Claim) -> tuple[Check, ...]:
    """For each training point: whether any weight moves by its loss, and what the sentence says."""
    training = Training(10, alpha=2.0)
    margins = training.labels * training.predictor(training.weights)

    def agrees(point: int) -> bool:
        def loss(weights: Any) -> float:
            return float(max(0.0, 1 - training.labels[point] * training.predictor(weights)[point]))

        moves = bool(np.abs(slopes(loss, training.weights)).max() > 0)
        return moves is not bool(margins[point] > float(claim["margin"]))

    return (Check("each training point", lambda: for_all(range(len(margins)), agrees), "differences of its loss"),)


def fastest() -> Attractor:
    """The attractor whose neurons outgrow all others as alpha goes to 0; in five dimensions."""
    return min((each for each in attractors(STRIPE, 5) if each.stable), key=lambda each: each.growth_time)


@cache
def fastest_neuron() -> Array:
    """A neuron that has grown on the fastest attractor for a while, ``[omega_1 ... omega_5 b beta]``."""
    return path_from(fastest(), 0.0, 10.0)[-1]


def margin(place: float) -> float:
    """Y F at a coordinate x_1, from neurons on the fastest attractor alone; in units of the largest weight squared."""
    state = fastest_neuron()
    scale = state[0] ** 2
    return float(int(STRIPE(place)) * state[-1] * max(0.0, state[0] * place / math.sqrt(5) + state[-2]) / scale)


def drops_out_in_order(sentence: Claim | Given) -> tuple[Check, ...]:
    """Pairs of points: that with the larger margin is excluded first; the sentence says which it is by its distance."""
    claim = sentence.statement if isinstance(sentence, Given) else sentence
    places = np.linspace(-3, 3, 13)
    if isinstance(sentence, Given):
        left = sentence.condition["side"] == "left"
        places = places[(places < STRIPE.places[0]) if left else (places > STRIPE.places[1])]

    def agrees(pair: tuple[float, float]) -> bool:
        gaps = [min(abs(place - edge) for edge in STRIPE.places) for place in pair]
        first = np.argmax(gaps) if claim["extreme"] == "furthest" else np.argmin(gaps)
        return bool(margin(pair[first]) > margin(pair[1 - first]))

    pairs = list(itertools.combinations(places, 2))
    return (Check("pairs of points", lambda: for_all(pairs, agrees), "flow along the fastest attractor"),)


EQUATIONS = (
    entry(
        "2.4 all neurons",
        "2.4",
        "",
        Finding.CONDITIONAL,
        "Random neurons in two dimensions, in the average over the data, after 200 tau. A neuron whose output weight "
        "shrinks at first may move its hyperplane away from the data, ever more slowly.",
        printed=Claim(
            "Before t*, which diverges as alpha goes to 0, {share} neuron vectors converge toward a {number} number of "
            "fixed points.",
            {"share": Word("all", ("most",)), "number": Word("finite", ("infinite",))},
        ),
        condition=sp.Gt(beta * beta_dot, 0),
        prove=converge,
        witness=Witness(
            {"d": 2, "x_min": -0.3, "the share of": "20 random neurons that end on an attractor"},
            lambda: float(np.mean([neuron.distance() < SETTLED for neuron in random_neurons()])),
            value=lambda claim: 1.0 if claim["share"] == "all" else 0.5,
        ),
        consequence="Four of these twenty neurons on the paper's stripe reach no fixed point, also for "
        "infinitely many training points and an infinite time; Section 3.2.1 names finite p and finite alpha only.",
    ),
    entry(
        "2.4 informative subspace",
        "2.4",
        "In the limit of infinitely many training points all fixed points lie on the informative subspace.",
        Finding.CONDITIONAL,
        "The neuron vectors that stand still in two dimensions, on the paper's stripe and on a symmetric one. That "
        "there are no others on the paper's stripe is seen from random neurons, see '2.4 all neurons'.",
        printed=equal(z_perp_star, 0),
        condition=sp.Ne(correlation, 0),
        prove=numerically(fixed_points_of_stripes, "velocity of the direction of a neuron", scale=1.0),
        witness=Witness(
            {"x_min": -QUARTER, "x_max": QUARTER, "omega_1": 0},
            lambda: float(np.abs(fixed_vectors(SYMMETRIC)[-1][1])),
            value=lambda statement: float(statement.rhs),
        ),
        consequence="Where labels are equiprobable and not correlated with the informative coordinate, every neuron "
        "with omega_1 = 0 stands still.",
    ),
    entry(
        "2.4 distance",
        "2.4",
        "For p training points the fixed points are at a distance of 1/sqrt(p) from the informative subspace.",
        Finding.CONFIRMED,
        "The flow with the fluctuation of Eq. (7) as corrected, integrated to its rest.",
        printed=Scales(z_perp_star, 1 / sp.sqrt(p)),
        prove=is_the_power(1),
    ),
    entry(
        "2.4 saturation",
        "2.4",
        "The amplification factor saturates at a value that scales as sqrt(p).",
        Finding.CONFIRMED,
        "The flow with the fluctuation of Eq. (7) as corrected, integrated to its rest.",
        printed=Scales(lam, sp.sqrt(p)),
        prove=is_the_power(0),
        closed_form="compression.amplification",
    ),
    entry(
        "2.4 dropping out",
        "2.4",
        "",
        Finding.CONFIRMED,
        "Differences of the loss of each training point of a small network.",
        printed=Claim(
            "Training points that satisfy y F > {margin} no longer contribute to the network evolution.",
            {"margin": sp.S.One},
        ),
        prove=contributes,
    ),
    entry(
        "2.4 finite fraction",
        "2.4",
        "After t* a finite fraction of the training points is fitted.",
        Finding.ASSUMPTION,
        "By the definition of t* in Section 3.2.1 it is 10 % there; how it goes on is a matter of measurement.",
    ),
    entry(
        "2.4 order",
        "2.4",
        "",
        Finding.CONDITIONAL,
        "As alpha goes to 0 the neurons of the fastest attractor outgrow all others before t*; on their inactive side "
        "the predictor is of lower order. Pairs of points along the informative coordinate.",
        printed=Claim(
            "The first points to be excluded are the {extreme} from the interfaces.",
            {"extreme": Word("furthest", ("closest",))},
        ),
        condition=Claim(
            "the points lie to the {side} of the stripe, where the fastest neurons are active",
            {"side": Word("left", ("right",))},
        ),
        prove=drops_out_in_order,
        witness=Witness(
            {"d": 5, "the first excluded of": "x_1 = -1.5 and x_1 = 3"},
            lambda: float(max((-1.5, 3.0), key=margin)),
            value=lambda claim: 3.0 if claim["extreme"] == "furthest" else -1.5,
        ),
        consequence="Points far out on the other side are among the last: the predictor has the wrong sign there until "
        "slower neurons have grown.",
    ),
    entry(
        "2.4 later regimes",
        "2.4",
        "After t* the fixed points move within the informative subspace, and the amplification factor stays of the "
        "order of sqrt(p), also while the last points are fitted.",
        Finding.ASSUMPTION,
        "Stated as expected and measured; not derived.",
    ),
)
