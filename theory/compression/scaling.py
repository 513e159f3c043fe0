r"""Exponents of the learning curve as solutions of exponent balances.

A support vector classifier with an isotropic kernel whose cusp is :math:`K(0) - K(r) \sim r^\xi`, trained on *p*
points, has support vectors within :math:`\Delta \sim p^{-\beta}` of the boundary between the labels, with dual weights
:math:`\bar\alpha \sim p^{a}`, at distances :math:`r_c \sim p^{-\rho}` from each other. Data are compressed,
:math:`x_\perp \to x_\perp/\Lambda` with :math:`\Lambda \sim p^{\ell}`. Three balances fix the three exponents:

* *neighbours*: the boundary layer holds :math:`p\Delta` support vectors on a surface of dimension d-1, of which
  :math:`d_\perp` directions are shrunk by :math:`\Lambda`:  :math:`r_c^{d-1}\, p\Delta\, \Lambda^{d_\perp} \sim 1`;
* *cusp*: the function can follow the labels of single support vectors:  :math:`\bar\alpha\, r_c^{\xi} \sim 1`;
* *margin*: the dipole layer of support vectors makes a function that reaches the margin within the layer:
  :math:`\bar\alpha\, p\, \Delta^3\, \langle K'' \rangle \sim 1`.

:math:`\langle K''\rangle`, averaged over the surface, is of order one unless the integral of :math:`r^{\xi-2}` over the
:math:`d_\parallel - 1` long directions is dominated by the scale :math:`1/\Lambda` of the short ones: it is
:math:`\Lambda^{\max(0,\, 3-\xi-d_\parallel)}`. At :math:`d_\parallel = 3 - \xi` (the cylinder with :math:`\xi = 1`) it
is marginal, :math:`\log\Lambda`: the exponent is that of the limit, with a logarithmic correction.

The first balance needs the compressed layer to be thicker than a distance, :math:`r_c \lesssim 1/\Lambda`, that is
:math:`1 - \beta \geq (d_\parallel - 1)\,\ell`. Thinner layers are of dimension :math:`d_\parallel` for the kernel:
more compression gains nothing, and the exponent is the lazy one in :math:`d_\parallel` dimensions. For
:math:`\ell = 1/2` that is so from three informative directions on, and from two on if :math:`\xi > 1`.

The balances are assumptions, from which the exponents follow. The test error is :math:`\epsilon \sim \Delta`. Source:
Paccolat et al. (2021), sections 3.1 and 4, which quotes the results for d_parallel = 1 and for larger ones separately.
"""

from functools import cache
from typing import Literal

import sympy as sp

from closedform.checks import one_of
from theory.core import (
    Argument,
    Check,
    ClosedForm,
    Condition,
    Premise,
    Source,
    Status,
    Step,
    deferred,
)
from theory.core.formula.rounding import compensated, written_out
from theory.engine import Balance, Order, balance

d = sp.Symbol("d", integer=True, positive=True)
d_parallel = sp.Symbol("d_parallel", integer=True, positive=True)
xi = sp.Symbol("cusp", positive=True)
beta, weight, spacing, ell = sp.symbols("beta a rho ell", real=True)

DIMENSION = Argument(d, "dimension of the data, at least 2", sample=(4, 12), example=10)
INFORMATIVE = Argument(
    d_parallel, "number of informative directions", sample=(1, 3), example=1, latex=r"d_\parallel"
)
CUSP = Argument(
    xi, "cusp of the kernel: K(0) - K(r) ~ r^cusp", sample=(0.5, 1.5), example=1, latex=r"\xi"
)
CONDITIONS = (
    Condition(d - d_parallel, "d_parallel <= d"),
    Condition(d - 2, "d >= 2"),
    Condition(2 - xi, "cusp <= 2"),
)

RESOLVED = Condition(
    3 - d_parallel - (1 + xi + sp.Abs(1 - xi)) / 2,  # of max(1, xi)
    "d_parallel + max(1, cusp) <= 3: beyond, the exponent is the lazy one at d = d_parallel",
)

# max(0, 3 - xi - d_parallel)
curvature = compensated((3 - xi - d_parallel + sp.Abs(3 - xi - d_parallel)) / 2)
LAZY, FEATURE = sp.S.Zero, sp.Rational(1, 2)  # exponent of Lambda in p

