r"""The Bayesian volume correction for any activation, with its Gaussian expectations written as integrals.

With :math:`u = w \cdot x/|x|`, with :math:`v` the component of w that is orthogonal to x in the plane of x and the
training input, and with the eigenvalues :math:`a = E[\varphi'^2]`, :math:`\lambda = E[\varphi'^2 u^2]` of the NNGP
metric,

.. math:: \chi = \frac1k E\left[ \varphi(z_a)^2 \varphi'(z)^2 \left( \frac{u^2}{\lambda} + \frac{v^2 + d - 2}{a} \right)
    \right], \qquad F = E\left[ \varphi'(z)^4 \left( \frac{u^4}{\lambda^2} + \frac{2 (d - 1) u^2}{a \lambda}
    + \frac{d^2 - 1}{a^2} \right) \right].

The setting is that of ``theory.geometry.bayesian``, which has both quantities in closed form for monomials.
"""

import itertools
from collections.abc import Callable, Sequence
from functools import cache

import sympy as sp

from theory.activations import Activation, z
from theory.activations.kinks import branch
from theory.activations.naming import cached
from theory.core import Argument, ClosedForm, Condition, Premise, Step, applied
from theory.core.formula.special import normal_pdf
from theory.gaussian.integrals import eta, xi
from theory.gaussian.kernel_formula import require_continuous
from theory.geometry.bayesian import FLUCTUATION, SETTING, fluctuation_at, form
from theory.geometry.bayesian_steps import CHI, CHI_LETTERS, TRACE, UNIT
from theory.geometry.symbols import D, d

r = sp.Symbol("r", positive=True)
r_train = sp.Symbol("r_train", positive=True)
p = sp.Symbol("overlap", real=True)

NORM = Argument(r, "squared norm of the input", unit="input^2", sample=(0.3, 2))
TRAIN_NORM = Argument(
    r_train, "squared norm of the training input", unit="input^2", sample=(0.3, 2)
)
COSINE = Argument(p, "cosine between input and training input", sample=(-0.9, 0.9), latex="p")
COSINES = Condition(1 - p**2 >= 0, "overlap is a cosine: between -1 and 1")
NOT_PARALLEL = Condition(
    1 - p**2 > 0, "overlap is a cosine, strictly between -1 and 1 where the activation has kinks"
)

_LAMBDA, _A = CHI_LETTERS[2:4]
_F_LETTERS = (*sp.symbols("m4 m2 m0", positive=True), _LAMBDA, _A)
_M4, _M2, _M0 = _F_LETTERS[:3]
IN_MOMENTS = applied(
    "F in the moments m4, m2 and m0: E[phi'^4 u^4], E[phi'^4 u^2] and E[phi'^4]",
    _M4 / _LAMBDA**2 + 2 * (d - 1) * _M2 / (_A * _LAMBDA) + (d**2 - 1) * _M0 / _A**2,
    FLUCTUATION,
    fluctuation_at(_A, _LAMBDA, _M4, _M2, _M0),
    because="the mean over W is linear in the powers of u",
    uses=(TRACE, SETTING[0]),
)
Ends = tuple[sp.Expr, sp.Expr]


@cached(64)
def bayesian_factor(act: Activation) -> ClosedForm:
    """Return chi, which measures how much one training example changes the metric of a wide Bayesian network.

    It contains integrals, in d >= 2, r, r_train and overlap; dimensionless.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Raises:
        ValueError: if the activation has a jump.

    Source: Zavatone-Veth et al. (2023), Eq. (E.17).

    >>> from theory.activations import ERF
    >>> bayesian_factor(ERF).name
    'geometry.bayesian_factor.erf'
    """
    slope = _slope(act)
    at_input = sp.sqrt(r) * xi
    # v, in the variables of integration
    across = eta if act.smooth else (eta - p * xi) / sp.sqrt(1 - p**2)
    # z_a, standardised: kinks at constant ends
    along = p * xi + sp.sqrt(1 - p**2) * eta if act.smooth else eta
    density = normal_pdf(xi) * (
        normal_pdf(eta) if act.smooth else normal_pdf(across) / sp.sqrt(1 - p**2)
    )

    def mean(factor: sp.Expr) -> sp.Expr:
        total = sp.S.Zero
        for far in _pieces(act.kinks):
            for piece in _pieces(act.kinks):
                trained = (
                    branch(act.expression, z, piece).xreplace({z: sp.sqrt(r_train) * along}) ** 2
                )
                integrand = trained * branch(slope, z, far).xreplace({z: at_input}) ** 2 * factor
                inner = (eta, *(end / sp.sqrt(r_train) for end in piece))
                outer = (xi, *(end / sp.sqrt(r) for end in far))
                total += _integral(integrand * density, inner, outer)
        return total

    prior = _mean(
        lambda piece: branch(act.expression, z, piece).xreplace({z: sp.sqrt(r_train) * xi}) ** 2,
        act,
        r_train,
    )
    parts = (mean(xi**2), mean(across**2 + d - 2), *_eigenvalues(act, slope), prior)
    return _form(
        act,
        "bayesian_factor",
        "How much one example moves the metric: chi",
        (D, NORM, TRAIN_NORM, COSINE),
        CHI,
        CHI.expression,
        dict(zip(CHI_LETTERS, parts, strict=True)),
        "Eqs. (E.17), (E.20)",
        conditions=(COSINES if act.smooth else NOT_PARALLEL,),
    )


