r"""The distribution of the final distance over random initial weights.

Appendix A.6 draws ``dh2_0/dx2`` and ``dy2_0/dh2_0`` independently from :math:`N(G, G^2)`, where *G* is the gain of the
initial weights. ``A_high`` is then Gaussian. The final distance *h* satisfies :math:`A_\mathrm{high} = h -
A_\mathrm{low}^2/h`, whose right-hand side is strictly increasing in *h*, so the distribution function of *h* is the
Gaussian distribution function of ``A_high`` evaluated at :math:`h - A_\mathrm{low}^2/h`. As *G* tends to zero, the
distribution concentrates on ``A_low``.

Deviation from the paper: from Eq. (46) on, the paper implies :math:`\tau_y = \tau_h`. Here the ratio is free, and
``A_high`` has mean :math:`(1 - \tau_y/\tau_h) G\,\|x_2 - x_1\|^2`. As in the paper, the Gaussian distribution gives
negative squared distances a positive probability.
"""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import sympy as sp

from theory.core import (
    Argument,
    ClosedForm,
    Premise,
    Source,
    Status,
    Step,
    applied,
    differentiated,
)
from theory.core.facade.listing import listing_html, listing_text
from theory.core.formula.rounding import compensated
from theory.core.formula.special import normal_cdf, normal_pdf, quotient
from theory.core.proof import theorems
from theory.core.proof.premises import with_lemmas
from theory.two_point import symbols
from theory.two_point.final_distance import (
    excess,
    family,
    final_distance,
    p,
    spare,
    stationary_distance,
)
from theory.two_point.symbols import (
    A_high,
    A_low_squared,
    dh2_0,
    dx2,
    dy2_0,
    target2,
    tau_h,
    tau_y,
)

h = sp.Symbol("h", positive=True)
gain = sp.Symbol("gain", positive=True)
z = sp.Symbol("z", real=True)

DISTANCE = Argument(
    h,
    "squared final distance of the representations",
    unit="representation^2",
    sample=(0.2, 3),
    example=1,
)
GAIN = Argument(
    gain, "mean and standard deviation of dh2_0/dx2 and of dy2_0/dh2_0", sample=(0.2, 2), example=1
)
SETTING = (GAIN, *symbols.RATES_AND_DATA)
RANDOM = "dh2_0/dx2 and dy2_0/dh2_0 are independent N(gain, gain^2)"
LARGER = Premise(
    "A_high = dh2_0 - tau_y/tau_h dx2 dy2_0/dh2_0, A_low^2 = tau_y/tau_h dx2 target2, Eq. (11)",
    A_high,
)

mean_A = dx2 * gain * (tau_h - tau_y) / tau_h
deviation_A = dx2 * gain * sp.sqrt(1 + (tau_y / tau_h) ** 2)
inverse = h - A_low_squared / h
standardised = compensated(inverse - mean_A) / deviation_A

cdf_expression = normal_cdf(standardised)
density_expression = (1 + A_low_squared / h**2) * normal_pdf(standardised) / deviation_A


# The squared final distance at that ``A_high``, in a form without cancellation.
median_expression = mean_A * (1 + sp.sign(mean_A)) / 2 + quotient(
    A_low_squared, sp.Abs(mean_A) / 2 + sp.sqrt(mean_A**2 / 4 + A_low_squared)
)
# The integration variable is the distance from A_high = 0, where the root nearly has a kink if A_low is small; both
# signs of A_high are taken together. Nothing cancels: the deviation of A_high is never smaller than its mean.
bend = mean_A / deviation_A
spread = sp.sqrt((deviation_A * z) ** 2 / 4 + A_low_squared)
mean_expression = mean_A / 2 + sp.Integral(
    spread * (normal_pdf(z - bend) + normal_pdf(z + bend)), (z, 0, sp.oo)
)

A, x, y, rooted, mean = sp.symbols("A x y rooted mean", real=True)
deviation = sp.Symbol("deviation", positive=True)
HALF_AND_ROOT = Premise("the mean of a sum is the sum of the means", A / 2 + rooted)


random_A = mean_A + dx2 * gain * (x - tau_y / tau_h * y)
MEAN = Step(
    "A_high is linear in two independent standard Gaussians x and y, of mean zero",
    sp.Subs(A_high, (dh2_0, dy2_0), (dx2 * gain * (1 + x), dx2 * gain**2 * (1 + x) * (1 + y))),
    random_A,
    because="dh2_0/dx2 = gain (1 + x) and dy2_0/dh2_0 = gain (1 + y)",
    uses=(LARGER, RANDOM),
)
centre = Step(
    "mean of A_high",
    sp.Subs(random_A, (x, y), (0, 0)),
    mean_A,
    because="linear in x and y, whose means are zero",
    uses=(MEAN, RANDOM),
)
root_of_variance = Step(
    "standard deviation of A_high",
    sp.sqrt(sp.Derivative(random_A, x) ** 2 + sp.Derivative(random_A, y) ** 2),
    deviation_A,
    because="independence: the squares of both coefficients add up",
    uses=(MEAN, RANDOM),
)
GAUSSIAN = replace(theorems.SUM_OF_GAUSSIANS, expression=normal_cdf((A - mean) / deviation))
# The positive root of h^2 - A h - A_low^2.
root = A / 2 + sp.sqrt(A**2 / 4 + A_low_squared)
OF_A_HIGH = symbols.by_sign(
    "the final distance as a function of A_high, A_high",
    sp.Subs(root, A, A_high),
    stationary_distance,
    "the positive root of h^2 - A_high h - A_low^2, which increases with A_high",
    family,
    (final_distance(), LARGER),
)


