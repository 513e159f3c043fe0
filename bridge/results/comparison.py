"""What the code of a study compares its quantities with: thresholds, regions, relations, formulas and statistics.

The text of the code is no part of a plan, since every new name would outdate every record. What is collected here stays
the same where code is renamed, moved or split: the values of the named constants that the analysis of a study reaches,
and, of the definitions from which the numbers of a quantity come, the set of other numbers, the relations, and the
names of functions of other packages and of statistics, such as ``numpy.median``, ``theory.two_point.final_distance`` or
``mean``. Functions that draw or write, by their return type, are left out. The code of a wing is followed, that of the
subjects in ``bridge`` within the modules that a wing imports; what is behind these has a version of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bridge.results.analyses import ANALYSES
from bridge.results.quantity import QUANTITIES

Name = tuple[str, str]
"""A module and the name of a definition in it."""

WINGS = "papers."
FOREIGN = (
    "numpy.",
    "scipy.",
    "math.",
    "theory.",
    "bridge.",
    "empirics.measure.",
)  # whose names are kept
UNIMPORTANT = ("numpy.typing", "bridge.plots", "bridge.results", "bridge.arguments")
STATISTICS = (
    "all",
    "any",
    "argmax",
    "argmin",
    "max",
    "mean",
    "median",
    "min",
    "prod",
    "quantile",
    "std",
    "sum",
    "var",
)
RELATIONS = ("<", ">", "=")
DRAWING = (
    "None",
    "str",
    "Figure",
    "Picture",
    "Iterator[Doubt]",
    "Axes",
)  # types of what is no number


@dataclass(frozen=True)
class Module:
    """The definitions of a module by name, and what its imported names stand for."""

    name: str
    definitions: dict[str, ast.stmt] = field(repr=False)
    imported: dict[str, str] = field(repr=False)  # dotted names


@dataclass(frozen=True)
class Content:
    """What decides a comparison in one definition."""

    names: frozenset[Name]  # of definitions that are followed
    functions: frozenset[str]  # of other packages, and statistics
    numbers: tuple[str, ...]
    relations: frozenset[str]


@lru_cache(maxsize=512)
def module(name: str) -> Module | None:
    """Return the definitions of a module; None if its source is not at hand."""
    first, *rest = name.split(".")
    spec = find_spec(first)
    if spec is None or not spec.origin:
        return None
    path = Path(spec.origin).parent.joinpath(*rest)
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not source.is_file():
        return None
    tree = ast.parse(source.read_text(encoding="utf-8"))
    definitions: dict[str, ast.stmt] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            definitions[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                definitions |= dict.fromkeys(_names(target), statement)
        elif isinstance(statement, ast.AnnAssign):
            definitions |= dict.fromkeys(_names(statement.target), statement)
    imported: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                imported[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return Module(name, definitions, imported)


def _names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def dotted(node: ast.AST) -> str:
    """Return ``"a.b.c"`` for such an expression; empty for any other."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


@lru_cache(maxsize=8192)
def content(name: Name) -> Content:
    """Return what decides a comparison in a definition."""
    home = module(name[0])
    assert home is not None
    names: set[Name] = set()
    functions: set[str] = set()
    numbers: list[str] = []
    relations: set[str] = set()
    for node in ast.walk(home.definitions[name[1]]):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, int | float | complex) and not isinstance(node.value, bool):
                numbers.append(repr(node.value))
            elif node.value in RELATIONS:
                relations.add(node.value)
        text = dotted(node)
        if text:
            first, _, rest = text.partition(".")
            whole = ".".join(filter(None, (home.imported.get(first, ""), rest)))
            known = (home.name, first) if first in home.definitions else _resolved(whole)
            if known is not None:
                names.add(known)
            elif whole.startswith(FOREIGN) and not whole.startswith(UNIMPORTANT):
                functions.add(whole)
        if isinstance(node, ast.Attribute) and node.attr in STATISTICS:
            functions.add(node.attr)
    return Content(frozenset(names), frozenset(functions), tuple(numbers), frozenset(relations))


