r"""Appendix C.2: volume element and curvature of monomials at infinite width, Eqs. (C.44) to (C.51)."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.entry import d, display, entry, q, r, s, sigma, zeta
from theory.papers.zavatoneveth2023.monomial_kernel import double_factorial, moment, rho
from theory.papers.zavatoneveth2023.projection_metric import POINTS, scalar_7, slope_values

a, c = sp.symbols("a c", positive=True)
"""sigma^2 |x|^2 and zeta^2."""
m = sp.Symbol("m", positive=True)
DEGREE = {q: (1 + m) / 2}
"""All q > 1/2, for which 2q - 1 is positive."""
slope2 = q**2 / (2 * q - 1) * s ** (q - 1)
omega = sp.log(sigma**2 * slope2)
volume_45 = sp.sqrt(1 + 2 * (q - 1) * sigma**2 * r / s) * (sigma**2 * slope2) ** (d / 2)
volume_47 = q**d * (2 * q - 1) ** ((1 - d) / 2) * sigma ** (q * d) * r ** (d * (q - 1) / 2)


def scalar_46(factor: int) -> sp.Expr:
    """Eq. (C.46)."""
    top = (
        (d - 1) * (q - 1) ** 2 * (2 * q - 1) * sigma**2 * r * ((d + 2) * zeta**2 + (d - 2) * (2 * q - 1) * sigma**2 * r)
    )
    return -factor * top / (q**2 * s**q * ((2 * q - 1) * sigma**2 * r + zeta**2) ** 2)


def scalar_48(factor: int) -> sp.Expr:
    """Eq. (C.48)."""
    return -factor * (d - 1) * (d - 2) * (q - 1) ** 2 / (q**2 * (sigma**2 * r) ** q)


CUBIC = (
    (d - 2) * q * (2 * q - 1) ** 2 * a**3
    + (2 * q - 1) * ((2 * q - 1) * d + 6) * c * a**2
    - (8 + q * (d - 14)) * c**2 * a
    - (d + 2) * c**3
)
positive_factor = (d - 1) * (q - 1) ** 2 * (2 * q - 1) / (q**2 * (a + c) ** (q + 1) * ((2 * q - 1) * a + c) ** 3)
quadratic = (2 * q**2 + q - 1) * a**2 + (3 * q - 2) * c * a - c**2
threshold = (sp.sqrt(17 * q**2 - 8 * q) - 3 * q + 2) / (2 * (2 * q**2 + q - 1)) * c
IN_VARIANCES = {r: a / sigma**2, zeta: sp.sqrt(c)}
from_7 = scalar_7(1).subs(slope_values(omega))


def _read(form: object, degree: int, bias: str, inputs: int) -> Reading:
    point = POINTS[inputs]
    values = {q: degree, sigma: 1, zeta: sp.Rational(bias), d: inputs, r: sum(sp.Rational(v) ** 2 for v in point)}
    printed, corrected = (float(form(factor).subs(values)) for factor in (3, 1))
    metric = explicit_metrics.infinite_monomial(degree, "1", bias, inputs)
    return Reading(printed, corrected, christoffel.scalar(metric, point))


def _one_turning_point() -> bool:
    """The coefficients of the cubic change sign once, whatever the sign of the third, so it has one positive root."""
    return all(
        sum(1 for one, other in zip(signs, signs[1:], strict=False) if one * other < 0) == 1
        for third in (-1, 1)
        for signs in ((1, 1, third, -1),)
    ) and all(
        sp.Poly(CUBIC.subs({d: inputs, q: degree, c: 1}), a).count_roots(0) == 1
        for inputs in (2, 3, 10, 784)
        for degree in (2, 3, 10)
    )


def _falls_then_rises() -> bool:
    """d = 2: below the threshold the derivative is negative, above it positive."""
    values = {d: 2, q: 2, c: 1}
    turn = threshold.subs(values)
    below, above = (float((CUBIC).subs(values).subs(a, turn * factor)) for factor in (0.9, 1.1))
    return below < 0 < above


def _rises_to_zero() -> bool:
    at = {d: 3, q: 2, sigma: 1, zeta: 1}
    values = [float(scalar_46(1).subs({**at, r: size})) for size in (0.1, 0.3, 10, 1e3, 1e6)]
    return values[0] > values[1] < values[2] < values[3] < values[4] < 0 and values[-1] > -1e-5


WITNESS = {"q": 3, "sigma": 1, "zeta": "1/2", "x": POINTS[3]}
R = r"R"

EQUATIONS = (
    entry(
        "(C.44)",
        "C.2",
        "The average squared slope of a monomial.",
        Finding.CONFIRMED,
        "Degrees 1 to 6, at unit variance; the power of the variance is that of z^(2q-2).",
        printed=r"\mathbb{E}[\phi'(z)^2] = \frac{q^2}{2q-1} (\sigma^2\|\mathbf{x}\|^2 + \zeta^2)^{q-1}",
        steps=tuple(
            Step(
                f"q = {degree}",
                degree**2 * moment(degree - 1, degree - 1).subs(rho, 1) / double_factorial(2 * degree - 1),
                sp.Rational(degree**2, 2 * degree - 1),
                because="standard normal moments",
            )
            for degree in range(1, 7)
        ),
    ),
    entry(
        "(C.45)",
        "C.2",
        "The volume element of a monomial.",
        Finding.CONFIRMED,
        "(6) with (C.44), squared.",
        printed=display(r"\sqrt{\det g}", volume_45),
        steps=(
            Step(
                "squared",
                sp.exp(d * omega) * (1 + 2 * r * omega.diff(r)),
                volume_45**2,
                because="(6)",
                where=DEGREE,
            ),
        ),
    ),
    entry(
        "(C.46)",
        "C.2",
        "The Ricci scalar of a monomial.",
        Finding.MISPRINT,
        "(7) with (C.44); the full Christoffel route on all pairings sides with the corrected form.",
        printed=display(R, scalar_46(3)),
        corrected=display(R, scalar_46(1)),
        steps=(
            Step("from (7)", from_7, scalar_46(1), because="(7) as corrected", where=DEGREE),
            Check(
                "q = 2, two inputs",
                lambda: _read(scalar_46, 2, "1/2", 2).sides_with_corrected,
                "full Christoffel route",
            ),
        ),
        printed_steps=(Step("as printed", from_7, scalar_46(3), because="(7) as corrected", where=DEGREE),),
        witness=WITNESS,
        oracle=lambda: _read(scalar_46, 3, "1/2", 3),
        consequence="Three times too large: the dashed line of Figure 1b and the curves of Figure C.1.",
    ),
    entry(
        "(C.47)",
        "C.2",
        "The volume element without biases.",
        Finding.CONFIRMED,
        "(C.45) at zeta = 0.",
        printed=display(r"\sqrt{\det g}", volume_47),
        steps=(
            *(
                Step(
                    f"squared, d = {inputs}",
                    (volume_45**2).subs({zeta: 0, d: inputs}),
                    (volume_47**2).subs(d, inputs),
                    because="substitution",
                    where=DEGREE,
                )
                for inputs in (1, 2, 3)
            ),
            Step(
                "dependence on the norm, any d",
                sp.Derivative(sp.log(volume_45.subs(zeta, 0)), r),
                sp.Derivative(sp.log(volume_47), r),
                because="differentiation",
                where=DEGREE,
            ),
        ),
    ),
    entry(
        "(C.48)",
        "C.2",
        "The Ricci scalar without biases.",
        Finding.MISPRINT,
        "(C.46) at zeta = 0.",
        printed=display(R, scalar_48(3)),
        corrected=display(R, scalar_48(1)),
        steps=(Step("from (C.46)", scalar_46(1).subs(zeta, 0), scalar_48(1), because="substitution", where=DEGREE),),
        printed_steps=(
            Step("as printed", scalar_46(1).subs(zeta, 0), scalar_48(3), because="substitution", where=DEGREE),
        ),
        witness={**WITNESS, "zeta": 0},
        oracle=lambda: _read(scalar_48, 3, "0", 3),
        consequence="Three times too large.",
    ),
    entry(
        "C.2 volume of monomials",
        "C.2",
        "For q > 1 the volume element increases with the norm, for any bias and dimension.",
        Finding.CONFIRMED,
        "Its logarithmic derivative is a sum of terms of one sign.",
        steps=(
            Step(
                "logarithmic derivative",
                sp.Derivative(sp.log(volume_45), r),
                d * (q - 1) * sigma**2 / (2 * s)
                + (q - 1) * sigma**2 * zeta**2 / (s * (s + 2 * (q - 1) * sigma**2 * r)),
                because="differentiation",
                where=DEGREE,
            ),
        ),
    ),
    entry(
        "C.2 flat monomials",
        "C.2",
        "R vanishes if q = 1 or d = 1; without biases also if d = 2, and is negative for d > 2, its size falling with the norm.",
        Finding.CONFIRMED,
        "(C.46) and (C.48); the prefactor does not matter.",
        steps=(
            Step("q = 1", scalar_46(1).subs(q, 1), sp.S.Zero, because="a factor"),
            Step("d = 1", scalar_46(1).subs(d, 1), sp.S.Zero, because="a factor"),
            Step("no biases, d = 2", scalar_48(1).subs(d, 2), sp.S.Zero, because="a factor"),
            Step(
                "logarithmic slope without biases",
                sp.Derivative(sp.log(-scalar_48(1).subs({d: 3, q: 1 + m})), r) * r,
                -1 - m,
                because="a power law with exponent -q",
            ),
        ),
    ),
    entry(
        "(C.49)",
        "C.2",
        "The slope of R in sigma^2 |x|^2 is a cubic, up to a positive factor.",
        Finding.CONFIRMED,
        "Differentiation of (C.46). It does not depend on the prefactor of R.",
        printed=r"\frac{\partial R}{\partial(\sigma^2\|\mathbf{x}\|^2)} \propto (d-2) q (2q-1)^2 (\sigma^2\|\mathbf{x}\|^2)^3 + "
        r"(2q-1) [(2q-1) d + 6] \zeta^2 (\sigma^2\|\mathbf{x}\|^2)^2 - [8 + q(d-14)] \zeta^4 \sigma^2\|\mathbf{x}\|^2 - (d+2) "
        r"\zeta^6",
        steps=(
            Step(
                "derivative",
                sp.Derivative(scalar_46(1).subs(IN_VARIANCES), a),
                positive_factor * CUBIC,
                because="differentiation",
                where=DEGREE,
            ),
        ),
    ),
    entry(
        "C.2 one minimum",
        "C.2",
        "This suggests that R decreases at first and then rises towards zero.",
        Finding.CONFIRMED,
        "The coefficients of the cubic change sign once, so it has one positive root, for every d >= 2 and q > 1.",
        steps=(
            Check("one positive root", _one_turning_point, "Descartes' rule of signs; Sturm sequences at some d and q"),
            Check("falls, rises, tends to zero", _rises_to_zero, "values at d = 3, q = 2"),
        ),
    ),
    entry(
        "(C.50)",
        "C.2",
        "With two inputs the threshold solves a quadratic equation.",
        Finding.CONFIRMED,
        "The cubic at d = 2.",
        printed=r"[2q^2 + q - 1] C^2 + (3q - 2) \zeta^2 C - \zeta^4 = 0",
        steps=(Step("cubic at d = 2", CUBIC.subs(d, 2), 4 * c * quadratic, because="factorisation"),),
    ),
    entry(
        "(C.51)",
        "C.2",
        "The threshold, at which R is smallest.",
        Finding.CONFIRMED,
        "It solves (C.50) and is the positive root; below it R falls and above it R rises.",
        printed=r"C = \frac{\sqrt{17q^2 - 8q} - 3q + 2}{2(2q^2 + q - 1)} \zeta^2",
        steps=(
            Step("a root", quadratic.subs(a, threshold), sp.S.Zero, because="substitution", where={q: (1 + m) / 2}),
            Check("falls below, rises above", _falls_then_rises, "the cubic at q = 2"),
            Check(
                "positive",
                lambda: all(threshold.subs({q: degree, c: 1}).is_positive for degree in range(1, 20)),
                "degrees up to 19",
            ),
        ),
    ),
    entry(
        "C.2 threshold at q = 2",
        "C.2",
        "For q = 2 the root of C is about 0.42 zeta.",
        Finding.CONFIRMED,
        "0.4224 zeta.",
        printed=r"\sqrt{C} \simeq 0.42 \zeta",
        steps=(
            Check(
                "to the digits given",
                lambda: round(float(sp.sqrt(threshold.subs({q: 2, c: 1}))), 2) == 0.42,
                "arithmetic",
            ),
            Step(
                "exactly",
                threshold.subs({q: 2, c: 1}),
                (sp.sqrt(13) - 2) / 9,
                because="arithmetic",
            ),
        ),
    ),
)

EQUATIONS_IV_B = (
    entry(
        "IV.B monomials",
        "IV.B",
        "Without biases R is a non-decreasing function of the norm that diverges to minus infinity at the origin.",
        Finding.CONDITIONAL,
        "(C.48); the prefactor does not matter.",
        condition="d > 2 and q > 1",
        steps=(
            Step(
                "at the origin",
                sp.Limit(1 / scalar_48(1).subs({d: 2 + m, q: 2}), r, 0, "+"),
                sp.S.Zero,
                because="limit",
            ),
            Check("negative", lambda: bool(scalar_48(1).subs({d: 2 + m, q: 2}).is_negative), "factors"),
        ),
        counterexample=lambda: scalar_48(1).subs(d, 2) == 0,
        consequence="With two inputs, as in all figures of toy tasks, R = 0 identically, as Appendix C.2 says.",
    ),
)
