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
from functools import lru_cache

import sympy as sp

from theory.activations import Activation, z
from theory.activations.kinks import branch
from theory.activations.naming import cached
from theory.core import Argument, ClosedForm, Condition, Premise, Source, Status, Step, applied
from theory.core.formula.special import normal_pdf
from theory.gaussian.integrals import eta, xi
from theory.gaussian.kernel_formula import require_continuous
from theory.geometry.bayesian import SETTING, UNIT
from theory.geometry.bayesian_steps import CHI, CHI_LETTERS
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
        CHI_LETTERS,
        parts,
        "Eqs. (E.17), (E.20)",
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
    moments = tuple(_slope_moment(act, slope, 4, power) for power in (4, 2, 0))
    symbols = (*sp.symbols("m4 m2 m0", positive=True), *CHI_LETTERS[2:4])
    m4, m2, m0, lam, a = symbols
    squared = Premise(
        "F is the mean of phi'^4 times the squared trace: m4, m2 and m0 are E[phi'^4 u^4], E[phi'^4 u^2] and E[phi'^4]",
        m4 / lam**2 + 2 * (d - 1) * m2 / (a * lam) + (d**2 - 1) * m0 / a**2,
    )
    return _form(
        act,
        "bayesian_fluctuation",
        "How much the metric of one unit fluctuates: F",
        (D, NORM),
        squared,
        symbols,
        (*moments, *_eigenvalues(act, slope)),
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
    general: Premise,
    symbols: tuple[sp.Symbol, ...],
    parts: tuple[sp.Expr, ...],
    where: str,
) -> ClosedForm:
    values = dict(zip(symbols, parts, strict=True))
    expression = general.expression.xreplace(values)
    stated = (
        Premise(f"{symbol}, as an integral over standard Gaussians", part)
        for symbol, part in values.items()
    )
    return ClosedForm(
        name=f"geometry.{what}.{act.name}",
        meaning=f"{meaning}, {act.name} units.",
        arguments=arguments,
        expression=expression,
        status=Status.DERIVED,
        steps=(
            *_split_steps(),
            applied(
                f"{what} of {act.name}",
                expression,
                general,
                values,
                because="these expectations",
                uses=(*stated, UNIT, SETTING[0], act.definition),
            ),
        ),
        sources=(Source("zavatoneveth2023", where),),
        assumptions=(*SETTING[:1], act.definition),
        conditions=(COSINES if act.smooth else NOT_PARALLEL,) if COSINE in arguments else (),
    )


def _chi_squared_moment(order: int) -> sp.Expr:
    """Return the moment of a chi-squared variable with d - 1 degrees of freedom."""
    return sp.prod([d - 1 + 2 * index for index in range(order)])


_ASIDE = "how the rule splits a weight vector, which the rule itself states"


@lru_cache(maxsize=1)
def _split_steps() -> tuple[Step, ...]:
    """Steps for the inverse metric, which splits a weight vector into its component along the input and the rest."""
    lam, a = CHI_LETTERS[2:4]
    rho = sp.Symbol("rho", positive=True)
    w = sp.symbols("w1:4", real=True)
    x = sp.Matrix([rho, 0, 0])
    metric = a * sp.eye(3) + (lam - a) / rho**2 * x * x.T
    vector = sp.Matrix(w)
    squared = sp.Symbol("W", positive=True)
    radial = sp.Symbol("u", real=True)
    form = sp.Poly((radial**2 / lam + squared / a) ** 2, squared)
    split = Step(
        "w g^-1 w = u^2/lambda + (|w|^2 - u^2)/a",
        (vector.T * metric.inv() * vector)[0],
        w[0] ** 2 / lam + (w[1] ** 2 + w[2] ** 2) / a,
        because="x is an eigenvector of g",
        uses=(UNIT,),
        aside=_ASIDE,
    )
    return (
        split,
        Step(
            "its square, averaged over the d - 1 components across x",
            sp.Add(
                *(
                    coefficient * _chi_squared_moment(power)
                    for (power,), coefficient in form.terms()
                )
            ),
            radial**4 / lam**2 + 2 * (d - 1) * radial**2 / (a * lam) + (d**2 - 1) / a**2,
            because="chi-squared with d - 1 degrees of freedom: mean d - 1, second moment d^2 - 1",
            uses=(),
            aside=_ASIDE,
        ),
    )