@lru_cache(maxsize=8192)
def _resolved(whole: str) -> Name | None:
    """Return the definition that a dotted name stands for, of a wing or of a subject in ``bridge``; else None."""
    parts = whole.split(".")
    if not (
        whole.startswith(WINGS) or (parts[0] == "bridge" and parts[1:2] and parts[1] in QUANTITIES)
    ):
        return None
    for count in range(len(parts) - 1, 0, -1):
        home = module(".".join(parts[:count]))
        if home is None:
            continue
        if parts[count] in home.definitions:
            return home.name, parts[count]
        return _resolved(home.imported[parts[count]]) if parts[count] in home.imported else None
    return None


def is_drawing(name: Name) -> bool:
    """Return whether a definition is a function whose return type is a drawing or a text."""
    home = module(name[0])
    assert home is not None
    definition = home.definitions[name[1]]
    if not isinstance(definition, ast.FunctionDef) or definition.returns is None:
        return False
    return ast.unparse(definition.returns) in DRAWING


def reached(start: frozenset[Name]) -> frozenset[Name]:
    """Return all definitions from which those of ``start`` follow, themselves included."""
    known: set[Name] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name in known or is_drawing(name):
            continue
        known.add(name)
        for other in content(name).names:
            if name[0].startswith(WINGS) or other[0] == name[0]:
                waiting.append(other)
    return frozenset(known)


@lru_cache(maxsize=256)
def of_study(study: str) -> frozenset[Name]:
    """Return all definitions that the analysis of a study reaches; none where its source is not at hand."""
    home, _, function = ANALYSES.targets.get(study, "").partition(":")
    known = module(home) if home else None
    if known is None or function not in known.definitions:
        return frozenset()
    return reached(frozenset({(home, function)}))


def is_constant(name: Name) -> bool:
    """Return whether a definition is an assignment, and not a function or a class."""
    home = module(name[0])
    assert home is not None
    return isinstance(home.definitions.get(name[1]), ast.Assign | ast.AnnAssign)


@lru_cache(maxsize=1024)
def naming(study: str, quantity: str) -> frozenset[Name]:
    """Return the definitions of a study that name a quantity, directly or by a constant that does."""
    subject = quantity.partition(".")[0]
    home = QUANTITIES.targets.get(subject, "")
    constants = vars(QUANTITIES[subject]) if home else {}
    through = {(home, name) for name, constant in constants.items() if str(constant) == quantity}
    named: set[Name] = set()
    while through:
        users = {name for name in of_study(study) - named if content(name).names & through}
        named |= users
        through = {name for name in users if is_constant(name)}
    return frozenset(named)


@lru_cache(maxsize=1024)
def compared(study: str, quantities: tuple[str, ...]) -> dict[str, Any]:
    """Return what decides the comparison of quantities in a study's code, as data that a hash can hold.

    Args:
        study: the name of a study.
        quantities: identifiers of quantities.

    Returns:
        ``constants``: values of the named constants of the study, sorted; ``numbers``: the other numbers in the code
        of the quantities, each once, sorted; ``relations``: those of ``<``, ``>`` and ``=`` in it; ``functions``:
        statistics and names of other packages in it.
    """
    start: set[Name] = set()
    for quantity in quantities:
        start |= naming(study, quantity)
    homes = set(QUANTITIES.targets.values())
    constants = [
        " ".join(content(name).numbers)
        for name in of_study(study)
        if is_constant(name) and name[0] not in homes
    ]
    parts = [content(name) for name in reached(frozenset(start)) if name[0] not in homes]
    return {
        "constants": sorted(filter(None, constants)),
        "numbers": sorted(_union(part.numbers for part in parts)),
        "relations": sorted(_union(part.relations for part in parts)),
        "functions": sorted(_union(part.functions for part in parts)),
    }


def _union(groups: Iterator[Any]) -> set[str]:
    together: set[str] = set()
    for group in groups:
        together |= set(group)
    return together
