r"""The law of equi-separation, by which log NC1 decreases by equal steps from layer to layer, and its significance.

The measure of the thesis is Pearson's *r* between the layer and :math:`\log \mathrm{NC1}`. Over few layers it is close
to -1 for nearly every decreasing profile. Therefore *r* comes with two probabilities, and with the spread of the
log-ratios, which vanishes under the law.

With three layers *r* depends on one number, the division of the total decrease of :math:`\log \mathrm{NC1}` between the
two steps. If the decrease in the two steps is *a* and *b*,

.. math:: |r| = \frac{\sqrt 3}{2} \frac{a + b}{\sqrt{a^2 + ab + b^2}} ,

so every decreasing profile has :math:`|r| \ge \sqrt3/2 = 0.866`. There are two null models. *No trend* (three
independent Gaussian values): the profile's direction is uniform on a circle, :math:`P(|R| \ge |r|) = \tfrac{2}{\pi}
\arccos |r|`. *Decreasing, with random steps* (a/(a+b) uniform, as for two independent exponential steps):
:math:`P(|R| \ge |r|) = \sqrt{3}\,\sqrt{1/r^2 - 1}`. At :math:`|r| = 0.99` they are 0.09 and 0.25.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from closedform.rounding import ROUNDING
from theory.collapse.symbols import CORRELATION, correlation
from theory.core import Argument, ClosedForm, Condition, Premise, Source, Status, Step, applied
from theory.core.numbers.arguments import LARGEST_ARRAY, integer, positive_array

first, second = sp.symbols("first second", positive=True)
FIRST = Argument(
    first, "fall of log NC1 from the first layer to the second", sample=(0.1, 3), example=1
)
SECOND = Argument(
    second, "fall of log NC1 from the second layer to the third", sample=(0.1, 3), example=0.5
)
magnitude = sp.sqrt(3) / 2 * (first + second) / sp.sqrt(first**2 + first * second + second**2)
chance = 2 / sp.pi * sp.acos(correlation)
monotone_chance = sp.sqrt(3) * sp.sqrt((1 - correlation) * (1 + correlation)) / correlation
layer = sp.Matrix([-1, 0, 1])
profile = sp.Matrix([0, -first, -first - second])
centred = profile - sp.ones(3, 1) * sum(profile) / 3
share = sp.Symbol("share", positive=True)
angle = sp.Symbol("angle", positive=True)
total = sp.Symbol("total", positive=True)
pearson = sp.Abs(layer.dot(centred)) / sp.sqrt(layer.dot(layer) * centred.dot(centred))
PEARSON = Premise("|r|, Pearson's, of the layers and their log NC1", pearson)
ARCS = Premise("the share of a circle on four arcs of equal angle", 4 * angle / (2 * sp.pi))
length = sp.Symbol("length", positive=True)
UPPER = Premise("the upper end of an interval of a length about one half", (1 + length) / 2)
THREE = "three layers"
FALLS, SHARED = "NC1 falls twice", "the first step's share of the fall is uniform on [0, 1]"
NOISE = "their values of log NC1 are independent Gaussians of one mean and variance"
AT_MOST_ONE = Condition(1 - correlation, "a correlation is at most 1")
of_three_layers = partial(
    ClosedForm, sources=(Source("cheong2025", "Section 3.2, Figure 3.4"),), status=Status.DERIVED
)

_MOST_KEPT = 100_000  # random profiles for one number of layers


@dataclass(frozen=True)
class Equiseparation:
    """Statistics of a profile of NC1 over the layers, with the leading axes of the input."""

    log_ratios: NDArray[np.float64]
    """Natural log of NC1 of a layer over that of the one before, [..., layers - 1]; equal if the law holds."""
    ratio: NDArray[np.float64]
    """NC1 per layer: exp of the mean log-ratio."""
    spread: NDArray[np.float64]
    """(largest - smallest log-ratio) / |mean|: 0 if the law holds exactly; infinite where the mean is 0."""
    r: NDArray[np.float64]
    """Pearson's correlation between layer and log NC1."""
    chance: NDArray[np.float64]
    """Probability of at least so large an |r| if the layers' log NC1 were independent Gaussians."""
    chance_if_falling: NDArray[np.float64]
    """The same if NC1 falls (or rises) at every step and the steps are independent exponentials of one mean; NaN where
    it does neither. Closed form for three layers, else by ``draws`` fixed random profiles."""