@cached(64)
def bayesian_fluctuation(act: Activation) -> ClosedForm:
    """Return F, which measures the fluctuation of one unit's metric around the mean; in d and r, dimensionless.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Raises:
        ValueError: if the activation has a jump.

    >>> from theory.activations import ERF
    >>> bayesian_fluctuation(ERF).name
    'geometry.bayesian_fluctuation.erf'
    """
    slope = _slope(act)
    moments = (_slope_moment(act, slope, 4, power) for power in (4, 2, 0))
    return _form(
        act,
        "bayesian_fluctuation",
        "How much the metric of one unit fluctuates: F",
        (D, NORM),
        IN_MOMENTS,
        IN_MOMENTS.left,
        dict(zip(_F_LETTERS, (*moments, *_eigenvalues(act, slope)), strict=True)),
        "not in the paper",
    )


def _slope(act: Activation) -> sp.Expr:
    require_continuous(act)
    return act.derivative(1)


def _eigenvalues(act: Activation, slope: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    return _slope_moment(act, slope, 2, 2), _slope_moment(act, slope, 2, 0)


def _slope_moment(act: Activation, slope: sp.Expr, order: int, power: int) -> sp.Expr:
    """Return ``E[phi'(z)^order u^power]`` at the input."""
    return _mean(
        lambda piece: branch(slope, z, piece).xreplace({z: sp.sqrt(r) * xi}) ** order * xi**power,
        act,
        r,
    )


def _mean(function: Callable[[Ends], sp.Expr], act: Activation, variance: sp.Expr) -> sp.Expr:
    integrals = []
    for piece in _pieces(act.kinks):
        low, high = (end / sp.sqrt(variance) for end in piece)
        integrals.append(_integral(function(piece) * normal_pdf(xi), (xi, low, high)))
    return sp.Add(*integrals)


def _integral(integrand: sp.Expr, *limits: tuple[sp.Expr, ...]) -> sp.Expr:
    return sp.S.Zero if integrand == 0 else sp.Integral(integrand, *limits)


def _pieces(kinks: Sequence[sp.Expr]) -> list[Ends]:
    return list(itertools.pairwise([-sp.oo, *kinks, sp.oo]))


def _form(
    act: Activation,
    what: str,
    meaning: str,
    arguments: tuple[Argument, ...],
    rule: Premise | Step,
    general: sp.Expr,
    values: dict[sp.Symbol, sp.Expr],
    where: str,
    conditions: tuple[Condition, ...] = (),
) -> ClosedForm:
    stated = (
        Premise(f"{symbol}, as an integral over standard Gaussians", part)
        for symbol, part in values.items()
    )
    last = Step(
        f"{what} of {act.name}",
        general.xreplace(values),
        sp.Subs(general, tuple(values), tuple(values.values())),
        because="these expectations",
        uses=(rule, *stated, UNIT, SETTING[0], act.definition),
    )
    assumed = (*SETTING[:1], act.definition)
    return form(
        f"{what}.{act.name}",
        f"{meaning}, {act.name} units.",
        arguments,
        last,
        where,
        assumed,
        conditions,
        (split_step(),),
    )


@cache
def split_step() -> Step:
    """Step for the inverse metric, which splits a weight vector into its component along the input and the rest."""
    rho = sp.Symbol("rho", positive=True)
    x, weights = sp.Matrix([rho, 0, 0]), sp.Matrix(sp.symbols("w1:4", real=True))
    metric = _A * sp.eye(3) + (_LAMBDA - _A) / rho**2 * x * x.T
    return Step(
        "w g^-1 w = u^2/lambda + (|w|^2 - u^2)/a",
        (weights.T * metric.inv() * weights)[0],
        weights[0] ** 2 / _LAMBDA + (weights[1] ** 2 + weights[2] ** 2) / _A,
        because="x is an eigenvector of g",
        uses=(UNIT,),
        aside="how the rule splits a weight vector, which the rule itself states",
    )
