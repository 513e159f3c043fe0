"""The page of each closed form: formula, arguments, where it holds, sliders, and its derivation as it was checked."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import certificates
import mpmath
import sympy as sp
from explorers import explorer
from ledger_pages import measured
from rst import anchor, bullets, code, displayed, escape, heading, link, raw, table

from theory.core import Argument, ClosedForm
from theory.core.proof.certificates import certificate
from theory.core.proof.derivation_text import about_conclusion
from theory.core.proof.tree import Branch, tree
from theory.core.text.quantity import quantity_latex
from theory.core.text.render import misprints

DIGITS = 20


def letter(argument: Argument) -> str:
    """Return the argument's symbol as an inline formula."""
    return f":math:`{argument.latex or sp.latex(argument.symbol)}`"


def example(form: ClosedForm) -> list[str]:
    """Return a call at a point of the domain, with its result."""
    point = {name: f"{values[0]:.3g}" for name, values in form.sample(1).items()}
    value = form.evaluate(digits=DIGITS, **point)
    words = [
        "closedform eval",
        form.name,
        *(f"{name}={text}" for name, text in point.items()),
        f"--digits {DIGITS}",
    ]
    call = " \\\n    ".join(textwrap.wrap(" ".join(words), 90, break_on_hyphens=False))
    return code("console", f"$ {call}\n{mpmath.nstr(value, DIGITS)}")


def equation(form: ClosedForm) -> tuple[list[str], list[str]]:
    """Return the displayed formula with its left-hand side, and the definitions of the letters in it."""
    whole, *letters = form.abbreviated().lines
    definitions = [line for definition in letters for line in displayed(definition)]
    return displayed(f"{quantity_latex(form.name)} = {whole}"), definitions


def folded(definitions: list[str]) -> list[str]:
    """Return the definitions of letters, which a click opens; nothing for none."""
    if not definitions:
        return []
    return [*raw("<details><summary>with</summary>"), *definitions, *raw("</details>")]


def corrections(form: ClosedForm) -> list[str]:
    """Return links to the errata that a closed form corrects."""
    return [
        link(label, anchor("erratum", paper, label)) for paper, label, _ in form.differs_from_print
    ]


def formula_page(form: ClosedForm) -> list[str]:
    """Return the page of one closed form, which the list of all leads to and no table of contents."""
    subject = form.name.split(".")[0]
    lines = [
        ":orphan:",
        "",
        f".. _form-{form.name}:",
        "",
        *heading(escape(form.name), "="),
        f":ref:`Closed forms of {subject} <forms-{subject}>`",
        "",
        escape(form.meaning),
        "",
    ]
    formula, definitions = equation(form)
    lines += [*formula, *folded(definitions)]
    sources = escape("; ".join(map(str, form.sources)) or "new here")
    lines += [f"**{form.status.name}**. Source: {sources}.", ""]
    sentences = misprints(form, form.differs_from_print)
    for erratum, sentence in zip(corrections(form), sentences, strict=True):
        lines += [f"Differs from print: {escape(sentence)} ({erratum})", ""]
    rows = []
    for argument in form.arguments:
        unit = "" if argument.unit == "dimensionless" else f" [{argument.unit}]"
        meaning = escape(f"{argument.meaning}{unit}; {argument.domain}")
        rows.append((letter(argument), f"``{argument.name}``", meaning))
    lines += table(("symbol", "argument", "meaning [unit]; domain"), rows)
    limits = [*form.assumptions, *(condition.sentence for condition in form.conditions)]
    if limits:
        lines += ["Holds where", "", *bullets(limits)]
    conditions = measured(form.name)
    if conditions:
        lines += ["Measured on networks", "", *(f"- {sentence}" for sentence in conditions), ""]
    lines += explorer(form)
    if form.steps:
        lines += derivation(form)
    return [*lines, *example(form)]


def derivation(form: ClosedForm) -> list[str]:
    """Return the verdict on every step, and the way from the premises to the formula."""
    lines = ["Steps, as checked when this page was built", ""]
    verdicts = form.check()
    rows = [
        (
            str(number),
            verdicts[s.claim].name,
            str(certificate(s)),
            escape(s.claim),
            escape(s.because),
        )
        for number, s in enumerate(form.steps, start=1)
    ]
    lines += table(("step", "verdict", "checked by", "claim", "because"), rows)
    lines += [about_conclusion(form), ""]
    lines += [f"``closedform show {form.name} --steps`` prints both sides of each step.", ""]
    lines += certificates.statements(form)
    lines += ["The way from the premises to the formula, read from below", ""]
    return [*lines, *nested(tree(form).below)]


def nested(branches: Iterable[Branch], depth: int = 0) -> list[str]:
    """Return steps and premises as a list, with what each of them uses in a list below it."""
    lines = []
    for branch in branches:
        # the number of a step begins no list of its own
        label = escape(branch.label).replace(". ", "\\. ", 1)
        lines += [f"{'  ' * depth}- {label}", ""]
        lines += nested(branch.below, depth + 1)
    return lines
