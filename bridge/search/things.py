"""All that can be found: formulas, families, functions, claims and entries of the ledger, with names and meanings."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from closedform.missing import ANALYSIS
from theory.core.proof.store import everything, stored

# packages whose functions are found; their names are those that a type checker sees
ROOMS = (
    "theory.two_point", "theory.geometry", "theory.compression", "theory.leaky_resnet", "theory.collapse",
    "empirics.measure", "bridge", "bridge.two_point", "bridge.geometry", "bridge.compression", "bridge.leaky_resnet",
    "bridge.collapse", "bridge.scaling",
)  # fmt: skip
_EXPORT = re.compile(r"from (?P<module>\.[\w.]*) import (?P<name>\w+) as \w+")


class Thing(NamedTuple):
    """Something that can be found."""

    name: str  # dotted, or paper and label
    kind: str  # "form", "family", "function", "claim" or "entry"
    meaning: str  # one sentence
    call: str  # how it is used
    source: str = ""  # paper, its arXiv number, and the place in it


def things() -> tuple[Thing, ...]:
    """Return all things, from the store if they are there: forms first, then functions, claims and entries.

    Reading them takes about a quarter of a minute, which a line on stderr says.
    """
    with_claims = all(
        find_spec(package) for package in ANALYSIS
    )  # which are code that needs these
    key = ("things", "with claims" if with_claims else "")

    def read() -> list[list[str]]:
        print(
            "reading the names and meanings of all formulas, functions and equations, once",
            file=sys.stderr,
            flush=True,
        )
        return [list(thing) for thing in _read(with_claims)]

    kept = stored(everything(), key, read)
    return tuple(Thing(*thing) for thing in kept)


def _read(with_claims: bool) -> Iterator[Thing]:
    import theory
    from theory.core.formula.provenance import references
    from theory.listing import listing

    papers = {
        key: " ".join(filter(None, (key, entry.get("eprint", ""), entry.get("title", ""))))
        for key, entry in references().items()
    }
    catalogue = theory.catalogue()
    for listed in listing():
        is_form = listed.parameters is None
        sources = catalogue[listed.name].sources if is_form else ()
        places = "; ".join(f"{papers.get(s.key, s.key)} {s.locator}" for s in sources)
        needed = [f"{name}=..." for name, is_required in listed.parameters or () if is_required]
        call = (
            f'theory.catalogue()["{listed.name}"]'
            if is_form
            else f'cf.show("{listed.name}", {", ".join(needed)})'
        )
        yield Thing(listed.name, "form" if is_form else "family", listed.meaning, call, places)
    for room in ROOMS:
        yield from _functions(room)
    if with_claims:
        from bridge.results.quantity import CLAIMS

        for _, module in CLAIMS.each(CLAIMS.__getitem__):
            claims = [value for value in vars(module).values() if hasattr(value, "sentence")]
            for claim in claims:
                call = f'bridge.validity("{claim.name}", over={{...}})'
                yield Thing(claim.name, "claim", claim.sentence, call)
    for entry in theory.equations():
        call = f'cf.errata("{entry.paper}", "{entry.label}")'
        meaning = f"{entry.verdict.value}: {entry.statement}"
        place = f"{papers.get(entry.paper, entry.paper)} {entry.label} {entry.where}"
        yield Thing(f"{entry.paper} {entry.label}", "entry", meaning, call, place)


def _functions(room: str) -> Iterator[Thing]:
    """Yield the public functions of a package with the first line of their docstrings, without importing them."""
    spec = find_spec(room)
    if spec is None or spec.origin is None:
        return
    folder = Path(spec.origin).parent
    for export in _EXPORT.finditer((folder / "__init__.pyi").read_text(encoding="utf-8")):
        path = folder.joinpath(*export["module"][1:].split(".")).with_suffix(".py")
        if not path.is_file():
            continue
        body: Sequence[ast.stmt] = ast.parse(path.read_text(encoding="utf-8")).body
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name == export["name"]:
                needed = node.args.args[: len(node.args.args) - len(node.args.defaults)]
                arguments = ", ".join(argument.arg for argument in needed)
                meaning = (ast.get_docstring(node) or "").partition("\n")[0]
                name = f"{room}.{node.name}"
                yield Thing(name, "function", meaning, f"{name}({arguments})")