def _ratio(sign: int) -> dict[sp.Symbol, sp.Expr]:
    """Return settings in which the mean of ``A_high`` has the given sign and the root at the median is rational."""
    high, low_squared = sign * ((p + excess) ** 2 - p**2), p**2 * (p + excess) ** 2
    faster = 1 / (1 + spare) if sign > 0 else 1 + spare
    return {
        tau_y: faster * tau_h,
        gain: high / (dx2 * (1 - faster)),
        target2: low_squared / (faster * dx2),
    }


def _form(
    name: str,
    meaning: str,
    arguments: tuple[Argument, ...],
    expression: sp.Expr,
    *last: Step,
) -> ClosedForm:
    return ClosedForm(
        name=f"two_point.final_distance_{name}",
        meaning=meaning,
        arguments=arguments,
        expression=expression,
        assumptions=(RANDOM, symbols.NO_ROTATION),
        steps=with_lemmas(last),
        sources=(Source("vanrossem2024", "Eqs. (44) to (48)"),),
        status=Status.DERIVED,
        letters=symbols.LETTERS,
    )


@cache
def final_distance_cdf() -> ClosedForm:
    """Return the probability that the squared final distance is below ``h``, dimensionless. Source: Eq. (47)."""
    inverts = Step(
        "the final distance is h at A_high = h - A_low^2/h",
        sp.Subs(root, A, inverse),
        h,
        because="the other root is negative; h - A_low^2/h increases with h",
        uses=OF_A_HIGH,
    )
    below = applied(
        "P(final < h) = P(A_high < h - A_low^2/h)",
        cdf_expression,
        GAUSSIAN,
        {A: inverse, mean: mean_A, deviation: deviation_A},
        because="the final distance increases with A_high",
        uses=(centre, root_of_variance, inverts, RANDOM),
    )
    meaning = (
        "Probability that the squared final distance is below h, over random initial weights."
    )
    return _form("cdf", meaning, (DISTANCE, *SETTING), cdf_expression, below)


@cache
def final_distance_density() -> ClosedForm:
    """Return the density of the squared final distance, 1/representation^2. Source: van Rossem & Saxe, Eq. (48)."""
    claim = "derivative of the distribution function"
    slope = differentiated(claim, density_expression, final_distance_cdf(), h)
    meaning = "Density of the squared final distance over random initial weights."
    return _form("density", meaning, (DISTANCE, *SETTING), density_expression, slope)


@cache
def final_distance_median() -> ClosedForm:
    """Return the median of the squared final distance, representation^2."""
    halves = symbols.by_sign(
        "the final distance at the median of A_high, tau_h - tau_y",
        median_expression,
        sp.Subs(root, A, mean_A),
        "the final distance increases with A_high, and a Gaussian's mean is its median",
        _ratio,
        (centre, *OF_A_HIGH, RANDOM),
    )
    meaning = "Median of the squared final distance over random initial weights."
    return _form("median", meaning, SETTING, median_expression, *halves)


@cache
def final_distance_mean() -> ClosedForm:
    """Return the mean of the squared final distance, representation^2, as an integral over ``A_high``."""
    half_and_root = applied(
        "the final distance is A_high/2 and a root",
        root,
        HALF_AND_ROOT,
        {rooted: sp.sqrt(A**2 / 4 + A_low_squared)},
        because="the mean of a sum is the sum of the means",
        uses=OF_A_HIGH,
    )

    def weighted(at: sp.Expr) -> sp.Expr:
        letters, values = (mean, deviation, z), (mean_A, deviation_A, at)
        there = sp.Subs(mean + deviation * z, letters, values)
        return normal_pdf(at) * sp.Subs(sp.sqrt(A**2 / 4 + A_low_squared), A, there)

    folded = Step(
        "the root at A_high = deviation z and -deviation z, with the densities there",
        weighted(z - bend) + weighted(-z - bend),
        spread * (normal_pdf(z - bend) + normal_pdf(z + bend)),
        because="A_high = mean + deviation z; z - mean/deviation and -z - mean/deviation cover the line once",
        uses=(centre, root_of_variance, half_and_root, GAUSSIAN),
    )
    average = applied(
        "average of A_high/2 + sqrt(A_high^2/4 + A_low^2)",
        mean_expression,
        HALF_AND_ROOT,
        {A: mean_A, rooted: sp.Integral(folded.right, (z, 0, sp.oo))},
        because="linearity",
        uses=(centre, half_and_root, folded),
    )
    meaning = "Mean of the squared final distance over random initial weights."
    return _form("mean", meaning, SETTING, mean_expression, average)


class FinalDistanceDistribution(NamedTuple):
    """Closed forms of the distribution of the squared final distance over random initial weights."""

    density: ClosedForm
    cdf: ClosedForm
    median: ClosedForm
    mean: ClosedForm

    def __repr__(self) -> str:
        return listing_text("FinalDistanceDistribution", self._asdict())

    def _repr_html_(self) -> str:
        return listing_html("FinalDistanceDistribution", self._asdict())


@cache
def final_distance_distribution() -> FinalDistanceDistribution:
    """Return density, distribution function, median and mean of the squared final distance.

    Source: van Rossem & Saxe, Appendix A.6.

    >>> cdf = final_distance_distribution().cdf
    >>> round(float(cdf(h=1.5, gain=1, tau_h=1, tau_y=1, dx2=1, target2=1)), 4)
    0.7222
    """
    return FinalDistanceDistribution(
        final_distance_density(),
        final_distance_cdf(),
        final_distance_median(),
        final_distance_mean(),
    )
