"""The display of a closed form in a terminal, in a notebook and in LaTeX."""

from __future__ import annotations

import html as escape
import re
import textwrap
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from theory.core.formula.rounding import compensated
from theory.core.formula.special import phi1, quotient
from theory.core.formula.subexpressions import replaced
from theory.core.numbers.exact import readable
from theory.core.proof.derivation import Check, Step
from theory.core.proof.premises import Premise, way
from theory.core.text.measured_conditions import SECTION, measured_conditions

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm
    from theory.core.formula.domain import Argument

Letters = tuple[tuple[sp.Expr, sp.Expr], ...]
WIDTH = 100
_WORD = re.compile(r"^([A-Za-z]{3,})(?=_|$)")  # a symbol whose name is a word and not a letter such as tau
_LONGEST_FORMULA = 6  # lines of a terminal


def latex(expression: sp.Basic, arguments: tuple[Argument, ...] = ()) -> str:
    """Return the LaTeX of an expression, with the LaTeX of each argument that defines its own, and words upright."""
    names = {a.symbol: a.latex or _WORD.sub(r"\\mathrm{\1}", sp.latex(a.symbol)) for a in arguments}
    return sp.latex(readable(expression), symbol_names=names)


def lettered(form: ClosedForm) -> tuple[sp.Expr, list[tuple[sp.Expr, sp.Expr]]]:
    """Return the expression with its abbreviations, and their definitions, each of which uses those that follow it."""
    expression = form.expression
    used: list[tuple[sp.Expr, sp.Expr]] = []
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


def text(form: ClosedForm, width: int = WIDTH) -> str:
    """Return the closed form as a text table of at most ``width`` columns, if no word is longer."""
    expression, letters = lettered(form)
    rows = [("", form.meaning), ("=", _short(_plain(with_fractions(expression))))]
    rows += _repeated("with", [_short(f"{sp.sstr(name)} = {_plain(with_fractions(part))}") for name, part in letters])
    widest = max((len(argument.name) for argument in form.arguments), default=0)
    for index, argument in enumerate(form.arguments):
        unit = "" if argument.unit == "dimensionless" else f" [{argument.unit}]"
        line = f"{argument.name:<{widest}}  {argument.meaning}{unit} ({argument.domain})"
        rows.append(("arguments" if index == 0 else "", line))
    rows += _repeated("requires", [c.sentence for c in form.conditions])
    rows += _repeated("assumes", list(form.assumptions))
    rows += _repeated("measured", _measured(form))
    rows += _repeated("source", [str(source) for source in form.sources])
    rows += _repeated("", [f"differs from print: {sentence}" for sentence in misprints(form)])
    count = len(form.steps)
    rows.append(("status", form.status.value + (f", {count} step{'s' * (count != 1)}" if count else "")))
    lines = chain.from_iterable(_wrapped(f"  {label:<10}{body}", width, " " * 12) for label, body in rows)
    return "\n".join([form.name, *map(str.rstrip, lines)])


def misprints(form: ClosedForm) -> list[str]:
    """Return, for every misprinted equation that a closed form corrects, the place and what is wrong there."""
    several = len({source.key for source in form.sources}) > 1
    return [
        f"{f'{paper} ' * several}{label}{f': {words}' * bool(words)}" for paper, label, words in form.differs_from_print
    ]


def _measured(form: ClosedForm) -> list[str]:
    """Return where recorded maps of networks say that the form holds, each with the section of its map."""
    return [f"{sentence} [{SECTION.format(name)}]" for name, sentence in measured_conditions(form.name).items()]


def derivation_text(form: ClosedForm, width: int = WIDTH) -> str:
    """Return the steps of a derivation as text, numbered, each with what it uses and by whom it is decided."""
    from theory.core.certify.verdicts import certificate

    whole = way(form)
    number = {step.claim: str(index) for index, step in enumerate(whole.steps, 1)}
    parts = []
    for step, used in zip(whole.steps, whole.uses, strict=True):
        steps = [number[node.claim] for node in used if not isinstance(node, Premise)]
        names = [*([f"step {', '.join(steps)}"] if steps else []), *(str(n) for n in used if isinstance(n, Premise))]
        first, *rest = step_text(step, width - 4, form.letters).splitlines()
        uses = [f"  uses {names[0]}", *(f"       {name}" for name in names[1:])] if names else []
        uses.append(f"  checked: {certificate(step)}")
        rest += list(chain.from_iterable(_wrapped(row, width - 4, " " * 9) for row in uses))
        parts.append("\n".join([f"{number[step.claim]:>2}. {first}", *(f"    {line}" for line in rest)]))
    return "\n\n".join(parts)


