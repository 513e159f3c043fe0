"""The numerical function of a closed form, which binds, converts and checks its arguments and checks its result."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from closedform.suggestions import by_name
from theory.core.formula.domain import violation
from theory.core.numbers.backends import load, numba_backend
from theory.core.numbers.backends.plain_calls import plain_calls
from theory.core.numbers.backends.source import compile_expression

if TYPE_CHECKING:
    from theory.core.formula.form import Form


def build(
    form: Form, backend_name: str, validate: bool = True, *, at_once: bool = True
) -> Callable[..., Any]:
    """Return a function of the form's arguments, by position or keyword, that broadcasts over arrays.

    It is compiled ``at_once``, which finds what the backend lacks, or for the first arguments that need it. Without
    checks of arguments and result it has no control flow that depends on data, except for integrals.
    """
    if backend_name == "numba":
        by_numba = numba_backend.build(form, validate)
        public = _plain_first(form, lambda: by_numba, build(form, "numpy", validate))
        return _documented(form, public)
    backend = load(backend_name)
    symbols = [argument.symbol for argument in form.arguments]
    order = [argument.name for argument in form.arguments]
    compiled: dict[tuple[Any, ...], tuple[Callable[..., Any], list[Any]]]
    # with and without checks
    compiled = form.__dict__.setdefault("_compiled", {}).setdefault(backend_name, {})

    def ready(options: dict[str, Any]) -> tuple[Callable[..., Any], list[Any]]:
        key = tuple(options.values())
        if key not in compiled:
            conditions = [
                (
                    condition,
                    *(
                        compile_expression(e, symbols, backend, **options)
                        for e in (condition.gap, condition.scale)
                    ),
                )
                for condition in form.conditions
            ]
            body = compile_expression(form.expression, symbols, backend, **options)
            if hasattr(backend, "with_balls"):
                body = backend.with_balls(body, form.expression, symbols, **options)
            compiled[key] = body, conditions
        return compiled[key]

    def function(*given: Any, **named: Any) -> Any:
        if (
            plain is not None
            and not validate
            and not named
            and len(given) == len(order)
            and backend.is_uniform(given)
        ):
            return backend.finish(plain, given)  # the way of ``torch.compile``
        by_argument = by_name(form.name, order, given, named)
        raw = [by_argument[name] for name in order]
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

    body = ready(backend.default_options())[0] if at_once else None
    plain = body if backend_name == "torch" else None
    if backend_name == "numpy":

        def compiled_plainly() -> Callable[[Sequence[Any]], Any]:
            body, conditions = ready(backend.default_options())
            return plain_calls(form, body, [gap for _, gap, _ in conditions], validate)

        return _documented(form, _plain_first(form, compiled_plainly, function))
    if backend_name == "torch" and validate:
        return _documented(form, _refusing_vmap(form.name, function))
    return _documented(form, function)


def _plain_first(
    form: Form, compiled: Callable[[], Callable[[Sequence[Any]], Any]], general: Callable[..., Any]
) -> Callable[..., Any]:
    """Return the function that computes at plain numbers and arrays, and leaves all else to the general way.

    Args:
        form: the closed form.
        compiled: function, called once when it is needed, that returns the function of the values of all arguments in
            their order, which returns None to decline.
        general: function of the arguments, by position or keyword.
    """
    order = [argument.name for argument in form.arguments]
    known: list[Callable[[Sequence[Any]], Any]] = []

    def function(*given: Any, **named: Any) -> Any:
        values = given
        if named:
            rest = order[len(given) :]
            if len(rest) != len(named) or not all(map(named.__contains__, rest)):
                return general(*given, **named)  # which says what is wrong
            values = (*given, *[named[name] for name in rest])
        if len(values) == len(order):
            if not known:
                known.append(compiled())
            value = known[0](values)
            if value is not None:
                return value
        return general(*given, **named)

    return function


def _documented(form: Form, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with the name, the meaning and the arguments of the form."""
    function.__name__ = function.__qualname__ = form.name.rpartition(".")[2]
    function.__doc__ = form.meaning
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(a.name, kind) for a in form.arguments])
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def _require_domain(
    form: Form, backend: Any, values: Sequence[Any], conditions: Sequence[Any]
) -> None:
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
