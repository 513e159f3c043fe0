r"""Appendix E.2: the correction for monomials, Eqs. (E.22) to (E.41)."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.bayesian import (
    CONSEQUENCE,
    REFERENCE,
    root_of_mean_metric,
    volume_against_limit,
    volume_against_prior,
)
from theory.papers.zavatoneveth2023.entry import d, entry, q, r
from theory.papers.zavatoneveth2023.monomial_kernel import double_factorial, hypergeometric, moment, rho

HALF = sp.Rational(1, 2)
DEGREES = (1, 2, 3, 4)
p2 = sp.Symbol("p2", nonnegative=True)
"""Squared overlap of the two inputs."""
w1, w2 = sp.symbols("w1 w2", real=True)
z, za = sp.symbols("z z_a", positive=True)


def chi_33(degree: int) -> sp.Expr:
    """Eq. (E.33), in the squared overlap."""
    return sp.expand(
        (d + 2 * (2 * degree - 1)) * hypergeometric(1 - degree, -degree, HALF, p2)
        - 2 * (degree - 1) * hypergeometric(-degree, -degree, HALF, p2)
    )


def chi_28(degree: int) -> sp.Expr:
    """Eq. (E.28), moments by integration by parts."""
    scale = double_factorial(2 * degree - 1) ** 2
    return sp.expand(
        (2 * degree - 1) * (d + 2 * (2 * degree - 1)) * moment(2 * degree, 2 * degree - 2) / scale
        - 2 * (degree - 1) * moment(2 * degree, 2 * degree) / scale
    ).subs(rho, sp.sqrt(p2))


def _average(polynomial: sp.Expr) -> sp.Expr:
    """Over two independent standard normal weights."""
    return sp.Add(
        *(
            c * double_factorial(i - 1) * double_factorial(j - 1)
            for (i, j), c in sp.Poly(polynomial, w1, w2).terms()
            if i % 2 == 0 and j % 2 == 0
        )
    )


def chi_17(degree: int) -> sp.Expr:
    """Eq. (E.17) term by term: x along the first axis, x_a in the plane of the first two, both of unit length."""
    other = rho * w1 + sp.Symbol("s") * w2
    factor = sp.expand(other ** (2 * degree)) * w1 ** (2 * degree - 2)
    # The inverse metric, per exp(-Omega): 1/(2q-1) along x, 1 across; the slope squared per exp(Omega) is
    # w1^(2q-2) (2q-1)/(2q-1)!!.
    inner = [_average(sp.expand(factor * weight)) for weight in (w1**2 / (2 * degree - 1), w2**2, sp.S.One)]
    total = inner[0] + inner[1] + (d - 2) * inner[2]
    value = total * (2 * degree - 1) / double_factorial(2 * degree - 1) ** 2
    return sp.expand(sp.expand(value).subs(sp.Symbol("s"), sp.sqrt(1 - rho**2)).subs(rho, sp.sqrt(p2)))


def _each(
    claim: str, left: object, right: object, because: str, degrees: tuple[int, ...] = DEGREES
) -> tuple[Step, ...]:
    return tuple(Step(f"{claim}, q = {n}", left(n), right(n), because=because) for n in degrees)


def _increases(degree: int) -> bool:
    """chi - d increases in the overlap for one input already; further inputs add increasing terms."""
    slope = sp.Poly(chi_33(degree).subs(d, 1).diff(p2), p2)
    more = sp.Poly(chi_33(degree).coeff(d, 1).diff(p2), p2)
    return (
        slope.count_roots(0, 1) == 0
        and bool(slope.eval(HALF) > 0)
        and all(coefficient > 0 for coefficient in more.all_coeffs())
    )


def _positive_coefficients() -> bool:
    return all(
        coefficient > 0
        for degree in range(2, 13)
        for form in (
            hypergeometric(1 - degree, -degree, HALF, p2),
            hypergeometric(-degree, -degree, HALF, p2),
        )
        for coefficient in sp.Poly(form, p2).all_coeffs()
    )


def _end(degree: int) -> sp.Expr:
    """Eq. (E.37)."""
    return (
        double_factorial(2 * (2 * degree - 1) - 1)
        / double_factorial(2 * degree - 1) ** 2
        * ((2 * degree - 1) * d + 2 * degree)
    )


omega = sp.log(q**2 / (2 * q - 1) * r ** (q - 1))
unit = za**q
slope = q * z ** (q - 1)

EQUATIONS = (
    entry(
        "(E.22)",
        "E.2",
        "Omega for monomials without biases.",
        Finding.CONFIRMED,
        "(C.44) with sigma = 1, zeta = 0; what (E.20) takes from it.",
        printed=r"e^{\Omega(\|\mathbf{x}\|^2)} = \mathbb{E}[\phi'(z)^2] = \frac{q^2}{2q-1} \|\mathbf{x}\|^{2(q-1)}",
        steps=(
            Step("Omega'", sp.Derivative(omega, r), (q - 1) / r, because="differentiation"),
            Step(
                "the fraction of (E.20)",
                2 * omega.diff(r) / (1 + 2 * r * omega.diff(r)),
                2 * (q - 1) / ((2 * q - 1) * r),
                because="substitution",
            ),
        ),
    ),
    entry(
        "(E.23) and (E.24)",
        "E.2",
        "The terms of (E.21) are multiples of one average.",
        Finding.CONFIRMED,
        "Powers.",
        printed=r"\mathbb{E}[\phi(z_a) \phi'(z_a) z_a \phi'(z)^2] = q \mathbb{E}[\phi(z_a)^2 \phi'(z)^2], \quad \mathbb{E}[\phi(z_a)^2 "
        r"\phi'(z) \phi''(z) z] = (q-1) \mathbb{E}[\phi(z_a)^2 \phi'(z)^2]",
        steps=(
            Step("first", unit * unit.diff(za) * za, q * unit**2, because="powers"),
            Step("second", slope * slope.diff(z) * z, (q - 1) * slope**2, because="powers"),
        ),
    ),
    entry(
        "(E.25) and (E.26)",
        "E.2",
        "The trace of (E.21) for monomials.",
        Finding.CONFIRMED,
        "Degrees 1 to 4, term by term over the weights, norms taken out.",
        printed=r"\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 w_\mu w_\nu] \delta_{\mu\nu} = \frac{q^2}{[(2q-1)!!]^2} [d + 2(2q-1)] "
        r"\|\mathbf{x}_a\|^{2q} \|\mathbf{x}\|^{2q-2} \mathbb{E}[u_a^{2q} u^{2q-2}]",
        steps=_each(
            "trace",
            lambda n: _average(sp.expand((rho * w1 + w2) ** (2 * n) * w1 ** (2 * n - 2) * (w1**2 + w2**2 + d - 2))),
            lambda n: (d + 2 * (2 * n - 1)) * _average(sp.expand((rho * w1 + w2) ** (2 * n) * w1 ** (2 * n - 2))),
            "Gaussian integration by parts",
        ),
    ),
    entry(
        "(E.27)",
        "E.2",
        "The other average of (E.20).",
        Finding.CONFIRMED,
        "Powers.",
        printed=r"\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 z^2] = \frac{q^2}{[(2q-1)!!]^2} \|\mathbf{x}_a\|^{2q} "
        r"\|\mathbf{x}\|^{2q} \mathbb{E}[u_a^{2q} u^{2q}]",
        steps=(Step("powers", unit**2 * slope**2 * z**2, q**2 * za ** (2 * q) * z ** (2 * q), because="powers"),),
    ),
    entry(
        "(E.28) to (E.30)",
        "E.2",
        "The factor chi in moments of two standard normal variables with the overlap as correlation.",
        Finding.CONFIRMED,
        "Degrees 1 to 4, from (E.17) term by term over the weights; any d.",
        printed=r"\chi(\rho^2) = \frac{2q-1}{[(2q-1)!!]^2} [d + 2(2q-1)] \mathbb{E}[u_a^{2q} u^{2q-2}] - \frac{2(q-1)}{[(2q-1)!!]^2} "
        r"\mathbb{E}[u_a^{2q} u^{2q}], \quad \rho = \frac{\mathbf{x}_a \cdot \mathbf{x}}{\|\mathbf{x}_a\| \|\mathbf{x}\|}",
        steps=_each("from the definition", chi_17, chi_28, "averages over weights"),
    ),
    entry(
        "(E.31)",
        "E.2",
        "The moment of equal powers.",
        Finding.CONFIRMED,
        "Degrees 1 to 4.",
        printed=r"\frac{1}{[(2q-1)!!]^2} \mathbb{E}[u_a^{2q} u^{2q}] = {}_2F_1(-q, -q; \tfrac12; \rho^2)",
        steps=_each(
            "hypergeometric",
            lambda n: moment(2 * n, 2 * n) / double_factorial(2 * n - 1) ** 2,
            lambda n: hypergeometric(-n, -n, HALF, rho**2),
            "(C.40)",
        ),
    ),
    entry(
        "(E.32)",
        "E.2",
        "The moment of unequal powers.",
        Finding.CONFIRMED,
        "Degrees 1 to 4.",
        printed=r"\frac{2q-1}{[(2q-1)!!]^2} \mathbb{E}[u_a^{2q} u^{2q-2}] = {}_2F_1(1-q, -q; \tfrac12; \rho^2)",
        steps=_each(
            "hypergeometric",
            lambda n: (2 * n - 1) * moment(2 * n, 2 * n - 2) / double_factorial(2 * n - 1) ** 2,
            lambda n: hypergeometric(1 - n, -n, HALF, rho**2),
            "integration by parts",
        ),
    ),
    entry(
        "(E.33)",
        "E.2",
        "The factor chi in hypergeometric functions.",
        Finding.CONFIRMED,
        "Degrees 1 to 4, from (E.17) term by term.",
        printed=r"\chi(\rho^2) = [d + 2(2q-1)] {}_2F_1(1-q, -q; \tfrac12; \rho^2) - 2(q-1) {}_2F_1(-q, -q; \tfrac12; \rho^2)",
        steps=_each("from the definition", chi_17, chi_33, "(E.28), (E.31) and (E.32)"),
    ),
    entry(
        "E.2 positive coefficients",
        "E.2",
        "Both hypergeometric functions are polynomials with positive coefficients, and 1 at zero overlap.",
        Finding.CONFIRMED,
        "Degrees up to 12; the Pochhammer symbols of two numbers below zero have the same sign.",
        steps=(
            Check("coefficients", _positive_coefficients, "expansion"),
            *_each(
                "at zero overlap",
                lambda n: (
                    hypergeometric(-n, -n, HALF, p2).subs(p2, 0) * hypergeometric(1 - n, -n, HALF, p2).subs(p2, 0)
                ),
                lambda n: sp.S.One,
                "first term",
            ),
        ),
    ),
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
        steps=_each("zero overlap", lambda n: chi_17(n).subs(p2, 0), lambda n: d + 2 * n, "(E.33)"),
    ),
    entry(
        "(E.37)",
        "E.2",
        "At full overlap. The bracket is not legible in the text read; it follows from (E.33) at unit argument.",
        Finding.CONFIRMED,
        "Degrees 1 to 4, from (E.17).",
        printed=r"\chi(\rho = 1) = \frac{(2(2q-1) - 1)!!}{[(2q-1)!!]^2} [(2q-1) d + 2q]",
        steps=_each("full overlap", lambda n: chi_17(n).subs(p2, 1), _end, "moments of one variable"),
    ),
    entry(
        "E.2 monotone",
        "E.2",
        "chi increases with the overlap for q > 1, is constant for q = 1, and exceeds d for all overlaps.",
        Finding.CONFIRMED,
        "Sturm sequences for degrees 2 to 12, any d.",
        steps=(
            Check("increases", lambda: all(_increases(degree) for degree in range(2, 13)), "no root of the slope"),
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
        printed=r"\frac{\langle \sqrt{\det g} \rangle}{\sqrt{\det \bar g}} = 1 + \frac{1}{4n} \left(\frac{y_a^2}{\|\mathbf{x}_a\|^{2q}} "
        r"- 1\right) (\chi(\rho^2) - d) + O\left(\frac{1}{n^2}\right)",
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
        "If the squared target is below (above) the prior variance of the output the correction compresses (expands) areas, least "
        "across the training input and most along it.",
        Finding.CONDITIONAL,
        "The sign of the two factors of (E.38), of which chi - d is positive and increasing.",
        condition=REFERENCE,
        steps=(
            Check("chi - d positive and increasing", lambda: _increases(2) and _increases(3), "E.2 monotone"),
            Check("reference: untrained networks", volume_against_prior, "Bessel and Gamma functions"),
        ),
        counterexample=volume_against_limit,
        consequence="Against the volume element at infinite width, a network whose target has exactly its prior variance is "
        "contracted, by 1/(4n) for q = d = 1.",
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
        steps=_each(
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
            Check("increases between", lambda: _increases(2), "E.2 monotone"),
        ),
        counterexample=volume_against_limit,
        consequence="The volume at infinite width is not the reference: see (E.16).",
    ),
)
