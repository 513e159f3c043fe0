"""The ledger of one paper: the text with its entries, joined with the programs that decide them."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import sympy as sp

from closedform.suggestions import unknown
from theory.core.formula.provenance import reference, references
from theory.core.ledger.algorithm import Algorithm
from theory.core.ledger.checked_entry import ERRATA
from theory.core.ledger.equation import Equation, Prover
from theory.core.ledger.formulas import statement
from theory.core.ledger.letters import Letters
from theory.core.ledger.printed import Claim, Conditional, relations
from theory.core.ledger.program import Program, Programs, witness_of, words_of
from theory.core.ledger.rulings import Ruling
from theory.core.ledger.source import Block, Line, algorithm, harmless_changes, read, read_search

STATEMENTS = ("printed", "corrected", "condition", "inferred")
UNSAID = {
    "DEFINITION": "It introduces what it names.",
    "NOTE": "A setting or a remark.",
    "OPEN": "A matter of measurement.",
}
"""Evidence where the text gives none."""
_SAME = re.compile(r"as (?P<label>.+)")
_CHANGED = re.compile(
    r"printed (?:with (?P<letter>\w+)(?P<sign>: | = )(?P<value>.+)|times (?P<factor>.+))"
)


def read_ledger(package: str, key: str, programs: Programs | None = None) -> tuple[Equation, ...]:
    """Return the entries of the ledger of a package, which has the text ``ledger.txt``.

    Args:
        package: name of the package.
        key: key of the paper in ``references.bib``.
        programs: label -> program. Default: those in the ``PROGRAMS`` of all modules of the package.

    Raises:
        SourceError: if the text has a fault; the message names file and line.
        ValueError: if a program has no entry, or an entry that a program must decide has none.

    >>> read_ledger("papers.cheong2025.ledger", "cheong2025")[0].label
    'abstract simplex'
    """
    reference(key)  # raises an error for an unknown one
    source = read(package)
    by_label = _programs_of(package) if programs is None else _by_label(package, programs)
    blocks = {block.label: block for block in source.blocks}
    unused = [label for label in by_label if label not in blocks]
    if unused:
        raise ValueError(f"PROGRAMS of {package}: {unknown('label', unused[0], blocks)}")
    letters, known, roots = Letters(), 0, _roots(blocks)
    entries = []
    for block in source.blocks:
        if block.letters > known:
            letters, known = Letters(source.letters[known : block.letters], letters), block.letters
        entries.append(_Assembly(key, letters, blocks, by_label, roots)(block))
    return tuple(entries)


def deferred_ledger(package: str, key: str) -> Callable[[str], tuple[Equation, ...]]:
    """Return ``__getattr__`` for a package: its ledger is read when ``EQUATIONS`` is asked for, and kept.

    Args:
        package: name of the package, which has the text ``ledger.txt``.
        key: key of the paper in ``references.bib``.
    """
    read_once = cache(read_ledger)

    def attribute(name: str) -> tuple[Equation, ...]:
        if name != "EQUATIONS":
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return read_once(package, key)

    return attribute


def letters_of(package: str) -> Letters:
    """Return the letters with which the ledger of a package begins, for the programs of its entries.

    Args:
        package: name of the package with the ledger.

    Raises:
        SourceError: if its text has a fault.

    >>> letters_of("papers.paccolat2021.ledger")["p"].is_positive
    True
    """
    source = read(package)
    return Letters(source.letters[: source.blocks[0].letters])


def shown_statement(package: str, label: str, name: str = "printed") -> Any:
    """Return the statement in a field of an entry, in the letters with which its ledger begins, for other programs.

    Args:
        package: name of the package with the ledger.
        label: label of the entry.
        name: field with the statement. Default: ``"printed"``.

    Raises:
        SourceError: if the text has a fault.
        KeyError: if there is no such entry.

    >>> shown_statement("papers.paccolat2021.ledger", "(2)").lhs
    W_dot
    """
    blocks = {block.label: block for block in read(package).blocks}
    return _Assembly(package, letters_of(package), blocks, {}, _roots(blocks)).statement(
        blocks[label], name
    )


def printed_algorithm(package: str, label: str, name: str = "printed") -> tuple[str, ...]:
    """Return the lines of an algorithm in the ledger of a package, for programs that run some of them."""
    return tuple(
        (
            algorithm({block.label: block for block in read(package).blocks}, label, name) or {}
        ).values()
    )


def _programs_of(package: str) -> dict[str, Prover | Program]:
    by_label: dict[str, Prover | Program] = {}
    for module in sorted(info.name for info in iter_modules(import_module(package).__path__)):
        programs = getattr(import_module(f"{package}.{module}"), "PROGRAMS", {})
        by_label |= _by_label(f"{package}.{module}", programs, by_label)
    return by_label


def _by_label(
    module: str, programs: Programs, known: Collection[str] = ()
) -> dict[str, Prover | Program]:
    """Return the programs by single labels; those of a module with the same program are joined as "(1) | (2)"."""
    by_label: dict[str, Prover | Program] = {}
    for label, program in (
        (label, program) for labels, program in programs.items() for label in labels.split(" | ")
    ):
        if label in by_label or label in known:
            raise ValueError(f"PROGRAMS of {module}: got a second program of [{label}]")
        by_label[label] = program
    return by_label


@dataclass(frozen=True)
class _Assembly:
    """The entry of a block."""

    key: str
    letters: Letters
    blocks: Mapping[str, Block]
    programs: Programs
    roots: Mapping[str, str]

    def __call__(self, block: Block) -> Equation:
        head = Line("", block.place)
        if block.verdict not in Ruling.__members__:
            raise head.error(block.verdict, f"one of {', '.join(Ruling.__members__)}")
        fields = {
            name: self.statement(block, name) for name in STATEMENTS if self._lines(block, name)
        }
        if "corrected" in fields and "condition" in fields:
            fields["corrected"] = Conditional(fields["corrected"], fields.pop("condition"))
        sections = {other.section for other in self.blocks.values()}
        search = read_search(self._search(block), sections)
        priority, finding = _finding(block)
        program = self.programs.get(block.label)
        section = _text(block, "section") or block.section
        if block.verdict in ERRATA:
            fields["witness"] = witness_of(program, fields.get("printed"), fields.get("corrected"))
        prove = program.prove if isinstance(program, Program) else program
        try:
            return Equation(
                self.key,
                block.label,
                block.statement,
                Ruling[block.verdict],
                self._said(block, "evidence") or UNSAID.get(block.verdict) or words_of(prove),
                where=section if section == "Abstract" else f"Section {section}",
                edition=references()[self.key].get("read", ""),
                prove=prove,
                letters=self.letters.latex,
                consequence=self._said(block, "consequence"),
                assumed=read_search(self._search(block, "assumed"), sections),
                effect=self._effect(block),
                finding=finding,
                priority=priority,
                heirs=tuple(filter(None, self._said(block, "heirs").split(" | "))),
                root=self.roots.get(block.label),
                harmless=self._harmless(block),
                looked_for=search,
                closed_form=_text(block, "closed_form") or None,
                **fields,
            )
        except (ValueError, TypeError) as error:
            raise head.error(
                f"an entry that is not complete: {error}", "what this says"
            ) from error

    def statement(self, block: Block, name: str) -> Any:
        """Return the statement in a field: several lines are the parts of one statement."""
        if (
            name in block.fields
            and (code := algorithm(self.blocks, block.label, name)) is not None
        ):
            return Algorithm("\n".join(code.values()), min(code))
        lines = self._lines(block, name)
        other = self._other(lines[0].text)
        if other:
            return self.statement(other, name)
        if name != "printed" and (change := _CHANGED.fullmatch(lines[0].text)):
            return self._changed(self.statement(block, "printed"), change)
        parts = []
        for line in lines:
            try:
                parts.append(statement(line.text, self.letters))
            except (ValueError, TypeError, AttributeError) as error:
                raise line.error(repr(line.text), f"a {name} statement ({error})") from error
        return parts[0] if len(parts) == 1 else sp.Tuple(*parts)

    def _lines(self, block: Block, name: str) -> tuple[Line, ...]:
        """Return the lines of a field; a misprint without a correction has the change that its root needs."""
        if name != "corrected" or name in block.fields or block.verdict != "MISPRINT":
            return block.fields.get(name, ())
        root = self.blocks.get(self.roots.get(block.label, ""))
        lines = root.fields.get(name, ()) if root else ()
        return lines if any(_CHANGED.fullmatch(line.text) for line in lines) else ()

    def _changed(self, printed: Any, change: re.Match[str]) -> Any:
        """Return printed equations with a value for a letter, one with a factor, or a sentence with another word."""
        if change["factor"]:
            return sp.Eq(
                printed.lhs,
                printed.rhs * statement(change["factor"], self.letters),
                evaluate=False,
            )
        name, text = change["letter"], change["value"]
        if isinstance(printed, Claim):
            value = (
                printed.values[name].exchanged(text)
                if change["sign"] == ": "
                else statement(text, self.letters)
            )
            return Claim(printed.text, {**printed.values, name: value})
        values = {self.letters[name]: statement(text, self.letters)}
        parts = [
            sp.Eq(*(side.xreplace(values) for side in part.args), evaluate=False)
            for part in relations(printed)
        ]
        return parts[0] if len(parts) == 1 else sp.Tuple(*parts)

    def _said(self, block: Block, name: str) -> str:
        """Return the text of a field; "as LABEL" is that of another entry."""
        text = _text(block, name)
        if not text and name == "consequence" and block.label in self.roots:
            text = f"As {self.roots[block.label]}."
        other = self._other(text)
        return self._said(other, name) if other else text

    def _effect(self, block: Block) -> str:
        """Return what an erratum changes; an heir changes what its root does."""
        passed: set[str] = set()
        while not _text(block, "effect") and block.label in self.roots:
            passed.add(block.label)
            if self.roots[block.label] in passed:  # they name each other
                break
            block = self.blocks[self.roots[block.label]]
        return _text(block, "effect")

    def _other(self, text: str) -> Block | None:
        """Return the entry that "as LABEL" names; None for any other text."""
        same = _SAME.fullmatch(text)
        return self.blocks.get(same["label"]) if same else None

    def _search(self, block: Block, name: str = "looked_for") -> tuple[Line, ...]:
        """Return the lines on where a condition was looked for; a condition "as LABEL" was looked for with that one."""
        lines = block.fields.get(name, ())
        other = self._other(_text(block, name if lines else "condition"))
        return self._search(other, name) if other else lines

    def _harmless(self, block: Block) -> dict[str, str]:
        """Return the planted errors that change nothing, with their reasons; "as LABEL" are those of another entry."""
        found: dict[str, str] = {}
        for line in block.fields.get("harmless", ()):
            other = self._other(line.text)
            found |= self._harmless(other) if other else harmless_changes(line)
        return found


def _roots(blocks: Mapping[str, Block]) -> dict[str, str]:
    """Return, for each entry that inherits an error, the label of the first that names it as an heir."""
    return {
        heir: root.label
        for root in reversed([*blocks.values()])
        for heir in _text(root, "heirs").split(" | ")
    }


def _finding(block: Block) -> tuple[int, str]:
    """Return the place and the sentence of a main erratum, such as "1 All curvatures are too large."."""
    lines = block.fields.get("finding", ())
    if not lines:
        return 0, ""
    number, _, sentence = lines[0].text.partition(" ")
    if not (number.isdigit() and sentence):
        raise lines[0].error(repr(lines[0].text), "its place and a sentence, '1 It is so.'")
    return int(number), sentence


def _text(block: Block, name: str) -> str:
    return " ".join(line.text for line in block.fields.get(name, ()))
