r"""Appendix C.2: the NNGP kernel of monomials, Eqs. (C.29) to (C.43)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import sympy as sp

from theory.core import Finding, Step
from theory.papers.zavatoneveth2023.paper import entry

rho = sp.Symbol("rho", real=True)
tau = sp.Symbol("t", real=True)
variance, other, covariance = sp.symbols("a b c", positive=True)
DEGREES = range(1, 7)
OfDegree = Callable[[int], sp.Expr]


def double_factorial(number: int) -> sp.Integer:
    """number!!, 1 at and below 0."""
    return sp.factorial2(number) if number > 0 else sp.S.One


@lru_cache(maxsize=512)
def moment(first: int, second: int) -> sp.Expr:
    """E[u^first v^second] of standard normal u, v with correlation rho, by integration by parts in u."""
    if first < 0 or second < 0:
        return sp.S.Zero
    if first == 0:
        return sp.S.Zero if second % 2 else double_factorial(second - 1)
    rest = (first - 1) * moment(first - 2, second) if first > 1 else sp.S.Zero
    return sp.expand(rest + second * rho * moment(first - 1, second - 1))


@lru_cache(maxsize=64)
def hermite(order: int) -> sp.Expr:
    """Probabilists' Hermite polynomial, by its recursion."""
    if order < 2:
        return tau**order
    return sp.expand(tau * hermite(order - 1) - (order - 1) * hermite(order - 2))


def average(polynomial: sp.Expr) -> sp.Expr:
    """Over a standard normal variable."""
    terms = sp.Poly(polynomial, tau).terms()
    return sp.Add(*(c * double_factorial(k - 1) for (k,), c in terms if k % 2 == 0))


def hypergeometric(a: int, b: int, c: sp.Rational, argument: sp.Expr) -> sp.Expr:
    """2F1 of which ``a`` or ``b`` is a negative integer or zero: a polynomial."""
    last = min(-n for n in (a, b) if n <= 0)
    return sp.Add(*(sp.rf(a, j) * sp.rf(b, j) / sp.rf(c, j) * argument**j / sp.factorial(j) for j in range(last + 1)))


def closed_moment(degree: int) -> sp.Expr:
    """Eqs. (C.40) and (C.43)."""
    half = degree // 2
    if degree % 2 == 0:
        return double_factorial(degree - 1) ** 2 * hypergeometric(-half, -half, sp.Rational(1, 2), rho**2)
    return double_factorial(degree) ** 2 * rho * hypergeometric(-half, -half, sp.Rational(3, 2), rho**2)


def series(degree: int) -> sp.Expr:
    """Eqs. (C.38), (C.39), (C.41) and (C.42)."""
    half = degree // 2
    odd = degree % 2
    return sp.Add(
        *(
            rho ** (2 * j + odd)
            / sp.factorial(2 * j + odd)
            * (sp.factorial(degree) / (2 ** (half - j) * sp.factorial(half - j))) ** 2
            for j in range(half + 1)
        )
    )


def _each(
    claim: str, left: OfDegree, right: OfDegree, because: str, degrees: Iterable[int] = DEGREES
) -> tuple[Step, ...]:
    return tuple(Step(f"{claim}, q = {degree}", left(degree), right(degree), because=because) for degree in degrees)


def _unscaled(degree: int) -> sp.Expr:
    """E[(scaled u)^q (scaled v)^q] with correlation c / sqrt(a b)."""
    return sp.expand(
        (sp.sqrt(variance * other)) ** degree * moment(degree, degree).subs(rho, covariance / sp.sqrt(variance * other))
    )


def _pairings(degree: int) -> sp.Expr:
    """Isserlis: k pairs across, the rest within each variable."""
    return sp.Add(
        *(
            sp.binomial(degree, k) ** 2
            * sp.factorial(k)
            * covariance**k
            * (variance * other) ** sp.Rational(degree - k, 2)
            * double_factorial(degree - k - 1) ** 2
            for k in range(degree % 2, degree + 1, 2)
        )
    )


