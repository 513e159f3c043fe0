r"""Correction at order 1/n to the volume element of a wide Bayesian network that interpolates one training example.

The network has a hidden layer of n units with standard Gaussian priors, no biases, a scalar output
:math:`n^{-1/2} v \cdot \varphi(Wx)` and is conditioned on one training example :math:`(x_a, y)` without noise. With the
NNGP metric :math:`\bar g` and kernel :math:`k = \bar k(x_a, x_a)`, the posterior mean of the metric gives

.. math:: \frac{\sqrt{\det\langle g\rangle}}{\sqrt{\det\bar g}} = 1 + \frac{1}{4n} \left( \frac{y^2}{k} - 1 \right)
    (\chi - d), \qquad \chi = \frac{\bar g^{ij}\, E[\varphi(z_a)^2 \varphi'(z)^2 w_i w_j]}{k},

and the posterior mean of the volume element has a further term of the same order, from the fluctuations of g,

.. math:: \frac{\langle\sqrt{\det g}\rangle}{\sqrt{\det\bar g}} = \frac{\sqrt{\det\langle g\rangle}}{\sqrt{\det\bar g}}
    - \frac{F + d^2 - 2d}{8n}, \qquad F = E\left[ \left(\varphi'(z)^2\, w_i \bar g^{ij} w_j\right)^2 \right],

which is present even without training data. The paper's Eqs. (E.15) and (E.38) name the left-hand side of the second
line and give the right-hand side of the first.
"""

from dataclasses import dataclass
from functools import lru_cache

import sympy as sp

from theory.core import Argument, ClosedForm, Condition, Source, Status, Step
from theory.core.facade.listing import listing_html, listing_text
from theory.core.numbers.arguments import integer
from theory.geometry.bayesian_steps import (
    TRACE,
    UNIT,
    expansion_steps,
    gaussian_power,
    overlap_moment,
)
from theory.geometry.symbols import D, d

p2 = sp.Symbol("p2", nonnegative=True)
ratio = sp.Symbol("target_ratio", nonnegative=True)
n = sp.Symbol("width", integer=True, positive=True)

OVERLAP = Argument(
    p2,
    "squared cosine between input and training input, at most 1",
    sample=(0, 1),
    example=0.5,
    latex="p^{2}",
)
RATIO = Argument(
    ratio,
    "squared target over its variance under the prior, y^2/|x_a|^(2q)",
    sample=(0, 3),
    example=1,
    latex=r"\hat{y}^{2}",
)
WIDTH = Argument(n, "number of hidden units", sample=(50, 500), example=100, latex="n")
MOST = 200  # largest degree; its closed forms take seconds to build
COSINE = Condition(1 - p2, "p2 is a squared cosine: at most 1")
SETTING = (
    "one hidden layer, standard Gaussian priors, no biases, one example without noise",
    "to first order in 1/width",
)


@dataclass(frozen=True, repr=False)
class VolumeCorrection:
    """The effect of one training example on the volume element of a wide Bayesian network, to first order in 1/width.

    These are chi in d and p2, which equals d where the example has no effect, F in d, and the volume element of the
    posterior mean of the metric, and the posterior mean of the volume element, over the one at infinite width.
    """

    factor: ClosedForm
    fluctuation: ClosedForm
    at_mean_metric: ClosedForm
    mean: ClosedForm

    def __repr__(self) -> str:
        return listing_text("VolumeCorrection", vars(self))

    def _repr_html_(self) -> str:
        return listing_html("VolumeCorrection", vars(self))


def bayesian_volume_correction(q: int) -> VolumeCorrection:
    r"""Return the correction to the volume element for the activation :math:`z^q / \sqrt{(2q-1)!!}`, in closed form.

    .. math:: \chi = (d + 2(2q - 1))\, {}_2F_1(1-q, -q; \tfrac12; p^2) - 2(q - 1)\, {}_2F_1(-q, -q; \tfrac12; p^2)

    Args:
        q: degree of the monomial, an integer from 1 to 200.

    Source: Zavatone-Veth et al. (2023), Eqs. (E.33) and (E.38); ``at_mean_metric`` is Eq. (E.38).

    >>> round(float(bayesian_volume_correction(1).factor(d=2, p2=0.5)), 4)
    4.0
    """
    return _correction(integer("q", q, 1, most=MOST))


