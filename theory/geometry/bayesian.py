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

from theory.core import Argument, ClosedForm, Condition, Premise, Source, Status, Step, applied
from theory.core.facade.listing import listing_html, listing_text
from theory.core.numbers.arguments import integer
from theory.core.proof.premises import with_lemmas
from theory.geometry.bayesian_steps import (
    CHI,
    CHI_LETTERS,
    MEAN_GAP,
    SQUARED_TRACE,
    TILT,
    TILT_STEP,
    TRACE,
    TRACE_LETTERS,
    UNIT,
    K,
    first_order,
    first_order_steps,
    gaussian_power,
    moment_step,
    overlap_moment,
    ratio,
    second_order_steps,
    twice_second_order,
)
from theory.geometry.symbols import D, d

p2 = sp.Symbol("p2", nonnegative=True)
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


_CHI, _SPREAD, _SQUARED, _UNIT, _TILT, _FIRST, _TWICE = sp.symbols(
    "chi F squared unit tilt first twice", positive=True
)
_GAP = sp.Symbol("gap", real=True)
FLUCTUATION = Premise(
    "F is the mean of phi'^4 times the squared trace, over E[phi'^2]^2; all means are over q^2/(2q - 1)!!",
    _SQUARED / _UNIT**2,
)
TILTED = Premise(
    "the excess of K times the trace has the mean k (chi - d)/n, and the trace is tilted by that",
    _TILT * K * (_CHI - d) / n,
)
MEAN_METRIC = Premise("the root of the determinant to first order", 1 + _FIRST)
MEAN_VOLUME = Premise("the root of the determinant to second order", 1 + _FIRST + _TWICE / 2)
TRACES = Premise(
    "over n independent units, the trace of the square has the mean (F - d)/n, and the squared trace more by a gap",
    sp.Tuple((_SPREAD - d) / n, (_SPREAD - d + _GAP) / n),
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
    # n E tr(delta), from moments computed independently of the closed forms
    by_moments = _chi_by_moments(q)
    radial = Step(
        "homogeneity: E[f(w) |w|^2] = (d + m) E[f] at degree m, by the radial integral",
        sp.gamma((d + 4 * q) / 2) * 2 / sp.gamma((d + 4 * q - 2) / 2),
        d + 4 * q - 2,
        because="E |w|^(m+2) / E |w|^m of a standard Gaussian in d dimensions, m = 4 q - 2",
        uses=(UNIT,),
    )
    moments = tuple(moment_step(q, power, p2) for power in (2 * q - 2, 2 * q))
    factor = form(
        f"bayesian_factor.monomial_{q}",
        f"How much one training example moves the metric of a Bayesian network of degree {q}: chi.",
        (D, OVERLAP),
        Step(
            "chi",
            chi,
            by_moments,
            because="moments of two correlated Gaussians",
            uses=(_in_moments(q, radial), *moments, SETTING[0]),
        ),
        "Eqs. (E.31) to (E.33)",
        conditions=(COSINE,),
    )
    fluctuation = form(
        f"bayesian_fluctuation.monomial_{q}",
        f"How much the metric of one unit of degree {q} fluctuates around the mean: F.",
        (D,),
        applied(
            "F",
            spread,
            FLUCTUATION,
            fluctuation_at(*map(gaussian_power, (2 * q - 2, 2 * q, 4 * q, 4 * q - 2, 4 * q - 4))),
            because="u and W are independent",
            uses=(TRACE, SETTING[0]),
        ),
        "not in the paper",
    )
    trace = sp.Subs(TILTED.expression, (_TILT, _CHI), (TILT, chi))
    at_mean = (TILT_STEP, *first_order_steps(), TILTED, factor, *SETTING)
    of_square, squared = (
        sp.Subs(part, (_SPREAD, _GAP), (spread, MEAN_GAP)) for part in TRACES.expression
    )
    values = {_FIRST: first_order(trace), _TWICE: twice_second_order(squared, of_square)}
    return VolumeCorrection(
        factor=factor,
        fluctuation=fluctuation,
        at_mean_metric=form(
            f"bayesian_mean_metric_volume.monomial_{q}",
            f"Volume element of the mean metric of a Bayesian network of degree {q}, over that of infinite width.",
            (D, OVERLAP, RATIO, WIDTH),
            applied(
                "half the trace of the mean perturbation",
                1 + shift,
                MEAN_METRIC,
                {_FIRST: values[_FIRST]},
                because="Eq. (E.2), (E.14)",
                uses=at_mean,
            ),
            "Eqs. (E.14) to (E.16), (E.38)",
            SETTING,
            (COSINE,),
        ),
        mean=form(
            f"bayesian_volume_correction.monomial_{q}",
            f"Mean volume element of a Bayesian network of degree {q}, over that of infinite width.",
            (D, OVERLAP, RATIO, WIDTH),
            applied(
                "trace, and second order of the fluctuations",
                1 + shift - loss,
                MEAN_VOLUME,
                values,
                because="tr/2 + tr^2/8 - tr(square)/4, averaged over n independent units",
                uses=(*at_mean, *second_order_steps(), TRACES, fluctuation),
            ),
            "Eqs. (E.15), (E.38), with the fluctuations that they leave out",
            SETTING,
            (COSINE,),
        ),
    )


def form(
    name: str,
    meaning: str,
    arguments: tuple[Argument, ...],
    last: Step,
    where: str,
    assumptions: tuple[str, ...] = SETTING[:1],
    conditions: tuple[Condition, ...] = (),
    asides: tuple[Step, ...] = (),
) -> ClosedForm:
    """Return the left side of the last step of a derivation as a closed form of a Bayesian network."""
    return ClosedForm(
        name=f"geometry.{name}",
        meaning=meaning,
        arguments=arguments,
        expression=last.left,
        status=Status.DERIVED,
        steps=with_lemmas((*asides, last)),
        sources=(Source("zavatoneveth2023", where),),
        conditions=conditions,
        assumptions=assumptions,
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


_WHOLE, _RADIAL = sp.symbols("whole radial", positive=True)


def _two_moments(q: int) -> sp.Expr:
    """Return chi in E[u_a^2q u^(2q - 2)] and E[u_a^2q u^2q]."""
    return ((2 * q - 1) * (d + 4 * q - 2) * _WHOLE - 2 * (q - 1) * _RADIAL) / sp.factorial2(
        2 * q - 1
    ) ** 2


def _in_moments(q: int, homogeneity: Step) -> Step:
    """Step from the definition of chi to two moments: homogeneity gives the squared norm, a moment the radial part."""
    unit = sp.Integer(q) ** 2 / sp.factorial2(2 * q - 1) ** 2
    across = unit * ((d + 4 * q - 2) * _WHOLE - _RADIAL)
    values = (
        unit * _RADIAL,
        across,
        sp.Integer(q) ** 2,
        sp.Integer(q) ** 2 / (2 * q - 1),
        sp.S.One,
    )
    return applied(
        "chi in two moments",
        _two_moments(q),
        CHI,
        dict(zip(CHI_LETTERS, values, strict=True)),
        because="phi' = q u^(q - 1)/(2q - 1)!!^(1/2), so lambda = q^2 and a = q^2/(2q - 1)",
        uses=(homogeneity,),
    )


def _chi_by_moments(q: int) -> sp.Expr:
    """Return chi at its two moments."""
    moments = (overlap_moment(q, 2 * q - 2, p2), overlap_moment(q, 2 * q, p2))
    return sp.Subs(_two_moments(q), (_WHOLE, _RADIAL), moments)


def _fluctuation(q: int) -> sp.Expr:
    """Return F, which is quadratic in d: (4q-5)!!/(2q-3)!!^2 times a polynomial."""
    leading = sp.factorial2(4 * q - 5) / sp.factorial2(2 * q - 3) ** 2
    slope = sp.Integer(2 * (4 * q - 3)) / (2 * q - 1)
    constant = sp.Integer((4 * q - 1) * (4 * q - 3)) / (2 * q - 1) ** 2
    return leading * ((d**2 - 1) + slope * (d - 1) + constant)


def fluctuation_at(unit: sp.Expr, along: sp.Expr, *powers: sp.Expr) -> dict[sp.Symbol, sp.Expr]:
    """Return the letters of F, from the means of phi'^2 and phi'^2 u^2, and of phi'^4 times u^4, u^2 and 1."""
    return {_SQUARED: sp.Subs(SQUARED_TRACE, TRACE_LETTERS, (along / unit, *powers)), _UNIT: unit}
