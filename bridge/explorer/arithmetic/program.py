"""The program in JavaScript of an expression, and the functions with which it computes."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.formula.deferred_function import Applied, Iterated
from theory.core.formula.let import Let
from theory.core.formula.rounding import compensated
from theory.core.numbers.backends.code_printer import LARGEST_CHAIN, RELATIONS

NAME = "javascript"
_FILES = ("numbers.js", "elementary.js", "special.js", "integral.js")
_DECLARED = re.compile(r"^(?:function|class|const) (\w+)", re.MULTILINE)
_DIGITS = 50  # of a constant before it is written as a pair
_EXACT = 2**53  # integers below are doubles
_MARGIN = 2.0**-103  # larger than the relative error of a pair that is rounded from a number


def program(expression: sp.Basic, symbols: Sequence[sp.Symbol]) -> str:
    """Return the code of a function of the library that returns a function of numbers with error bounds.

    Every subexpression is computed once. ValueError is raised for an unknown symbol or function, and
    NotImplementedError for a nested integral or a function that the library lacks.
    """
    if expression.has(sp.Derivative, sp.Subs):
        expression = expression.doit(integrals=False)
    writer = _Writer()
    names = {symbol: f"x{index}" for index, symbol in enumerate(symbols)}
    body = _Scope(writer, names, 1).function(expression, list(names.values()))
    used = ", ".join(sorted(writer.used))
    constants = "".join(f"  const {name} = {code};\n" for code, name in writer.constants.items())
    return f"({{ {used} }}) => {{\n{constants}  return {body};\n}}"


class _Writer:
    """What the scopes of a program share: its constants, the functions that it uses, and a counter of names."""

    def __init__(self) -> None:
        self.constants: dict[str, str] = {}
        self.used: set[str] = set()
        self.count = 0

    def call(self, name: str, *arguments: str) -> str:
        if name not in functions():
            raise NotImplementedError(f"the {NAME} backend has no {name}")
        self.used.add(name)
        return f"{name}({', '.join(arguments)})"

    def constant(self, number: sp.Expr) -> str:
        code = self._literal(number)
        return self.constants.setdefault(code, f"c{len(self.constants)}")

    def _literal(self, number: sp.Expr) -> str:
        if number in (sp.oo, -sp.oo):
            return self.call("real", "Infinity" if number is sp.oo else "-Infinity")
        if number.is_Integer and abs(number) < _EXACT:
            return self.call("real", str(number))
        value = number.evalf(_DIGITS)
        if not (value.is_Float and value.is_finite):
            raise NotImplementedError(f"the {NAME} backend cannot write the number {number}")
        high = float(value)
        if number.is_Rational and sp.Rational(high) == number:
            return self.call("real", repr(high))
        low = float((value - sp.Float(high, _DIGITS)).evalf(_DIGITS))
        return self.call("real", repr(high), repr(low), f"{abs(high) * _MARGIN:.1e}")

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count - 1}"


class _Scope:
    """The statements of one function, in which every subexpression has a name once it is computed."""

    def __init__(
        self, writer: _Writer, names: dict[sp.Basic, str], depth: int, in_integral: bool = False
    ) -> None:
        self._names: dict[Any, str] = dict(names)
        self._writer, self._depth, self._in_integral = writer, depth, in_integral
        self._lines: list[str] = []

    def function(self, expression: sp.Basic, parameters: Sequence[str]) -> str:
        """Return the code of a function with this value; its body ends the scope."""
        result = self.name(expression)
        indent = "  " * (self._depth + 1)
        body = "".join(f"{indent}{line}\n" for line in (*self._lines, f"return {result};"))
        return f"({', '.join(parameters)}) => {{\n{body}{'  ' * self._depth}}}"

    def name(self, node: sp.Basic) -> str:
        """Return the name of a subexpression, after the statements that compute it."""
        if node not in self._names:
            if (
                isinstance(node, sp.Expr)
                and node.is_number
                and not node.has(sp.Integral, Applied, Iterated)
            ):
                return self._writer.constant(node)
            code = self._code(node)
            self._names[node] = self._writer.fresh()
            self._lines.append(f"const {self._names[node]} = {code};")
        return self._names[node]

    def _code(self, node: sp.Basic) -> str:
        call = self._writer.call
        for kind, write in self._WRITERS.items():
            if isinstance(node, kind):
                return str(write(self, node))
        if isinstance(node, AppliedUndef):
            raise ValueError(
                f"{node.func.__name__} is an undefined function: define it with specialise() first"
            )
        if isinstance(node, sp.Symbol):
            raise ValueError(f"{node} is not an argument of the program")
        return call(RELATIONS.get(type(node), type(node).__name__), *map(self.name, node.args))

    def _inner(
        self, expression: sp.Basic, variables: Sequence[sp.Symbol] = (), in_integral: bool = False
    ) -> str:
        own = {variable: self._writer.fresh() for variable in variables}
        scope = _Scope(
            self._writer, {**self._names, **own}, self._depth + 1, in_integral or self._in_integral
        )
        return scope.function(expression, list(own.values()))

    def _let(self, node: Let) -> str:
        """Return the call of a function that computes the parts one after the other."""
        outer = {
            known: name
            for known, name in self._names.items()
            if not known.free_symbols & {*node.bound_symbols}
        }
        scope = _Scope(self._writer, outer, self._depth + 1, self._in_integral)
        for letter, value in node.definitions:
            scope._names[letter] = scope.name(value)
        return f"({scope.function(node.result, [])})()"

    def _sum(self, node: sp.Add) -> str:
        first, *rest = node.args
        code = self.name(first)
        for term in rest:
            is_minus = term.could_extract_minus_sign()
            code = self._writer.call(
                "subtract" if is_minus else "add", code, self.name(-term if is_minus else term)
            )
        return code

    def _product(self, node: sp.Mul) -> str:
        if node.args[0] is sp.S.NegativeOne:
            return self._writer.call("negative", self.name(-node))
        bottom = [
            a
            for a in node.args
            if a.is_Pow and not a.is_number and a.exp.is_Rational and a.exp < 0
        ]
        top = [a for a in node.args if a not in bottom] or [sp.S.One]
        code = self.name(top[0])
        for factor in top[1:]:
            code = self._writer.call("multiply", code, self.name(factor))
        for factor in bottom:  # one by one, since the product of denominators may overflow
            code = self._writer.call("divide", code, self.name(sp.Pow(factor.base, -factor.exp)))
        return code

    def _power(self, node: sp.Pow) -> str:
        call, (base, exponent) = self._writer.call, node.args
        if exponent.is_Rational and exponent < 0:
            return call(
                "divide", self._writer.constant(sp.S.One), self.name(sp.Pow(base, -exponent))
            )
        if exponent == sp.S.Half:
            return call("sqrt", self.name(base))
        if exponent.is_Integer and exponent <= LARGEST_CHAIN:
            return call("integer_power", self.name(base), str(exponent))
        return call("power", self.name(base), self.name(exponent))

    def _piecewise(self, node: sp.Piecewise) -> str:
        code = ""
        for value, condition in node.args:
            chosen = f"({self._inner(value)})()"
            if condition == sp.true:
                return code + chosen
            code += f"({self._inner(condition)})() ? {chosen} : "
        return code + self._writer.call("no_case")

    def _integral(self, node: sp.Integral) -> str:
        if self._in_integral or len(node.limits) != 1:
            raise NotImplementedError(f"the {NAME} backend has no integral within an integral")
        ((variable, *limits),) = node.limits
        if len(limits) != 2:
            raise ValueError(f"only definite integrals can be evaluated, got {node}")
        integrand = self._inner(node.function, [variable], in_integral=True)
        return self._writer.call("integral", integrand, *map(self.name, limits))

    def _applied(self, node: Applied) -> str:
        (variable,) = node.function.variables
        return f"({self._inner(node.function.expr, [variable])})({self.name(node.value)})"

    def _logical(self, node: sp.Basic) -> str:
        sign = " && " if isinstance(node, sp.And) else " || "
        return sign.join(f"({self._inner(part)})()" for part in node.args)

    _WRITERS: ClassVar[dict[type, Callable[["_Scope", Any], str]]] = {
        sp.Add: _sum,
        sp.Mul: _product,
        sp.Pow: _power,
        sp.exp: lambda self, node: self._writer.call("exp", self.name(node.exp)),
        # numbers with error bounds need no help
        compensated: lambda self, node: self.name(node.args[0]),
        sp.Piecewise: _piecewise,
        sp.Integral: _integral,
        Let: _let,
        Applied: _applied,
        Iterated: lambda self, node: self.name(node.written_out),
        sp.And: _logical,
        sp.Or: _logical,
        sp.Not: lambda self, node: f"!({self._inner(node.args[0])})()",
    }


@cache
def _code() -> str:
    folder = files("bridge.explorer.arithmetic")
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in _FILES)


@cache
def functions() -> frozenset[str]:
    """Return the names that a program may use."""
    return frozenset(_DECLARED.findall(_code()))


def library(name: str = "closedform") -> str:
    """Return the code of a script that defines an object of this name with all functions."""
    return f"const {name} = (() => {{\n{_code()}\nreturn {{ {', '.join(sorted(functions()))} }};\n}})();\n"
