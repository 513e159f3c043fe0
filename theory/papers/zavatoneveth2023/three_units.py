r"""Appendix B.4: three error functions at the corners of a triangle, Eqs. (B.65) to (B.70)."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.christoffel import WORK
from theory.papers.zavatoneveth2023.pair_sums import c, curved, determinant, p, w
from theory.papers.zavatoneveth2023.paper import entry

HALF = sp.Rational(1, 2)
x1, x2 = sp.symbols("x_1 x_2", real=True)
b = sp.Symbol("b", nonnegative=True)
WEIGHTS = sp.Matrix([[1, 0], [-HALF, sp.sqrt(3) / 2], [-HALF, -sp.sqrt(3) / 2]])
z = WEIGHTS * sp.Matrix([x1, x2]) + b * sp.ones(3, 1)
UNITS = {w[j, m]: WEIGHTS[j, m] for j in range(3) for m in range(2)} | {
    symbol: value
    for j in range(3)
    for symbol, value in (
        (p[j], sp.sqrt(2 / sp.pi) * sp.exp(-(z[j] ** 2) / 2)),
        (c[j], -z[j] * sp.sqrt(2 / sp.pi) * sp.exp(-(z[j] ** 2) / 2)),
    )
}
norm2 = x1**2 + x2**2
total = norm2 + 2 * b**2
SUM = (
    sp.exp((x1 + b) ** 2)
    + sp.exp((x1 + sp.sqrt(3) * x2 - 2 * b) ** 2 / 4)
    + sp.exp((x1 - sp.sqrt(3) * x2 - 2 * b) ** 2 / 4)
)
det_68 = sp.exp(-3 * total / 2) * SUM / (3 * sp.pi**2)
CENTERS = {(0, 1): (-1, -sp.sqrt(3)), (1, 2): (2, 0), (0, 2): (-1, sp.sqrt(3))}


def scalar_69(factor: int) -> sp.Expr:
    """Eq. (B.69), with (B.68) for the determinant."""
    return -sp.Rational(factor, 4) / (sp.pi**3 * det_68**2) * (norm2 - 4 * b**2) * sp.exp(-3 * total / 2)


def scalar_70(factor: int) -> sp.Expr:
    """Eq. (B.70)."""
    return -9 * factor * sp.pi / 4 * (norm2 - 4 * b**2) * sp.exp(3 * total / 2) / SUM**2


# (det g)^2 R of these units, from (B.15) as corrected.
numerator = curved.xreplace(UNITS)
simplified = -(norm2 - 4 * b**2) * sp.exp(-3 * total / 2) / (4 * sp.pi**3)
AT = {x1: sp.Rational(3, 10), x2: -sp.Rational(7, 10), b: HALF}


def _independent() -> float:
    half_root = str(WORK.sqrt(3) / 2)
    weights = (("1", "0"), ("-0.5", half_root), ("-0.5", "-" + half_root))
    return christoffel.scalar(explicit_metrics.erf_network(weights, ("0.5",) * 3), ("0.3", "-0.7"))


def _read(form: Callable[[int], sp.Expr]) -> Reading:
    printed, corrected = (float(form(factor).subs(AT)) for factor in (3, 1))
    return Reading(printed, corrected, _independent())


def _turned(expression: sp.Expr, angle: sp.Expr) -> sp.Expr:
    turn = sp.Matrix([[sp.cos(angle), -sp.sin(angle)], [sp.sin(angle), sp.cos(angle)]]) * sp.Matrix([x1, x2])
    return expression.subs({x1: turn[0], x2: turn[1]}, simultaneous=True)


def _moves_by(angle: sp.Expr, bias: sp.Expr) -> float:
    """Relative change of the determinant under a turn, at one point."""
    at = {**AT, b: bias}
    before, after = (float(form.subs(at)) for form in (det_68, _turned(det_68, angle)))
    return abs(after / before - 1)


third, sixth = 2 * sp.pi / 3, sp.pi / 3

SUM_LATEX = r"e^{(x_1 + b)^2} + e^{\frac14 (x_1 + \sqrt3 x_2 - 2b)^2} + e^{\frac14 (x_1 - \sqrt3 x_2 - 2b)^2}"
LATEX_68 = rf"\det g = \frac{{1}}{{3\pi^2}} e^{{-\frac32 (\|\mathbf{{x}}\|^2 + 2b^2)}} \left[{SUM_LATEX}\right]"
LATEX_69 = r"R = -\frac{@}{4\pi^3 (\det g)^2} (\|\mathbf{x}\|^2 - 4b^2) e^{-\frac32 (\|\mathbf{x}\|^2 + 2b^2)}"
LATEX_70 = (
    r"R = -\frac{@\pi}{4} \frac{(\|\mathbf{x}\|^2 - 4b^2) e^{\frac32 (\|\mathbf{x}\|^2 + 2b^2)}}"
    rf"{{\left[{SUM_LATEX}\right]^2}}"
)

EQUATIONS = (
    entry(
        "(B.65)",
        "B.4",
        "Weights of three units at 120 degrees.",
        Finding.DEFINITION,
        "Unit vectors that sum to zero.",
        printed=r"\mathbf{W} = \begin{pmatrix} 1 & 0 \\ -1/2 & \sqrt3/2 \\ -1/2 & -\sqrt3/2 \end{pmatrix}",
        steps=(
            Step("they sum to zero", sp.ones(1, 3) * WEIGHTS, sp.zeros(1, 2), because="addition"),
            Step("unit vectors", WEIGHTS[1, :].dot(WEIGHTS[1, :]), sp.S.One, because="Pythagoras"),
        ),
    ),
    entry(
        "B.4 minors of three units",
        "B.4",
        "M12 = M23 = -M13.",
        Finding.CONFIRMED,
        "All are sqrt(3)/2 in size.",
        printed=r"M_{12} = M_{23} = -M_{13} = \tfrac{\sqrt3}{2}",
        steps=tuple(
            Step(
                f"units {j + 1} and {k + 1}",
                WEIGHTS.extract([j, k], [0, 1]).det(),
                sign * sp.sqrt(3) / 2,
                because="determinant",
            )
            for j, k, sign in ((0, 1, 1), (1, 2, 1), (0, 2, -1))
        ),
    ),
    entry(
        "(B.66)",
        "B.4",
        "Centers of the three bumps.",
        Finding.CONFIRMED,
        "Two preactivations vanish at each.",
        printed=r"\mathbf{c}_{12} = b \begin{pmatrix} -1 \\ -\sqrt3 \end{pmatrix}, \quad \mathbf{c}_{23} = b "
        r"\begin{pmatrix} 2 \\ 0 \end{pmatrix}, \quad \mathbf{c}_{13} = b \begin{pmatrix} -1 \\ \sqrt3 \end{pmatrix}",
        steps=tuple(
            Step(
                f"center of {j + 1} and {k + 1}",
                sp.Matrix([z[j], z[k]]).subs({x1: b * at[0], x2: b * at[1]}) + b * sp.ones(2, 1),
                b * sp.ones(2, 1),
                because="both preactivations vanish",
            )
            for (j, k), at in CENTERS.items()
        ),
    ),
    entry(
        "(B.67)",
        "B.4",
        "Precision matrices of the three bumps.",
        Finding.OPEN,
        "The display is missing from the text read. By (B.64) they have determinant 3/4 and trace 2.",
        printed=r"\mathbf{Q}_{jk} = \mathbf{w}_j \mathbf{w}_j^\top + \mathbf{w}_k \mathbf{w}_k^\top",
        steps=tuple(
            Step(
                f"determinant for {j + 1} and {k + 1}",
                (WEIGHTS.extract([j, k], [0, 1]).T * WEIGHTS.extract([j, k], [0, 1])).det(),
                sp.Rational(3, 4),
                because="square of the minor",
            )
            for j, k in CENTERS
        ),
    ),
    entry(
        "(B.68)",
        "B.4",
        "The determinant of the metric.",
        Finding.CONFIRMED,
        "The sum of squared preactivations is 3/2 of |x|^2 + 2 b^2.",
        printed=LATEX_68,
        closed_form="geometry.three_unit_volume_element",
        steps=(
            Step("sum of squares", z.dot(z), 3 * total / 2, because="the weights form a tight frame"),
            Step("determinant", determinant.xreplace(UNITS), det_68, because="(B.6)"),
        ),
    ),
    entry(
        "(B.69)",
        "B.4",
        "The Ricci scalar, with the determinant left standing.",
        Finding.MISPRINT,
        "(B.16) for these units. The prefactor of this display is not legible in the text read; the one given here is "
        "that of (B.16) as printed, from which the paper says it was worked out. The curvature computed by definition, "
        "from all Christoffel symbols, is a third of it.",
        printed=LATEX_69.replace("@", "3"),
        corrected=LATEX_69.replace("@", "1"),
        steps=(
            Step("numerator", numerator, simplified, because="elementary symmetric function of the preactivations"),
            Step("with the determinant", simplified / det_68**2, scalar_69(1), because="(B.68)"),
        ),
        printed_steps=(Step("as printed", numerator / det_68**2, scalar_69(3), because="(B.16)"),),
        witness=AT,
        oracle=lambda: _read(scalar_69),
        consequence="The curvatures of Figure B.1 are three times too large; their zeros are right.",
    ),
    entry(
        "(B.70)",
        "B.4",
        "The Ricci scalar, with the determinant inserted.",
        Finding.MISPRINT,
        "(B.69) with the determinant (B.68). The prefactor is not legible here either; from (B.16) as printed it is "
        "27, three times 9.",
        printed=LATEX_70.replace("@", "27"),
        corrected=LATEX_70.replace("@", "9"),
        closed_form="geometry.three_unit_curvature",
        steps=(Step("with (B.68)", simplified / det_68**2, scalar_70(1), because="one fraction"),),
        printed_steps=(Step("as printed", simplified / det_68**2, scalar_70(3), because="one fraction"),),
        witness=AT,
        oracle=lambda: _read(scalar_70),
        consequence="Three times too large, as (B.69).",
    ),
    entry(
        "B.4 symmetry",
        "B.4",
        "Volume element and curvature have a three-fold symmetry for b > 0 and a six-fold one for b = 0.",
        Finding.CONFIRMED,
        "Both depend on |x| and on the sum of exponentials in (B.68), which is turned.",
        steps=(
            Step("three-fold", _turned(SUM, third), SUM, because="the units are permuted"),
            Step("six-fold without bias", _turned(SUM, sixth).subs(b, 0), SUM.subs(b, 0), because="z to -z"),
            Check("not six-fold with bias", lambda: _moves_by(sixth, HALF) > 0.1, "a turn by 60 degrees"),
            Check("three-fold with bias", lambda: _moves_by(third, HALF) < 1e-12, "a turn by 120 degrees"),
        ),
    ),
)
