"""The commands that need nothing but the theory: list, show, eval, check, errata."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping
from typing import Any

from bridge.cli import console
from bridge.cli.near import unknown


def run_list(arguments: argparse.Namespace) -> int:
    """Names of all closed forms; with ``--meanings`` a sentence each."""
    import theory

    catalogue = theory.catalogue()
    for name in catalogue:
        print(f"{name:<44}{catalogue[name].meaning}" if arguments.meanings else name)
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """A closed form in the terminal, or its LaTeX alone."""
    form = find(arguments.name)
    if arguments.latex:
        print(form.latex)
    else:
        console.show(form)
    return 0


def run_eval(arguments: argparse.Namespace) -> int:
    """The value of a closed form: float64, or ``--digits`` correct ones from values taken as exact decimals."""
    form = find(arguments.name)
    values = assignments(arguments.values, [each.name for each in form.arguments])
    if arguments.digits is not None:
        print(form.evaluate(digits=arguments.digits, **values))
        return 0
    result = form(**{name: number(name, text) for name, text in values.items()})
    for value in result if isinstance(result, (tuple, list)) else [result]:
        print(repr(float(value)))
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Every step of the named closed forms with its verdict; 1 if one does not hold (undecided is no pass)."""
    from bridge.report.formulas import check

    began = time.perf_counter()
    checked = check(names_of(arguments.names), progress=console.verdicts)
    steps = [verdict for each in checked for _, verdict, _ in each.verdicts]
    holding = steps.count("HOLDS")
    failing = [each.form.name for each in checked if not each.holds]
    print(
        f"{holding} of {len(steps)} steps hold, in {len(checked)} closed forms ({time.perf_counter() - began:.1f} s)"
        + (f"; not all of {', '.join(failing)}" if failing else "")
    )
    return 1 if failing else 0


def run_errata(arguments: argparse.Namespace) -> int:
    """The misprints and missing conditions of all papers, or of one."""
    import theory

    shown = theory.errata(arguments.paper)
    for each in shown:
        console.erratum(each)
    print(f"{len(shown)} printed statements are wrong, or right only under a condition")
    return 0


def find(name: str) -> Any:
    """The closed form of this name.

    Raises:
        ValueError: if there is none, with the names that look like it.
    """
    import theory

    catalogue = theory.catalogue()
    if name not in catalogue:
        raise ValueError(unknown("closed form", name, [*catalogue, *catalogue.families]))
    if name in catalogue.families:
        raise ValueError(f"{name} is a family; name one of its members, such as {catalogue.families[name].name}.erf")
    return catalogue[name]


def names_of(wanted: list[str]) -> list[str]:
    """Names of closed forms from names and subjects (``two_point``); all for none."""
    import theory

    catalogue = theory.catalogue()
    subjects = list(dict.fromkeys(name.split(".")[0] for name in catalogue))
    found: list[str] = []
    for each in wanted or subjects:
        if each in catalogue:
            found.append(each)
        elif each in subjects:
            found += [name for name in catalogue if name.split(".")[0] == each]
        else:
            raise ValueError(unknown("closed form", each, [*subjects, *catalogue]))
    return list(dict.fromkeys(found))


def assignments(texts: list[str], names: list[str]) -> Mapping[str, str]:
    """``key=value`` for every argument of a closed form, no more, no fewer.

    Raises:
        ValueError: naming what is unknown, missing, given twice or not of the form ``key=value``.
    """
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise ValueError(f"got {text!r}, needs key=value, such as {names[0]}=0.5")
        if name not in names:
            raise ValueError(unknown("argument", name, names))
        if name in values:
            raise ValueError(f"argument {name!r} is given twice")
        number(name, value)
        values[name] = value
    missing = [name for name in names if name not in values]
    if missing:
        raise ValueError(f"no value for {', '.join(missing)}; give key=value for each of {', '.join(names)}")
    return values


def number(name: str, text: str) -> float:
    """``text`` as a finite float64."""
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{name}: got {text!r}, needs a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{name}: got {text!r}, needs a finite number")
    return value