lazy_expression = (d - 1 + xi) / (3 * d - 3 + xi)
gain_expression = (xi * (d - d_parallel) + (d - 1) * curvature) / (3 * d - 3 + xi)
feature_expression = lazy_expression + gain_expression / 2
NEIGHBOURS = (
    "neighbours: r_c^(d-1) p Delta Lambda^d_perp ~ 1, while r_c is at most of order 1/Lambda"
)
REACH = "cusp: alpha r_c^xi ~ 1"
MARGIN = "margin: alpha p Delta^3 <K''> ~ 1"
SMOOTH = "smooth boundary between the labels, data of bounded density across it"
KERNEL = "kernel of bandwidth one; at d_parallel = 3 - cusp up to a logarithm"

base, gain = sp.symbols("base gain", real=True)
GAIN = Premise(
    "the gain g by an amplification Lambda ~ p^ell: beta is that without amplification and ell g",
    base + ell * gain,
)


@cache
def exponents() -> Balance:
    """Return the exponents beta, a and rho that satisfy the three balances, for Lambda ~ p^ell.

    >>> exponents().gauge
    {}
    """
    p = sp.Symbol("p", positive=True)
    powers = {"Delta": -beta, "alpha": weight, "r_c": -spacing, "Lambda": ell}
    Delta, alpha, r_c, Lambda = (Order(letter, power, p) for letter, power in powers.items())
    within = (r_c ** (d - 1) * Delta * Lambda ** (d - d_parallel)).sum(1)  # of p points
    dipoles = (alpha * Delta**3 * Lambda ** written_out(curvature)).sum(1)
    return balance(
        {
            NEIGHBOURS: within,
            REACH: alpha * r_c**xi,
            MARGIN: dipoles,
        },
        (beta, weight, spacing),
    )


def _form(
    name: str,
    meaning: str,
    expression: sp.Expr,
    whole: sp.Expr,
    exponent: sp.Expr,
    parts: tuple[ClosedForm | Premise, ...] = (),
    conditions: tuple[Condition, ...] = CONDITIONS,
) -> ClosedForm:
    """Return a part of the exponent ``whole`` as a closed form, for the amplification Lambda ~ p^exponent."""

    def derived() -> tuple[Step | Check, ...]:
        general = exponents()[beta]
        short = Step(
            "beta for this amplification",
            sp.Subs(general.expression, ell, exponent),
            whole,
            because="the solution of the balances in fewer terms",
            uses=(general.steps[-1], *parts, SMOOTH, KERNEL),
        )
        return *general.steps, short

    return ClosedForm(
        name=f"compression.{name}",
        meaning=meaning,
        arguments=(DIMENSION, INFORMATIVE, CUSP),
        expression=expression,
        status=Status.DERIVED,
        steps=deferred(derived),
        sources=(Source("paccolat2021", "sections 3.1, 4"),),
        assumptions=(NEIGHBOURS, REACH, MARGIN, SMOOTH, KERNEL),
        conditions=conditions,
    )


def learning_curve_exponent(regime: Literal["lazy", "feature"]) -> ClosedForm:
    """Return the exponent of the test error in the number of training points, dimensionless.

    Args:
        regime: "lazy" (isotropic kernel, no compression) or "feature" (Lambda ~ sqrt(p)).

    Raises:
        ValueError: if ``regime`` is neither "lazy" nor "feature".

    In the feature regime the form is refused for three or more informative directions, where the compressed layer is
    thinner than the distances of support vectors: the exponent is the lazy one at ``d = d_parallel`` then.

    >>> round(float(learning_curve_exponent("feature")(d=10, d_parallel=1, cusp=1)), 4)
    0.6786
    """
    expressions = {"lazy": (lazy_expression, LAZY), "feature": (feature_expression, FEATURE)}
    expression, exponent = expressions[one_of("regime", regime, expressions)]
    meaning = f"Exponent beta of the test error, epsilon ~ p^-beta, in the {regime} regime."
    conditions = (*CONDITIONS, RESOLVED) if regime == "feature" else CONDITIONS
    return _form(
        f"learning_curve_exponent.{regime}",
        meaning,
        expression,
        expression,
        exponent,
        conditions=conditions,
    )


@cache
def compression_gain() -> ClosedForm:
    """Return the exponent *g* in epsilon ~ Lambda^-g p^-beta, the gain from compression by Lambda; dimensionless.

    >>> round(float(compression_gain()(d=10, d_parallel=1, cusp=1)), 4)
    0.6429
    """
    return _form(
        "compression_gain",
        "Exponent g of the gain by compression: the test error falls as Lambda^-g.",
        gain_expression,
        sp.Subs(GAIN.expression, (base, gain), (lazy_expression, gain_expression)),
        ell,
        (GAIN, learning_curve_exponent("lazy")),
    )
