"""The compiler of expressions for all backends: outlining, common subexpressions, printing and execution.

A ``Piecewise``, an ``Integral``, an ``Applied`` or a ``compensated`` inside the expression becomes a call of a separate
function, which is compiled by itself. As a result, the search for common subexpressions never moves a term out of the
branch that guards it, a branch is evaluated only at the points where its condition holds, and a difference that needs
twice the digits has them in all its terms.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.pycode import PythonCodePrinter

from theory.core.applied import Applied
from theory.core.backends import complex_ball_backend, double_double
from theory.core.rounding import compensated, watched
from theory.core.subexpressions import distinct

# Largest exponent for which a chain of multiplications is used instead of pow.
_LARGEST_CHAIN = 64

_RELATIONS = {
    sp.Lt: "less",
    sp.Le: "less_equal",
    sp.Gt: "greater",
    sp.Ge: "greater_equal",
    sp.Eq: "equal",
    sp.Ne: "not_equal",
}
_COMPARISONS = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
}


class _Printer(PythonCodePrinter):
    """A printer of functions under their sympy names, which the namespace resolves, and of the backend's numbers.

    Where the backend has a function ``rsqrt``, the reciprocal of the square root, roots in denominators use it.
    """

    def __init__(self, literal: Callable[[sp.Expr], str | None], has_rsqrt: bool) -> None:
        super().__init__({"fully_qualified_modules": False, "allow_unknown_functions": True})
        self._literal, self._has_rsqrt = literal, has_rsqrt

    def _print(self, expr: Any, **kwargs: Any) -> str:
        if isinstance(expr, sp.Expr) and expr.is_number:
            text = self._literal(expr)
            if text is not None:
                return f"({text})"
        return super()._print(expr, **kwargs)

    def _print_Mul(self, expr: sp.Mul) -> str:
        """Print all constant factors as one number, so that arrays are multiplied only once.

        Denominators are printed one by one, since their product may overflow and make the ratio 0 without a word.
        """
        factors = [a for a in expr.args if self._is_rsqrt(a)]
        if factors:
            rest = sp.Mul(*(a for a in expr.args if a not in factors), evaluate=False)
            return "*".join([*([] if rest == 1 else [self.parenthesize(rest, 50)]), *map(self._print, factors)])
        constant = sp.Mul(*(a for a in expr.args if a.is_number))
        text = None if constant.is_Integer else self._literal(constant)
        denominators = [a for a in expr.args if a.is_Pow and not a.is_number and a.exp.is_Rational and a.exp < 0]
        if len(denominators) > 1:
            top = sp.Mul(*(a for a in expr.args if a not in denominators))
            bottom = (
                self.parenthesize(a.base if a.exp == -1 else sp.Pow(a.base, -a.exp, evaluate=False), 60)
                for a in denominators
            )
            return "/".join((self.parenthesize(top, 50), *bottom))
        rest = sp.Mul(*(a for a in expr.args if not a.is_number), evaluate=False)
        return super()._print_Mul(expr) if text is None or rest == 1 else f"({text})*{self.parenthesize(rest, 50)}"

    def _is_rsqrt(self, expr: sp.Expr) -> bool:
        return self._has_rsqrt and expr.is_Pow and expr.exp == sp.Rational(-1, 2) and not expr.is_number

    def _print_Function(self, expr: sp.Expr) -> str:
        return f"{type(expr).__name__}({', '.join(self._print(a) for a in expr.args)})"

    def _print_hyper(self, expr: sp.Expr) -> str:
        return f"{_function_name(expr)}({', '.join(self._print(a) for a in (*expr.ap, *expr.bq, expr.argument))})"

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        base, exponent = expr.args
        if exponent == sp.Rational(1, 2):
            return f"sqrt({self._print(base)})"
        if exponent == sp.Rational(-1, 2):
            return f"rsqrt({self._print(base)})" if self._has_rsqrt else f"(1/sqrt({self._print(base)}))"
        if exponent.is_Integer and 0 < abs(exponent) <= _LARGEST_CHAIN:
            power = f"integer_power({self._print(base)}, {abs(int(exponent))})"
            return power if exponent > 0 else f"(1/{power})"
        return f"power({self._print(base)}, {self._print(exponent)})"

    def _print_Relational(self, expr: Any) -> str:
        return f"{_RELATIONS[type(expr)]}({self._print(expr.lhs)}, {self._print(expr.rhs)})"

    def _logical(self, operator: str, expr: Any) -> str:
        return "(" + operator.join(f"({self._print(a)})" for a in expr.args) + ")"

    def _print_And(self, expr: sp.And) -> str:
        return self._logical(" & ", expr)

    def _print_Or(self, expr: sp.Or) -> str:
        return self._logical(" | ", expr)

    def _print_Not(self, expr: sp.Not) -> str:
        return f"logical_not({self._print(expr.args[0])})"


# sympy dispatches on the class name, and the parent class has special printers for these functions.
for _name in ("Abs", "sign", "floor", "ceiling", "Max", "Min", "log", "exp", "Heaviside", "Mod", "gamma", "loggamma"):
    setattr(_Printer, f"_print_{_name}", _Printer._print_Function)


def compile_expression(
    expression: sp.Basic, symbols: Sequence[sp.Symbol], backend: Any, **options: Any
) -> Callable[..., Any]:
    """Return a function of ``symbols``, by position, that evaluates ``expression``.

    Args:
        expression: a scalar, or a relation.
        symbols: arguments of the function, in order.
        backend: a module of this package with ``NAME``, ``FOLDS``, ``functions(**options)``, ``literal(number,
            **options)``, ``piecewise(branches)`` and ``integral(integrand, low, high)``.
        options: options that are passed to the functions of the backend.

    Raises:
        ValueError: if the expression contains an undefined function.
        NotImplementedError: if the backend lacks a function; the message names both.
    """
    if expression.has(sp.Derivative, sp.Subs):
        expression = expression.doit(integrals=False)
    namespace = {**_COMPARISONS, **backend.functions(**options)}
    body = _outline(expression, namespace, backend, options)
    _require_known(body, namespace, backend)
    printer = _Printer(lambda number: backend.literal(number, **options), "rsqrt" in namespace)
    # The text of the docstring would cost as much as the code.
    return sp.lambdify(list(symbols), body, [namespace], printer, use_imps=False, cse=True, docstring_limit=0)


def _outline(expression: sp.Basic, namespace: dict[str, Any], backend: Any, options: dict[str, Any]) -> sp.Basic:
    """Replace every Applied and every outermost node of _OUTLINED by a call of a function added to the namespace."""
    calls: dict[sp.Basic, sp.Basic] = {}

    names: dict[sp.Lambda, str] = {}

    def applied(function: sp.Lambda) -> str:
        if function not in names:
            names[function] = f"outlined_{len(namespace)}"
            namespace[names[function]] = compile_expression(function.expr, function.variables, backend, **options)
        return names[function]

    def visit(node: sp.Basic) -> sp.Basic:
        if node not in calls:
            calls[node] = call(node)
        return calls[node]

    def call(node: sp.Basic) -> sp.Basic:
        build = next((build for kind, build in _OUTLINED.items() if isinstance(node, kind)), None)
        if build is not None:
            inputs = sorted(node.free_symbols, key=sp.default_sort_key)
            name = f"outlined_{len(namespace)}"
            namespace[name] = build(node, inputs, backend, options)
            return sp.Function(name)(*inputs)
        if isinstance(node, Applied):
            return sp.Function(applied(node.function))(visit(node.value))
        arguments = tuple(map(visit, node.args))
        return node if arguments == node.args else node.func(*arguments)

    return visit(expression)


def _piecewise(
    node: sp.Piecewise, inputs: Sequence[sp.Symbol], backend: Any, options: dict[str, Any]
) -> Callable[..., Any]:
    branches = []
    for value, condition in node.args:
        holds = None if condition == sp.true else compile_expression(condition, inputs, backend, **options)
        branches.append((holds, compile_expression(value, inputs, backend, **options)))
    return backend.piecewise(branches, **options)


def _integral(
    node: sp.Integral, inputs: Sequence[sp.Symbol], backend: Any, options: dict[str, Any]
) -> Callable[..., Any]:
    if any(len(triple) != 3 for triple in node.limits):
        raise ValueError(f"only definite integrals can be evaluated, got {node}")
    if len(node.limits) == 2 and hasattr(backend, "double_integral"):
        (inner_variable, *inner_limits), (outer_variable, *outer_limits) = node.limits
        return backend.double_integral(
            compile_expression(node.function, [inner_variable, outer_variable, *inputs], backend, **options),
            tuple(compile_expression(limit, [outer_variable, *inputs], backend, **options) for limit in inner_limits),
            tuple(compile_expression(limit, inputs, backend, **options) for limit in outer_limits),
            **options,
        )
    *inner, (variable, *limits) = node.limits
    integrand = sp.Integral(node.function, *inner) if inner else node.function
    integral = backend.integral(
        compile_expression(integrand, [variable, *inputs], backend, **options),
        *(compile_expression(limit, inputs, backend, **options) for limit in limits),
        **options,
    )
    if not hasattr(backend, "certified") or integrand.has(sp.Integral):
        return integral
    return backend.certified(integral, lambda: compile_expression(node, inputs, complex_ball_backend), **options)


def _compensated(
    node: compensated, inputs: Sequence[sp.Symbol], backend: Any, options: dict[str, Any]
) -> Callable[..., Any]:
    plain = compile_expression(node.args[0], inputs, backend, **options)
    if not hasattr(backend, "compensated"):
        return plain
    namespace = backend.functions(**options)
    pairs = getattr(backend, "PAIR_FUNCTIONS", {"root": namespace["sqrt"], "sign": namespace["sign"]})
    return backend.compensated(plain, compile_expression(node.args[0], inputs, double_double, **pairs))


def _watched(node: watched, inputs: Sequence[sp.Symbol], backend: Any, options: dict[str, Any]) -> Callable[..., Any]:
    plain = compile_expression(node.args[0], inputs, backend, **options)
    if not hasattr(backend, "watched"):
        return plain
    size = sp.Add(*(abs(term) for term in sp.Add.make_args(node.args[0])))
    return backend.watched(plain, compile_expression(size, inputs, backend, **options))


_OUTLINED = {sp.Piecewise: _piecewise, sp.Integral: _integral, watched: _watched, compensated: _compensated}


def _require_known(body: sp.Basic, namespace: dict[str, Any], backend: Any) -> None:
    for node in distinct(body):
        if isinstance(node, AppliedUndef) and node.func.__name__ not in namespace:
            raise ValueError(f"{node.func.__name__} is an undefined function: define it with specialise() first")
        if not isinstance(node, (sp.Function, sp.Max, sp.Min, sp.Sum, sp.Product, sp.Limit, sp.Derivative)):
            continue
        # A function of numbers alone is printed as the number.
        if _function_name(node) not in namespace and not (backend.FOLDS and node.is_number):
            raise NotImplementedError(f"the {backend.NAME} backend has no {_function_name(node)}")


def _function_name(node: sp.Basic) -> str:
    """Return the class name, to which a hypergeometric function adds its orders."""
    name = type(node).__name__
    return f"hyper_{len(node.ap)}_{len(node.bq)}" if name == "hyper" else name
