"""An expression with letters for its parts, each in terms of those before it, so that no formula is written out twice.

A deep network's kernel, written out, doubles with every layer; with a letter for each layer it grows by one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sympy as sp

from theory.core.formula.parsing import sympy_object
from theory.core.formula.subexpressions import Binder, put_in, tree_size, with_other_letters

_LONGEST = 100_000  # nodes of an expression as a tree that sympy's printers take


def bound_letter(name: str, index: int = 0, **assumptions: bool | None) -> sp.Dummy:
    """Return the bound letter of a name and an index: the same object for the same arguments, and no user's symbol."""
    known = {key: value for key, value in assumptions.items() if value is not None}
    return sp.Dummy(name, dummy_index=-1 - index, **known)


class Let(Binder):
    """An expression in letters that stand for parts, which are defined one after the other.

    Args:
        definitions: pairs (letter, value); a value may contain the letters before it. Letters are bound, and made by
            :func:`bound_letter`, so that no symbol of a user is one.
        result: the expression in the letters.

    Raises:
        TypeError: if a letter is no bound letter.
        ValueError: if a letter is defined twice.

    >>> x, a = sp.Symbol("x", real=True), bound_letter("a", real=True)
    >>> let = Let([(a, sp.sin(x))], a**2 + a)
    >>> let, let.doit(), sp.diff(let, x).doit()
    (a**2 + a where a = sin(x), sin(x)**2 + sin(x), (2*sin(x) + 1)*cos(x))
    """

    is_commutative = True

    def __new__(cls, definitions: Iterable[Any], result: Any) -> Let:
        """Create the node without evaluation, without the definitions that the result does not need."""
        pairs = [sp.Tuple(*pair) for pair in definitions]
        result = sympy_object("result", result)
        letters = [letter for letter, _ in pairs]
        if not all(isinstance(letter, sp.Dummy) for letter in letters):
            raise TypeError(f"definitions: got {letters}, needs bound letters")
        if len(set(letters)) < len(letters):
            raise ValueError(f"definitions: got {letters}, needs each letter once")
        needed, kept = set(result.free_symbols), []
        for letter, value in reversed(pairs):
            if letter in needed:
                needed |= value.free_symbols
                kept.append(sp.Tuple(letter, value))
        return sp.Expr.__new__(cls, sp.Tuple(*reversed(kept)), result)

    @property
    def definitions(self) -> tuple[tuple[sp.Dummy, sp.Expr], ...]:
        """The pairs (letter, value)."""
        return tuple((letter, value) for letter, value in self.args[0])

    @property
    def result(self) -> sp.Expr:
        """The expression in the letters."""
        return self.args[1]

    @property
    def bound_symbols(self) -> list[sp.Symbol]:
        """The letters, which are not free."""
        return [letter for letter, _ in self.definitions]

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols on which the value depends."""
        free = self.result.free_symbols
        for letter, value in reversed(self.definitions):
            free = (free - {letter}) | value.free_symbols
        return free

    @property
    def computable(self) -> sp.Expr:
        """Itself: every backend computes one letter after the other."""
        return self

    @property
    def written_out(self) -> sp.Expr:
        """Its letters written out; NotImplementedError if that fills pages."""
        self._require_short()
        return self.doit()

    @property
    def substituted(self) -> sp.Expr:
        """Its letters written out, with nothing worked out; NotImplementedError if that fills pages."""
        self._require_short()
        values: dict[sp.Symbol, sp.Expr] = {}
        for letter, value in self.definitions:
            values[letter] = put_in(value, values)
        is_wrapped = isinstance(self.result, sp.UnevaluatedExpr)
        return put_in(self.result.args[0] if is_wrapped else self.result, values)

    def _require_short(self) -> None:
        """Raise NotImplementedError if the formula without letters fills pages."""
        # counted first: sympy takes for ever to write out what is too long
        sizes: dict[sp.Basic, int] = {}
        for letter, value in self.definitions:
            sizes[letter] = tree_size(value, sizes)
        size = tree_size(self.result, sizes)
        if size > _LONGEST:
            raise NotImplementedError(
                f"the formula has {size:.1e} parts without its letters; function() and code() keep these"
            )

    def doit(self, **hints: Any) -> sp.Expr:
        """Return the expression with every letter written out.

        Args:
            hints: as for sympy's ``doit``, for all parts.
        """
        values: dict[sp.Symbol, sp.Expr] = {}

        def put_in_after(value: sp.Expr) -> sp.Expr:
            # worked out before letters are put in, since a Let inside may bind the same ones
            letters = set().union(*(known.free_symbols for known in values.values()))
            return with_other_letters(value.doit(**hints), letters).xreplace(values)

        for letter, value in self.definitions:
            values[letter] = put_in_after(value)
        return put_in_after(self.result)

    def _eval_subs(self, old: sp.Basic, new: sp.Basic) -> sp.Basic:
        if old in self.bound_symbols:
            return self
        definitions = [(letter, value.subs(old, new)) for letter, value in self.definitions]
        return Let(definitions, self.result.subs(old, new))

    def _eval_derivative(self, symbol: sp.Symbol) -> sp.Expr:
        """Return the derivative with letters for the derivatives of the letters."""
        slopes: dict[sp.Symbol, sp.Symbol] = {}
        definitions: dict[sp.Symbol, sp.Expr] = {}

        def along(value: sp.Expr) -> sp.Expr:
            parts = (sp.diff(value, letter) * slope for letter, slope in slopes.items())
            return sp.diff(value, symbol) + sp.Add(*parts)

        for letter, value in self.definitions:
            definitions[letter] = value
            change = along(value)
            if change != 0:
                # of a second derivative the letters of the first are there already, with the same values
                slope = bound_letter(
                    f"{letter.name}_{symbol.name}", -1 - letter.dummy_index, real=letter.is_real
                )
                definitions[slope] = change
                slopes[letter] = slope
        return Let(definitions.items(), along(self.result))

    def _eval_is_extended_real(self) -> bool | None:
        return self.result.is_extended_real

    def _eval_is_positive(self) -> bool | None:
        return self.result.is_positive

    def _eval_evalf(self, prec: int) -> sp.Expr:
        return self.doit()._eval_evalf(prec)

    def shown(self) -> tuple[sp.Expr, list[tuple[sp.Symbol, sp.Expr]]]:
        """Return result and definitions in symbols that are printed without the underscore of bound ones."""
        names = {letter: sp.Symbol(letter.name) for letter in self.bound_symbols}

        def named(value: sp.Expr) -> sp.Expr:
            # not by xreplace, which would reach the letters that a Let inside binds
            return value.subs(names, simultaneous=True)

        definitions = [(names[letter], named(value)) for letter, value in self.definitions]
        return named(self.result), definitions

    def _sympystr(self, printer: Any) -> str:
        result, definitions = self.shown()
        where = ", ".join(f"{letter} = {printer._print(value)}" for letter, value in definitions)
        return f"{printer._print(result)} where {where}" if where else printer._print(result)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        result, definitions = self.shown()
        where = r",\ ".join(
            f"{printer._print(letter)} = {printer._print(value)}" for letter, value in definitions
        )
        inside = rf"\left. {printer._print(result)} \right|_{{{where}}}"
        return inside if exp is None else rf"\left({inside}\right)^{{{exp}}}"


def named_parts(
    expression: sp.Basic, names: Iterator[sp.Symbol]
) -> tuple[list[tuple[sp.Symbol, sp.Expr]], sp.Basic]:
    """Return names with values for the letters and the repeated parts of an expression, and the rest in these.

    Args:
        expression: an expression, a ``Tuple`` of several, or a :class:`Let` of one.
        names: symbols that stand for parts.
    """
    shared: list[tuple[sp.Symbol, sp.Expr]] = []
    if isinstance(expression, Let):
        values: dict[sp.Symbol, sp.Symbol] = {}
        for letter, value in expression.definitions:
            parts, rest = sp.cse(value.xreplace(values), names, list=False)
            values[letter] = next(names)
            shared += [*parts, (values[letter], rest)]
        expression = expression.result.xreplace(values)
    parts, result = sp.cse(expression, names, list=False)
    return [*shared, *parts], result
