"""The printer of expressions as Python source, one text for numpy, torch, JAX, numba, mpmath and balls.

A backend differs from another by the functions that the names in the source stand for. A ``Piecewise``, an
``Integral``, an ``Applied``, an ``Iterated``, a ``Let`` or a ``compensated`` becomes a call of a function of its own,
so that no term leaves the branch that guards it, and a difference has twice the digits in all terms.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.formula.deferred_function import Applied, Iterated
from theory.core.formula.let import Let, named_parts
from theory.core.formula.rounding import compensated, nonnegative, watched, written_out
from theory.core.formula.subexpressions import computable, distinct
from theory.core.numbers.backends import complex_ball_backend
from theory.core.numbers.backends.cancellation import FEW
from theory.core.numbers.backends.code_printer import (
    LETTER,
    CodePrinter,
    function_name,
    parameter_names,
)
from theory.core.numbers.backends.pair_source import PairPrinter

_COMPARISONS = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
}


class Source:
    """The text of the functions that one or more expressions need, and the names that stand in it.

    Args:
        backend: module with ``NAME``, ``FOLDS``, ``functions`` and ``literal``, which may lack others. One with
            ``OF_NUMBERS`` takes one number at a time, so that its source has conditional expressions.
        options: keyword arguments of ``functions``, ``literal`` and the parts of the backend.
    """

    def __init__(self, backend: Any, options: dict[str, Any]) -> None:
        self.backend, self.options = backend, options
        self.names: dict[str, Any] = {**_COMPARISONS, **backend.functions(**options)}
        self.lines: list[str] = []
        self._kept: dict[str, Any] = {"backend": backend, "options": options}
        self._parts: dict[sp.Basic, str] = {}
        self._of_numbers = hasattr(backend, "OF_NUMBERS")

    @property
    def text(self) -> str:
        """The source of all functions."""
        return "\n".join(self.lines) + "\n"

    def function(
        self, expression: sp.Basic, inputs: Sequence[sp.Symbol], in_pairs: bool = False
    ) -> str:
        """Print a function of ``inputs``, by position, and return its name.

        Args:
            expression: a scalar, a relation or a ``Tuple`` of several.
            inputs: its symbols.
            in_pairs: whether to compute in pairs of numbers, and to return a pair. Default: False.

        Raises:
            ValueError: for an undefined function.
            NotImplementedError: for a function that the backend lacks.
        """
        if any(isinstance(node, (sp.Derivative, sp.Subs)) for node in distinct(expression)):
            expression = expression.doit(integrals=False)
        expression = computable(expression)
        names = self.names_of(inputs)
        if in_pairs:
            expression = written_out(expression)
        body = expression if in_pairs else self._outlined(expression)
        self._require_known(body, "pair_" if in_pairs else "")
        shared, result = named_parts(body, sp.numbered_symbols(LETTER))
        if in_pairs:
            lines = PairPrinter(
                names, getattr(self.backend, "are_pairs", bool)(**self.options)
            ).lines(shared, result)
        else:
            printer = CodePrinter(
                lambda x: self.backend.literal(x, **self.options), self.names.__contains__, names
            )
            lines = [f"{letter} = {printer.doprint(part)}" for letter, part in shared]
            values = [
                printer.doprint(part)
                for part in (result if isinstance(result, sp.Tuple) else [result])
            ]
            lines.append(
                f"return ({', '.join(values)},)"
                if isinstance(result, sp.Tuple)
                else f"return {values[0]}"
            )
        return self.defined(list(names.values()), lines)

    def defined(self, parameters: Sequence[str], lines: Sequence[str]) -> str:
        """Append a function to the text and return its name."""
        name = self._fresh()
        self.lines += [
            "@part" if self._of_numbers else "",
            f"def {name}({', '.join(parameters)}):",
        ]
        self.lines += [f"    {line}" for line in lines]
        return name

    def _fresh(self) -> str:
        name = f"part_{len(self._kept)}"
        self._kept[name] = None
        return name

    def names_of(self, inputs: Sequence[sp.Symbol]) -> dict[sp.Symbol, str]:
        """Return a name for each symbol, its own where that is possible."""
        return parameter_names(inputs, lambda name: name in self.names or name in self._kept)

    def _outlined(self, expression: sp.Basic) -> sp.Basic:
        """Replace every Applied and every outermost node of ``_OUTLINED`` by a call of a function of the text."""
        if isinstance(expression, Let):
            definitions = [
                (letter, self._outlined(value)) for letter, value in expression.definitions
            ]
            return Let(definitions, self._outlined(expression.result))
        known: dict[sp.Basic, sp.Basic] = {}

        def visit(node: sp.Basic) -> sp.Basic:
            if node not in known:
                known[node] = replacement(node)
            return known[node]

        def replacement(node: sp.Basic) -> sp.Basic:
            if isinstance(node, Applied):
                (variable,) = node.function.variables
                if node.function not in self._parts:
                    self._parts[node.function] = self.function(node.function.expr, [variable])
                return sp.Function(self._parts[node.function])(visit(node.value))
            if isinstance(node, nonnegative):
                return sp.Max(0, visit(compensated(*node.args)), evaluate=False)
            for kind, build in self._OUTLINED.items():
                if isinstance(node, kind):
                    return self._outlined_part(node, build)
            arguments = tuple(map(visit, node.args))
            return node if arguments == node.args else node.func(*arguments)

        return visit(expression)

    def _outlined_part(self, node: sp.Basic, build: Callable[..., str]) -> sp.Basic:
        """Return the call of the function of a part, which is printed once."""
        inputs = sorted(node.free_symbols, key=sp.default_sort_key)
        if node not in self._parts:
            self._parts[node] = build(self, node, inputs)
        return sp.Function(self._parts[node])(*inputs)

    def _combined(self, combination: str, node: sp.Basic, *parts: Any) -> str:
        """Append a function that the backend makes of others, and return its name."""
        if not hasattr(self.backend, combination):
            raise NotImplementedError(
                f"the {self.backend.NAME} backend has no {type(node).__name__}"
            )
        name = self._fresh()
        self.lines.append(f"{name} = backend.{combination}({', '.join(parts)}, **options)")
        return name

    def _piecewise(self, node: sp.Piecewise, inputs: list[sp.Symbol]) -> str:
        cases = [
            (None if c == sp.true else self.function(c, inputs), self.function(v, inputs))
            for v, c in node.args
        ]
        if not self._of_numbers:
            listed = ", ".join(f"({condition}, {value})" for condition, value in cases)
            return self._combined("piecewise", node, f"[{listed}]")
        names = list(self.names_of(inputs).values())
        call = f"({', '.join(names)})"
        lines = [
            f"{f'if {condition}{call}: ' if condition else ''}return {value}{call}"
            for condition, value in cases
        ]
        return self.defined(names, lines if cases[-1][0] is None else [*lines, "return nan"])

    def _integral(self, node: sp.Integral, inputs: list[sp.Symbol]) -> str:
        if any(len(triple) != 3 for triple in node.limits):
            raise ValueError(f"only definite integrals can be evaluated, got {node}")
        if len(node.limits) == 2 and hasattr(self.backend, "double_integral"):
            (inner, *inner_limits), (outer, *outer_limits) = node.limits
            integrand = self.function(node.function, [inner, outer, *inputs])
            inner_ends = [self.function(limit, [outer, *inputs]) for limit in inner_limits]
            outer_ends = [self.function(limit, inputs) for limit in outer_limits]
            ends = [f"({low}, {high})" for low, high in (inner_ends, outer_ends)]
            return self._combined("double_integral", node, integrand, *ends)
        *others, (variable, *limits) = node.limits
        integrand = sp.Integral(node.function, *others) if others else node.function
        parts = [
            self.function(integrand, [variable, *inputs]),
            *(self.function(limit, inputs) for limit in limits),
        ]
        name = self._combined("integral", node, *parts)
        if not hasattr(self.backend, "certified") or integrand.has(sp.Integral):
            return name
        balls = self._fresh()
        self._kept[balls] = lambda: Source(complex_ball_backend, {}).compiled(node, inputs)
        return self._combined("certified", node, name, balls)

    def _compensated(self, node: compensated, inputs: list[sp.Symbol]) -> str:
        plain = self.function(node.args[0], inputs)
        if not (self._of_numbers or hasattr(self.backend, "compensated")):
            return plain
        doubled = self.function(node.args[0], inputs, in_pairs=True)
        if not self._of_numbers:
            return self._combined("compensated", node, plain, doubled)
        names = list(self.names_of(inputs).values())
        call = f"({', '.join(names)})"
        kept = f"return value if -inf < value < inf else {plain}{call}"
        return self.defined(names, [f"value = {doubled}{call}[0]", kept])

    def _watched(self, node: watched, inputs: list[sp.Symbol]) -> str:
        if not (self._of_numbers or hasattr(self.backend, "watched")):
            return self.function(node.args[0], inputs)
        parts = sp.Add.make_args(node.args[0])
        terms = self.function(sp.Tuple(*parts), inputs)
        if not self._of_numbers:
            return self._combined("watched", node, terms)
        names = list(self.names_of(inputs).values())
        letters = [f"p{index}" for index in range(len(parts))]
        lines = [
            f"{', '.join(letters)}, = {terms}({', '.join(names)})",
            f"value = {' + '.join(letters)}",
            f"size = {' + '.join(f'abs({letter})' for letter in letters)}",
            f"return value if abs(value) >= {FEW} * size else nan",
        ]
        return self.defined(names, lines)

    def _iterated(self, node: Iterated, inputs: list[sp.Symbol]) -> str:
        step, first, count, result = node.parts
        start = self.function(first, inputs)
        onwards = self.function(step.expr, [*step.variables, *inputs])
        last = self.function(result.expr, [*result.variables, *inputs])
        names = list(self.names_of(inputs).values())
        state = [f"state_{index}" for index in range(len(step.variables))]
        given = ", ".join((*state, *names))
        targets = f"({', '.join(state)},)"
        return self.defined(
            names,
            [
                f"{targets} = {start}({', '.join(names)})",
                f"for _ in range({count}):",
                f"    {targets} = {onwards}({given})",
                f"return {last}({given})",
            ],
        )

    def _let(self, node: Let, inputs: list[sp.Symbol]) -> str:
        return self.function(node, inputs)

    _OUTLINED: ClassVar[dict[type, Callable[..., str]]] = {
        sp.Piecewise: _piecewise,
        sp.Integral: _integral,
        watched: _watched,
        compensated: _compensated,
        Iterated: _iterated,
        Let: _let,
    }

    def _require_known(self, body: sp.Basic, prefix: str) -> None:
        for node in distinct(body):
            if isinstance(node, AppliedUndef) and node.func.__name__ not in self._kept:
                raise ValueError(
                    f"{node.func.__name__} is an undefined function: define it with specialise() first"
                )
            if not isinstance(
                node, (sp.Function, sp.Max, sp.Min, sp.Sum, sp.Product, sp.Limit, sp.Derivative)
            ):
                continue
            # A function of numbers alone is printed as the number.
            name = prefix + function_name(node)
            is_known = name in self.names or function_name(node) in self._kept
            if not is_known and not (self.backend.FOLDS and node.is_number):
                what = (
                    f"{function_name(node)} in pairs of numbers" if prefix else function_name(node)
                )
                raise NotImplementedError(f"the {self.backend.NAME} backend has no {what}")

    def functions(self) -> dict[str, Any]:
        """Return the functions of the text by name, after it has been executed with the names of the backend."""
        scope = {**self.names, **self._kept}
        exec(self.text, scope)
        return scope

    def compiled(self, expression: sp.Basic, inputs: Sequence[sp.Symbol]) -> Callable[..., Any]:
        """Return the function that :meth:`function` prints."""
        name = self.function(expression, inputs)
        function: Callable[..., Any] = self.functions()[name]
        return function


def compile_expression(
    expression: sp.Basic, symbols: Sequence[sp.Symbol], backend: Any, **options: Any
) -> Callable[..., Any]:
    """Return a function of ``symbols``, by position, that evaluates ``expression``.

    Args:
        expression: a scalar, a relation or a ``Tuple`` of several.
        symbols: its free symbols.
        backend: module of a backend, see :class:`Source`.
        options: options of the backend, such as ``dtype``.

    Raises:
        ValueError: for an undefined function.
        NotImplementedError: for a function that the backend lacks.

    >>> from theory.core.numbers.backends import load
    >>> float(compile_expression(sp.Symbol("x") ** 2, [sp.Symbol("x")], load("numpy"))(3.0))
    9.0
    """
    return Source(backend, options).compiled(expression, symbols)
