r"""Appendix A.3, proof of Proposition 9: the reparametrised path, and its first variation."""

from __future__ import annotations

from functools import partial
from typing import Any

import sympy as sp

from theory.core import Equation, Finding, Witness, equal, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import balancedness_numbers as numbers
from theory.papers.jacot2024.balancedness import INTEGRATED
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import L

p, q = sp.symbols("p q", positive=True)
r, r_prime, A_at, A_new, Z_new, rate_new, A_dot_at, V_at, b_vector, V_new, b_new, sigma, product = (
    sp.Function(name, real=True)
    for name in (
        "r", "r_prime", "A_at", "A_new", "Z_new", "rate_new", "A_dot_at", "V_at", "b_vector", "V_new", "b_new", "sigma",
        "product",
    )
)  # fmt: skip
W_at, b_at, W_new, b_new_norm, dr, dr_prime, growth = (
    sp.Function(name, real=True) for name in ("W_at", "b_at", "W_new", "b_new_norm", "dr", "dr_prime", "growth")
)
swelling = sp.exp(L * (r(q) - q))
turned = L * (r_prime(q) - 1) * A_new(q)
squares, bias = W_at(p) ** 2 + b_at(p) ** 2, b_at(p) ** 2
at_places = numerically(numbers.reparametrised, "integrated paths", tolerance=1e-6)
on_the_path = numerically(partial(numbers.critical_weights, False), "integrated path", tolerance=INTEGRATED, scale=1.0)


def _line(label: str, statement: str, right: Any) -> Equation:
    return PAPER.entry(
        label,
        "A.3",
        statement,
        Finding.CONFIRMED,
        "Both nets integrated; differences.",
        printed=equal(rate_new(q), right),
        prove=at_places,
    )


def variation(extra_term: sp.Expr) -> sp.Eq:
    """The first variation of the squared weights, with a further term under the integral."""
    return equal(sp.Integral(2 * dr_prime(p) * squares + extra_term + 2 * L * dr(p) * bias, (p, 0, 1)), 0)


def by_parts(place: sp.Symbol) -> sp.Eq:
    """The derivative of dr moved over; the integral on the right in a variable."""
    return equal(sp.Integral(dr_prime(p) * squares, (p, 0, 1)), -sp.Integral(dr(p) * growth(p), (place, 0, 1)))


def condition(times: int) -> sp.Eq:
    """What must vanish for all dr."""
    return equal(sp.Integral(dr(p) * (-growth(p) + times * L * bias), (p, 0, 1)), 0)


def integrated(times: int) -> sp.Eq:
    """The squared weights from 0 to p."""
    start = W_at(0) ** 2 + b_at(0) ** 2
    return equal(squares, start + times * L * sp.Integral(b_at(q) ** 2, (q, 0, p)))


def critical(number: Any) -> float:
    """Of an expression along the critical path, at p = 0.35."""
    return float(evaluate(number, numbers.critical_weights(False)[0]))


def _misprint(label: str, statement: str, evidence: str, printed: sp.Eq, corrected: sp.Eq, **fields: Any) -> Equation:
    """A line on critical paths."""
    return PAPER.entry(
        label, "A.3", statement, Finding.MISPRINT, evidence, printed=printed, corrected=corrected, prove=on_the_path,
        **fields,
    )  # fmt: skip


FACTOR = "Along an integrated critical path the factor of the depth is 2, as the corrected variation has it."
EMPTY = "An integral over an empty interval is zero."
INHERITS = "It inherits the missing term of the first variation, and Proposition 9 inherits it from here."

