r"""Appendix E.2: the factor chi for monomials, Eqs. (E.22) to (E.33)."""

from __future__ import annotations

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.overlap import coefficients, settings

BY_QUADRATURE = numerically(settings, "Gauss-Hermite quadrature, exact for polynomials")


def has_such_coefficients(claim: Claim) -> tuple[Check, ...]:
    """Degrees 2 to 20, both functions."""
    lowers = [pair for degree in range(2, 21) for pair in ((1 - degree, -degree), (-degree, -degree))]

    def are_positive(pair: tuple[int, int]) -> bool:
        return all(term > 0 for term in coefficients(*pair)) and len(coefficients(*pair)) == -max(pair) + 1

    return (
        Check("sign", lambda: for_all(lowers, are_positive) is (claim["sign"] == "positive"), "recursion of the terms"),
        Check(
            "no overlap", lambda: all(coefficients(*pair)[0] == float(claim["value"]) for pair in lowers), "first term"
        ),
    )


PROGRAMS: Programs = {
    "(E.22)": BY_QUADRATURE,
    "(E.23)": BY_QUADRATURE,
    "(E.24)": BY_QUADRATURE,
    "(E.25)": BY_QUADRATURE,
    "(E.26)": BY_QUADRATURE,
    "(E.27)": BY_QUADRATURE,
    "(E.28)": BY_QUADRATURE,
    "(E.31)": BY_QUADRATURE,
    "(E.32)": BY_QUADRATURE,
    "(E.33)": BY_QUADRATURE,
    "E.2 positive coefficients": has_such_coefficients,
}
