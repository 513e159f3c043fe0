r"""Appendix C.2: the NNGP kernel of monomials by the Mehler expansion, Eqs. (C.29) to (C.43)."""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, equal
from theory.papers.zavatoneveth2023.letters import gap, kernel
from theory.papers.zavatoneveth2023.mehler import (
    double_factorial,
    hermite,
    hermite_mean,
    hermite_product,
    hypergeometric,
    in_integers,
    kernel_xx,
    moment,
    of_degrees,
    power_mean,
)
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.symbols import sigma, variance, zeta

q, k, m, j, ell = sp.symbols("q k m j ell", integer=True, nonnegative=True)
t, rho = sp.symbols("t rho", real=True)
r_y = sp.Symbol("r_y", positive=True)
xy = sp.Symbol("xy", real=True)
variance_y = sigma**2 * r_y + zeta**2
half = sp.floor(q / 2)
MOMENTS = "Degrees 1 to 6; moments by Gauss-Hermite quadrature, which is exact for polynomials."
LOST = "The text that was read has lost {}; inferred from {}. "
VANISHES = "The added terms are divided by the factorial of a negative number, which is infinite."
NO_ORDER = "The added terms have a delta of a negative number, which is no order."
degrees = in_integers(of_degrees(range(1, 7)), "Gauss-Hermite quadrature")
even = in_integers(of_degrees((2, 4, 6)), "Gauss-Hermite quadrature")
odd = in_integers(of_degrees((1, 3, 5)), "Gauss-Hermite quadrature")


def inversion(divisor: sp.Expr) -> sp.Eq:
    """Eq. (C.35)."""
    summand = hermite(q - 2 * m, t) / (divisor * sp.factorial(q - 2 * m))
    return equal(t**q, sp.factorial(q) * sp.Sum(summand, (m, 0, half)))


def coefficient(divisor: sp.Expr) -> sp.Eq:
    """Eq. (C.37)."""
    return equal(hermite_mean(k, q), sp.factorial(q) * sp.Sum(sp.KroneckerDelta(k, q - 2 * m) / divisor, (m, 0, half)))


def with_deltas(first: int, divisor: sp.Expr) -> sp.Eq:
    """Eqs. (C.38) and (C.41); ``first`` is 0 for even and 1 for odd degrees."""
    inner = sp.factorial(2 * ell + first) * sp.Sum(sp.KroneckerDelta(j, ell - m) / divisor, (m, 0, ell))
    power = 2 * j + first
    return equal(moment(q, rho), sp.Sum(rho**power / sp.factorial(power) * inner**2, (j, 0, sp.oo)))


def finite_sum(first: int, base: sp.Expr) -> sp.Eq:
    """Eqs. (C.39) and (C.42)."""
    inner = sp.factorial(2 * ell + first) / (base ** (ell - j) * sp.factorial(ell - j))
    power = 2 * j + first
    return equal(moment(q, rho), sp.Sum(rho**power / sp.factorial(power) * inner**2, (j, 0, ell)))


