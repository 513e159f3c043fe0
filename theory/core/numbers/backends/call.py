"""The numerical function of a closed form, which binds, converts and checks its arguments and checks its result."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from closedform.suggestions import by_name
from theory.core.formula.domain import violation
from theory.core.numbers.backends import load
from theory.core.numbers.backends.compiler import compile_expression

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm
    from theory.core.formula.domain import Argument


def build(form: ClosedForm, backend_name: str, validate: bool = True, *, at_once: bool = True) -> Callable[..., Any]:
    """Return a function of the form's arguments, by position or keyword, that broadcasts over arrays.

    It is compiled ``at_once``, which finds what the backend lacks, or for the first arguments that need it. Without
    checks of arguments and result it has no control flow that depends on data, except for integrals.
    """
    backend = load(backend_name)
    symbols = [argument.symbol for argument in form.arguments]
    order = [argument.name for argument in form.arguments]
    compiled: dict[tuple[Any, ...], tuple[Callable[..., Any], list[Any]]]
    compiled = form.__dict__.setdefault("_compiled", {}).setdefault(backend_name, {})  # with and without checks

    def ready(options: dict[str, Any]) -> tuple[Callable[..., Any], list[Any]]:
        key = tuple(options.values())
        if key not in compiled:
            conditions = [
                (
                    condition,
                    *(compile_expression(e, symbols, backend, **options) for e in (condition.gap, condition.scale)),
                )
                for condition in form.conditions
            ]
            compiled[key] = compile_expression(form.expression, symbols, backend, **options), conditions
        return compiled[key]

    fast: list[Callable[..., Any]] = []  # ``many_points`` or ``tensors``, compiled when it is first called

    def without_messages(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Return the value at float64 arrays or tensors, or None if the general way is needed."""
        if named:
            try:
                rest = tuple([named[name] for name in order[len(given) :]])
            except KeyError:
                return None
            if len(rest) != len(named):
                return None
            given += rest
        if len(given) != len(order):
            return None
        if not fast:
            if backend_name == "numpy":
                from theory.core.numbers.backends.many_points import many_points

                body, conditions = ready(backend.default_options())
                fast.append(many_points(form, body, [gap for _, gap, _ in conditions], validate))
            else:
                from theory.core.numbers.backends.tensors import tensors

                fast.append(tensors(form, validate))
        return fast[0](*given)

    def function(*given: Any, **named: Any) -> Any:
        is_plain = backend_name == "torch" and not validate and not named and len(given) == len(order)
        if is_plain and backend.is_uniform(given):  # the way of ``torch.compile``
            return backend.finish(plain, given)
        if backend_name == "numpy" or (backend_name == "torch" and not backend.torch().compiler.is_compiling()):
            value = without_messages(given, named)
            if value is not None:
                return value
        raw = bind(form.name, form.arguments, given, named)
        with backend.quiet():
            values, options = backend.convert(order, raw)
            body, conditions = ready(options)
            if not validate:
                return backend.finish(body, values)
            if backend_name == "jax":
                result = backend.finish(body, values)
                if backend.is_traced((*values, result)):
                    return backend.only_in_domain(result, form.arguments, values, conditions)
            _require_domain(form, backend, values, conditions)
            result = backend.finish(body, values)
            low, high = backend.extremes(result)
        if not (low > -math.inf and high < math.inf):
            raise ArithmeticError(
                f"{form.name} is not finite in {backend_name} arithmetic ({low} to {high}) although its arguments are "
                "in their domains; evaluate() does not overflow"
            )
        return result

    plain = ready(backend.default_options())[0] if at_once else None
    public = function
    if backend_name == "numpy":
        from theory.core.numbers.backends.single_point import of_numbers

        public = of_numbers(form, validate, function, lambda: ready(backend.default_options()))
    elif backend_name == "torch" and validate:
        public = _refusing_vmap(form.name, function)
    public.__name__ = public.__qualname__ = form.name.rpartition(".")[2]
    public.__doc__ = form.meaning
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    public.__signature__ = inspect.Signature([inspect.Parameter(a.name, kind) for a in form.arguments])  # type: ignore[attr-defined]
    return public


def _require_domain(form: ClosedForm, backend: Any, values: Sequence[Any], conditions: Sequence[Any]) -> None:
    """Raise ValueError if an argument is outside its domain or a condition is violated."""
    for argument, value in zip(form.arguments, values, strict=True):
        argument.require(value, backend)
    for condition, gap, scale in conditions:
        if not backend.holds(gap, scale, values, condition):
            broken = violation(condition, form.arguments, values, backend.finish(gap, values))
            raise ValueError(f"{form.name} requires: {broken}")


def _refusing_vmap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with checks, which says within ``torch.func.vmap`` how it is called without them."""

    def checked(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except RuntimeError as error:
            if not str(error).startswith("vmap:"):
                raise
            raise RuntimeError(
                f"{name}: arguments cannot be checked within torch.func.vmap; use function('torch', validate=False)"
            ) from error

    return checked


def bind(name: str, arguments: Sequence[Argument], given: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    """Return the values in the order of ``arguments``; raise TypeError for a missing, unknown or repeated argument."""
    order = [argument.name for argument in arguments]
    values = by_name(name, order, given, named)
    return [values[key] for key in order]
