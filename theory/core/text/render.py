"""The display of a closed form in a terminal, in a notebook and in LaTeX."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from theory.core.formula.deferred_function import Iterated
from theory.core.formula.let import Let
from theory.core.formula.rounding import compensated
from theory.core.formula.special import phi1, quotient
from theory.core.formula.subexpressions import replaced
from theory.core.numbers.exact import readable
from theory.core.text.at_finite_width import at_finite_width
from theory.core.text.measured_conditions import SECTION, measured_conditions

if TYPE_CHECKING:
    from theory.core.formula.domain import Argument
    from theory.core.formula.form import Form

Letters = tuple[tuple[sp.Expr, sp.Expr], ...]
Differences = Sequence[tuple[str, str, str]]
"""What a form corrects in print: for each place the key of the paper, the label there, and what is wrong in words."""
WIDTH = 100
# a symbol whose name is a word and not a letter such as tau
_WORD = re.compile(r"^([A-Za-z]{3,})(?=_|$)")
_LONGEST_FORMULA = 6  # lines of a terminal
_ROOM = _LONGEST_FORMULA * (WIDTH - 12) - 40  # characters


def latex(expression: sp.Basic, arguments: tuple[Argument, ...] = ()) -> str:
    """Return the LaTeX of an expression, with the LaTeX of each argument that defines its own, and words upright.

    Factors of a product have a space between them where letters are words, which would be read as one.
    """
    names = {
        a.symbol: a.latex or _WORD.sub(r"\\mathrm{\1}", sp.latex(a.symbol)) for a in arguments
    }
    has_words = any(r"\mathrm" in name for name in names.values())
    between = r" \, " if has_words else None
    return sp.latex(readable(expression), symbol_names=names, mul_symbol=between)


def lettered(form: Form) -> tuple[sp.Expr, list[tuple[sp.Expr, sp.Expr]]]:
    """Return the expression with its abbreviations, and their definitions, each of which uses those that follow it."""
    expression = form.expression
    used: list[tuple[sp.Expr, sp.Expr]] = []
    if isinstance(expression, Let):
        expression, used = expression.shown()
    for letter, part in form.letters:
        substitution = {part: letter}
        shorter = expression.xreplace(substitution)
        definitions = [(name, definition.xreplace(substitution)) for name, definition in used]
        if shorter != expression or definitions != used:
            expression, used = shorter, [*definitions, (letter, part)]
    if form.expression.has(phi1):  # a function that readers need not know
        x = sp.Symbol("x")
        used.append((phi1(x), (sp.exp(x) - 1) / x))
    return expression, used


def with_fractions(expression: sp.Expr) -> sp.Expr:
    """Return an expression for display: quotients in which nothing cancels join the fractions around them."""
    inside = expression.args[0] if isinstance(expression, compensated) else expression

    def fraction(over: sp.Expr, under: sp.Expr) -> sp.Expr:
        return quotient(over, under) if over.free_symbols & under.free_symbols else over / under

    return replaced(inside, {quotient: fraction})


def lines(form: Form, width: int = WIDTH, differs_from_print: Differences = ()) -> Iterator[str]:
    """Yield the lines of a text table of at most ``width`` columns, if no word is longer.

    The formula comes before its derivation is built, which may take longer.

    Args:
        form: the closed form.
        width: largest number of columns. Default: 100.
        differs_from_print: the misprints that the form corrects. Default: none.
    """
    yield form.name
    for label, body in _rows(form, differs_from_print):
        yield from map(str.rstrip, wrapped(f"  {label:<10}{body}", width, " " * 12))


def _rows(form: Form, differs_from_print: Differences) -> Iterator[tuple[str, str]]:
    """Yield the label and the sentence of each row of a text table."""
    yield "", form.meaning
    expression, letters = lettered(form)
    yield "=", shortened(_beginning(with_fractions(expression)))
    yield from _repeated(
        "with",
        [shortened(f"{sp.sstr(name)} = {plain(with_fractions(part))}") for name, part in letters],
    )
    widest = max((len(argument.name) for argument in form.arguments), default=0)
    for index, argument in enumerate(form.arguments):
        unit = "" if argument.unit == "dimensionless" else f" [{argument.unit}]"
        line = f"{argument.name:<{widest}}  {argument.meaning}{unit} ({argument.domain})"
        yield "arguments" if index == 0 else "", line
    yield from _repeated("requires", [c.sentence for c in form.conditions])
    yield from _repeated("assumes", list(form.assumptions))
    yield from _repeated("measured", measured(form))
    yield from _repeated("width n", [at for at in [at_finite_width(form.name)] if at])
    yield from _repeated("source", [str(source) for source in form.sources])
    yield from _repeated(
        "", [f"differs from print: {sentence}" for sentence in misprints(form, differs_from_print)]
    )
    count = len(form.steps)
    yield "status", form.status.value + (f", {count} step{'s' * (count != 1)}" if count else "")


def short(form: Form) -> str:
    """Return name, arguments and formula in one line, or in two; a formula that needs more says how all is printed.

    Args:
        form: the closed form.
    """
    expression, letters = lettered(form)
    formula = plain(with_fractions(expression))
    arguments = ", ".join(argument.name for argument in form.arguments)
    call = f"{form.name}({arguments})"
    if len(f"{call} =") > WIDTH:
        call = f"{form.name}({form.arguments[0].name}, ...)"
    names = ", ".join(sp.sstr(name) for name, _ in letters)
    rest = f"  [print it for {names}]" if names else ""
    if len(f"{call} = {formula}{rest}") <= WIDTH:
        return f"{call} = {formula}{rest}"
    room = WIDTH - len(f"    {rest}")
    if len(formula) > room or len(rest) > WIDTH // 2:
        rest = " ... [print it for all]"
        formula = formula[: WIDTH - len(f"    {rest}")]
    return f"{call} =\n    {formula}{rest}"


def misprints(form: Form, differs_from_print: Differences) -> list[str]:
    """Return, for every misprinted equation that a closed form corrects, the place and what is wrong there.

    Args:
        form: the closed form, whose sources say whether the paper has to be named.
        differs_from_print: the misprints that it corrects.
    """
    several = len({source.key for source in form.sources}) > 1
    return [
        f"{f'{paper} ' * several}{label}{f': {words}' * bool(words)}"
        for paper, label, words in differs_from_print
    ]


def measured(form: Form) -> list[str]:
    """Return where recorded maps of networks say that the form holds, each with the section of its map."""
    return [
        f"{sentence} [{SECTION.format(name)}]"
        for name, sentence in measured_conditions(form.name).items()
    ]


def with_letters(expression: Any, letters: Letters) -> Any:
    """Return an expression with letters for its parts, as pairs (letter, part), outermost first."""
    for letter, part in letters:
        expression = expression.xreplace({part: letter})
    return expression


class _Plain(StrPrinter):
    """A value at a point is printed as "(x**2 at x = 3)", a quotient with a bar, a matrix in one line."""

    def _print_Subs(self, node: sp.Subs) -> str:
        values = ", ".join(
            f"{self._print(x)} = {self._print(value)}"
            for x, value in zip(*node.args[1:], strict=True)
        )
        return f"({self._print(node.expr)} at {values})"

    def _print_quotient(self, node: sp.Function) -> str:
        over, under = map(self.parenthesize, node.args, (PRECEDENCE["Mul"], PRECEDENCE["Pow"]))
        return f"({over}/{under})"

    def _print_ImmutableDenseMatrix(self, node: sp.MatrixBase) -> str:
        rows = (f"[{', '.join(map(self._print, row))}]" for row in node.tolist())
        return f"[{', '.join(rows)}]"


def plain(expression: sp.Expr) -> str:
    """Return an expression as one line of text."""
    return str(_Plain({"full_prec": False}).doprint(readable(expression)))


def _beginning(expression: sp.Expr) -> str:
    """Return an expression as one line of text, of layers only the last where its text is more than is shown."""
    if isinstance(expression, Iterated):
        last = f"({plain(expression.parts[3].expr)}"
        if len(last) > _ROOM:
            return last
    return plain(expression)


def _repeated(label: str, entries: list[str]) -> list[tuple[str, str]]:
    return [(label if index == 0 else "", entry) for index, entry in enumerate(entries)]


def wrapped(row: str, width: int, indent: str) -> list[str]:
    """Return the lines of a row of at most ``width`` columns, of which those after the first have this indentation."""
    text = row.lstrip()
    first = row[: len(row) - len(text)]
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
    )


def shortened(formula: str, attribute: str = ".expression") -> str:
    """Return the text of a formula, of which a long one ends with the attribute that has all of it."""
    if len(formula) <= _ROOM:
        return formula
    return f"{formula[:_ROOM]} ... (full formula: {attribute})"
