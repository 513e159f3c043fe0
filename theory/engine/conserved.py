"""Conserved quantities of a flow, by linear algebra.

A linear combination of functions of the state is conserved if its velocity vanishes. That velocity is a rational
function of the variables and of the functions of them that the velocities contain, such as exponentials and undefined
functions. These count as independent of each other, so that whatever is returned is conserved, also if such functions
are related; then some conserved quantity may be missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement

import sympy as sp
from sympy.polys.matrices import DomainMatrix

from closedform import checks
from theory.core.formula.sampling import concrete, rational_point
from theory.engine.derived import Derived
from theory.engine.rates import Rates

_DIGITS = 60
_ZERO = sp.Float(10) ** -40  # below it a number of 60 digits is rounding


def conserved(
    flow: Rates, degree: int, among: Iterable[sp.Expr] | None = None
) -> tuple[Derived, ...]:
    """Return the conserved quantities among the polynomials of a degree; see :meth:`theory.engine.Flow.conserved`."""
    checks.integer("degree", degree, 1)
    letters = flow.state if among is None else tuple(map(sp.sympify, among))
    checks.require(bool(letters), "among", letters, "at least one function of the variables")
    kept: list[sp.Expr] = []
    for power in range(1, degree + 1):
        for quantity in _linear_combinations(flow, _monomials(letters, power)):
            if _rank(flow, [*kept, quantity]) > len(kept):
                kept.append(quantity)
    return tuple(_derived(flow, quantity) for quantity in kept)


def _derived(flow: Rates, quantity: sp.Expr) -> Derived:
    return Derived("conserved", quantity, steps=(*flow.steps, flow.moving(quantity)))


def _monomials(letters: Sequence[sp.Expr], degree: int) -> list[sp.Expr]:
    """Return the products of up to ``degree`` letters, those of the highest degree first."""
    products = [
        sp.Mul(*factors)
        for power in range(degree, 0, -1)
        for factors in combinations_with_replacement(letters, power)
    ]
    return list(dict.fromkeys(products))


def _linear_combinations(flow: Rates, functions: Sequence[sp.Expr]) -> list[sp.Expr]:
    """Return a basis of the combinations, with coefficients made of parameters, whose velocity vanishes."""
    moving = [function for function in functions if flow.varies(function)]
    velocities = [sp.together(flow.velocity(function).doit()) for function in moving]
    denominator = sp.lcm_list([sp.denom(velocity) for velocity in velocities])
    numerators = [sp.expand(sp.cancel(velocity * denominator)) for velocity in velocities]
    rows: dict[sp.Expr, dict[int, sp.Expr]] = {}
    for column, numerator in enumerate(numerators):
        for monomial, coefficient in _coefficients(flow, numerator).items():
            rows.setdefault(monomial, {})[column] = coefficient
    matrix = sp.Matrix(
        len(rows), len(moving), lambda i, j: list(rows.values())[i].get(j, sp.S.Zero)
    )
    if not rows:
        return moving
    basis = DomainMatrix.from_Matrix(matrix).to_field().nullspace(divide_last=True).to_Matrix()
    return [_combination(basis.row(i), moving) for i in range(basis.rows)]


def _coefficients(flow: Rates, expression: sp.Expr) -> dict[sp.Expr, sp.Expr]:
    """Return monomial -> coefficient, where what depends on the state or on time is part of the monomial."""
    result: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(expression):
        moving, fixed = sp.sift(sp.Mul.make_args(term), flow.varies, binary=True)
        monomial = sp.Mul(*moving)
        result[monomial] = result.get(monomial, sp.S.Zero) + sp.Mul(*fixed)
    return result


def _combination(row: sp.Matrix, functions: Sequence[sp.Expr]) -> sp.Expr:
    """Return the combination with these coefficients, without a common denominator or factor."""
    common = sp.lcm_list([sp.denom(sp.together(entry)) for entry in row])
    whole = [sp.cancel(entry * common) for entry in row]
    shared = sp.gcd_list(whole)
    first = next(entry for entry in whole if entry != 0)
    shared *= -1 if sp.cancel(first / shared).could_extract_minus_sign() else 1
    terms = (
        sp.factor(entry / shared) * function
        for entry, function in zip(whole, functions, strict=True)
    )
    return sp.Add(*terms)


def _rank(flow: Rates, quantities: Sequence[sp.Expr]) -> int:
    """Return how many functionally independent quantities there are, by the rank of their gradients at a point."""
    gradients = sp.Matrix([[sp.diff(quantity, x) for x in flow.state] for quantity in quantities])
    gradients = gradients.applyfunc(lambda entry: concrete(entry, "rank").doit())
    point = rational_point(gradients.free_symbols, "rank")
    numbers = gradients.subs(point).evalf(_DIGITS)
    return numbers.rank(iszerofunc=lambda entry: bool(abs(entry) < _ZERO))