def equiseparation(nc1_by_layer: ArrayLike, draws: int = 20_000) -> Equiseparation:
    """Return the log-ratios, the correlation with depth, and its probabilities under two null models.

    Args:
        nc1_by_layer: positive values in the order of the layers, [..., layers], for at least three layers.
        draws: number of random profiles from which ``chance_if_falling`` is computed for more than three layers.

    Raises:
        TypeError, ValueError: for more than ten million draws, fewer than three layers, values that are not positive,
            or a constant profile, which has no correlation.

    >>> law = equiseparation([8, 3, 2, 0.4])
    >>> round(float(law.r), 3)
    -0.972
    """
    values = positive_array("nc1_by_layer", nc1_by_layer)
    if values.ndim == 0 or values.shape[-1] < 3:
        raise ValueError(
            f"nc1_by_layer: got shape {values.shape}, needs at least 3 layers in its last axis"
        )
    integer("draws", draws, 1, LARGEST_ARRAY)
    logs = np.log(values)
    # steps up to this size count as zero
    level = ROUNDING * np.maximum(1, np.abs(logs).max(axis=-1))
    if np.any(np.ptp(logs, axis=-1) <= level):
        raise ValueError(
            "nc1_by_layer: got a constant profile, needs one that changes and so is correlated with depth"
        )
    steps = np.diff(logs, axis=-1)
    mean = steps.mean(axis=-1)
    r = _correlation(logs)
    with np.errstate(divide="ignore"):
        spread = (steps.max(axis=-1) - steps.min(axis=-1)) / np.abs(mean)
    one_way = np.all(steps < -level[..., None], axis=-1) | np.all(
        steps > level[..., None], axis=-1
    )
    falling = np.where(one_way, _chance_if_falling(np.abs(r), values.shape[-1], draws), np.nan)[()]
    return Equiseparation(steps, np.exp(mean), spread, r, _chance(r, values.shape[-1]), falling)


def _correlation(profiles: NDArray[np.float64]) -> NDArray[np.float64]:
    layer = np.arange(profiles.shape[-1]) - (profiles.shape[-1] - 1) / 2
    centred = profiles - profiles.mean(axis=-1, keepdims=True)
    return np.clip(centred @ layer / np.sqrt(layer @ layer * np.sum(centred**2, axis=-1)), -1, 1)


def _chance(r: NDArray[np.float64], layers: int) -> NDArray[np.float64]:
    """Return P(|R| >= |r|) where R^2 is Beta(1/2, (layers - 2)/2); for three layers 1 - 2 arcsin|r|/pi."""
    from scipy.special import betainc

    return betainc((layers - 2) / 2, 0.5, 1 - r**2)


def _chance_if_falling(
    magnitude: NDArray[np.float64], layers: int, draws: int
) -> NDArray[np.float64]:
    if layers == 3:
        # smallest |r| of a decreasing profile, up to rounding
        least = np.maximum(magnitude, np.sqrt(0.75))
        return np.minimum(1.0, np.sqrt(3 * (1 - least) * (1 + least)) / least)
    reference = (_kept_reference if draws <= _MOST_KEPT else _reference)(layers, draws)
    return 1 - np.searchsorted(reference, magnitude) / draws


def _reference(layers: int, draws: int) -> NDArray[np.float64]:
    steps = np.random.default_rng(0).exponential(size=(draws, layers - 1))
    return np.sort(_correlation(np.pad(np.cumsum(steps, axis=1), ((0, 0), (1, 0)))))


_kept_reference = lru_cache(maxsize=16)(_reference)


