"""The command that cites a closed form or an entry of the ledger: its formula in LaTeX, its conventions, BibTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from bridge.cli import console, family_options
from bridge.cli.command import command
from bridge.cli.errata import bibtex_of
from bridge.cli.family_options import PARAMETERS
from bridge.cli.formulas import find
from bridge.cli.ledger import check

if TYPE_CHECKING:
    from theory.core.ledger.checked_entry import CheckedEntry


@command("cite", further=PARAMETERS)
@click.argument("name", metavar="NAME | [PAPER] LABEL")
@click.pass_context
def run_cite(context: click.Context, name: str) -> int:
    """Print a closed form or an entry in LaTeX, with BibTeX.

    NAME is a closed form, or a family with its parameters; LABEL is that of an entry of the ledger, after the key of
    its PAPER where several papers have it. What is needed to cite it is printed, with its conventions.
    """
    import theory

    name, words, parameters = family_options.split(context, name)
    catalogue = theory.catalogue()
    if name in catalogue or name in catalogue.families:
        if words:
            raise ValueError(
                f"cite: got {words[0]!r} after the closed form {name}, needs one at a time"
            )
        cite_form(find(name, parameters, needs_form=True))
    elif parameters:
        raise ValueError(
            f"cite: got --{next(iter(parameters))} with {name}, needs a family of closed forms for it"
        )
    else:
        cite_entries(check([name, *words], others=[*catalogue, *catalogue.families]))
    return 0


def cite_form(form: Any) -> None:
    """Print a closed form in LaTeX with its conventions, the ledger entries about it, and its sources as BibTeX."""
    import theory

    papers = {source.key for source in form.sources}.intersection(theory.ledgers())
    of_papers = chain.from_iterable(map(theory.equations, sorted(papers)))
    about = [entry.key for entry in of_papers if entry.closed_form == form.name]
    entries = list(chain.from_iterable(check(key) for key in about))
    formula, *letters = form.abbreviated().lines
    print(f"{console.paint(form.name, 'bold')}\n{console.wrapped(form.meaning, '')}\n\n{formula}")
    print("".join(f"with {definition}\n" for definition in letters))
    conventions = [
        f"{argument.name}: {argument.meaning}, {_unit(argument.unit)}"
        for argument in form.arguments
    ]
    _list("Conventions", [*conventions, *form.assumptions])
    _list("Sources", [str(source) for source in form.sources])
    cite_entries(entries, [source.key for source in form.sources])


def cite_entries(entries: Sequence[CheckedEntry], papers: Sequence[str] = ()) -> None:
    """Print entries of the ledger as printed and as they hold, in LaTeX, and their and other papers as BibTeX."""
    for entry in entries:
        _statement(entry)
    errata = [entry for entry in entries if entry.is_erratum]
    print(bibtex_of([*papers, *(entry.paper for entry in entries)], errata))


def _statement(entry: CheckedEntry) -> None:
    print(
        f"{console.paint(f'{entry.paper} {entry.label}', 'bold')}  {console.verdict(entry.verdict)}"
    )
    place = ", ".join(part for part in (entry.where, entry.edition) if part)
    print(f"{console.wrapped(place, '')}\n{console.wrapped(entry.statement, '')}")
    for title, lines in (
        ("Printed", entry.printed),
        ("Corrected", entry.corrected),
        ("Holds if", entry.condition),
    ):
        if lines:
            print(f"\n{title}:\n" + "\n".join(latex or text for _, text, latex in lines))
    print()


def _list(title: str, items: Iterable[str]) -> None:
    print(f"{title}:")
    for item in items:
        print(console.wrapped(f"- {item}", "  "))
    print()


def _unit(unit: str) -> str:
    return "dimensionless" if unit in ("", "1") else unit
