r"""Appendix C.2: volume element and curvature of monomials at infinite width, Eqs. (C.44) to (C.51)."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.monomial_kernel import double_factorial, moment, rho
from theory.papers.zavatoneveth2023.monomials import (
    CORRECTED_46,
    CORRECTED_48,
    DEGREE,
    PRINTED_46,
    PRINTED_48,
    WITNESS,
    from_7,
    m,
    omega,
    read,
    scalar_46,
    scalar_48,
    volume_45,
    volume_47,
)
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.symbols import d, display, q, r, sigma, variance, zeta

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
        "(7) with (C.44); the curvature computed by definition, with the metric from Isserlis' theorem, sides with the "
        "corrected form.",
        printed=PRINTED_46,
        corrected=CORRECTED_46,
        steps=(
            Step("from (7)", from_7, scalar_46(1), because="(7) as corrected", where=DEGREE),
            Check(
                "q = 2, two inputs",
                lambda: read(scalar_46, 2, "1/2", 2).sides_with_corrected,
                "definition of curvature",
            ),
        ),
        printed_steps=(Step("as printed", from_7, scalar_46(3), because="(7) as corrected", where=DEGREE),),
        witness=WITNESS,
        oracle=lambda: read(scalar_46, 3, "1/2", 3),
        consequence="Three times too large, and with it the dashed line of Figure 1b and the curves of Figure C.1.",
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
        printed=PRINTED_48,
        corrected=CORRECTED_48,
        steps=(Step("from (C.46)", scalar_46(1).subs(zeta, 0), scalar_48(1), because="substitution", where=DEGREE),),
        printed_steps=(
            Step("as printed", scalar_46(1).subs(zeta, 0), scalar_48(3), because="substitution", where=DEGREE),
        ),
        witness={**WITNESS, "zeta": 0},
        oracle=lambda: read(scalar_48, 3, "0", 3),
        consequence="Three times too large, as (C.46).",
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
                d * (q - 1) * sigma**2 / (2 * variance)
                + (q - 1) * sigma**2 * zeta**2 / (variance * (variance + 2 * (q - 1) * sigma**2 * r)),
                because="differentiation",
                where=DEGREE,
            ),
        ),
    ),
    entry(
        "C.2 flat monomials",
        "C.2",
        "R vanishes if q = 1 or d = 1; without biases also if d = 2, and is negative for d > 2, its size falling with "
        "the norm.",
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
