"""An expression with the steps that derive it: what the verbs of the engine return."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from closedform import checks
from theory.core import Argument, Check, ClosedForm, Status, Step, Verdict


@dataclass(frozen=True, repr=False)
class Derived:
    """An expression that was derived, in words, with the steps of its derivation.

    Args:
        words: what the expression is, in words.
        expression: the expression, a scalar.
        steps: the derivation; the last step contains the expression.
        assumptions: assumptions in words on which it rests. Default: none.

    >>> x = sp.Symbol("x", real=True)
    >>> step = Step("binomial", (x + 1) ** 2, x**2 + 2 * x + 1, uses=())
    >>> square = Derived("the square of a sum", (x + 1) ** 2, steps=(step,))
    >>> print(square)
    the square of a sum: (x + 1)**2
    >>> square.check()["binomial"].name
    'HOLDS'
    """

    words: str
    expression: sp.Expr
    steps: tuple[Step | Check, ...] = field(default=(), kw_only=True)
    assumptions: tuple[str, ...] = field(default=(), kw_only=True)

    def check(self, fresh: bool = False) -> dict[str, Verdict]:
        """Check every step.

        Args:
            fresh: whether to decide every step again instead of reading the store of proofs. Default: False.

        Returns:
            Claim -> verdict.
        """
        return {step.claim: step.check(fresh) for step in self.steps}

    def form(
        self,
        name: str,
        meaning: str = "",
        arguments: Iterable[Argument] = (),
        **fields: Any,
    ) -> ClosedForm:
        """Return the expression with its derivation as a closed form.

        Args:
            name: dotted name of the form, such as "own.strength".
            meaning: its meaning, one sentence. Default: the words of this object.
            arguments: arguments with meaning and unit for the symbols of the expression, in any order and number; a
                symbol without one gets an argument that is called by its letter. Default: none.
            fields: other fields of :class:`theory.core.ClosedForm`, such as ``sources``. Default: none.

        Raises:
            TypeError, ValueError: as :class:`theory.core.ClosedForm`, for instance for a symbol that is not real.
        """
        checks.text("name", name)
        listed = tuple(arguments)
        described = {argument.symbol for argument in listed}
        missing = sorted(self.expression.free_symbols - described, key=sp.default_sort_key)
        return ClosedForm(
            name=name,
            meaning=meaning or f"{self.words[:1].upper()}{self.words[1:]}.",
            arguments=(
                *listed,
                *(Argument(symbol, f"the letter {symbol}") for symbol in missing),
            ),
            expression=self.expression,
            status=Status.DERIVED,
            steps=self.steps,
            **{"assumptions": self.assumptions, **fields},
        )

    def __repr__(self) -> str:
        return f"{self.words}: {sp.sstr(self.expression)}"

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle \text{{{self.words}: }} {sp.latex(self.expression)}$"
