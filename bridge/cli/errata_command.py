"""The command errata."""

import json

import click

from bridge.cli import console, verbs
from bridge.cli.command import command
from bridge.cli.errata import as_json, bibtex_of


@command("errata")
@click.argument("paper", metavar="[PAPER]", required=False)
@click.argument("label", metavar="[LABEL]", required=False)
@click.option(
    "--json", "in_json", is_flag=True, help="Print a list of objects, with formulas in LaTeX."
)
@click.option(
    "--bibtex",
    "as_bibtex",
    is_flag=True,
    help="Print entries that cite the papers, with the errata in `annote`.",
)
@click.option("--fresh", is_flag=True, help="Decide all of them again, which takes minutes.")
def run_errata(
    paper: str | None, label: str | None, in_json: bool, as_bibtex: bool, fresh: bool
) -> int:
    """List printed equations that are wrong, with corrections.

    Those that are right only under a condition are listed, too, and what changes a result comes first. PAPER is the key
    of a paper, such as zavatoneveth2023, or its arXiv number (default: all). LABEL is one entry, such as (7), 7 or
    "Eq. (7)", whatever its verdict.
    """
    if in_json and as_bibtex:
        raise ValueError("--json: got it with --bibtex, needs one of them")
    from theory.core.proof.store import using

    with using(read=not fresh):
        errata = verbs.errata(paper, label)
    if in_json:
        print(json.dumps([as_json(entry) for entry in errata], indent=1, ensure_ascii=False))
    elif as_bibtex:
        print(bibtex_of((entry.paper for entry in errata), errata))
    else:
        console.paged(str(errata))
    return 0
