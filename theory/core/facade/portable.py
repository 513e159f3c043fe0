"""What a closed form becomes in the programs of others: sympy, other languages, torch and hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import sympy as sp

from closedform.checks.plain import sequence
from closedform.suggestions import unknown
from theory.core.formula.form import Form
from theory.core.formula.special import opened
from theory.core.formula.subexpressions import rebuilt, replaced

# sympy takes an argument without assumptions for a complex number, of which these two have no derivative. Its limits
# take the last case of several that it cannot decide, which therefore is the one that holds everywhere but at 0.
_OF_REALS = {
    sp.Abs: lambda x: sp.sqrt(x**2),
    sp.sign: lambda x: sp.Piecewise((0, sp.Eq(x, 0)), (x / sp.sqrt(x**2), True)),
}


class Symbols:
    """The arguments of a closed form as sympy symbols without assumptions, as attributes and in order.

    Args:
        form: name of the closed form, for messages.
        names: names of its arguments.
    """

    def __init__(self, form: str, names: tuple[str, ...]) -> None:
        self._form = form
        self._names = names

    def __getattr__(self, name: str) -> sp.Symbol:
        names = self.__dict__.get("_names", ())  # empty while a copy is made
        if name not in names:
            raise AttributeError(unknown("argument", name, names) if names else name)
        return sp.Symbol(name)

    def __iter__(self) -> Iterator[sp.Symbol]:
        return (sp.Symbol(name) for name in self._names)

    def __dir__(self) -> list[str]:
        return [*self._names, *super().__dir__()]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._names)})"


class Portable(Form):
    """The part of :class:`ClosedForm` that can be taken along."""

    @cached_property
    def plain(self) -> sp.Expr:
        """The expression in sympy's own functions, for ``sympy.lambdify``, code printers and other programs.

        Its symbols are those of ``symbols``, which have no assumptions, so that a name denotes the same symbol in all
        forms and in ``sympy.diff(form.plain, "tau_y")``; sympy reads the names of its own functions, such as "zeta", as
        these, so that ``form.symbols.zeta`` is the way to such an argument. Absolute values and signs are written
        with roots, so that sympy can differentiate them. The expression is 0/0 at points where ``expression`` holds a
        limit, such as ``phi1(0)``, and it loses the digits that cancel, which ``function`` and ``evaluate`` keep.

        >>> import theory
        >>> form = theory.catalogue()["two_point.relaxation_rate"]
        >>> sp.diff(form.plain, "tau_y") == form.plain.diff(form.symbols.tau_y) != 0
        True
        """
        written_out = opened(rebuilt(self.expression, lambda x: getattr(x, "written_out", x)))
        return self._in_plain_symbols(written_out)

    def _in_plain_symbols(self, result: sp.Basic) -> Any:
        plain = {argument.symbol: sp.Symbol(argument.name) for argument in self.arguments}
        return replaced(result.xreplace(plain), _OF_REALS)

    @cached_property
    def symbols(self) -> Symbols:
        """The symbols of ``plain`` by the names of the arguments, in their order: ``form.symbols.tau_y``.

        >>> import theory
        >>> form = theory.catalogue()["two_point.relaxation_rate"]
        >>> form.symbols.tau_h, len(list(form.symbols))
        (tau_h, 6)
        """
        return Symbols(self.name, tuple(argument.name for argument in self.arguments))

    @cached_property
    def differs_from_print(self) -> tuple[tuple[str, str, str], ...]:
        """The misprinted equations that the form corrects: paper, label in its ledger, and the difference in words.

        >>> import theory
        >>> [label for _, label, _ in theory.catalogue()["geometry.scalar_curvature.erf"].differs_from_print]
        ['(7)', '(C.16)', '(C.23)']
        """
        from theory.core.ledger.misprints import misprints_of

        return misprints_of(self.name, self.sources)

    def code(self, language: str) -> str:
        """Return the text of one self-contained function of the arguments, in their order.

        Args:
            language: "python" (of numbers), "numpy" or "jax" (of arrays that broadcast), "c", "js", "julia" or
                "mathematica".

        Raises:
            ValueError: for an unknown language, or an expression that contains an undefined function.
            NotImplementedError: if the language lacks a function, or for an integral; the message names it.
        """
        from theory.core.text.code import code

        return code(self, language)

    def module(self, trainable: Sequence[str] = (), **values: float) -> Any:
        """Return a ``torch.nn.Module`` of the formula, whose forward pass takes the remaining arguments by keyword.

        Args:
            trainable: names of arguments that are parameters of the module; they stay in their domains.
            values: numbers at which trainable arguments begin and others are fixed. Trainable arguments without a
                number begin in the middle of their ``range``.

        Raises:
            ModuleNotFoundError: if torch is not installed.
            ValueError: for an unknown argument, a trainable integer, or a number outside its domain.
        """
        from theory.core.numbers.backends.torch_module import module

        return module(self, tuple(sequence("trainable", trainable, "names")), values)

    def strategy(self, **ranges: Any) -> Any:
        """Return a hypothesis strategy of valid points ``{argument: value}``, for ``form(**point)``.

        Args:
            ranges: range ``(low, high)`` or fixed value by argument. Default: the ranges from which tests draw.

        Raises:
            ModuleNotFoundError: if hypothesis is not installed.
            ValueError: for an unknown argument, a range outside its domain, or ranges without a valid point.
        """
        from theory.core.numbers.random_points import strategy

        return strategy(self, ranges)