def _inverted(degree: int) -> sp.Expr:
    """Eq. (C.35)."""
    return sp.Add(
        *(
            sp.factorial(degree) / (2**m * sp.factorial(m) * sp.factorial(degree - 2 * m)) * hermite(degree - 2 * m)
            for m in range(degree // 2 + 1)
        )
    )


EQUATIONS = (
    entry(
        "(C.29)",
        "C.2",
        "Monomials are normalised so that the kernel of an input with itself is a power of the variance.",
        Finding.CONFIRMED,
        "Moments by integration by parts.",
        printed=r"k(\mathbf{x}, \mathbf{x}) = \frac{1}{(2q-1)!!} \mathbb{E}[z^{2q}] = (\sigma^2\|\mathbf{x}\|^2 + "
        r"\zeta^2)^q",
        steps=_each(
            "with correlation 1",
            lambda degree: moment(degree, degree).subs(rho, 1) / double_factorial(2 * degree - 1),
            lambda degree: sp.S.One,
            "standard normal moments",
        ),
    ),
    entry(
        "(C.30) to (C.33)",
        "C.2",
        "The kernel for two inputs from a moment of two standard normal variables with the given correlation.",
        Finding.CONFIRMED,
        "Against all pairings of Isserlis' theorem.",
        printed=r"k(\mathbf{x}, \mathbf{y}) = \frac{1}{(2q-1)!!} (\sigma^2\|\mathbf{x}\|^2 + \zeta^2)^{q/2} "
        r"(\sigma^2\|\mathbf{y}\|^2 + \zeta^2)^{q/2} \mathbb{E}[u^q v^q], \quad \rho = \frac{\sigma^2 "
        r"\mathbf{x}\cdot\mathbf{y} + \zeta^2}{\sqrt{(\sigma^2\|\mathbf{x}\|^2 + \zeta^2) (\sigma^2\|\mathbf{y}\|^2 + "
        r"\zeta^2)}}",
        steps=_each("rescaled", _unscaled, _pairings, "Isserlis' theorem"),
    ),
    entry(
        "(C.34)",
        "C.2",
        "Mehler's expansion of the moment.",
        Finding.CONFIRMED,
        "Degrees 1 to 6; moments by integration by parts.",
        printed=r"\mathbb{E}[u^q v^q] = \sum_{k=0}^\infty \frac{\rho^k}{k!} \mathbb{E}_{t \sim "
        r"N(0,1)}[\mathrm{He}_k(t) t^q]^2",
        steps=_each(
            "sum over k",
            lambda degree: moment(degree, degree),
            lambda degree: sp.Add(
                *(
                    rho**k / sp.factorial(k) * average(sp.expand(hermite(k) * tau**degree)) ** 2
                    for k in range(degree + 1)
                )
            ),
            "orthogonality ends the sum at q",
        ),
    ),
    entry(
        "(C.35)",
        "C.2",
        "Powers in Hermite polynomials.",
        Finding.CONFIRMED,
        "Degrees 1 to 6.",
        printed=r"t^q = q! \sum_{m=0}^{\lfloor q/2 \rfloor} \frac{1}{2^m m! (q-2m)!} \mathrm{He}_{q-2m}(t)",
        steps=_each("inverted", lambda degree: tau**degree, _inverted, "recursion of Hermite polynomials"),
    ),
    entry(
        "(C.36)",
        "C.2",
        "Hermite polynomials are orthogonal.",
        Finding.CONFIRMED,
        "All pairs up to order 5.",
        printed=r"\mathbb{E}[\mathrm{He}_k(t) \mathrm{He}_{q-2m}(t)] = (q-2m)! \delta_{k, q-2m}",
        steps=(
            Step(
                "Gram matrix",
                sp.Matrix(6, 6, lambda i, j: average(sp.expand(hermite(i) * hermite(j)))),
                sp.diag(*(sp.factorial(i) for i in range(6))),
                because="moments",
            ),
        ),
    ),
    entry(
        "(C.37)",
        "C.2",
        "The coefficient of the expansion.",
        Finding.CONFIRMED,
        "All k up to q.",
        printed=r"\mathbb{E}[\mathrm{He}_k(t) t^q] = q! \sum_{m=0}^{\lfloor q/2 \rfloor} \frac{1}{2^m m!} \delta_{k, "
        r"q-2m}",
        steps=_each(
            "all k",
            lambda degree: sp.Matrix([average(sp.expand(hermite(k) * tau**degree)) for k in range(degree + 1)]),
            lambda degree: sp.Matrix(
                [
                    sp.factorial(degree) / (2 ** ((degree - k) // 2) * sp.factorial((degree - k) // 2))
                    if (degree - k) % 2 == 0
                    else 0
                    for k in range(degree + 1)
                ]
            ),
            "(C.35) and (C.36)",
        ),
    ),
    entry(
        "(C.38) to (C.40)",
        "C.2",
        "The moment for even degree, a Gauss hypergeometric function.",
        Finding.CONFIRMED,
        "Degrees 2, 4 and 6.",
        printed=r"\mathbb{E}[u^{2\ell} v^{2\ell}] = [(2\ell - 1)!!]^2 {}_2F_1(-\ell, -\ell; \tfrac12; \rho^2)",
        steps=(
            *_each("series", lambda degree: moment(degree, degree), series, "(C.34)", (2, 4, 6)),
            *_each("hypergeometric", lambda degree: moment(degree, degree), closed_moment, "(C.39)", (2, 4, 6)),
        ),
    ),
    entry(
        "(C.41) to (C.43)",
        "C.2",
        "The moment for odd degree.",
        Finding.CONFIRMED,
        "Degrees 1, 3 and 5.",
        printed=r"\mathbb{E}[u^{2\ell+1} v^{2\ell+1}] = [(2\ell + 1)!!]^2 \rho \, {}_2F_1(-\ell, -\ell; \tfrac32; "
        r"\rho^2)",
        steps=(
            *_each("series", lambda degree: moment(degree, degree), series, "(C.34)", (1, 3, 5)),
            *_each("hypergeometric", lambda degree: moment(degree, degree), closed_moment, "(C.42)", (1, 3, 5)),
        ),
    ),
)
