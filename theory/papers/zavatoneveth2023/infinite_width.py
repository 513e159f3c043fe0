r"""Section IV.B: metric, volume element and curvature at infinite width, Eqs. (5) to (7)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Word, equal, numerically
from theory.papers.zavatoneveth2023.index_notation import as_printed, d, mu, nu
from theory.papers.zavatoneveth2023.infinite_values import WITH_FUNCTIONS, infinite_witness, of_infinite
from theory.papers.zavatoneveth2023.letters import R, delta, detg, g, gap, x
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.rotated_inputs import (
    deep_kernel_is_symmetric,
    depends_on_the_norm,
    has_a_projection,
)
from theory.papers.zavatoneveth2023.symbols import omega, omega1, omega2, r

CASES = "Error functions and monomials with two to four inputs. The metric is a Gaussian integral over all weights"


def determinant_6(exponent: sp.Expr) -> sp.Eq:
    """Eq. (6)."""
    return equal(detg, sp.exp(exponent * omega) * (1 + 2 * r * omega1))


def scalar_7(number: int) -> sp.Eq:
    """Eq. (7)."""
    bracket = d + 2 + 2 * r * ((d - 2) * omega1 + 2 * omega2 / omega1)
    above = (d - 1) * sp.exp(-omega) * omega1**2 * r
    return equal(R, -number * (above / (1 + 2 * r * omega1) ** 2 * bracket))


EQUATIONS = (
    PAPER.entry(
        "(5)",
        "IV.B",
        "The metric at infinite width is e^Omega times the identity plus a multiple of the projection on x.",
        Finding.CONFIRMED,
        CASES + ", Omega an integral over one preactivation, differentiated numerically.",
        printed=equal(g(mu, nu), sp.exp(omega) * (delta(mu, nu) + 2 * omega1 * x(mu) * x(nu))),
        prove=as_printed(of_infinite(WITH_FUNCTIONS), "Gaussian integrals", (mu, nu)),
    ),
    PAPER.entry(
        "IV.B dot products",
        "IV.B",
        "",
        Finding.CONFIRMED,
        "The metric of (x.y + 1/2)^3 and of exp(x.y) by differences of the kernel, on three inputs.",
        printed=Claim(
            "Like the metrics induced by other dot-product kernels, the NNGP metric has the form of {form}.",
            {"form": Word("a projection", ("a multiple of the identity",))},
        ),
        prove=has_a_projection,
    ),
    PAPER.entry(
        "(6)",
        "IV.B",
        "Its determinant.",
        Finding.ILLEGIBLE,
        "The text that was read has lost the exponent; d is inferred, the number of eigenvalues. " + CASES + ".",
        printed=determinant_6(gap),
        inferred=determinant_6(d),
        prove=numerically(of_infinite(WITH_FUNCTIONS), "Gaussian integrals"),
    ),
    PAPER.entry(
        "(7)",
        "IV.B",
        "Its Ricci scalar.",
        Finding.MISPRINT,
        CASES + ", and the curvature is computed from it by definition. The printed prefactor is that of Appendix A.",
        printed=scalar_7(3),
        corrected=scalar_7(1),
        prove=numerically(of_infinite(WITH_FUNCTIONS), "definition of curvature"),
        witness=infinite_witness(WITH_FUNCTIONS[1], R),
        consequence="Three times too large for every activation function and every dimension. Where Omega' vanishes "
        "the formula reads 0/0, as printed and as corrected, but R is regular there: it is the sum of 2(d-1) radial "
        "and (d-1)(d-2) tangential sectional curvatures, which are.",
        heirs=("(C.28)", "(C.46)", "(C.48)"),
    ),
    PAPER.entry(
        "IV.B spherical symmetry",
        "IV.B",
        "",
        Finding.CONFIRMED,
        "Determinant and curvature from the definition at points of one norm, and at points that share one coordinate.",
        printed=Claim(
            "All geometric quantities are spherically symmetric, depending only on {variable}.",
            {"variable": Word("the norm of x", ("one coordinate of x",))},
        ),
        prove=depends_on_the_norm,
    ),
    PAPER.entry(
        "IV.B deep kernel",
        "IV.B",
        "",
        Finding.CONFIRMED,
        "The kernel of two layers of error functions for inputs that are turned together. For the shallow NTK see "
        "Appendix D.",
        printed=Claim(
            "The geometric quantities of the deep NNGP {share} this spherical symmetry.",
            {"share": Word("share", ("do not share",))},
        ),
        prove=deep_kernel_is_symmetric,
    ),
)
