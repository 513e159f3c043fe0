"""Specialisation of a closed form: some arguments take values, or undefined functions take definitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from closedform import checks
from theory.core.formula.domain import Condition
from theory.core.formula.form import Form, deferred
from theory.core.formula.parsing import parse, require_moderate
from theory.core.formula.sampling import satisfies
from theory.core.formula.subexpressions import put_in
from theory.core.numbers.exact import NUMBERS, exact
from theory.core.proof.derivation import Check, Step
from theory.core.proof.premises import Premise, concluding

AnyForm = TypeVar("AnyForm", bound=Form)


def specialise(
    form: AnyForm,
    values: Mapping[Any, Any],
    name: str | None,
    meaning: str | None,
    expression: sp.Expr | None,
    assumptions: tuple[str, ...],
) -> AnyForm:
    """Specialise a closed form; see :meth:`theory.core.ClosedForm.specialise`."""
    if not values:
        raise ValueError(
            f"specialise of {form.name} needs at least one argument or function to fill in; another name alone is "
            "dataclasses.replace(form, name=...)"
        )
    symbols, functions = _sort_out(form, values)
    filled = form.expression
    for function, body in functions.items():
        filled = filled.replace(function, body)
    # The general formula is unevaluated, so that the step does not compare the special formula with itself.
    general = (
        sp.Subs(filled, tuple(symbols), tuple(symbols.values()))
        if symbols
        else sp.UnevaluatedExpr(filled)
    )
    special = put_in(filled, symbols)
    if expression is not None:
        special = value_of(
            "expression", expression, {argument.name: argument for argument in form.arguments}
        )
    what = ", ".join(f"{key} = {value}" for key, value in {**symbols, **functions}.items())

    def steps() -> tuple[Step | Check, ...]:
        if not form.steps:
            return ()
        before = _with_functions(form, functions) if functions else form
        uses = (*concluding(before), *((Premise(what, filled),) if functions else ()))
        last = Step(f"special case {what}", general, special, because="substitution", uses=uses)
        return (*before.steps, last)

    return replace(
        form,
        name=name or form.name,
        meaning=meaning or form.meaning,
        arguments=tuple(a for a in form.arguments if a.symbol not in symbols),
        expression=special,
        steps=deferred(steps),
        assumptions=(*form.assumptions, *assumptions),
        conditions=_conditions(form, symbols),
    )


def _with_functions(form: Form, functions: Mapping[Any, sp.Lambda]) -> Form:
    """Return a derivation, which holds for all functions, for these."""

    def of(value: Any) -> Any:
        for function, body in functions.items():
            value = value.replace(function, body) if value is not None else None
        return value

    made: dict[str, Any] = {}
    for step in form.steps:
        uses = step.uses and tuple(
            made.get(node.claim, node)
            if hasattr(node, "claim")
            else replace(node, expression=of(node.expression))
            if isinstance(node, Premise)
            else node
            for node in step.uses
        )
        sides = {
            name: of(getattr(step, name)) for name in ("left", "right") if hasattr(step, name)
        }
        made[step.claim] = replace(step, uses=uses, **sides)
    return replace(form, expression=of(form.expression), steps=tuple(made.values()))


def _sort_out(
    form: Form, values: Mapping[Any, Any]
) -> tuple[dict[sp.Symbol, sp.Expr], dict[Any, sp.Lambda]]:
    arguments = {argument.name: argument for argument in form.arguments}
    undefined = {node.func.__name__: node for node in form.expression.atoms(AppliedUndef)}
    symbols: dict[sp.Symbol, sp.Expr] = {}
    functions: dict[Any, sp.Lambda] = {}
    for key, value in values.items():
        label = key.__name__ if isinstance(key, UndefinedFunction) else str(key)
        if label in arguments:
            symbol = arguments[label].symbol
            symbols[symbol] = _within(arguments[label], value_of(label, value, arguments))
        elif label in undefined:
            functions[undefined[label].func] = _body(label, value, len(undefined[label].args))
        else:
            known = ", ".join([*arguments, *undefined])
            raise ValueError(
                f"{form.name} has no argument or undefined function {label!r}; it has {known}"
            )
    return symbols, functions


def _body(label: str, value: Any, arity: int) -> sp.Lambda:
    """Return a Lambda for a callable that takes ``arity`` expressions."""
    if not callable(value):
        raise TypeError(
            f"{label} is a function: fill it in with a sympy Lambda, got {checks.shown(value)}"
        )
    variables = sp.symbols(f"z:{arity}", cls=sp.Dummy, real=True)
    return (
        value if isinstance(value, sp.Lambda) else sp.Lambda(tuple(variables), value(*variables))
    )


def value_of(label: str, value: Any, arguments: Mapping[str, Any]) -> sp.Expr:
    """Return a value that is a number or an expression in the other arguments; strings are parsed as either.

    Args:
        label: name of the value, for the message.
        value: number, text or expression.
        arguments: name -> argument whose symbol text may contain.

    Raises:
        ValueError: for text that is no formula.
        TypeError: for what is neither a number nor an expression.
    """
    if isinstance(value, str):
        letters = {name: argument.symbol for name, argument in arguments.items()}
        try:
            return parse(value, letters)
        except ValueError as error:
            raise ValueError(f"{label}: {error}") from None
    if isinstance(value, sp.Expr) and not value.is_number:
        require_moderate(value)
        return value
    if not isinstance(value, NUMBERS):
        raise TypeError(f"{label}: got {type(value).__name__}, needs a number or an expression")
    return exact(label, value)


def _within(argument: Any, value: sp.Expr) -> sp.Expr:
    """Return ``value`` unless it is known to be outside the domain of ``argument``."""
    if not satisfies(argument.symbol, value):
        raise ValueError(
            f"{argument.name} ({argument.meaning}): got {value}, needs {argument.needs}"
        )
    return value


def _conditions(form: Form, symbols: Mapping[sp.Symbol, sp.Expr]) -> tuple[Condition, ...]:
    kept = []
    for condition in form.conditions:
        gap = condition.gap.subs(symbols)
        if gap.is_number:
            if (gap.is_positive if condition.strict else gap.is_nonnegative) is False:
                given = ", ".join(f"{symbol} = {value}" for symbol, value in symbols.items())
                raise ValueError(f"{form.name} requires: {condition.sentence}; got {given}")
            continue
        fixed = [
            f"{symbol} = {value}"
            for symbol, value in symbols.items()
            if condition.relation.has(symbol)
        ]
        sentence = (
            f"{condition.sentence}, where {', '.join(fixed)}" if fixed else condition.sentence
        )
        kept.append(
            replace(condition, relation=condition.relation.subs(symbols), sentence=sentence)
        )
    return tuple(kept)
