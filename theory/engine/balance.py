"""Exponents from balances: each balance is a premise in words, and the exponents follow by linear algebra."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import sympy as sp

from closedform import checks
from theory.core import Premise, Step
from theory.core.formula.parsing import sympy_object
from theory.core.proof.premises import Kind
from theory.engine.derived import Derived


@dataclass(frozen=True, repr=False, eq=False)
class Balance:
    """The exponents that satisfy all balances.

    Attributes:
        balances: words -> exponent that has to vanish.
        solution: unknown -> its exponent, in the parameters and, where it is not unique, in the unknowns of ``gauge``.
        gauge: unknowns that the balances leave free, in the order in which they were given.
    """

    balances: Mapping[str, sp.Expr]
    solution: Mapping[sp.Symbol, sp.Expr]
    gauge: tuple[sp.Symbol, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """One step a balance, which rests on the balance as an assumption in its words."""
        unknowns, values = tuple(self.solution), tuple(self.solution.values())
        return tuple(
            Step(
                f"the exponents satisfy: {words}",
                sp.Subs(exponent, unknowns, values),
                sp.S.Zero,
                because="the solution of all balances together",
                uses=(Premise(words, exponent, Kind.ASSUMPTION),),
            )
            for words, exponent in self.balances.items()
        )

    def of(self, unknown: sp.Symbol) -> Derived:
        """Return the exponent of an unknown with the derivation."""
        raise NotImplementedError

    def __repr__(self) -> str:
        rows = [f"{unknown} = {sp.sstr(value)}" for unknown, value in self.solution.items()]
        rows += [f"free: {', '.join(map(str, self.gauge))}"] if self.gauge else []
        return "\n".join([*rows, "if", *(f"  {words}" for words in self.balances)])


def balance(balances: Mapping[str, sp.Expr], unknowns: Iterable[sp.Symbol]) -> Balance:
    """Return the exponents for which every balance holds.

    Args:
        balances: what is balanced, in words -> the exponent that has to vanish, linear in the unknowns.
        unknowns: exponents to solve for.

    Returns:
        The solution. The unknowns that it leaves free are the gauge.

    Raises:
        TypeError, ValueError: for balances that contradict each other or are not linear, or an unknown of another kind.

    >>> a, b, d = sp.symbols("a b d", real=True)
    >>> print(balance({"neighbours": 1 - b - (d - 1) * a, "cusp": a - b}, (a, b)))
    a = 1/d
    b = 1/d
    if
      neighbours
      cusp
    """
    exponents = {
        checks.text("balances", words): sympy_object(words, exponent)
        for words, exponent in checks.mapping("balances", balances).items()
    }
    symbols = tuple(unknowns)
    solutions = sp.linsolve(list(exponents.values()), *symbols)
    if not solutions:
        raise ValueError(f"balances: got {list(exponents)}, which contradict each other")
    (values,) = solutions
    solution = {symbol: sp.factor(value) for symbol, value in zip(symbols, values, strict=True)}
    free = {symbol for value in values for symbol in value.free_symbols}
    gauge = tuple(symbol for symbol in symbols if symbol in free)
    return Balance(MappingProxyType(exponents), MappingProxyType(solution), gauge)
