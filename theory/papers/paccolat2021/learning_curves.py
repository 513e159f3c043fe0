r"""Sections 3.1, 3.2.2 and 4: exponents of the learning curves, gains by compression, Eq. (9), thresholds."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp
from scipy import special

from theory.compression import Stripes
from theory.compression.equiprobable import cylinder_radius, equiprobable_stripe
from theory.compression.ntk import cusp_exponent
from theory.compression.scaling import (
    compression_gain,
    d,
    d_parallel,
    feature_exponent,
    feature_expression,
    gain_expression,
    lazy_exponent,
    lazy_expression,
    xi,
)
from theory.core import Check, Finding, Reading, Step
from theory.papers.paccolat2021.paper import entry

x_min = sp.Symbol("x_min", negative=True)
short = sp.Symbol("r", positive=True)
HALF = sp.Rational(1, 2)


def threshold() -> Reading:
    """x_max at x_min = -0.3: as printed, corrected, and by bisection of the probability."""
    low, high = -0.3, 5.0
    target = special.ndtr(-0.3) + 0.5
    while high - low > 1e-15 * max(1.0, high):
        middle = (low + high) / 2
        low, high = (middle, high) if special.ndtr(middle) < target else (low, middle)
        if middle in (low, high) and high - low < 1e-14:
            break
    printed = math.sqrt(2) * special.erfinv(1 + math.erf(-0.3))
    corrected = math.sqrt(2) * special.erfinv(1 + math.erf(-0.3 / math.sqrt(2)))
    return Reading(printed, corrected, high, 1e-12)


def global_factor(width: int) -> float:
    """Lambda of Eq. (9) at initialisation, d = 5."""
    squares = np.random.default_rng(0).normal(size=(width, 5)) ** 2
    return math.sqrt(4 * squares[:, 0].sum() / squares[:, 1:].sum())


def curvature_of_the_cylinder_grows() -> bool:
    """Mean of r^(xi - 2) = 1/r over one long direction, cut off at 1/Lambda: for Lambda^2 twice that for Lambda."""
    means = [sp.integrate(1 / short, (short, sp.Rational(1, scale), 1)) for scale in (100, 100**2)]
    return bool(sp.simplify(means[1] / means[0]) == 2)


EQUATIONS = (
    entry(
        "3.1 quoted exponent",
        "3.1",
        "beta = (d - 1 + xi)/(3d - 3 + xi) for a kernel with cusp xi.",
        Finding.CONFIRMED,
        "Three exponent balances, each an assumption, solved.",
        printed=sp.Eq(sp.Symbol("beta"), (d - 1 + xi) / (3 * (d - 1) + xi), evaluate=False),
        closed_form="compression.learning_curve_exponent.lazy",
        steps=(
            *lazy_exponent().steps,
            Step("as printed", lazy_expression, (d - 1 + xi) / (3 * (d - 1) + xi), because="expansion"),
        ),
    ),
    entry(
        "3.1 cusp",
        "3.1",
        "The cusp of the tangent kernel is that of a Laplace kernel, xi = 1.",
        Finding.CONFIRMED,
        "Series of its closed form in the angle.",
        printed=r"\xi = 1",
        closed_form="compression.tangent_kernel",
        steps=(Check("lowest power of the angle", lambda: cusp_exponent() == 1, "series"),),
    ),
    entry(
        "3.1 beta lazy",
        "3.1",
        "beta_Lazy = d/(3d - 2).",
        Finding.CONFIRMED,
        "The exponent at xi = 1.",
        printed=sp.Eq(sp.Symbol("beta_Lazy"), d / (3 * d - 2), evaluate=False),
        closed_form="compression.learning_curve_exponent.lazy",
        steps=(Step("at xi = 1", sp.Subs(lazy_expression, xi, 1), d / (3 * d - 2), because="substitution"),),
    ),
    entry(
        "3.1 gain",
        "3.1",
        "Compressing the data by Lambda improves the error by Lambda^(-2(d-1)/(3d-2)), d_parallel = 1.",
        Finding.CONFIRMED,
        "The balances with compressed distances.",
        printed=r"\Lambda^{-\frac{2(d-1)}{3d-2}}",
        closed_form="compression.compression_gain",
        steps=(
            *compression_gain().steps,
            Step(
                "at xi = 1, d_parallel = 1",
                gain_expression.subs({xi: 1, d_parallel: 1}),
                2 * (d - 1) / (3 * d - 2),
                because="substitution",
            ),
        ),
    ),
    entry(
        "3.1 beta feature",
        "3.1",
        "beta_Feature = (2d - 1)/(3d - 2) for stripes.",
        Finding.CONFIRMED,
        "The gain with Lambda ~ sqrt(p).",
        printed=sp.Eq(sp.Symbol("beta_Feature"), (2 * d - 1) / (3 * d - 2), evaluate=False),
        closed_form="compression.learning_curve_exponent.feature",
        steps=(
            *feature_exponent().steps,
            Step(
                "at xi = 1, d_parallel = 1",
                feature_expression.subs({xi: 1, d_parallel: 1}),
                (2 * d - 1) / (3 * d - 2),
                because="substitution",
            ),
        ),
    ),
    entry(
        "footnote 2",
        "3",
        "x_max at which the labels of the stripe are equiprobable, 1.18549 for x_min = -0.3.",
        Finding.MISPRINT,
        "Bisection of the probability. The number is that of the corrected formula.",
        printed=sp.sqrt(2) * sp.erfinv(1 + sp.erf(x_min)),
        corrected=sp.sqrt(2) * sp.erfinv(1 + sp.erf(x_min / sp.sqrt(2))),
        closed_form="compression.equiprobable_stripe",
        steps=(
            *equiprobable_stripe().steps,
            Check("1.18549", lambda: f"{threshold().corrected:.5f}" == "1.18549", "the corrected formula"),
        ),
        printed_steps=(
            Check("1.18549, as printed", lambda: f"{threshold().printed:.5f}" == "1.18549", "it is 0.97717"),
        ),
        witness={"x_min": -0.3},
        oracle=threshold,
        consequence="erf is the error function with density exp(-t^2): its argument is x/sqrt(2) for a unit Gaussian.",
    ),
    entry(
        "footnote 4",
        "4",
        "The radius of the equiprobable cylinder is sqrt(2 log 2), 1.1774.",
        Finding.CONFIRMED,
        "Distribution of the radius in two dimensions.",
        printed=sp.sqrt(2 * sp.log(2)),
        closed_form="compression.equiprobable_radius.cylinder",
        steps=(
            *cylinder_radius().steps,
            Check("1.1774", lambda: f"{math.sqrt(2 * math.log(2)):.4f}" == "1.1774", "its decimals"),
        ),
    ),
    entry(
        "(9)",
        "3.2.2",
        "The global amplification factor; its prefactor makes it 1 at time 0.",
        Finding.CONDITIONAL,
        "All initial weights are unit Gaussian.",
        printed=r"\Lambda^2 = (d-1) \frac{\sum_n \omega_{n,1}^2}{\sum_n \omega_{n,\perp}^2}",
        condition="the network is infinitely wide",
        steps=(Check("a network of 400,000 neurons", lambda: abs(global_factor(400_000) - 1) < 0.01, "its weights"),),
        counterexample=lambda: abs(global_factor(1) - 1) > 0.1,
        consequence="At width h it is 1 within about 1/sqrt(h).",
    ),
    entry(
        "4 gain",
        "4",
        "For d_parallel > 1 compression improves the error by Lambda^(-d_perp/(3d-2)).",
        Finding.CONDITIONAL,
        "The same balances. The curvature of the kernel, averaged over the surface, is no longer dominated by the "
        "short directions.",
        printed=r"\Lambda^{-d_\perp/(3d-2)}",
        closed_form="compression.compression_gain",
        condition="d_parallel > 2, or logarithms of Lambda do not count",
        steps=(
            Step(
                "at xi = 1, d_parallel = 2 + n",
                gain_expression.subs(xi, 1).subs(d_parallel, 2 + sp.Symbol("n", integer=True, nonnegative=True)),
                (d - 2 - sp.Symbol("n", integer=True, nonnegative=True)) / (3 * d - 2),
                because="substitution",
            ),
        ),
        counterexample=curvature_of_the_cylinder_grows,
        consequence="The cylinder (d_parallel = 2, xi = 1) is the marginal case: an additional factor of log Lambda.",
    ),
    entry(
        "4 beta feature",
        "4",
        "beta_Feature = (d + d_perp/2)/(3d - 2); 3/7 and 1/2 for the cylinder in d = 3.",
        Finding.CONFIRMED,
        "The gain with Lambda ~ sqrt(p); exponents, so up to the logarithm of '4 gain'.",
        printed=sp.Eq(sp.Symbol("beta_Feature"), (d + (d - d_parallel) / 2) / (3 * d - 2), evaluate=False),
        closed_form="compression.learning_curve_exponent.feature",
        steps=(
            Step(
                "at xi = 1, d_parallel = 2",
                feature_expression.subs({xi: 1, d_parallel: 2}),
                (d + (d - 2) / 2) / (3 * d - 2),
                because="substitution",
            ),
            Step("lazy, d = 3", lazy_expression.subs({xi: 1, d: 3}), sp.Rational(3, 7), because="substitution"),
            Step("feature, d = 3", feature_expression.subs({xi: 1, d: 3, d_parallel: 2}), HALF, because="substitution"),
        ),
    ),
    entry(
        "3 model",
        "3",
        "The single stripe: x_min = -0.3, x_max = 1.18549.",
        Finding.CONFIRMED,
        "Mean label of this stripe.",
        steps=(
            Check("equiprobable", lambda: abs(Stripes((-0.3, 1.18549)).mean) < 1e-5, "normal distribution function"),
        ),
    ),
    entry(
        "B lazy time",
        "B",
        "For large alpha t* ~ 1/alpha, and the global amplification factor is one.",
        Finding.ASSUMPTION,
        "A limit of training; measured by the scan of alpha.",
    ),
)
