r"""Recursions of a few numbers from layer to layer: values at any depth, solutions, fixed points, what is far above.

A recursion is :math:`s_{\ell+1} = F(s_\ell, \ell)` from :math:`s_0`. Its value at a depth is a loop in every backend,
so that the formula of a hundred layers is as short as that of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from closedform import checks
from theory.core import Premise, Step
from theory.core.formula.deferred_function import iterated
from theory.core.formula.parsing import sympy_object
from theory.core.formula.sampling import satisfies
from theory.core.formula.subexpressions import at_values
from theory.core.proof import theorems
from theory.core.proof.premises import with_lemmas
from theory.core.proof.values import taking
from theory.engine.derived import Derived
from theory.engine.exact import exact
from theory.engine.kinks import is_smooth
from theory.engine.linear_recursions import Unsolved
from theory.engine.nonlinear_recursions import solution
from theory.engine.solutions import Solution
from theory.engine.zeros import resting_points

INDEX = sp.Symbol("l", integer=True, nonnegative=True)


@dataclass(frozen=True, repr=False)
class RestingState:
    """A state that a recursion keeps, with the factors of small changes.

    Attributes:
        state: letter -> its value.
        multipliers: eigenvalues of the derivatives of the rule there; empty where it has none, as at a kink.
        is_stable: whether all are smaller than 1 in size; None where the signs of symbols do not decide.
        steps: the derivation.
    """

    state: Mapping[sp.Symbol, sp.Expr]
    multipliers: tuple[sp.Expr, ...]
    is_stable: bool | None
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        values = ", ".join(f"{letter} = {value}" for letter, value in self.state.items())
        word = {True: "stable", False: "unstable", None: "not decided"}[self.is_stable]
        return f"{values}: multipliers {', '.join(map(str, self.multipliers))}, {word}"


class Recursion:
    """A recursion of a few numbers.

    Args:
        rules: letter -> its value one level up, in the letters and the index. A float is the decimal that it prints.
        start: letter -> its value at index 0, in other symbols.
        index: symbol of the index, a nonnegative integer. Default: ``l``.
        uses: what the rules rest on: steps, closed forms, premises. Default: they are a definition.

    Raises:
        TypeError: if a letter is no symbol, or a value is no expression.
        ValueError: if the letters of rules and start differ, a start contains a letter, or the index cannot be 0.

    >>> K, S, x = sp.symbols("K S x", positive=True)
    >>> relu = Recursion({K: S * K / 2}, {K: x})
    >>> relu
    K -> K*S/2 from K = x
    >>> relu.at(50)[K].written_out.subs({S: 2, x: 3})
    3
    >>> relu.solve()[K]
    K as a function of l: x*(S/2)**l
    >>> relu.solve()[K].check()
    {'K at index 0': <Verdict.HOLDS: 'holds'>, 'K from l to l + 1': <Verdict.HOLDS: 'holds'>}
    """

    def __init__(
        self,
        rules: Mapping[sp.Symbol, Any],
        start: Mapping[sp.Symbol, Any],
        index: sp.Symbol = INDEX,
        uses: tuple[Any, ...] = (),
    ) -> None:
        self.uses = checks.instance(
            "uses", uses, tuple, "a tuple of steps, closed forms and premises"
        )
        self.index = checks.instance("index", index, sp.Symbol, "a symbol")
        counts = index.is_integer and index.is_nonnegative and not index.is_positive
        checks.require(bool(counts), "index", index, "a nonnegative integer, which may be 0")
        self.rules = {k: exact(f"rules[{k}]", v) for k, v in rules.items()}
        self.start = {k: exact(f"start[{k}]", v) for k, v in start.items()}
        if not self.rules or not all(isinstance(letter, sp.Symbol) for letter in self.rules):
            raise TypeError(f"rules: got {checks.shown(rules)}, needs a symbol for each number")
        if set(self.start) != set(self.rules):
            raise ValueError(f"start: got {list(start)}, needs values for {list(rules)}")
        inside = set().union(*(value.free_symbols for value in self.start.values()))
        if inside & {*self.rules, self.index}:
            raise ValueError(
                f"start: got {self.start}, needs values without the letters and the index"
            )

    @property
    def premise(self) -> Premise:
        """What every derivation starts from."""
        return Premise(f"the recursion {self!r}", sp.Tuple(*self.rules.values(), self.index + 1))

    def __repr__(self) -> str:
        rules = ", ".join(f"{letter} -> {value}" for letter, value in self.rules.items())
        starts = ", ".join(f"{letter} = {value}" for letter, value in self.start.items())
        return f"{rules} from {starts}"

    def at(self, depth: Any) -> dict[sp.Symbol, sp.Expr]:
        """Return the value of each letter after some levels.

        Args:
            depth: number of levels, from 0, whose values every backend computes by a loop; or a symbol that is a
                nonnegative integer, or an expression in such symbols, for the solution of :meth:`solve`.

        Raises:
            TypeError, ValueError: if ``depth`` is no such integer.
            NotImplementedError: for a symbol where no solution is known here; the message says what to do instead.

        >>> K, n, L = sp.symbols("K n L", integer=True, positive=True)
        >>> Recursion({K: 3 * K + 1}, {K: n}).at(L)[K]
        3**L*n + 3**L/2 - 1/2
        """
        if isinstance(depth, sp.Expr) and depth.free_symbols:
            is_count = depth.is_integer and depth.is_nonnegative
            needs = "a nonnegative integer, such as Symbol('L', integer=True, nonnegative=True)"
            checks.require(bool(is_count), "depth", depth, needs)
            curves = self.solve().curves
            return {letter: value.subs(self.index, depth) for letter, value in curves.items()}
        count = checks.integer("depth", depth, 0)
        step = {**self.rules, self.index: self.index + 1}
        start = {**self.start, self.index: sp.S.Zero}
        return {letter: iterated(step, start, count, letter) for letter in self.rules}

    def solve(self, guess: Mapping[sp.Symbol, Any] | None = None) -> Solution:
        """Return a solution in the index, with the steps of a proof by induction for each letter.

        Args:
            guess: letter -> its value as an expression in the index. Default: the solution of a linear recursion, in
                which letters may rest in any way on those that do not rest on them, and by constant factors on each
                other; or of one letter that becomes a ratio of two linear functions of itself, or a quadratic function
                of the few kinds that have a solution.

        Returns:
            The solution, which has ``[letter]`` and ``quantity``; ``check()`` says whether it is one.

        Raises:
            TypeError, ValueError: if ``guess`` has not a value for every letter.
            NotImplementedError: without a guess, for any other recursion.
        """
        try:
            proposed = solution(self.rules, self.start, self.index) if guess is None else guess
        except Unsolved as error:
            raise NotImplementedError(
                f"rules: got {self!r}, which is not solved here, since {error}; .solve({{letter: its value in "
                f"{self.index}}}) proves a solution of your own, and .at(50) has numbers by a loop"
            ) from None
        values = {k: sympy_object(f"guess[{k}]", v) for k, v in proposed.items()}
        if set(values) != set(self.rules):
            raise ValueError(f"guess: got {list(values)}, needs a value for {list(self.rules)}")
        letters, below = tuple(values), tuple(values.values())
        starts = {
            letter: Step(
                f"{letter} at index 0",
                sp.Subs(sp.UnevaluatedExpr(value), self.index, 0),
                self.start[letter],
                "the start",
                uses=(self.premise,),
            )
            for letter, value in values.items()
        }
        upwards = {
            letter: taking(
                Step(
                    f"{letter} from {self.index} to {self.index} + 1",
                    sp.Subs(value, self.index, self.index + 1),
                    at_values(sp.UnevaluatedExpr(self.rules[letter]), letters, below),
                    "the rule at the solution below; induction",
                ),
                # the induction of one letter rests on those in its rule
                (*starts.values(), *self.uses, self.premise),
            )
            for letter, value in values.items()
        }
        rests = with_lemmas(step for step in self.uses if isinstance(step, Step))
        return Solution(
            values,
            (*rests, *starts.values(), *upwards.values()),
            {letter: (*rests, *starts.values(), step) for letter, step in upwards.items()},
            self.index,
        )

    def fixed_points(self) -> list[RestingState]:
        """Return the states that the rule keeps and the letters allow, with multipliers and steps.

        Raises:
            ValueError: if the rule depends on the index.
            NotImplementedError: if the states have no short formula.

        Warns:
            UserWarning: if the rule is no rational function, so that some states may be left out.
        """
        self._require_autonomous()
        letters = tuple(self.rules)
        rule = sp.Matrix(list(self.rules.values()))
        changes = {letter: value - letter for letter, value in self.rules.items()}
        resting = []
        for point in resting_points(changes, "at(50) has numbers by a loop", 3):
            state = {letter: point.get(letter, letter) for letter in letters}
            if not all(satisfies(letter, value) for letter, value in state.items()):
                continue
            slopes = rule.jacobian(letters)
            multipliers: tuple[sp.Expr, ...] = ()
            if is_smooth((*rule, *slopes), state):
                there = slopes.subs(state, simultaneous=True).applyfunc(sp.simplify)
                multipliers = tuple(there.eigenvals(multiple=True))
            sizes = [(1 - sp.Abs(value)).is_positive for value in multipliers]
            are_large = [(sp.Abs(value) - 1).is_positive for value in multipliers]
            steps = tuple(
                Step(
                    f"{letter} is kept at {', '.join(map(str, state.values()))}",
                    sp.Subs(self.rules[letter], letters, tuple(state.values())),
                    value,
                    "the rule there",
                    uses=(self.premise,),
                )
                for letter, value in state.items()
            )
            is_small = bool(sizes) and all(sizes)
            is_stable = True if is_small else False if True in are_large else None
            resting.append(RestingState(state, multipliers, is_stable, steps))
        return resting

    def critical(self, parameter: sp.Symbol) -> list[tuple[sp.Expr, RestingState]]:
        """Return the values of a parameter at which a multiplier of a fixed point is 1, with that fixed point.

        Args:
            parameter: the symbol to be solved for.

        Returns:
            Pairs (value, fixed point), of those that the assumptions of the letters allow.

        Raises:
            ValueError: if the rule depends on the index.
        """
        checks.instance("parameter", parameter, sp.Symbol, "a symbol")
        pairs = []
        for point in self.fixed_points():
            values: set[sp.Expr] = set()
            for multiplier in point.multipliers:
                values |= set(sp.solve(multiplier - 1, parameter))
            for value in sorted(values, key=sp.default_sort_key):
                there = [(letter, at.subs(parameter, value)) for letter, at in point.state.items()]
                if all(satisfies(letter, at) for letter, at in there if at != letter):
                    pairs.append((value, point))
        return pairs

    def asymptotics(self, fixed: Any = 0) -> Derived:
        """Return how the only letter approaches a fixed point with multiplier 1: as a power of the index.

        With the rule ``x - c x^k + ...`` around it, the distance is ``(1/((k - 1) c l))^(1/(k - 1))`` to leading order.

        Args:
            fixed: the fixed point. Default: 0.

        Returns:
            The distance at large index; its step is the limit of the error of the rule, which is of higher order.

        Raises:
            ValueError: if there are several letters, or the fixed point has another multiplier or a repelling side.
        """
        self._require_autonomous()
        if len(self.rules) != 1:
            raise ValueError(f"asymptotics: got {len(self.rules)} letters, needs one")
        ((letter, rule),) = self.rules.items()
        distance = sp.Symbol("distance", positive=True)
        moved = sp.expand(rule.subs(letter, fixed + distance) - fixed)
        change = sp.expand(sp.series(moved, distance, 0, 8).removeO() - distance)
        power, factor = _leading(change, distance)
        if power < 2 or factor.is_negative is not True or not change.is_polynomial(distance):
            raise ValueError(
                f"asymptotics: got a change of {change} at a distance from {fixed}, needs one that begins with a "
                "negative multiple of a power from 2"
            )
        index = sp.Symbol(self.index.name, positive=True)
        value = (1 / ((power - 1) * -factor * index)) ** sp.Rational(1, power - 1)
        own, above, following = letters = sp.symbols("own above following", positive=True)
        leading = replace(theorems.ITERATION, expression=(above - following) * index / own)
        further = Premise("the next index", index + 1)
        near = Step(
            f"the rule at a distance from {fixed}",
            moved,
            sp.Subs(rule - fixed, letter, fixed + distance),
            "expanded",
            uses=(self.premise,),
        )
        values = (
            value,
            sp.Subs(near.left, distance, value),
            sp.Subs(value, index, further.expression),
        )
        step = Step(
            f"the rule keeps the distance {value} to leading order",
            sp.Limit(sp.Subs(leading.expression, letters, values), index, sp.oo),
            sp.S.Zero,
            "the change of a level is of the order of the distance over the index",
            uses=(near, leading, further),
        )
        words = f"distance of {letter} from {fixed} at large {self.index}"
        return Derived(words, value, steps=(near, step))

    def _require_autonomous(self) -> None:
        if any(value.has(self.index) for value in self.rules.values()):
            raise ValueError(
                f"rules: got {self!r}, needs one that does not depend on {self.index}"
            )


def _leading(change: sp.Expr, distance: sp.Symbol) -> tuple[int, sp.Expr]:
    """Return power and factor of the first term of a polynomial; power 0 for none."""
    powers: Iterable[int] = range(8)
    for power in powers:
        factor = change.coeff(distance, power)
        if factor != 0:
            return power, factor
    return 0, sp.S.Zero