@lru_cache(maxsize=64)
def _correction(q: int) -> VolumeCorrection:
    chi, spread = _chi(q), _fluctuation(q)
    shift = (ratio - 1) * (chi - d) / (4 * n)
    loss = (spread + d**2 - 2 * d) / (8 * n)
    # n E tr(delta), n E tr(delta)^2 and n E tr(delta^2), from moments computed independently of the closed forms
    by_moments, around = _chi_by_moments(q), _fluctuation_by_moments(q)
    moved = (ratio - 1) / 2 * (by_moments - d)
    radial = Step(
        "homogeneity: E[f(w) |w|^2] = (d + m) E[f] at degree m, by the radial integral",
        sp.gamma((d + 4 * q) / 2) * 2 / sp.gamma((d + 4 * q - 2) / 2),
        d + 4 * q - 2,
        because="E |w|^(m+2) / E |w|^m of a standard Gaussian in d dimensions, m = 4 q - 2",
        uses=(UNIT,),
    )
    factor = _form(
        f"bayesian_factor.monomial_{q}",
        f"How much one training example moves the metric of a Bayesian network of degree {q}: chi.",
        (D, OVERLAP),
        chi,
        (
            radial,
            Step(
                "chi",
                chi,
                by_moments,
                because="moments of two correlated Gaussians",
                uses=(radial, UNIT, SETTING[0]),
            ),
        ),
        "Eqs. (E.31) to (E.33)",
    )
    fluctuation = _form(
        f"bayesian_fluctuation.monomial_{q}",
        f"How much the metric of one unit of degree {q} fluctuates around the mean: F.",
        (D,),
        spread,
        (
            TRACE,
            Step(
                "F",
                spread,
                around,
                because="u and W are independent",
                uses=(TRACE, UNIT, SETTING[0]),
            ),
        ),
        "not in the paper",
    )
    expansion = expansion_steps()
    tilt, first_order = expansion[0], expansion[1:5:2]
    return VolumeCorrection(
        factor=factor,
        fluctuation=fluctuation,
        at_mean_metric=_form(
            f"bayesian_mean_metric_volume.monomial_{q}",
            f"Volume element of the mean metric of a Bayesian network of degree {q}, over that of infinite width.",
            (D, OVERLAP, RATIO, WIDTH),
            1 + shift,
            (
                tilt,
                *first_order,
                Step(
                    "half the trace of the mean perturbation",
                    1 + shift,
                    1 + moved / (2 * n),
                    because="Eq. (E.2), (E.14)",
                    uses=(factor, tilt, *first_order, *SETTING),
                ),
            ),
            "Eqs. (E.14) to (E.16), (E.38)",
        ),
        mean=_form(
            f"bayesian_volume_correction.monomial_{q}",
            f"Mean volume element of a Bayesian network of degree {q}, over that of infinite width.",
            (D, OVERLAP, RATIO, WIDTH),
            1 + shift - loss,
            (
                *expansion,
                Step(
                    "trace, and second order of the fluctuations",
                    1 + shift - loss,
                    1 + (moved / 2 + (around - d**2) / 8 - (around - d) / 4) / n,
                    because="tr/2 + tr^2/8 - tr(square)/4, averaged over n independent units",
                    uses=(factor, fluctuation, *expansion, *SETTING),
                ),
            ),
            "Eqs. (E.15), (E.38), with the fluctuations that they leave out",
        ),
    )


def _form(
    name: str,
    meaning: str,
    arguments: tuple[Argument, ...],
    expression: sp.Expr,
    steps: tuple[Step, ...],
    where: str,
) -> ClosedForm:
    return ClosedForm(
        name=f"geometry.{name}",
        meaning=meaning,
        arguments=arguments,
        expression=expression,
        status=Status.DERIVED,
        steps=steps,
        sources=(Source("zavatoneveth2023", where),),
        conditions=(COSINE,) if OVERLAP in arguments else (),
        assumptions=SETTING if arguments[-1] is WIDTH else SETTING[:1],
    )


def _hypergeometric(a: int, b: int) -> sp.Expr:
    """Return 2F1(a, b; 1/2; p2) for a <= 0, which is a polynomial in p2."""
    return sp.Add(
        *(
            sp.rf(a, k) * sp.rf(b, k) / (sp.rf(sp.Rational(1, 2), k) * sp.factorial(k)) * p2**k
            for k in range(-a + 1)
        )
    )


def _chi(q: int) -> sp.Expr:
    return (d + 4 * q - 2) * _hypergeometric(1 - q, -q) - 2 * (q - 1) * _hypergeometric(-q, -q)


def _chi_by_moments(q: int) -> sp.Expr:
    """Return chi from the moments E[u_a^(2q) u^m]: homogeneity gives the squared norm, a moment the radial part."""
    whole, radial = sp.symbols("whole radial", positive=True)
    general = ((2 * q - 1) * (d + 4 * q - 2) * whole - 2 * (q - 1) * radial) / sp.factorial2(
        2 * q - 1
    ) ** 2
    return sp.Subs(
        general, (whole, radial), (overlap_moment(q, 2 * q - 2, p2), overlap_moment(q, 2 * q, p2))
    )


def _fluctuation(q: int) -> sp.Expr:
    """Return F, which is quadratic in d: (4q-5)!!/(2q-3)!!^2 times a polynomial."""
    leading = sp.factorial2(4 * q - 5) / sp.factorial2(2 * q - 3) ** 2
    slope = sp.Integer(2 * (4 * q - 3)) / (2 * q - 1)
    constant = sp.Integer((4 * q - 1) * (4 * q - 3)) / (2 * q - 1) ** 2
    return leading * ((d**2 - 1) + slope * (d - 1) + constant)


def _fluctuation_by_moments(q: int) -> sp.Expr:
    """Return E[phi'^4 (u^2/lambda + W/a)^2] in units of a, where W is chi-squared with d - 1 degrees of freedom."""
    unit, along, fourth, mixed, square = sp.symbols(
        "unit along fourth mixed square", positive=True
    )
    radial = along / unit
    general = (
        fourth / radial**2 + 2 * (d - 1) * mixed / radial + (d - 1) * (d + 1) * square
    ) / unit**2
    powers = tuple(map(gaussian_power, (2 * q - 2, 2 * q, 4 * q, 4 * q - 2, 4 * q - 4)))
    return sp.Subs(general, (unit, along, fourth, mixed, square), powers)
