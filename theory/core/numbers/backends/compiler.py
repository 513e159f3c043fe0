"""The compiler of expressions for all backends: outlining, common subexpressions, printing and execution.

A ``Piecewise``, an ``Integral``, an ``Applied``, an ``Iterated`` or a ``compensated`` becomes a call of a function that
is compiled by itself, so that no term leaves the branch that guards it, and a difference has twice the digits in all
terms.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.formula.deferred_function import Applied, Iterated
from theory.core.formula.rounding import compensated, watched
from theory.core.formula.subexpressions import distinct
from theory.core.numbers.backends import complex_ball_backend, double_double
from theory.core.numbers.backends.code_printer import CodePrinter, function_name

_COMPARISONS = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
}


def compile_expression(
    expression: sp.Basic, symbols: Sequence[sp.Symbol], backend: Any, **options: Any
) -> Callable[..., Any]:
    """Return a function of ``symbols``, by position, that evaluates ``expression``, a scalar or a relation.

    ``backend`` is a module with ``NAME``, ``FOLDS``, ``functions`` and ``literal``, which may lack others.
    ValueError is raised for an undefined function, and NotImplementedError for one that the backend lacks.
    """
    if any(isinstance(node, (sp.Derivative, sp.Subs)) for node in distinct(expression)):
        expression = expression.doit(integrals=False)
    namespace = {**_COMPARISONS, **backend.functions(**options)}
    body = _outline(expression, namespace, backend, options)
    _require_known(body, namespace, backend)
    printer = CodePrinter(lambda number: backend.literal(number, **options), "rsqrt" in namespace)
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
    return _part(backend, "piecewise", node)(branches, **options)


def _part(backend: Any, name: str, node: sp.Basic) -> Any:
    """Return a function of a backend, for an expression such as ``node``."""
    if not hasattr(backend, name):
        raise NotImplementedError(f"the {backend.NAME} backend has no {type(node).__name__}")
    return getattr(backend, name)


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
    integral = _part(backend, "integral", node)(
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
    pairs = getattr(backend, "PAIR_FUNCTIONS", {name: namespace[of] for name, of in _OF_PAIRS.items()})
    return backend.compensated(plain, compile_expression(node.args[0], inputs, double_double, **pairs))


_OF_PAIRS = {"root": "sqrt", "sign": "sign", "log": "log"}


def _watched(node: watched, inputs: Sequence[sp.Symbol], backend: Any, options: dict[str, Any]) -> Callable[..., Any]:
    plain = compile_expression(node.args[0], inputs, backend, **options)
    if not hasattr(backend, "watched"):
        return plain
    size = sp.Add(*(abs(term) for term in sp.Add.make_args(node.args[0])))
    return backend.watched(plain, compile_expression(size, inputs, backend, **options))


def _iterated(node: Iterated, inputs: Sequence[sp.Symbol], backend: Any, options: dict[str, Any]) -> Callable[..., Any]:
    first, count = node.parts[1:3]
    start = compile_expression(first, inputs, backend, **options)
    step, result = (
        compile_expression(function.expr, [*function.variables, *inputs], backend, **options)
        for function in node.parts[::3]
    )

    def value(*given: Any) -> Any:
        state = start(*given)
        for _ in range(count):
            state = step(*state, *given)
        return result(*state, *given)

    return value


_OUTLINED = {
    sp.Piecewise: _piecewise,
    sp.Integral: _integral,
    watched: _watched,
    compensated: _compensated,
    Iterated: _iterated,
}


def _require_known(body: sp.Basic, namespace: dict[str, Any], backend: Any) -> None:
    for node in distinct(body):
        if isinstance(node, AppliedUndef) and node.func.__name__ not in namespace:
            raise ValueError(f"{node.func.__name__} is an undefined function: define it with specialise() first")
        if not isinstance(node, (sp.Function, sp.Max, sp.Min, sp.Sum, sp.Product, sp.Limit, sp.Derivative)):
            continue
        # A function of numbers alone is printed as the number.
        if function_name(node) not in namespace and not (backend.FOLDS and node.is_number):
            raise NotImplementedError(f"the {backend.NAME} backend has no {function_name(node)}")
