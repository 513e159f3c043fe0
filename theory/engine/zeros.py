"""All common zeros of rational functions in a few unknowns, by cases.

An equation whose left-hand side is a product is one case for each factor; an equation that is linear in an unknown is
solved for it, and the zeros of its leading coefficient are a case of their own. No zero is left out, for parameters of
general values: a factor that contains parameters alone counts as different from zero.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import sympy as sp

from closedform.interruption import OutOfTime, budget

_SECONDS = 20.0  # CPU time for an elimination, which may never end
Zero = dict[sp.Symbol, sp.Expr]


class Unsolved(NotImplementedError):
    """The zeros are roots of polynomials for which there is no formula, or none that is short."""


def common_zeros(equations: Sequence[sp.Expr], unknowns: Sequence[sp.Symbol]) -> list[Zero]:
    """Return all points at which the numerators of all expressions vanish.

    Args:
        equations: rational functions of the unknowns.
        unknowns: symbols; what they are assumed to be is not used.

    Returns:
        For each zero the values of the unknowns; an unknown that is free is missing, and may be in the other values.

    Raises:
        Unsolved: if a function is not rational, or the zeros have no short formula.

    >>> x, y = sp.symbols("x y")
    >>> common_zeros([x * (1 - x - y), y * (x - 2)], (x, y))
    [{x: 0, y: 0}, {x: 2, y: -1}, {x: 1, y: 0}]
    """
    plain = {unknown: sp.Dummy(unknown.name) for unknown in unknowns}
    names = {dummy: unknown for unknown, dummy in plain.items()}
    polynomials = []
    for equation in equations:
        numerator = sp.fraction(sp.together(equation.xreplace(plain)))[0]
        if not numerator.is_polynomial(*names):
            raise Unsolved(
                f"{equation} is not a rational function of {', '.join(map(str, plain))}"
            )
        polynomials.append(numerator)
    zeros: list[Zero] = []
    for zero in _zeros(polynomials, tuple(names)):
        named = {names[dummy]: value.xreplace(names) for dummy, value in zero.items()}
        ordered = {unknown: named[unknown] for unknown in unknowns if unknown in named}
        if ordered not in zeros:
            zeros.append(ordered)
    return [zero for zero in zeros if not any(_contains(other, zero) for other in zeros)]


def resting_points(
    changes: Mapping[sp.Symbol, sp.Expr], way_out: str, stacklevel: int
) -> list[Zero]:
    """Return the points at which all changes vanish, with a warning where some may be left out.

    Args:
        changes: letter -> how it changes there, such as its velocity.
        way_out: what a user can do where none is found.
        stacklevel: number of the frame that the warning is about.

    Raises:
        Unsolved: if they have no short formula, or sympy finds none.
    """
    letters, values = list(changes), list(changes.values())
    try:
        return common_zeros(values, letters)
    except Unsolved as problem:
        if all(value.is_rational_function(*letters) for value in values):
            raise Unsolved(f"fixed_points: {problem}; {way_out}") from None
    try:
        with budget(_SECONDS):
            zeros: list[Zero] = sp.solve(values, letters, dict=True)
    except (NotImplementedError, OutOfTime):
        raise Unsolved(
            f"fixed_points: sympy finds no zero of the changes, needs rational ones; {way_out}"
        ) from None
    warnings.warn(
        "fixed_points: the changes are not rational functions, and sympy may leave out fixed points",
        UserWarning,
        stacklevel=stacklevel,
    )
    return zeros


def _zeros(equations: Sequence[sp.Expr], unknowns: tuple[sp.Symbol, ...]) -> list[Zero]:
    """Return the zeros of polynomials, some of them maybe more than once."""
    factors = [_factors(equation, unknowns) for equation in equations]
    if any(parts == [] for parts in factors):
        return []  # a constant that is not zero
    open_cases = [parts for parts in factors if parts != [sp.S.Zero]]
    if not open_cases:
        return [{}]
    product = next((parts for parts in open_cases if len(parts) > 1), None)
    if product is not None:
        others = [sp.Mul(*parts) for parts in open_cases if parts is not product]
        return [zero for part in product for zero in _zeros([part, *others], unknowns)]
    irreducible = [parts[0] for parts in open_cases]
    return _by_elimination(irreducible, unknowns)


def _factors(equation: sp.Expr, unknowns: tuple[sp.Symbol, ...]) -> list[sp.Expr]:
    """Return the factors that contain unknowns, once each; [0] for zero, [] for another constant."""
    expanded = sp.expand(equation)
    if expanded == 0:
        return [sp.S.Zero]
    _, powers = sp.factor_list(expanded)
    return [factor for factor, _ in powers if factor.has(*unknowns)]


def _by_elimination(equations: list[sp.Expr], unknowns: tuple[sp.Symbol, ...]) -> list[Zero]:
    linear = [
        (sp.Poly(equation, unknown).all_coeffs(), unknown, equation)
        for equation in equations
        for unknown in unknowns
        if sp.degree(equation, unknown) == 1
    ]
    if not linear:
        return _by_roots(equations, unknowns)
    # one whose leading coefficient has no unknown needs no second case
    (slope, rest), unknown, chosen = min(
        linear, key=lambda entry: (entry[0][0].has(*unknowns), sp.count_ops(entry[0]))
    )
    value = sp.cancel(-rest / slope)
    others = [equation for equation in equations if equation is not chosen]
    remaining = tuple(symbol for symbol in unknowns if symbol != unknown)
    solved = [sp.fraction(sp.together(other.subs(unknown, value)))[0] for other in others]
    zeros = []
    for zero in _zeros(solved, remaining):
        if sp.expand(sp.cancel(slope.subs(zero))) != 0:
            zeros.append({**zero, unknown: sp.factor(value.subs(zero))})
    if slope.has(*unknowns):
        zeros += _zeros([slope, rest, *others], unknowns)
    return zeros


def _by_roots(equations: list[sp.Expr], unknowns: tuple[sp.Symbol, ...]) -> list[Zero]:
    """Return the zeros by the roots of a polynomial in one unknown, which is eliminated from the others."""
    single = [
        (equation, symbol)
        for equation in equations
        for symbol in unknowns
        if equation.has(symbol) and not equation.has(*(set(unknowns) - {symbol}))
    ]
    if not single:
        return _zeros(_triangular(equations, unknowns), unknowns)
    chosen, unknown = min(single, key=lambda pair: sp.degree(*pair))
    roots = sp.roots(chosen, unknown, cubics=False, quartics=False)
    if sum(roots.values()) != sp.degree(chosen, unknown):
        raise Unsolved(f"the roots of {sp.collect(chosen, unknown)} have no short formula")
    others = [equation for equation in equations if equation is not chosen]
    remaining = tuple(symbol for symbol in unknowns if symbol != unknown)
    return [
        {**zero, unknown: root}
        for root in roots
        for zero in _zeros([other.subs(unknown, root) for other in others], remaining)
    ]


def _triangular(equations: list[sp.Expr], unknowns: tuple[sp.Symbol, ...]) -> list[sp.Expr]:
    """Return equations with the same zeros, one of which has a single unknown or is linear in one."""
    try:
        with budget(_SECONDS):
            basis = list(sp.groebner(equations, *unknowns, order="lex").exprs)
    except OutOfTime:
        basis = []
    is_simpler = any(
        sp.degree(equation, symbol) == 1 or len(equation.free_symbols & set(unknowns)) == 1
        for equation in basis
        for symbol in unknowns
    )
    if basis != [sp.S.One] and not is_simpler:
        raise Unsolved(f"no unknown could be eliminated from {', '.join(map(str, equations))}")
    return basis


def _contains(family: Mapping[sp.Symbol, sp.Expr], zero: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Return whether a zero is a member of a larger family of zeros."""
    return len(family) < len(zero) and all(
        unknown in zero and sp.simplify(value.subs(zero) - zero[unknown]) == 0
        for unknown, value in family.items()
    )
