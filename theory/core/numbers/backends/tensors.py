"""The function of a closed form at tensors next to Python numbers: it computes or declines, as ``single_point`` does.

The numbers are checked, and what depends on them alone is computed, as Python floats, at a tenth of the cost of
tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from theory.core.numbers.backends import float_backend, torch_backend
from theory.core.numbers.backends.compiler import compile_expression
from theory.core.numbers.backends.many_points import declined
from theory.core.numbers.backends.number_parts import separated
from theory.core.numbers.backends.single_point import domain

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm

_NUMBERS = {float, int}


def tensors(form: ClosedForm, validate: bool) -> Callable[..., Any]:
    """Return a function of the form's arguments, each a tensor or a number, that returns a tensor or None."""
    if form.expression.has(sp.Integral) or (validate and form.conditions):
        return declined
    compiled: dict[tuple[bool, ...], tuple[Callable[..., Any], ...]] = {}
    t = torch_backend.torch()

    def of_numbers_alone(is_number: tuple[bool, ...], given: Sequence[Any]) -> tuple[Callable[..., Any], Any] | None:
        """Return the function of the tensors, and what it needs of the numbers; None outside their domains."""
        try:
            if is_number not in compiled:
                compiled[is_number] = _compiled(form, is_number)
            in_domain, of_numbers, of_tensors = compiled[is_number]
            numbers = [float(x) for x in given if type(x) in _NUMBERS]
            return None if validate and not in_domain(*numbers) else (of_tensors, of_numbers(*numbers))
        except (ArithmeticError, NotImplementedError, ValueError, TypeError):
            return None

    def value(*given: Any) -> Any:
        is_number = tuple([type(x) in _NUMBERS for x in given])
        given_tensors = [x for x in given if type(x) not in _NUMBERS]
        if len(given_tensors) == len(given) or not torch_backend.is_uniform(given_tensors):
            return None
        first = given_tensors[0]
        if not first.numel() or any(x.shape != first.shape for x in given_tensors):
            return None
        prepared = of_numbers_alone(is_number, given)
        if prepared is None:
            return None
        of_tensors, parts = prepared
        if validate:
            for argument, x, is_known in zip(form.arguments, given, is_number, strict=True):
                if not is_known:
                    argument.require(x, torch_backend)
        result = of_tensors(
            *given_tensors, *[t.scalar_tensor(x, dtype=first.dtype, device=first.device) for x in parts]
        )
        if result.shape != first.shape:  # it depends on the numbers alone
            result = result.expand(first.shape).clone()
        return result if not validate or torch_backend.is_finite(result) else None

    return value


def _compiled(form: ClosedForm, is_number: Sequence[bool]) -> tuple[Callable[..., Any], ...]:
    """Return the test of the domains of the numbers, the function of the numbers and that of tensors and its values."""
    numbers = [argument for argument, known in zip(form.arguments, is_number, strict=True) if known]
    others = [argument.symbol for argument, known in zip(form.arguments, is_number, strict=True) if not known]
    symbols = [argument.symbol for argument in numbers]
    parts, rest = separated(form.expression, symbols)
    alone = [symbol for symbol in symbols if symbol in rest.free_symbols]
    names = {**parts, **{symbol: symbol for symbol in alone}}
    return (
        domain(numbers),
        compile_expression(sp.Tuple(*names.values()), symbols, float_backend),
        compile_expression(rest, [*others, *names], torch_backend),
    )