PROGRAMS: Programs = {
    "A.3 reparametrised path": at_places,
    **programs_of(
        (
            _line(
                "A.3 first line",
                "Its velocity, by the chain rule.",
                turned + swelling * r_prime(q) * A_dot_at(r(q)),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "A.3 second line",
                "With the equation of the net.",
                turned
                + swelling * r_prime(q) * (-L * A_at(r(q)) + product(V_at(r(q)), sigma(A_at(r(q)))) + b_vector(r(q))),
            ),
        )
    ),
    "A.3 third line": Program(
        at_places,
        lambda: numbers.reparametrised()[0]["rate_new"](0.2)[0, 0],
        value=lambda equation: evaluate(solved(equation, rate_new(q)), numbers.reparametrised()[0])[0, 0],
        tolerance=1e-6,
    ),
    **programs_of(
        (
            _line(
                "A.3 fourth line",
                "The equation of the reparametrised net.",
                product(V_new(q), sigma(A_new(q))) + b_new(q) - L * A_new(q),
            ),
        )
    ),
    "A.3 parameter norm": numerically(numbers.norms, "quadrature"),
    **programs_of(
        (
            _misprint(
                "A.3 first variation",
                "Its first variation about r(q) = q vanishes.",
                "Along an integrated critical path the corrected variation vanishes. The weights are taken at r(q): dr also "
                "multiplies the derivative of their squared norm.",
                variation(sp.S.Zero),
                variation(dr(p) * growth(p)),
                harmless={"corrected: 0 -> 1": EMPTY},
                witness=Witness(
                    {"dr": "sin(pi p)", "depth": 1.2, "number": "1 + variation"},
                    lambda: 1 + numbers.first_variation(),
                    value=lambda equation: 1 + critical(equation.lhs - equation.rhs),
                    tolerance=1e-6,
                ),
                consequence="The missing term halves the result: the source of the factor in Proposition 9.",
                heirs=("A.3 condition", "A.3 conclusion", "A.3 integrated", "Proposition 9"),
            ),
        )
    ),
    **programs_of(
        (
            _misprint(
                "A.3 integration by parts",
                "The derivative of dr is moved over.",
                "Both integrals along a critical path; dr vanishes at both ends. The integral on the right is over p.",
                by_parts(q),
                by_parts(p),
                witness=Witness(
                    {"dr": "sin(pi p)", "p": 0.35, "number": "left-hand side"},
                    lambda: critical(by_parts(p).lhs),
                    value=lambda equation: critical(equation.rhs * by_parts(p).lhs / equation.lhs),
                    tolerance=INTEGRATED,
                ),
                consequence="None: the integral is printed with dq.",
            ),
        )
    ),
    **programs_of(
        (
            _misprint(
                "A.3 condition",
                "The condition that follows for all dr.",
                FACTOR,
                condition(1),
                condition(2),
                harmless={"corrected: 0 -> 1": EMPTY},
                witness=Witness(
                    {"dr": "sin(pi p)", "depth": 1.2, "number": "1 + integral"},
                    lambda: 1.0,
                    value=lambda equation: 1 + critical(equation.lhs - equation.rhs),
                    tolerance=1e-6,
                ),
                consequence=INHERITS,
            ),
        )
    ),
    **programs_of(
        (
            _misprint(
                "A.3 conclusion",
                "So the derivative of the squared weights is depth times the squared bias.",
                FACTOR,
                equal(growth(p), L * bias),
                equal(growth(p), 2 * L * bias),
                witness=Witness(
                    {"depth": 1.2, "p": 0.35, "number": "derivative"},
                    lambda: critical(growth(p)),
                    value=lambda equation: critical(equation.rhs * growth(p) / equation.lhs),
                    tolerance=INTEGRATED,
                ),
                consequence=INHERITS,
            ),
        )
    ),
    **programs_of(
        (
            _misprint(
                "A.3 integrated",
                "The same, integrated from 0 to p.",
                FACTOR,
                integrated(1),
                integrated(2),
                witness=Witness(
                    {"depth": 1.2, "p": 0.35, "number": "squared weights"},
                    lambda: critical(squares),
                    value=lambda equation: critical(equation.rhs * squares / equation.lhs),
                    tolerance=INTEGRATED,
                ),
                consequence=INHERITS,
            ),
        )
    ),
}
