r"""Section IV.B: metric, volume element and curvature at infinite width, Eqs. (5) to (7)."""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, equal, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.papers.zavatoneveth2023.index_notation import as_printed, d, mu, nu
from theory.papers.zavatoneveth2023.infinite_values import WITH_FUNCTIONS, infinite_witness, of_infinite
from theory.papers.zavatoneveth2023.letters import R
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.rotated_inputs import (
    deep_kernel_is_symmetric,
    depends_on_the_norm,
    has_a_projection,
)
from theory.papers.zavatoneveth2023.symbols import omega, omega1, omega2, r

CASES = "Error functions and monomials with two to four inputs. The metric is a Gaussian integral over all weights"


def scalar_7(number: int) -> sp.Eq:
    """Eq. (7)."""
    bracket = d + 2 + 2 * r * ((d - 2) * omega1 + 2 * omega2 / omega1)
    above = (d - 1) * sp.exp(-omega) * omega1**2 * r
    return equal(R, -number * (above / (1 + 2 * r * omega1) ** 2 * bracket))


PROGRAMS: Programs = {
    "(5)": as_printed(of_infinite(WITH_FUNCTIONS), "Gaussian integrals", (mu, nu)),
    "IV.B dot products": has_a_projection,
    "(6)": numerically(of_infinite(WITH_FUNCTIONS), "Gaussian integrals"),
    **programs_of(
        (
            PAPER.entry(
                "(7)",
                "IV.B",
                "Its Ricci scalar.",
                Finding.MISPRINT,
                CASES
                + ", and the curvature is computed from it by definition. The printed prefactor is that of Appendix A.",
                printed=scalar_7(3),
                corrected=scalar_7(1),
                prove=numerically(of_infinite(WITH_FUNCTIONS), "definition of curvature"),
                witness=infinite_witness(WITH_FUNCTIONS[1], R),
                consequence="Three times too large for every activation function and every dimension. Where Omega' vanishes "
                "the formula reads 0/0, as printed and as corrected, but R is regular there: it is the sum of 2(d-1) radial "
                "and (d-1)(d-2) tangential sectional curvatures, which are.",
                heirs=("(C.28)", "(C.46)", "(C.48)"),
            ),
        )
    ),
    "IV.B spherical symmetry": depends_on_the_norm,
    "IV.B deep kernel": deep_kernel_is_symmetric,
}
