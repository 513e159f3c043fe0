r"""Appendix E.2: what the correction for monomials says, Eqs. (E.34) to (E.41)."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.monomial_kernel import double_factorial, moment, rho
from theory.papers.zavatoneveth2023.overlap import (
    chi_17,
    chi_33,
    each,
    end,
    increases,
    p2,
)
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.posterior import (
    CONSEQUENCE,
    REFERENCE,
    root_of_mean_metric,
    volume_against_limit,
    volume_against_prior,
)
from theory.papers.zavatoneveth2023.symbols import d

EQUATIONS = (
    entry(
        "(E.34)",
        "E.2",
        "Linear networks.",
        Finding.CONFIRMED,
        "q = 1 in (E.17).",
        printed=r"\chi - d \big|_{q=1} = 2",
        steps=(Step("q = 1", chi_17(1) - d, sp.Integer(2), because="(E.33)"),),
    ),
    entry(
        "(E.35)",
        "E.2",
        "Quadratic networks. The sign and the factor of the highest power are read from (E.37).",
        Finding.CONFIRMED,
        "q = 2 in (E.17).",
        printed=r"\chi - d \big|_{q=2} = 4 \left(-\tfrac43 \rho^4 + (d+2) \rho^2 + 1\right)",
        steps=(
            Step(
                "q = 2",
                chi_17(2) - d,
                4 * (-sp.Rational(4, 3) * p2**2 + (d + 2) * p2 + 1),
                because="(E.33)",
            ),
        ),
    ),
    entry(
        "(E.36)",
        "E.2",
        "At zero overlap.",
        Finding.CONFIRMED,
        "Degrees 1 to 4, from (E.17).",
        printed=r"\chi(\rho = 0) = d + 2q",
        steps=each("zero overlap", lambda n: chi_17(n).subs(p2, 0), lambda n: d + 2 * n, "(E.33)"),
    ),
    entry(
        "(E.37)",
        "E.2",
        "At full overlap. The bracket is not legible in the text read; it follows from (E.33) at unit argument.",
        Finding.CONFIRMED,
        "Degrees 1 to 4, from (E.17).",
        printed=r"\chi(\rho = 1) = \frac{(2(2q-1) - 1)!!}{[(2q-1)!!]^2} [(2q-1) d + 2q]",
        steps=each("full overlap", lambda n: chi_17(n).subs(p2, 1), end, "moments of one variable"),
    ),
    entry(
        "E.2 monotone",
        "E.2",
        "chi increases with the overlap for q > 1, is constant for q = 1, and exceeds d for all overlaps.",
        Finding.CONFIRMED,
        "Sturm sequences for degrees 2 to 8, any d.",
        steps=(
            Check("increases", lambda: all(increases(degree) for degree in range(2, 9)), "no root of the slope"),
            Step("constant for q = 1", sp.Derivative(chi_33(1), p2), sp.S.Zero, because="(E.34)"),
            Step("least excess, q = 3", chi_33(3).subs(p2, 0) - d, sp.Integer(6), because="(E.36)"),
        ),
    ),
    entry(
        "(E.38)",
        "E.2",
        "The volume element for monomials to first order in 1/n.",
        Finding.CONDITIONAL,
        "(E.16) with (E.41); the case solved at any width is q = d = 1.",
        condition=REFERENCE,
        printed=r"\frac{\langle \sqrt{\det g} \rangle}{\sqrt{\det \bar g}} = 1 + \frac{1}{4n} "
        r"\left(\frac{y_a^2}{\|\mathbf{x}_a\|^{2q}} - 1\right) (\chi(\rho^2) - d) + O\left(\frac{1}{n^2}\right)",
        closed_form="geometry.bayesian_volume_correction.monomial_2",
        steps=(
            Check("reference: untrained networks", volume_against_prior, "Bessel and Gamma functions"),
            Check("mean of the metric", root_of_mean_metric, "Bessel functions"),
        ),
        counterexample=volume_against_limit,
        consequence=CONSEQUENCE,
    ),
    entry(
        "E.2 expansion and contraction",
        "E.2",
        "If the squared target is below (above) the prior variance of the output, the correction compresses (expands) "
        "areas, least across the training input and most along it.",
        Finding.CONDITIONAL,
        "The sign of the two factors of (E.38), of which chi - d is positive and increasing.",
        condition=REFERENCE,
        steps=(
            Check("chi - d positive and increasing", lambda: increases(2) and increases(3), "E.2 monotone"),
            Check("reference: untrained networks", volume_against_prior, "Bessel and Gamma functions"),
        ),
        counterexample=volume_against_limit,
        consequence="Relative to infinite width, a network whose squared target equals the prior variance of its "
        "output is contracted, by a fraction 1/(4n) for q = d = 1.",
    ),
    entry(
        "(E.39)",
        "E.2",
        "A larger width is beneficial in deep linear networks if the squared target exceeds the squared input.",
        Finding.OPEN,
        "Quoted from another paper; its generalisation error is not defined here.",
        printed=r"\frac{y_a^2}{\|\mathbf{x}_a\|^2} > 1",
    ),
    entry(
        "(E.40) and (E.41)",
        "E.2",
        "The variance of the output under the prior.",
        Finding.CONFIRMED,
        "Degrees 1 to 4; the norm by homogeneity.",
        printed=r"\mathbb{E}_{W,V}[f(\mathbf{x}_a)^2] = \mathbb{E}_{\mathbf{w}}[\phi(z_a)^2] = \|\mathbf{x}_a\|^{2q}",
        steps=each(
            "unit input",
            lambda n: moment(n, n).subs(rho, 1) / double_factorial(2 * n - 1),
            lambda n: sp.S.One,
            "normalisation of the monomials",
        ),
    ),
    entry(
        "E.2 one point of XOR",
        "E.2",
        "Trained on (1, 1) with target 0, the volume is contracted everywhere, most along x1 = x2, least across it.",
        Finding.CONDITIONAL,
        "The prefactor is -1/(4n): the target is zero.",
        condition=REFERENCE,
        steps=(
            Step(
                "most along, least across, q = 2, d = 2",
                (chi_33(2).subs({p2: 1, d: 2}) - 2) - (chi_33(2).subs({p2: 0, d: 2}) - 2),
                sp.Rational(32, 3),
                because="(E.35)",
            ),
            Check("increases between", lambda: increases(2), "E.2 monotone"),
        ),
        counterexample=volume_against_limit,
        consequence="The volume at infinite width is not the reference: see (E.16).",
    ),
)
