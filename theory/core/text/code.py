"""A closed form as one self-contained function in another language."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.printing.codeprinter import PrintMethodNotImplementedError

from closedform import checks
from closedform.suggestions import unknown
from theory.core.formula.deferred_function import Iterated
from theory.core.formula.let import named_parts
from theory.core.formula.rounding import compensated, nonnegative, watched
from theory.core.formula.special import opened
from theory.core.formula.subexpressions import computable, distinct, replaced
from theory.core.text.comments import in_comment
from theory.core.text.languages import LANGUAGES, Language

if TYPE_CHECKING:
    from theory.core.formula.form import Form

_WIDTH = 100
_PLAIN = (
    "The closed form itself computes terms that may cancel with twice the digits; this code does not, and says nothing "
    "where it loses them."
)


def code(form: Form, language: str) -> str:
    """Return the text of one function of the arguments, NaN outside the domain, see :meth:`ClosedForm.code`."""
    if checks.text("language", language) not in LANGUAGES:
        raise ValueError(unknown("language", language, list(LANGUAGES)))
    written = LANGUAGES[language]
    rounded: dict[type, Any] = {
        **dict.fromkeys((compensated, watched), lambda x: x),
        nonnegative: lambda x: sp.Max(0, x),
    }
    expression = computable(replaced(form.expression, rounded))
    _require_writable(form, expression, language)
    names = _names(form, written)
    used = {type(node).__name__ for node in distinct(expression)} & set(written.helpers)
    printer = written.printer(
        {
            **written.settings,
            "user_functions": {
                name: written.name(name) if written.camel else name for name in used
            },
        }
    )
    printer.printmethod = None  # the functions of this project are among the helpers
    shared, (result,) = _shared(
        expression.xreplace(names),
        sp.numbered_symbols("v", real=True, exclude=set(names.values())),
    )
    try:
        lines = {str(name): printer.doprint(value) for name, value in shared}
        body = {"result": printer.doprint(result), "domain": printer.doprint(_domain(form, names))}
    except PrintMethodNotImplementedError as error:
        lacking = str(error).split("\n")[0].split(": ")[-1]
        raise NotImplementedError(
            f"{form.name}: the code in {language!r} has no {lacking}"
        ) from error
    needed = [name for symbol, name in names.items() if expression.has(symbol)]
    function = written.function.format(
        name=written.name(form.name),
        parameters=", ".join(
            (written.integer if a.allowed.is_integer else written.parameter).format(
                names[a.symbol]
            )
            for a in form.arguments
        ),
        wide=", ".join(f"long double {name}" for name in needed),
        names=", ".join(map(str, needed)),
        locals=", ".join(lines),
        lines="".join(
            f"{written.line.format(name=name, value=value)}\n" for name, value in lines.items()
        ),
        **body,
    )
    helpers = [
        text for name, text in written.helpers.items() if text and (name in used or not name)
    ]
    return "\n".join((*_heading(form, names, written), *helpers, function))


def _names(form: Form, written: Language) -> dict[sp.Symbol, sp.Symbol]:
    """Return a letter of the language for each argument, none twice and none of a helper."""
    words = {written.name(helper) for helper in written.helpers if helper and written.camel}
    words |= {written.name(form.name), f"{written.name(form.name)}_long"}  # which C has beside it
    names: dict[sp.Symbol, sp.Symbol] = {}
    for argument in form.arguments:
        word = written.name(argument.name)
        while word in words:
            word += "x"
        words.add(word)
        names[argument.symbol] = sp.Symbol(word, real=True)
    return names


def _shared(
    expression: sp.Expr, letters: Iterator[sp.Symbol]
) -> tuple[list[tuple[sp.Symbol, sp.Expr]], Any]:
    """Return names of repeated parts with their values, and the result in these, with all steps of a recursion."""
    if not isinstance(expression, Iterated):
        shared, result = named_parts(expression, letters)
        return shared, [result]
    step, start, count, result = expression.parts
    shared, state = sp.cse(list(start), letters)
    for function in (*[step] * count, result):
        value = function(*state)
        more, state = sp.cse(list(value) if isinstance(value, sp.Tuple) else [value], letters)
        shared += more
    return shared, state


def _require_writable(form: Form, expression: sp.Expr, language: str) -> None:
    undefined = sorted(
        {type(call).__name__ for call in expression.atoms(sp.core.function.AppliedUndef)}
    )
    if undefined:
        raise ValueError(
            f"{form.name}: {undefined[0]} is an undefined function: define it with specialise() first"
        )
    if expression.has(sp.Integral):
        raise NotImplementedError(
            f"{form.name}: the code in {language!r} has no integral; function() evaluates it"
        )


def _domain(form: Form, names: Mapping[sp.Symbol, sp.Symbol]) -> sp.Basic:
    """Return the condition under which the arguments are in the domain, and finite."""
    signs: list[sp.Basic] = []
    for argument in form.arguments:
        name, allowed = names[argument.symbol], argument.allowed
        signs.append(sp.Lt(sp.Abs(name), sp.oo, evaluate=False))
        if allowed.low == 0:
            signs.append(sp.Ge(name, 0) if allowed.has_low else sp.Gt(name, 0))
        if allowed.high == 0:
            signs.append(sp.Le(name, 0) if allowed.has_high else sp.Lt(name, 0))
        if allowed.is_nonzero:
            signs.append(sp.Ne(name, 0))
    together = [
        (sp.Gt if condition.strict else sp.Ge)(opened(condition.gap).xreplace(names), 0)
        for condition in form.conditions
    ]
    return sp.And(*signs, *together)


def _heading(form: Form, names: Mapping[sp.Symbol, sp.Symbol], written: Language) -> list[str]:
    """Return lines of comment: the meaning, each argument with its domain, the arithmetic, and what it lacks."""
    sentences = [
        f"{form.name}: {form.meaning}",
        *(f"{names[a.symbol]}: {a.meaning} ({a.domain}; {a.unit})" for a in form.arguments),
        *(condition.sentence for condition in form.conditions),
        written.arithmetic,
        *([_PLAIN] if form.expression.has(compensated) else []),
    ]
    return [
        written.comment.format(line)
        for text in sentences
        for line in textwrap.wrap(in_comment(text), _WIDTH)
    ]
