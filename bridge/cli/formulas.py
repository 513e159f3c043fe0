"""The commands on closed forms: list, show, eval and check, which need only the package theory, and explore."""

from __future__ import annotations

import argparse
import math
import re
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bridge.cli import console
from closedform.missing import PAGES, require
from closedform.suggestions import unknown

if TYPE_CHECKING:
    from bridge.report.formulas import Checked


def run_list(arguments: argparse.Namespace) -> int:
    """Print the names of all closed forms, and of families with their parameters; ``--meanings`` adds the meanings."""
    from theory.listing import listing

    listed = {each.name: each for each in listing(meanings=arguments.meanings)}
    chosen = [
        name
        for name in sorted(listed, key=_by_subject(list(listed)))
        if all(word.lower() in name.lower() for word in arguments.words)
    ]
    if not chosen:
        words = " ".join(arguments.words)
        raise ValueError(f"{unknown('closed form', words, list(listed))} (`closedform list` shows all)")
    for name in chosen:
        parameters = listed[name].parameters
        if arguments.meanings:
            print(f"{name}\n{console.wrapped(f'    {listed[name].meaning}', '    ')}")
        else:
            print(name if parameters is None else f"{name} {console.options_of(parameters)}")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Print a closed form or a family, with its steps (``--steps``), as a tree (``--tree``), in LaTeX or as code."""
    from theory.listing import described

    notation, width = "latex" if arguments.latex else "text", console.width()
    parts = "tree" if arguments.tree else "steps" if arguments.steps else "formula"
    if arguments.code:
        print(find(arguments.name, arguments.parameters, needs_form=True).code(arguments.code), end="")
        return 0

    def text() -> str:
        from theory.core.proof.derivation_text import steps_latex

        found = find(arguments.name, arguments.parameters, needs_form=arguments.latex or parts != "formula")
        if not arguments.latex or parts == "tree":
            return _text(found, parts, width)
        return steps_latex(found) if arguments.steps else str(found.latex)

    parameters = [f"{name}={value}" for name, value in sorted((arguments.parameters or {}).items())]
    print(described([notation, parts, str(width), arguments.name, *parameters], text))
    return 0


def run_eval(arguments: argparse.Namespace) -> int:
    """Print the value of a closed form in float64, or with ``--digits`` correct digits for exactly the given values."""
    form = find(arguments.name, arguments.parameters, needs_form=True)
    values = assignments(arguments.values, [argument.name for argument in form.arguments])
    if arguments.digits is not None:
        print(form.evaluate(digits=arguments.digits, **values))
        return 0
    result = form(**{name: number(name, text) for name, text in values.items()})
    for value in result if isinstance(result, (tuple, list)) else [result]:
        print(repr(float(value)))
    return 0


def run_explore(arguments: argparse.Namespace) -> int:
    """Write the page on a closed form and print its path."""
    require("explore", *PAGES)
    from bridge.explorer import explore

    form = find(arguments.name, arguments.parameters, needs_form=True)
    words = [f"--{name.replace('_', '-')} {shlex.quote(text)}" for name, text in arguments.parameters.items()]
    page = explore(form, " ".join([arguments.name, *words]))
    print(page.write(arguments.out or re.sub(r"[^\w.-]+", "_", f"{form.name}.html")))
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Every step of the named closed forms with its verdict; 1 unless all hold."""
    if arguments.ledger:
        from bridge.cli.ledger import run_check_ledger

        return run_check_ledger(arguments)
    from bridge.report.formulas import check
    from theory.core.proof.store import using

    began = time.perf_counter()
    names = names_of(arguments.names)
    with (
        using(read=not arguments.no_cache, write=not arguments.no_cache),
        console.Bar("closed forms", len(names)) as bar,
    ):
        checked = check(names, bar.around(console.verdicts), arguments.processes, fresh=arguments.fresh)
    print(f"{counted(checked)} ({time.perf_counter() - began:.1f} s)")
    return 0 if all(form.holds for form in checked) else 1


