"""What a closed form becomes in the programs of others: sympy, other languages, torch and hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import sympy as sp

from closedform.checks.plain import sequence
from theory.core.formula.special import opened
from theory.core.formula.subexpressions import rebuilt

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm


class Portable:
    """The part of :class:`ClosedForm` that can be taken along."""

    expression: sp.Expr

    @cached_property
    def plain(self) -> sp.Expr:
        """The expression in sympy's own functions, for ``sympy.lambdify``, code printers and other programs.

        It is 0/0 at points where ``expression`` holds a limit, such as ``phi1(0)``, and it loses the digits that
        cancel, which ``function`` and ``evaluate`` keep.
        """
        return opened(rebuilt(self.expression, lambda x: getattr(x, "written_out", x)))

    def code(self, language: str) -> str:
        """Return the text of one self-contained function of the arguments, in their order.

        Args:
            language: "c", "js", "julia" or "mathematica".

        Raises:
            ValueError: for an unknown language, or an expression that contains an undefined function.
            NotImplementedError: if the language lacks a function, or for an integral; the message names it.
        """
        from theory.core.text.code import code

        return code(cast("ClosedForm", self), language)

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

        return module(cast("ClosedForm", self), tuple(sequence("trainable", trainable, "names")), values)

    def strategy(self, **ranges: Any) -> Any:
        """Return a hypothesis strategy of valid points ``{argument: value}``, for ``form(**point)``.

        Args:
            ranges: range ``(low, high)`` or fixed value by argument. Default: the ranges from which tests draw.

        Raises:
            ModuleNotFoundError: if hypothesis is not installed.
            ValueError: for an unknown argument, a range outside its domain, or ranges without a valid point.
        """
        from theory.core.formula.sampling import strategy

        return strategy(cast("ClosedForm", self), ranges)
