r"""How random the final distance is when the initial weights are.

Appendix A.6 draws ``dh2_0/dx2`` and ``dy2_0/dh2_0`` independently from :math:`N(G, G^2)`, *G* the gain of the initial weights.
``A_high`` is then Gaussian, and since the final distance *h* obeys :math:`A_\mathrm{high} = h - A_\mathrm{low}^2/h`, a
strictly increasing function of *h*, its distribution function is a Gaussian one at :math:`h - A_\mathrm{low}^2/h`.
As *G* goes to zero all of it concentrates on ``A_low``.

Deviation from the paper: there :math:`\tau_y = \tau_h` is implied from Eq. (46) on. Here the ratio is free, and ``A_high``
has mean :math:`(1 - \tau_y/\tau_h) G\,\|x_2 - x_1\|^2`. The Gaussian lets squared distances be negative, as in the paper.
"""

from __future__ import annotations

import sympy as sp

from theory.core import Argument, ClosedForm, Source, Status, Step
from theory.core.special import besselk_scaled, quotient
from theory.two_point.final_distance import stationary_distance
from theory.two_point.symbols import DX2, TARGET2, TAU_H, TAU_Y, A_high, A_low_squared, dh2_0, dx2, dy2_0, tau_h, tau_y

h = sp.Symbol("h", positive=True)
gain = sp.Symbol("gain", positive=True)
z = sp.Symbol("z", real=True)

DISTANCE = Argument(h, "squared final distance of the representations", unit="representation^2", sample=(0.2, 3))
GAIN = Argument(gain, "mean and standard deviation of dh2_0/dx2 and of dy2_0/dh2_0", sample=(0.2, 2))
SETTING = (GAIN, TAU_H, TAU_Y, DX2, TARGET2)
ASSUMPTIONS = ("dh2_0/dx2 and dy2_0/dh2_0 are independent N(gain, gain^2)", "dh does not rotate (Eq. 19)")

mean_A = dx2 * gain * (1 - tau_y / tau_h)
deviation_A = dx2 * gain * sp.sqrt(1 + (tau_y / tau_h) ** 2)
inverse = h - A_low_squared / h
standardised = (inverse - mean_A) / deviation_A

cdf_expression = sp.erfc(-standardised / sp.sqrt(2)) / 2
pdf_expression = (1 + A_low_squared / h**2) / (deviation_A * sp.sqrt(2 * sp.pi)) * sp.exp(-(standardised**2) / 2)


def final_at(A: sp.Expr) -> sp.Expr:
    """Final distance as a function of ``A_high``, without cancellation."""
    return A * (1 + sp.sign(A)) / 2 + quotient(A_low_squared, sp.Abs(A) / 2 + sp.sqrt(A**2 / 4 + A_low_squared))


median_expression = final_at(mean_A)
mean_expression = sp.Integral(
    final_at(mean_A + deviation_A * z) * sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi), (z, -sp.oo, sp.oo)
)

p, excess, spare = sp.symbols("p excess spare", positive=True)
coupling = tau_y / tau_h * dx2


def _inverts(sign: int) -> Step:
    """The final distance solves A = h - A_low^2/h: the event {final < h} is the event {A_high < h - A_low^2/h}."""
    root = (p + excess, p) if sign > 0 else (p, p + excess)
    high = root[0] ** 2 - root[1] ** 2
    return Step(
        f"A_high = h - A_low^2/h at the final distance, A_high {'>' if sign > 0 else '<'} 0",
        inverse.xreplace({h: stationary_distance}),
        A_high,
        because="the final distance is the positive root of h^2 - A_high h - A_low^2",
        where={
            dh2_0: (high + spare) if sign > 0 else spare,
            dy2_0: (spare * (high + spare) if sign > 0 else spare * (spare - high)) / coupling,
            target2: root[0] ** 2 * root[1] ** 2 / coupling,
        },
    )


def _form(name: str, meaning: str, arguments: tuple[Argument, ...], expression: sp.Expr, *steps: Step) -> ClosedForm:
    return ClosedForm(
        name=f"two_point.final_distance_{name}",
        meaning=meaning,
        arguments=arguments,
        expression=expression,
        assumptions=ASSUMPTIONS,
        steps=steps,
        sources=(Source("vanrossem2024", "Eqs. (44) to (48)", "arXiv v2"),),
        status=Status.DERIVED,
    )


def final_distance_cdf() -> ClosedForm:
    """Probability that the squared final distance is below ``h``, dimensionless. Source: van Rossem & Saxe, Eq. (47)."""
    below = Step(
        "P(A_high < h - A_low^2/h) for a Gaussian A_high",
        cdf_expression,
        sp.Integral(gaussian_A, (A, -sp.oo, inverse)),
        because="a difference of two independent Gaussians is Gaussian",
    )
    meaning = "Probability that the squared final distance is below h, over random initial weights."
    return _form("cdf", meaning, (DISTANCE, *SETTING), cdf_expression, MOMENTS, _inverts(+1), _inverts(-1), below)


def final_distance_density() -> ClosedForm:
    """Density of the squared final distance, 1/representation^2. Source: van Rossem & Saxe, Eq. (48)."""
    slope = Step("derivative of the distribution function", pdf_expression, sp.Derivative(cdf_expression, h), "differentiation")
    meaning = "Density of the squared final distance over random initial weights."
    return _form("density", meaning, (DISTANCE, *SETTING), pdf_expression, *final_distance_cdf().steps, slope)


def final_distance_median() -> ClosedForm:
    """Median of the squared final distance, representation^2."""
    half = tuple(
        Step(
            f"the distribution function is 1/2 there, tau_y {comparison} tau_h",
            cdf_expression.xreplace({h: median_expression}),
            sp.Rational(1, 2),
            because="h - A_low^2/h is the mean of A_high",
            where=_ratio_family(sign),
        )
        for sign, comparison in ((+1, "<"), (-1, ">"))
    )
    return _form("median", "Median of the squared final distance over random initial weights.", SETTING, median_expression, *half)


def final_distance_mean() -> ClosedForm:
    """Mean of the squared final distance, representation^2; an integral for general time constants."""
    return _form("mean", "Mean of the squared final distance over random initial weights.", SETTING, mean_expression, MOMENTS)