def counted(checked: Sequence[Checked]) -> str:
    """Return how many steps of closed forms hold, and the names of those of which not all do."""
    steps = [verdict for form in checked for _, verdict, _ in form.verdicts]
    failing = [form.name for form in checked if not form.holds]
    many = "closed form" if len(checked) == 1 else "closed forms"
    text = f"{steps.count('HOLDS')} of {len(steps)} steps hold, in {len(checked)} {many}"
    return f"{text}; not all of {', '.join(failing)}" if failing else text


def find(name: str, parameters: Mapping[str, str] | None = None, *, needs_form: bool = False) -> Any:
    """Return the closed form, family or member with this name; a ValueError suggests names or says what is missing."""
    import theory

    catalogue = theory.catalogue()
    try:
        entry = catalogue[name]
    except KeyError as problem:
        raise ValueError(str(problem.args[0])) from None
    is_family = name in catalogue.families
    if not is_family and parameters:
        raise ValueError(f"{name}: got --{next(iter(parameters))}, needs none, as it is a single closed form")
    if is_family and (parameters or needs_form):
        try:
            return entry(**(parameters or {}))
        except TypeError as problem:
            raise ValueError(f"{problem}; usage: {name} {console.usage(entry)}") from None
    return entry


def names_of(wanted: list[str]) -> list[str]:
    """Return the names of the closed forms in the given forms, families and subjects; all names if none are given."""
    import theory

    catalogue = theory.catalogue()
    subjects = list(dict.fromkeys(name.split(".")[0] for name in catalogue))
    names: list[str] = []
    for word in wanted or subjects:
        if word in catalogue.families:
            names += catalogue.families[word].member_names
        elif word in catalogue:
            names.append(word)
        elif word in subjects:
            names += [name for name in catalogue if name.split(".")[0] == word]
        else:
            message = unknown("closed form", word, [*subjects, *catalogue, *catalogue.families])
            raise ValueError(f"{message} (`closedform list` shows all)")
    return list(dict.fromkeys(names))


def assignments(texts: list[str], names: list[str]) -> Mapping[str, str]:
    """Return the values of all arguments of a closed form, by name, from texts ``key=value``."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise ValueError(f"values: got {text!r}, needs key=value, such as {names[0]}=0.5")
        if name not in names:
            raise ValueError(unknown("argument", name, names))
        if name in values:
            raise ValueError(f"{name}: got two values, needs one")
        number(name, value)
        values[name] = value
    missing = [name for name in names if name not in values]
    if missing:
        raise ValueError(
            f"values: got none for {', '.join(missing)}, needs {' '.join(f'{name}=...' for name in missing)}"
        )
    return values


def number(name: str, text: str) -> float:
    """Return the finite float64 of a text: a decimal, a ratio as ``1/2``, or an expression as ``sqrt(2)/3``."""
    from theory.core.formula.parsing import parse

    try:
        value = float(parse(text))
    except (ValueError, TypeError, OverflowError):
        need = "a finite number: a decimal, a ratio such as 1/2, or an expression such as sqrt(2)/3"
        raise ValueError(f"{name}: got {text!r}, needs {need}") from None
    if not math.isfinite(value):
        raise ValueError(f"{name}: got {text!r}, needs a finite number")
    return value


def _text(found: Any, parts: str, width: int) -> str:
    """Return a closed form or a family as text, alone or with the steps of its derivation, or the tree of these."""
    from theory.core import ClosedForm
    from theory.core.proof import tree
    from theory.core.proof.derivation_text import derivation_text

    if not isinstance(found, ClosedForm):
        return str(found.text(width))
    if parts == "tree":
        return tree.text(found, min(width, tree.WIDTH))
    derivation = [derivation_text(found, width)] if parts == "steps" and found.steps else []
    return "\n\n".join([found.text(width), *derivation])


def _by_subject(names: list[str]) -> Callable[[str], int]:
    """Return a sort key that orders names by subject and keeps their order within a subject."""
    subjects = list(dict.fromkeys(name.split(".")[0] for name in names))
    return lambda name: subjects.index(name.split(".")[0])
