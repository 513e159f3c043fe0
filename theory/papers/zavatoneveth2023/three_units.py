r"""Appendix B.4: three error functions at the corners of a triangle, Eqs. (B.65) to (B.70)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, equal, numerically
from theory.papers.zavatoneveth2023.index_notation import as_printed, mu, nu
from theory.papers.zavatoneveth2023.letters import M, R, detg, gap
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.symbols import r
from theory.papers.zavatoneveth2023.triangle import WEIGHTS, has_the_symmetry, of_triangles, tripled

ROOT = sp.sqrt(3)
x_1, x_2 = sp.symbols("x_1 x_2", real=True)
b = sp.Symbol("b", nonnegative=True)
c_12, c_23, c_13, Q_12, Q_23, Q_13 = (sp.Function(name) for name in ("c_12", "c_23", "c_13", "Q_12", "Q_23", "Q_13"))
total = r + 2 * b**2
EXPONENTIALS = (
    sp.exp((x_1 + b) ** 2) + sp.exp((x_1 + ROOT * x_2 - 2 * b) ** 2 / 4) + sp.exp((x_1 - ROOT * x_2 - 2 * b) ** 2 / 4)
)
POINTS = "Three points and biases, against the {} from the definition."
NOT_LEGIBLE = (
    "The prefactor cannot be read in the text. It is inferred from (B.15), in which the 3 can be read, and from which "
    "the paper says that this was worked out. It is three times the curvature from the definition, at three points."
)


def center_66(second: sp.Expr) -> sp.Tuple:
    """Eq. (B.66), with the first coordinate of the second center."""
    return sp.Tuple(
        equal(c_12(mu), sp.Matrix([-b, -ROOT * b])),
        equal(c_23(mu), sp.Matrix([second * b, 0])),
        equal(c_13(mu), sp.Matrix([-b, ROOT * b])),
    )


def determinant_68(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.68)."""
    return equal(detg, prefactor * sp.exp(-sp.Rational(3, 2) * total) * EXPONENTIALS)


def scalar_69(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.69)."""
    return equal(R, -prefactor * (r - 4 * b**2) * sp.exp(-sp.Rational(3, 2) * total) / (4 * detg**2))


def scalar_70(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.70)."""
    return equal(R, -prefactor * (r - 4 * b**2) * sp.exp(sp.Rational(3, 2) * total) / (4 * EXPONENTIALS**2))


EQUATIONS = (
    PAPER.entry(
        "(B.65)",
        "B.4",
        "Weights of three units at 120 degrees.",
        Finding.DEFINITION,
        "Unit vectors that sum to zero.",
        printed=equal(sp.MatrixSymbol("W_matrix", 3, 2), WEIGHTS),
    ),
    PAPER.entry(
        "B.4 minors of three units",
        "B.4",
        "All three pairs of units have minors of one size.",
        Finding.CONFIRMED,
        "Determinants of two rows.",
        printed=sp.Tuple(equal(M(1, 2), ROOT / 2), equal(M(2, 3), ROOT / 2), equal(-M(1, 3), ROOT / 2)),
        prove=as_printed(of_triangles, "determinants"),
    ),
    PAPER.entry(
        "(B.66)",
        "B.4",
        "Centers of the three bumps.",
        Finding.ILLEGIBLE,
        "The text that was read has damaged the second center and the sign in the third; both are inferred from "
        "(B.63). Three biases; two preactivations vanish at each center.",
        printed=center_66(gap),
        inferred=center_66(sp.Integer(2)),
        prove=as_printed(of_triangles, "linear equations", (mu,)),
    ),
    PAPER.entry(
        "(B.67)",
        "B.4",
        "Precision matrices of the three bumps.",
        Finding.ILLEGIBLE,
        "The display is missing from the text that was read; the matrices are those that (B.64) gives. They are half "
        "the Hessian of the sum of squares.",
        printed=gap,
        inferred=sp.Tuple(
            equal(Q_12(mu, nu), sp.Matrix([[5, -ROOT], [-ROOT, 3]]) / 4),
            equal(Q_23(mu, nu), sp.Matrix([[1, 0], [0, 3]]) / 2),
            equal(Q_13(mu, nu), sp.Matrix([[5, ROOT], [ROOT, 3]]) / 4),
        ),
        prove=as_printed(of_triangles, "Hessians", (mu, nu)),
    ),
    PAPER.entry(
        "(B.68)",
        "B.4",
        "The determinant of the metric.",
        Finding.ILLEGIBLE,
        "The text that was read has lost the prefactor, which is inferred from (B.45) with (B.65). "
        + POINTS.format("determinant of a metric"),
        printed=determinant_68(gap),
        inferred=determinant_68(1 / (3 * sp.pi**2)),
        prove=numerically(of_triangles, "definition of the metric"),
        closed_form="geometry.three_unit_volume_element",
    ),
    PAPER.entry(
        "(B.69)",
        "B.4",
        "The Ricci scalar, with the determinant left standing.",
        Finding.ILLEGIBLE,
        NOT_LEGIBLE,
        printed=scalar_69(gap),
        inferred=scalar_69(3 / sp.pi**3),
        prove=numerically(tripled, "three times the curvature from the definition"),
    ),
    PAPER.entry(
        "(B.70)",
        "B.4",
        "The Ricci scalar, with the determinant inserted.",
        Finding.ILLEGIBLE,
        NOT_LEGIBLE,
        printed=scalar_70(gap),
        inferred=scalar_70(27 * sp.pi),
        prove=numerically(tripled, "three times the curvature from the definition"),
        closed_form="geometry.three_unit_curvature",
    ),
    PAPER.entry(
        "B.4 symmetry",
        "B.4",
        "",
        Finding.CONFIRMED,
        "Determinant and curvature at three points and at these points turned by all fractions of a turn up to a "
        "twelfth.",
        printed=Claim(
            "Volume element and Ricci scalar have a {three}-fold rotational symmetry for b > 0, and {six}-fold "
            "symmetry for b = 0.",
            {"three": 3, "six": 6},
        ),
        prove=has_the_symmetry,
    ),
    PAPER.entry(
        "Figure B.1",
        "B.4",
        "Volume element and curvature of these networks with bias zero and one.",
        Finding.NOTE,
        "The curvatures that it shows follow from (B.70) and are three times too large; their symmetry and zeros are "
        "not affected.",
    ),
)