@cache
def three_layer_correlation() -> ClosedForm:
    """Return |r| between layer index and log NC1 for three layers of decreasing NC1, dimensionless.

    >>> round(float(three_layer_correlation()(first=1, second=0.5)), 4)
    0.982
    """
    return of_three_layers(
        name="collapse.three_layer_correlation",
        meaning="Magnitude of the correlation of log NC1 with depth, for three layers of falling NC1.",
        arguments=(FIRST, SECOND),
        expression=magnitude,
        steps=(
            Step(
                "definition of the correlation",
                magnitude,
                pearson,
                because="layers 1, 2, 3, centred",
                uses=(PEARSON,),
            ),
        ),
    )


@cache
def correlation_chance() -> ClosedForm:
    """Return the probability of at least this |r| over three layers without trend.

    >>> round(float(correlation_chance()(correlation=0.95)), 4)
    0.2022
    """
    # The plane of centred profiles has two axes, linear trend and curvature.
    trend, bend = sp.Matrix([-1, 0, 1]) / sp.sqrt(2), sp.Matrix([1, -2, 1]) / sp.sqrt(6)
    direction = sp.cos(angle) * trend + sp.sin(angle) * bend
    direction_step = Step(
        "r is the cosine of the angle between profile and trend",
        sp.MatMul(layer.T / sp.sqrt(2), direction),
        sp.Matrix([sp.cos(angle)]),
        because="the profile's direction, uniform on a circle because the noise is isotropic",
        uses=(PEARSON, THREE, NOISE),
    )
    arc = Step(
        "an arc ends where the cosine is |r|",
        sp.Subs(sp.cos(angle), angle, sp.acos(correlation)),
        correlation,
        because="the cosine decreases from 0 to pi/2",
        uses=(direction_step,),
    )
    return of_three_layers(
        name="collapse.correlation_chance",
        meaning="Probability that three independent Gaussian values correlate with depth at least so strongly.",
        arguments=(CORRELATION,),
        expression=chance,
        conditions=(AT_MOST_ONE,),
        assumptions=(THREE, NOISE),
        steps=(
            direction_step,
            arc,
            applied(
                "four arcs of density 1/(2 pi)",
                chance,
                ARCS,
                {angle: sp.acos(correlation)},
                because="|cos| is at least |r| on four arcs from 0 to arccos |r|",
                uses=(arc, NOISE),
            ),
        ),
    )


@cache
def monotone_correlation_chance() -> ClosedForm:
    """Return the probability of at least this |r| over three layers whose NC1 decreases in two random steps.

    >>> round(float(monotone_correlation_chance()(correlation=0.95)), 4)
    0.5693
    """
    at_share = magnitude.subs({first: share * total, second: (1 - share) * total})
    by_share = Step(
        "|r| as a function of the share",
        at_share,
        sp.sqrt(3) / 2 / sp.sqrt(1 - share + share**2),
        because="largest at one half, and symmetric about it",
        uses=(three_layer_correlation(), THREE, FALLS),
    )
    positive = Step(
        "the length is positive",
        sp.Subs(monotone_chance, correlation, sp.sqrt(3) / 2),
        sp.S.One,
        because="at the least |r| the interval is all of [0, 1]",
        uses=(),
    )
    return of_three_layers(
        name="collapse.monotone_correlation_chance",
        meaning="Probability of at least so strong a correlation if NC1 merely falls, its two steps shared at random.",
        arguments=(CORRELATION,),
        expression=monotone_chance,
        conditions=(
            AT_MOST_ONE,
            Condition(
                correlation - sp.sqrt(3) / 2,
                "a falling profile of three layers has |r| >= sqrt(3)/2",
            ),
        ),
        assumptions=(THREE, FALLS, SHARED),
        steps=(
            by_share,
            positive,
            Step(
                "it is |r| at the upper end of an interval of that length about one half",
                sp.Subs(by_share.right, share, sp.Subs(UPPER.expression, length, monotone_chance)),
                correlation,
                because="a uniform share falls in the interval with a probability of its length",
                uses=(by_share, positive, UPPER, SHARED),
            ),
        ),
    )
