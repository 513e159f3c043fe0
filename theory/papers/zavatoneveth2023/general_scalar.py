r"""Appendix B.3: the Ricci scalar for any number of inputs, Eqs. (B.35) to (B.43)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core import Finding, equal
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.papers.zavatoneveth2023.general_curvature import SUMMED, TRIPLED
from theory.papers.zavatoneveth2023.index_notation import a, as_printed, d, i, j, k, k_, l, l_, m, m_, n, span
from theory.papers.zavatoneveth2023.letters import M, R, detg, phi1, phi2
from theory.papers.zavatoneveth2023.network_values import PLANE, curvature_witness, of_networks
from theory.papers.zavatoneveth2023.paper import PAPER

SIZES = ((4, 2, 1), (4, 3, 2))
units_k, units_l, units_m = (span(family(2), family(d)) for family in (k_, l_, m_))
ends = phi1(i) * phi2(i) * phi1(j) * phi2(j)
squares_k, squares_l, squares_m = (sp.Product(phi1(family(a)) ** 2, (a, 2, d)) for family in (k_, l_, m_))
pair = M(i, units_k) * M(j, units_k)
crossed = M(i, units_l) * M(j, units_l) * M(i, units_m) * M(j, units_m)
bracket_36 = M(i, units_l) ** 2 * M(j, units_m) ** 2 - crossed
exchanged = sp.Function("exchanged")
"""A bracket and the same with both tuples exchanged."""
square_39 = (M(i, units_l) * M(j, units_m) - M(i, units_m) * M(j, units_l)) ** 2
cube = (n ** (d - 1) * sp.factorial(d - 1) * detg) ** 3
all_tuples = as_printed(of_networks(SIZES), "minors from determinants", (i, j, units_l, units_m))


def written_out(statement: Any) -> tuple[Any, ...]:
    """The statement with the exchanged bracket written out, for all tuples."""

    def both(bracket: sp.Expr) -> sp.Expr:
        return bracket + bracket.subs({units_l: units_m, units_m: units_l}, simultaneous=True)

    return all_tuples(equal(statement.lhs.replace(exchanged, both), statement.rhs))


def scalar_36(number: int) -> sp.Eq:
    """Eq. (B.36)."""
    return equal(R, -number / (n**2 * cube) * ends * squares_k * squares_l * squares_m * pair * bracket_36)


def scalar_40(number: int) -> sp.Eq:
    """Eq. (B.40)."""
    return equal(R, -number / (2 * n**2 * cube) * ends * squares_k * pair * squares_l * squares_m * square_39)


def scalar_42(number: int) -> sp.Eq:
    """Eq. (B.42)."""
    minors = M(i, k) * M(j, k) * M(i, j) ** 2
    pairs = phi1(l) ** 2 * phi1(m) ** 2 * M(l, m) ** 2
    return equal(R, -number / (2 * n**2 * (n * detg) ** 3) * ends * phi1(k) ** 2 * minors * pairs)


def scalar_43(number: int) -> sp.Eq:
    """Eq. (B.43)."""
    return equal(R, -number / (n**3 * detg**2) * ends * phi1(k) ** 2 * M(i, k) * M(j, k) * M(i, j) ** 2)


def _scalar(form: Any, inputs: int) -> dict[str, Any]:
    sizes = PLANE if inputs == 2 else SIZES
    return {
        "printed": form(3),
        "corrected": form(1),
        "prove": as_printed(of_networks(sizes), "definition of curvature"),
        "witness": curvature_witness(R, inputs=inputs),
        "consequence": TRIPLED,
    }


PROGRAMS: Programs = {
    **programs_of(
        (
            PAPER.entry(
                "(B.36)", "B.3", "The Ricci scalar in minors.", Finding.MISPRINT, SUMMED, **_scalar(scalar_36, 3)
            ),
        )
    ),
    "(B.37) and (B.38)": written_out,
    "(B.39)": all_tuples,
    **programs_of(
        (
            PAPER.entry(
                "(B.40)",
                "B.3",
                "The Ricci scalar with the square inserted.",
                Finding.MISPRINT,
                SUMMED,
                **_scalar(scalar_40, 3),
            ),
        )
    ),
    "(B.41)": as_printed(of_networks(PLANE), "determinants of rows", (i, j, l, m)),
    **programs_of(
        (
            PAPER.entry(
                "(B.42)",
                "B.3",
                "The Ricci scalar of two inputs from (B.40) and (B.41).",
                Finding.MISPRINT,
                SUMMED + " What the 3 is divided by is damaged and follows from (B.40).",
                **_scalar(scalar_42, 2),
            ),
        )
    ),
    **programs_of(
        (
            PAPER.entry(
                "(B.43)",
                "B.3",
                "It recovers (B.15).",
                Finding.MISPRINT,
                SUMMED + " What the 3 is divided by is damaged and follows from (B.6).",
                **_scalar(scalar_43, 2),
            ),
        )
    ),
}