def step_text(step: Step | Check, width: int = WIDTH, letters: Letters = ()) -> str:
    """Return one step as text: its claim, both sides with the ``letters`` of its closed form, and its reason."""
    rows = [step.claim]
    if isinstance(step, Step):
        left, right = _with_letters(step.left, letters), _with_letters(step.right, letters)
        rows += [f"  {_short(_plain(left), '.left')}", f"  = {_short(_plain(right), '.right')}"]
        rows += [f"  where {sp.sstr(symbol)} = {sp.sstr(value)}" for symbol, value in (step.where or {}).items()]
    if step.because:
        rows.append(f"  because: {step.because}")
    return "\n".join(chain.from_iterable(_wrapped(row, width, " " * (4 if row.startswith(" ") else 2)) for row in rows))


def steps_latex(form: ClosedForm) -> str:
    """Return the derivation in LaTeX: each identity in the letters of the arguments, below a comment with its claim."""
    parts = []
    for step in form.steps:
        reason = f" ({step.because})" if step.because else ""
        identity = "% a program decides"
        if isinstance(step, Step):
            identity = f"{latex(step.left, form.arguments)} = {latex(step.right, form.arguments)}"
        parts.append(f"% {step.claim}{reason}\n{identity}")
    return "\n\n".join(parts)


def _with_letters(expression: Any, letters: Letters) -> Any:
    for letter, part in letters:
        expression = expression.xreplace({part: letter})
    return expression


class _Plain(StrPrinter):
    """A value at a point is printed as "(x**2 at x = 3)", a quotient with a bar, a matrix in one line."""

    def _print_Subs(self, node: sp.Subs) -> str:
        values = ", ".join(f"{self._print(x)} = {self._print(value)}" for x, value in zip(*node.args[1:], strict=True))
        return f"({self._print(node.expr)} at {values})"

    def _print_quotient(self, node: sp.Function) -> str:
        over, under = map(self.parenthesize, node.args, (PRECEDENCE["Mul"], PRECEDENCE["Pow"]))
        return f"({over}/{under})"

    def _print_ImmutableDenseMatrix(self, node: sp.MatrixBase) -> str:
        rows = (f"[{', '.join(map(self._print, row))}]" for row in node.tolist())
        return f"[{', '.join(rows)}]"


def _plain(expression: sp.Expr) -> str:
    return str(_Plain({"full_prec": False}).doprint(readable(expression)))


def _repeated(label: str, entries: list[str]) -> list[tuple[str, str]]:
    return [(label if index == 0 else "", entry) for index, entry in enumerate(entries)]


def _wrapped(row: str, width: int, indent: str) -> list[str]:
    text = row.lstrip()
    first = row[: len(row) - len(text)]
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)


def _short(formula: str, attribute: str = ".expression") -> str:
    room = _LONGEST_FORMULA * (WIDTH - 12) - 40
    return formula if len(formula) <= room else f"{formula[:room]} ... (full formula: {attribute})"


def html(form: ClosedForm) -> str:
    """Return formula, arguments, assumptions, sources and status as HTML for a notebook."""
    rows = "".join(
        f"<tr><td>\\({latex(a.symbol, (a,))}\\)</td><td><code>{escape.escape(a.name)}</code></td>"
        f"<td>{escape.escape(a.meaning)}</td><td>{escape.escape(a.domain)}</td><td>{escape.escape(a.unit)}</td></tr>"
        for a in form.arguments
    )
    notes = [
        *(f"Requires: {c.sentence}" for c in form.conditions),
        *(f"Assumes: {sentence}" for sentence in form.assumptions),
        *(f"Measured: {sentence}" for sentence in _measured(form)),
        *(f"Source: {source}" for source in form.sources),
        *(f"Differs from print: {sentence}" for sentence in misprints(form)),
        f"Status: {form.status.value}",
    ]
    return (
        f"<div><p><strong>{escape.escape(form.name)}</strong>: {escape.escape(form.meaning)}</p>"
        f"<p>{escape.escape(form._repr_latex_())}</p>"
        f"<table><thead><tr><th></th><th>argument</th><th>meaning</th><th>domain</th><th>unit</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        f"<ul>{''.join(f'<li>{escape.escape(note)}</li>' for note in notes)}</ul></div>"
    )


def listing_text(title: str, forms: Mapping[str, ClosedForm]) -> str:
    """Return a line with the title and, for each attribute, the name of its closed form and what it means."""
    widest = max(map(len, forms))
    indent = " " * (widest + 5)
    lines = [title]
    for attribute, form in forms.items():
        lines.append(f"  .{attribute:<{widest}}  {form.name}")
        lines += textwrap.wrap(form.meaning, WIDTH, initial_indent=indent, subsequent_indent=indent)
    return "\n".join(lines)


def listing_html(title: str, forms: Mapping[str, ClosedForm]) -> str:
    """Return the same for a notebook, with every closed form below the name of its attribute."""
    parts = (f"<h4><code>.{escape.escape(name)}</code></h4>{form._repr_html_()}" for name, form in forms.items())
    return f"<div><p><strong>{escape.escape(title)}</strong></p>{''.join(parts)}</div>"
