"""Exponents from balances: each balance is an assumption in words, and the exponents follow by linear algebra.

A wrong balance gives wrong exponents by steps that all hold. Therefore the words of every balance are printed with the
solution, and are assumptions of each closed form that is made from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import sympy as sp

from closedform import checks
from theory.core import ClosedForm, Premise, Step, Verdict, applied
from theory.core.proof.premises import Kind
from theory.engine.derived import Derived
from theory.engine.exact import exact
from theory.engine.order import Order


@dataclass(frozen=True, repr=False, eq=False)
class Balance:
    """The exponents that satisfy all balances, as :func:`balance` returns them.

    Attributes:
        balances: words -> exponent that has to vanish.
        solution: unknown -> its exponent, in the parameters and, where it is not unique, in the unknowns of ``gauge``.
        gauge: unknown that stays free -> by how much each unknown changes when that one grows by one.
        steps: how the exponents of the balances come about, that the balances determine each unknown, and that
            the solution satisfies each of them.

    >>> a, b = sp.symbols("a b", real=True)
    >>> balance({"the layer keeps the size of its input": a + b}, (a, b)).gauge
    {b: {a: -1, b: 1}}
    """

    balances: Mapping[str, sp.Expr]
    solution: Mapping[sp.Symbol, sp.Expr]
    gauge: Mapping[sp.Symbol, Mapping[sp.Symbol, sp.Expr]]
    steps: tuple[Step, ...]

    def check(self, fresh: bool = False) -> dict[str, Verdict]:
        """Check every step, as :meth:`theory.engine.derived.Derived.check`.

        Args:
            fresh: whether to decide every step again. Default: False.
        """
        return {step.claim: step.check(fresh) for step in self.steps}

    def __getitem__(self, unknown: sp.Symbol) -> Derived:
        """Return the exponent of an unknown with its derivation.

        Args:
            unknown: one of the unknowns that is not free.

        Raises:
            KeyError: if it is none of them, or free.
        """
        conclusion = next((step for step in self.steps if step.claim == _claim(unknown)), None)
        if conclusion is None:
            raise KeyError(f"{unknown} is not determined by the balances")
        below = _below(conclusion)
        return Derived(
            f"exponent {unknown}",
            self.solution[unknown],
            steps=tuple(step for step in self.steps if step.claim in below),
            assumptions=tuple(self.balances),
        )

    def form(self, unknown: sp.Symbol, name: str, meaning: str = "", **fields: Any) -> ClosedForm:
        """Return the exponent of an unknown as a closed form, whose assumptions are the words of the balances.

        Args:
            unknown: one of the unknowns that is not free.
            name: dotted name of the form.
            meaning: its meaning, one sentence. Default: that it is the exponent.
            fields: arguments and other fields, as for :meth:`theory.engine.derived.Derived.form`.

        Raises:
            KeyError: if the unknown is none of them, or free.
            TypeError, ValueError: as :meth:`theory.engine.derived.Derived.form`.
        """
        return self[unknown].form(name, meaning, **fields)

    def __repr__(self) -> str:
        rows = [
            f"{unknown} = {sp.sstr(value)}"
            for unknown, value in self.solution.items()
            if unknown not in self.gauge
        ]
        for unknown, direction in self.gauge.items():
            changes = [f"{other} by {sp.sstr(by)}" for other, by in direction.items()]
            rows.append(f"{unknown} is free; by each 1 of it change {', '.join(changes)}")
        return "\n".join([*rows, "if", *(f"  {words}" for words in self.balances)])


def balance(balances: Mapping[str, Any], unknowns: Iterable[sp.Symbol]) -> Balance:
    """Return the exponents for which every balance holds.

    Args:
        balances: what is balanced, in words -> the exponent that has to vanish, linear in the unknowns; or an
            :class:`theory.engine.Order`, whose exponent has to vanish.
        unknowns: exponents to solve for.

    Returns:
        The solution, with the gauge: the unknowns that the balances leave free.

    Raises:
        TypeError: for an exponent that is no expression.
        ValueError: for balances that contradict each other, which the message names, or that are not linear.

    >>> a, b, d = sp.symbols("a b d", real=True)
    >>> print(balance({"neighbours touch": 1 - b - (d - 1) * a, "the cusp is reached": a - b}, (a, b)))
    a = 1/d
    b = 1/d
    if
      neighbours touch
      the cusp is reached
    """
    exponents, before = {}, {}
    for words, size in checks.mapping("balances", balances).items():
        checks.text("words of a balance", words)
        exponents[words] = exact(words, size.exponent if isinstance(size, Order) else size)
        is_finite = not exponents[words].has(sp.nan, sp.zoo, sp.oo, -sp.oo)
        checks.require(is_finite, words, exponents[words], "a finite exponent")
        before[words] = size.steps(words) if isinstance(size, Order) else ()
    symbols = tuple(checks.sequence("unknowns", unknowns, of="symbols"))
    for symbol in symbols:
        checks.instance("unknowns", symbol, sp.Symbol, "symbols of sympy")
    checks.require(bool(symbols), "unknowns", symbols, "at least one symbol")
    checks.require(bool(exponents), "balances", exponents, "at least one")
    solution, gauge, multipliers = _solved(exponents, symbols)
    steps = list(dict.fromkeys(step for of_words in before.values() for step in of_words))
    steps += _satisfied(exponents, solution, before)
    steps += _determined(exponents, solution, multipliers, before)
    return Balance(
        MappingProxyType(exponents),
        MappingProxyType(solution),
        gauge,
        tuple(steps),
    )


def _claim(unknown: sp.Symbol) -> str:
    return f"the balances determine {unknown}"


def _below(step: Step) -> set[str]:
    """Return the claims of a step and of all steps on which it rests."""
    claims = {step.claim}
    for use in step.uses or ():
        if isinstance(use, Step):
            claims |= _below(use)
    return claims


def _premises(words: str, before: Mapping[str, tuple[Step, ...]]) -> tuple[Any, ...]:
    return (Premise(words, kind=Kind.ASSUMPTION), *before[words][-1:])


def _satisfied(
    exponents: Mapping[str, sp.Expr],
    solution: Mapping[sp.Symbol, sp.Expr],
    before: Mapping[str, tuple[Step, ...]],
) -> list[Step]:
    values = tuple(solution.values())
    return [
        Step(
            f"the exponents satisfy: {words}",
            sp.Subs(exponent, tuple(solution), values),
            sp.S.Zero,
            because="substitution",
            uses=_premises(words, before),
            aside="the balances do not contradict each other",
        )
        for words, exponent in exponents.items()
    ]


def _determined(
    exponents: Mapping[str, sp.Expr],
    solution: Mapping[sp.Symbol, sp.Expr],
    multipliers: Mapping[sp.Symbol, tuple[sp.Expr, ...]],
    before: Mapping[str, tuple[Step, ...]],
) -> list[Step]:
    """Return a step for each unknown: its exponent differs from it by a combination of what the balances set to 0."""
    steps = []
    # what the balances set to zero, in their order
    letters = dict(zip(exponents, sp.symbols(f"balance_1:{len(exponents) + 1}"), strict=True))
    for unknown, all_factors in multipliers.items():
        factors = dict(zip(exponents, all_factors, strict=True))
        used = [words for words, factor in factors.items() if factor != 0]
        combination = sp.Add(*(factors[words] * letters[words] for words in used))
        rule = Premise(
            "an exponent stays when multiples of what the balances set to zero are taken from it",
            unknown - combination,
        )
        plain = [words for words in used if not before[words]]
        steps.append(
            applied(
                _claim(unknown),
                solution[unknown],
                rule,
                {letters[words]: exponents[words] for words in used},
                because="a combination of what the balances set to zero",
                uses=(
                    *(use for words in used for use in _premises(words, before)),
                    *(Premise(f"the exponent of: {words}", exponents[words]) for words in plain),
                ),
            )
        )
    return steps


def _solved(
    exponents: Mapping[str, sp.Expr], unknowns: tuple[sp.Symbol, ...]
) -> tuple[Any, Any, dict[sp.Symbol, tuple[sp.Expr, ...]]]:
    """Return solution, gauge, and for each unknown that is determined the multipliers of the balances."""
    rows, pivots = _eliminated(exponents, unknowns)
    count = len(unknowns)
    free = [unknowns[column] for column in range(count) if column not in pivots]
    solution = {unknown: unknown for unknown in unknowns}
    multipliers = {}
    for row, pivot in enumerate(pivots):
        factors = tuple(rows.row(row)[count + 1 :])
        if pivot == count:
            names = [
                words for words, factor in zip(exponents, factors, strict=True) if factor != 0
            ]
            raise ValueError(f"balances: got {names}, which contradict each other, needs others")
        if pivot < count:
            along = sp.Add(*(rows[row, unknowns.index(other)] * other for other in free))
            solution[unknowns[pivot]] = sp.factor(rows[row, count] - along)
            multipliers[unknowns[pivot]] = factors
    return solution, {unknown: _changes(solution, unknown) for unknown in free}, multipliers


def _changes(
    solution: Mapping[sp.Symbol, sp.Expr], unknown: sp.Symbol
) -> dict[sp.Symbol, sp.Expr]:
    """Return by how much each exponent changes with one that is free, without those that stay."""
    changes = {other: sp.diff(value, unknown) for other, value in solution.items()}
    return {other: change for other, change in changes.items() if change != 0}


def _eliminated(
    exponents: Mapping[str, sp.Expr], unknowns: tuple[sp.Symbol, ...]
) -> tuple[sp.Matrix, tuple[int, ...]]:
    """Return the reduced rows (slopes, what they equal, of which balances they are a combination), and the pivots."""
    slopes = []
    for words, exponent in exponents.items():
        row = [sp.diff(exponent, unknown) for unknown in unknowns]
        if any(slope.has(*unknowns) for slope in row):
            raise ValueError(
                f"balance {words!r}: got {exponent}, needs one linear in the unknowns"
            )
        slopes.append(row)
    at_zero = dict.fromkeys(unknowns, 0)
    rest = sp.Matrix([-exponent.subs(at_zero) for exponent in exponents.values()])
    return sp.Matrix.hstack(sp.Matrix(slopes), rest, sp.eye(len(exponents))).rref(
        iszerofunc=lambda entry: sp.simplify(entry) == 0, simplify=sp.factor
    )