EQUATIONS = (
    PAPER.entry(
        "(C.29)",
        "C.2",
        "Monomials are normalised so that the kernel of an input with itself is a power of the variance.",
        Finding.CONFIRMED,
        MOMENTS,
        printed=sp.Tuple(
            equal(kernel_xx, power_mean(2 * q) / double_factorial(2 * q - 1)), equal(kernel_xx, variance**q)
        ),
        prove=degrees,
    ),
    PAPER.entry(
        "(C.30)",
        "C.2",
        "The kernel of two inputs.",
        Finding.DEFINITION,
        "The activation inserted in (C.3).",
        printed=r"k(\mathbf{x}, \mathbf{y}) = \frac{1}{(2q-1)!!} \mathbb{E}_{\mathbf{w}, b}[(\mathbf{w} \cdot "
        r"\mathbf{x} + b)^q (\mathbf{w} \cdot \mathbf{y} + b)^q]",
    ),
    PAPER.entry(
        "(C.31)",
        "C.2",
        "The preactivations scaled to unit variance.",
        Finding.CONFIRMED,
        MOMENTS,
        printed=equal(
            kernel, variance ** (q / 2) * variance_y ** (q / 2) * moment(q, rho) / double_factorial(2 * q - 1)
        ),
        prove=degrees,
    ),
    PAPER.entry(
        "(C.32)",
        "C.2",
        "Two standard normal variables with correlation rho.",
        Finding.DEFINITION,
        "It introduces u and v.",
        printed=r"\begin{pmatrix} u \\ v \end{pmatrix} \sim \mathcal{N}\left(\begin{pmatrix} 0 \\ 0 \end{pmatrix}, "
        r"\begin{pmatrix} 1 & \rho \\ \rho & 1 \end{pmatrix}\right)",
    ),
    PAPER.entry(
        "(C.33)",
        "C.2",
        "The correlation of both preactivations.",
        Finding.CONFIRMED,
        "Sampled weights and bias, summed exactly, for three pairs of inputs.",
        printed=equal(rho, (sigma**2 * xy + zeta**2) / sp.sqrt(variance * variance_y)),
        prove=degrees,
    ),
    PAPER.entry(
        "(C.34)",
        "C.2",
        "Mehler's expansion of the moment.",
        Finding.CONFIRMED,
        MOMENTS,
        printed=equal(moment(q, rho), sp.Sum(rho**k / sp.factorial(k) * hermite_mean(k, q) ** 2, (k, 0, sp.oo))),
        prove=degrees,
    ),
    PAPER.entry(
        "(C.35)",
        "C.2",
        "Powers in Hermite polynomials.",
        Finding.ILLEGIBLE,
        LOST.format("what the summand is divided by", "(C.39)") + "Degrees 1 to 6, Hermite polynomials by recursion.",
        printed=inversion(gap),
        inferred=inversion(2**m * sp.factorial(m)),
        prove=degrees,
        harmless={
            "inferred: index or bound floor(q/2) -> floor(q/2) + 1": VANISHES,
            "inferred: 1/2 -> 3/2": VANISHES,
        },
    ),
    PAPER.entry(
        "(C.36)",
        "C.2",
        "Hermite polynomials are orthogonal.",
        Finding.CONFIRMED,
        MOMENTS,
        printed=equal(hermite_product(k, q - 2 * m), sp.factorial(q - 2 * m) * sp.KroneckerDelta(k, q - 2 * m)),
        prove=degrees,
    ),
    PAPER.entry(
        "(C.37)",
        "C.2",
        "The coefficient of the expansion.",
        Finding.ILLEGIBLE,
        LOST.format("what the summand is divided by", "(C.39)") + MOMENTS,
        printed=coefficient(gap),
        inferred=coefficient(2**m * sp.factorial(m)),
        prove=degrees,
        harmless={
            "inferred: index or bound floor(q/2) -> floor(q/2) + 1": NO_ORDER,
            "inferred: 1/2 -> 3/2": NO_ORDER,
        },
    ),
    PAPER.entry(
        "(C.38)",
        "C.2",
        "The moment for even degree q = 2 l, with (C.37).",
        Finding.ILLEGIBLE,
        LOST.format("what the inner summand is divided by", "(C.39)") + MOMENTS,
        printed=with_deltas(0, gap),
        inferred=with_deltas(0, 2**m * sp.factorial(m)),
        prove=even,
    ),
    PAPER.entry(
        "(C.39)",
        "C.2",
        "The inner sum carried out.",
        Finding.ILLEGIBLE,
        LOST.format("a power of 2", "(C.40)") + MOMENTS,
        printed=finite_sum(0, gap),
        inferred=finite_sum(0, sp.Integer(2)),
        prove=even,
        harmless={"inferred: index or bound ell -> ell + 1": VANISHES},
    ),
    PAPER.entry(
        "(C.40)",
        "C.2",
        "The moment for even degree, a Gauss hypergeometric function.",
        Finding.CONFIRMED,
        MOMENTS,
        printed=equal(
            moment(q, rho), double_factorial(2 * ell - 1) ** 2 * hypergeometric(-ell, -ell, sp.Rational(1, 2), rho**2)
        ),
        prove=even,
    ),
    PAPER.entry(
        "(C.41)",
        "C.2",
        "The moment for odd degree q = 2 l + 1, with (C.37).",
        Finding.ILLEGIBLE,
        LOST.format("the powers and what the summands are divided by", "(C.34) and (C.43)") + MOMENTS,
        printed=with_deltas(1, gap),
        inferred=with_deltas(1, 2**m * sp.factorial(m)),
        prove=odd,
    ),
    PAPER.entry(
        "(C.42)",
        "C.2",
        "The inner sum carried out.",
        Finding.ILLEGIBLE,
        LOST.format("the powers and what the summand is divided by", "(C.43)") + MOMENTS,
        printed=finite_sum(1, gap),
        inferred=finite_sum(1, sp.Integer(2)),
        prove=odd,
        harmless={"inferred: index or bound ell -> ell + 1": VANISHES},
    ),
    PAPER.entry(
        "(C.43)",
        "C.2",
        "The moment for odd degree.",
        Finding.CONFIRMED,
        MOMENTS,
        printed=equal(
            moment(q, rho),
            double_factorial(2 * ell + 1) ** 2 * rho * hypergeometric(-ell, -ell, sp.Rational(3, 2), rho**2),
        ),
        prove=odd,
    ),
)
