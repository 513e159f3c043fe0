r"""Solutions of linear recursions in the index, of a letter, of letters in a row, and of letters that are coupled.

The solution of :math:`x_{\ell+1} = a x_\ell + b_\ell` is :math:`a^\ell x_0 + \sum_{j<\ell} a^{\ell-1-j} b_j`. Where
every :math:`b_j` is a sum of terms :math:`c\, j^p r^j`, the sum is a polynomial in the index, or a geometric series,
which is written so that its limit at the ratio 1 is no division by zero. What is found here is a proposal:
:meth:`theory.engine.Recursion.solve` proves it by induction, as it proves one of the author's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import sympy as sp

from theory.core.formula.rounding import written_out
from theory.core.formula.special import phi1


class Unsolved(NotImplementedError):
    """A recursion is none of those that are solved here; the message says why."""


class _Term(NamedTuple):
    """One term of a sum, ``factor * index**power * ratio**index``."""

    factor: sp.Expr
    power: int
    ratio: sp.Expr


def solution(
    rules: Mapping[sp.Symbol, sp.Expr], start: Mapping[sp.Symbol, sp.Expr], index: sp.Symbol
) -> dict[sp.Symbol, sp.Expr]:
    """Return the value of each letter as an expression in the index.

    Args:
        rules: letter -> its value one level up, in the letters and the index.
        start: letter -> its value at index 0.
        index: symbol of the index.

    Raises:
        Unsolved: if letters depend on each other other than by constant factors whose matrix has short eigenvalues, or
            on the index other than by powers of the index and powers with the index as their exponent.

    >>> x, a, c = sp.symbols("x a c", positive=True)
    >>> l = sp.Symbol("l", integer=True, nonnegative=True)
    >>> solution({x: x + c * l}, {x: a}, l)[x]
    a + c*l*(l - 1)/2
    """
    solved: dict[sp.Symbol, sp.Expr] = {}
    while len(solved) < len(rules):
        waiting = {letter: rule for letter, rule in rules.items() if letter not in solved}
        ready = [
            letter
            for letter, rule in waiting.items()
            if not rule.free_symbols & (waiting.keys() - {letter})
        ]
        if not ready:
            group = _closed_group(waiting)
            of_group = {x: written_out(rules[x]).subs(solved, simultaneous=True) for x in group}
            solved |= _coupled(of_group, start, index)
        for letter in ready:
            rule = written_out(rules[letter]).subs(solved, simultaneous=True)
            solved[letter] = _solved(letter, rule, start[letter], index)
    return {letter: solved[letter] for letter in rules}


def _closed_group(rules: Mapping[sp.Symbol, sp.Expr]) -> tuple[sp.Symbol, ...]:
    """Return the smallest group of letters that depend on no others."""
    groups = []
    for letter in rules:
        group = {letter}
        size = 0
        while len(group) > size:
            size = len(group)
            for member in tuple(group):
                group |= rules[member].free_symbols & rules.keys()
        groups.append(tuple(x for x in rules if x in group))
    return min(groups, key=len)


def _coupled(
    rules: Mapping[sp.Symbol, sp.Expr], start: Mapping[sp.Symbol, sp.Expr], index: sp.Symbol
) -> dict[sp.Symbol, sp.Expr]:
    """Return the values of letters that depend on each other by constant factors.

    Eigenvalues that occur once have projections, each of which grows by its eigenvalue; otherwise the letters are those
    in which the matrix has its Jordan form, where each rests on itself and on the one after it. Parameters have general
    values: where eigenvalues meet, the solution is a limit of this one.
    """
    letters, words = sp.Matrix(list(rules)), " and ".join(map(str, rules))
    matrix = sp.Matrix(list(rules.values())).jacobian(letters).applyfunc(sp.simplify)
    if matrix.free_symbols & {*rules, index}:
        raise Unsolved(f"{words} depend on each other other than by constant factors")
    added = sp.Matrix([rule.subs(dict.fromkeys(rules, 0)) for rule in rules.values()])
    begin = sp.Matrix([start[letter] for letter in rules])
    characteristic = matrix.charpoly()
    factors = sp.factor_list(characteristic.as_expr(), characteristic.gen)[1]
    if max(sp.degree(factor, characteristic.gen) for factor, _ in factors) > 2:
        raise Unsolved(f"the eigenvalues of {words} have no short formula")
    eigenvalues = sorted(sp.roots(characteristic), key=sp.default_sort_key)
    values = sp.zeros(len(rules), 1)
    if len(eigenvalues) == len(rules):
        for eigenvalue in eigenvalues:
            projection = sp.eye(len(rules))
            for other in (x for x in eigenvalues if x != eigenvalue):
                projection *= (matrix - other * sp.eye(len(rules))) / (eigenvalue - other)
            starts, pushes = ((projection * x).applyfunc(sp.simplify) for x in (begin, added))
            for row, letter in enumerate(rules):
                rule = eigenvalue * letter + pushes[row]
                values[row] += _solved(letter, rule, starts[row], index)
    else:
        basis, jordan = matrix.jordan_form()
        inverse = basis.inv()
        others = sp.symbols(f"other_:{len(rules)}", cls=sp.Dummy)
        above = (jordan * sp.Matrix(others) + inverse * added).applyfunc(sp.expand)
        starts = inverse * begin
        solved = solution(
            dict(zip(others, above, strict=True)), dict(zip(others, starts, strict=True)), index
        )
        values = basis * sp.Matrix([solved[other] for other in others])
    if not matrix.free_symbols:
        values = values.applyfunc(lambda value: _by_powers(value, index))
    return dict(zip(rules, values, strict=True))


def _by_powers(value: sp.Expr, index: sp.Symbol) -> sp.Expr:
    """Return a sum with one term for each power with the index, and cosines and sines for those that are complex."""
    powers = {p: sp.Dummy("power") for p in value.atoms(sp.Pow) if p.exp.has(index)}
    terms = sp.collect(sp.expand(value.xreplace(powers)), powers.values(), evaluate=False)
    back = {letter: power for power, letter in powers.items()}
    total = sp.S.Zero
    for letters, factor in terms.items():
        coefficient = sp.radsimp(sp.simplify(factor))
        power = letters.xreplace(back)
        if power.is_Pow and power.base.is_real is False:
            if sp.im(power.base).is_positive:  # with its conjugate, which has the conjugate factor
                size, angle = sp.Abs(power.base), sp.arg(power.base)
                even, odd = coefficient.as_real_imag()
                wave = even * sp.cos(power.exp * angle) - odd * sp.sin(power.exp * angle)
                total += 2 * size**power.exp * wave
        else:
            total += coefficient * power
    return total


def _solved(letter: sp.Symbol, rule: sp.Expr, start: sp.Expr, index: sp.Symbol) -> sp.Expr:
    """Return the value of one letter, whose rule contains no other."""
    factor, added = sp.simplify(sp.diff(rule, letter)), rule.subs(letter, 0)
    if factor.has(letter):
        raise Unsolved(f"{letter} depends on itself other than by a factor: {rule}")
    if factor.has(index):
        raise Unsolved(f"the factor of {letter}, {factor}, depends on {index}")
    parts = [part for part in sp.Add.make_args(sp.expand(added)) if part != 0]
    terms = (_term(part, letter, index) for part in parts)
    grown = sp.Add(*(_summed(term, factor, index) for term in terms))
    return factor**index * start + (sp.factor(grown) if grown.is_polynomial(index) else grown)


def _term(term: sp.Expr, letter: sp.Symbol, index: sp.Symbol) -> _Term:
    """Return a term of what is added to a letter as factor, power of the index, and ratio."""
    factor, moving = sp.sympify(term).as_independent(index, as_Add=False)
    power, ratio = 0, sp.S.One
    for part in sp.Mul.make_args(moving):
        base, exponent = part.as_base_exp()
        slope = sp.diff(exponent, index)
        if base == index and exponent.is_Integer and exponent > 0:
            power += int(exponent)
        elif not base.has(index) and not slope.has(index) and exponent == slope * index:
            ratio *= base**slope
        elif part != 1:
            raise Unsolved(f"what is added to {letter} depends on {index} by {part}")
    return _Term(factor, power, sp.powsimp(ratio))


def _summed(term: _Term, factor: sp.Expr, index: sp.Symbol) -> sp.Expr:
    """Return the sum of ``factor**(index - 1 - j)`` times the term at j, over j below the index."""
    if term.power == 0 and term.ratio == 1:
        return term.factor * _geometric(factor, index)
    if factor == 0:
        raise Unsolved(f"the factor is 0, but what is added depends on {index}")
    ratio = sp.simplify(term.ratio / factor)
    if term.power == 0:
        return term.factor * factor ** (index - 1) * _geometric(ratio, index)
    if ratio.free_symbols:
        raise Unsolved(f"a power of {index} is added with the ratio {ratio}")
    j = sp.Dummy("j", integer=True, nonnegative=True)
    total = sp.summation(j**term.power * ratio**j, (j, 0, index - 1))
    return term.factor * factor ** (index - 1) * sp.expand(total)


def _geometric(ratio: sp.Expr, index: sp.Symbol) -> sp.Expr:
    """Return the sum of ``ratio**j`` over j below the index, for every ratio that the assumptions allow."""
    if ratio == 1:
        return index
    if ratio.is_positive and not (ratio - 1).is_nonzero:
        base, exponent = ratio.as_base_exp()
        logarithm = exponent * sp.log(base)  # a square may be beyond the range of floats
        return index * phi1(index * logarithm) / phi1(logarithm)
    if (ratio - 1).is_nonzero:
        return (1 - ratio**index) / (1 - ratio)
    raise Unsolved(f"a geometric series has the ratio {ratio}, which may be 1 and may be negative")
