"""Letters for what is above each level of a network, their definitions, the steps that state these, and the formula.

All verbs that go through a network from level to level share this: a level adds letters, and each letter has a value
(made by a rule) and a meaning (what the rule says, not worked out). The step of the level claims that they are equal.
The formula is the last letters' function with all levels below it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from closedform import networks
from theory.activations.naming import activation
from theory.core import Argument, ClosedForm, Condition, Status, Step
from theory.core.formula.let import Let
from theory.core.formula.subexpressions import tree_size
from theory.core.numbers.exact import exact
from theory.core.proof.premises import with_lemmas
from theory.core.proof.values import taking

LONGEST = 2500  # nodes of a formula as a tree, above which it keeps its letters
Definition = tuple[sp.Dummy, sp.Expr]


@dataclass(frozen=True)
class Place:
    """The path to a level, such as "2b.1" for the first level of the second branch of the second level."""

    path: str = ""

    def level(self, number: int) -> Place:
        """Return the place of a level of a chain here."""
        return Place(f"{self.path}.{number}" if self.path else str(number))

    def branch(self, number: int) -> Place:
        """Return the place of a branch of the level here."""
        return Place(f"{self.path}{chr(ord('a') + number)}")

    @property
    def suffix(self) -> str:
        """What the letters of the level here end in."""
        return f"_{self.path.replace('.', '')}" if self.path else ""

    def claim(self, net: networks.Network) -> str:
        """Return the claim of the step of a level: its name, or its path and a word."""
        act = getattr(net, "activation", None)
        word = type(net).__name__.lower() if act is None else activation("activation", act).name
        return getattr(net, "name", None) or f"{self.path or '1'}: {word}"


@dataclass(frozen=True)
class Levels:
    """The letters of some levels.

    Attributes:
        definitions: each letter with its value.
        steps: the steps of all levels. Each holds for any values of the letters below it.
    """

    definitions: tuple[Definition, ...] = ()
    steps: tuple[Step, ...] = ()

    def with_level(
        self,
        claim: str,
        letters: Iterable[tuple[sp.Expr, sp.Expr, sp.Expr]],
        because: str,
        rests: tuple[Any, ...],
    ) -> Levels:
        """Return these with one level more.

        Args:
            claim: that of its step.
            letters: each with its value and its meaning; a number that is its own value has no letter.
            because: why, in words.
            rests: what the step may use: of steps, those of which it takes a value.
        """
        new = list(letters)
        if not new:
            return self
        sides = sp.Matrix([value for _, value, _ in new]), sp.Matrix([meant for *_, meant in new])
        step = taking(Step(claim, *sides, because), rests)
        named = ((letter, value) for letter, value, _ in new if not letter.is_number)
        return Levels((*self.definitions, *named), (*self.steps, step))

    def formula(self, result: sp.Expr) -> sp.Expr:
        """Return a function of the letters, written out where that is short and nests no integral."""
        formula = Let(self.definitions, result)
        if sum(value.has(sp.Integral) for _, value in formula.definitions) > 1:
            return formula
        values: dict[sp.Symbol, sp.Expr] = {}
        for letter, value in formula.definitions:
            values[letter] = value.xreplace(values)
            if tree_size(values[letter]) > LONGEST:
                return formula
        return sp.sympify(result).xreplace(values)

    def form(
        self,
        name: str,
        meaning: str,
        result: sp.Expr,
        known: tuple[Argument, ...],
        assumptions: tuple[str, ...],
        *,
        expression: sp.Expr | None = None,
        rests: tuple[Step, ...] = (),
        conditions: tuple[Condition, ...] = (),
    ) -> ClosedForm:
        """Return the closed form of a function of the letters.

        Args:
            name, meaning: those of the closed form.
            result: the function.
            known: arguments that the formula may have besides the symbols of the network.
            assumptions: those of the closed form; the last step uses the first.
            expression: the formula in another form. Default: ``formula(result)``.
            rests: what states the function of the letters. Default: none.
            conditions: those whose symbols are all in the formula are kept. Default: none.
        """
        expression = self.formula(result) if expression is None else expression
        last = taking(
            Step(
                "the levels one above the other",
                expression,
                Let(self.definitions, sp.UnevaluatedExpr(result)),
                because="each letter is its value at the level below",
            ),
            (*self.steps, *rests),
        )
        last = replace(last, uses=(*last.uses, assumptions[0]))
        by_symbol = {argument.symbol: argument for argument in known}
        free = expression.free_symbols
        own = sorted(free - set(by_symbol), key=str)
        return ClosedForm(
            name,
            meaning,
            (
                *(argument for argument in known if argument.symbol in free),
                *(Argument(symbol, f"{symbol.name} of the network") for symbol in own),
            ),
            expression,
            Status.DERIVED,
            with_lemmas((last,)),
            assumptions=assumptions,
            conditions=tuple(c for c in conditions if c.gap.free_symbols <= free),
        )


NONE = Levels()
"""No levels: what is there is the inputs."""


def require_own_symbols(net: networks.Network, reserved: Iterable[Argument]) -> None:
    """Raise ValueError if a number of a network is called as an input or a quantity of the formula is.

    Args:
        net: the network.
        reserved: arguments that the formula has besides the symbols of the network.
    """
    names = {argument.symbol.name: argument.meaning for argument in reserved}
    for level in networks.every(net):
        numbers = (getattr(level, name, None) for name in ("weights", "biases", "width"))
        for value in (*numbers, *(getattr(level, "gains", None) or ())):
            for symbol in getattr(value, "free_symbols", ()):
                if symbol.name in names:
                    raise ValueError(
                        f"{level}: got the symbol {symbol}, which is here {names[symbol.name]}, needs another letter"
                    )


def variance_of(name: str, value: Any) -> sp.Expr:
    """Return a variance of a network as an exact expression.

    Args:
        name: what it is, for an error.
        value: a number or the text of one, as everywhere exact, or an expression in symbols.

    Raises:
        TypeError: if it is none of these.
        ValueError: if it is negative or not real.
    """
    is_symbolic = isinstance(value, sp.Expr) and value.free_symbols
    expression = value if is_symbolic else exact(name, value)
    if (
        expression.is_negative
        or expression.is_extended_real is False
        or expression.is_finite is False
    ):
        raise ValueError(
            f"{name}: got {value}, needs a variance, which is finite and not negative"
        )
    return expression


def definitions_of(net: networks.Network) -> tuple[str, ...]:
    """Return the definitions of the activations of a network, each once."""
    acts = (part for part in networks.every(net) if isinstance(part, networks.Act))
    return tuple(
        dict.fromkeys(activation("activation", act.activation).definition for act in acts)
    )
