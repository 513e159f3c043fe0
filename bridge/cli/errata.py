"""The errata of a paper in formats for other programs: JSON, and BibTeX that cites the paper."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from theory.core.formula.provenance import reference

if TYPE_CHECKING:
    from theory.core.ledger.checked_entry import CheckedEntry

    Line = tuple[str, str, str]

WIDTH = 96
KEPT = (
    "author", "title", "year", "journal", "booktitle", "school", "address", "volume", "pages", "eprint",
    "archiveprefix", "doi", "url",
)  # fmt: skip
# BibTeX counts escaped braces as well, so braces are written as commands.
ESCAPES = {sign: f"\\{sign}" for sign in "&%#_"} | {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}


def as_json(entry: CheckedEntry) -> dict[str, Any]:
    """Return one erratum as plain data; ``printed``, ``corrected`` and ``condition`` as LaTeX and, ``_text``, plain."""
    witness = entry.witness
    return {
        "paper": entry.paper,
        "label": entry.label,
        "where": entry.where,
        "edition": entry.edition,
        "verdict": entry.verdict,
        "statement": entry.statement,
        **_both("printed", entry.printed),
        **_both("corrected", entry.corrected),
        **_both("condition", entry.condition),
        "looked_for": entry.looked_for or None,
        "witness": None if witness is None else dict(vars(witness)),
        "effect": entry.effect or None,
        "finding": entry.finding or None,
        "consequence": entry.consequence,
        "heirs": list(entry.heirs),
        "evidence": entry.evidence,
        "closed_form": entry.closed_form or None,
        "steps": [
            dict(zip(("shown", "claim", "verdict"), step, strict=True)) for step in entry.steps
        ],
    }


def bibtex(paper: str, errata: Sequence[CheckedEntry]) -> str:
    """Return a BibTeX entry that cites the paper, with its errata, if there are any, in the field ``annote``."""
    cited = reference(paper)
    fields = {name: cited[name] for name in KEPT if name in cited}
    editions = "; ".join(dict.fromkeys(entry.edition for entry in errata if entry.edition))
    if editions:
        fields["note"] = _escaped(f"Errata for: {editions}")
    notes = "\n\n".join(note(entry) for entry in errata)
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    annotation = [f"  annote = {{{notes}}},"] if errata else []
    return "\n".join([f"@{cited['kind']}{{{paper},", *lines, *annotation, "}", ""])


def bibtex_of(papers: Iterable[str], errata: Sequence[CheckedEntry]) -> str:
    """Return :func:`bibtex` of several papers, each once and with its own errata."""
    return "\n".join(
        bibtex(paper, [entry for entry in errata if entry.paper == paper])
        for paper in dict.fromkeys(papers)
    )


def note(entry: CheckedEntry) -> str:
    """Return one erratum as a paragraph of LaTeX."""
    place = ", ".join(part for part in (_escaped(entry.label), _escaped(entry.where)) if part)
    parts = [f"\\textbf{{{place}}}: {_escaped(entry.statement)}"]
    for title, lines in (
        ("Printed", entry.printed),
        ("Corrected", entry.corrected),
        ("Holds if", entry.condition),
    ):
        if lines:
            parts.append(f"{title}: {'; '.join(_in_text(line) for line in lines)}.")
    if entry.looked_for:
        parts.append(f"Looked for in: {_escaped(entry.looked_for)}.")
    if entry.witness is not None:
        sentence = entry.witness.sentence(lambda name, value: f"{name} = {value}", number)
        parts.append(f"Witness: {_escaped(sentence)}.")
    if entry.consequence:
        parts.append(f"Consequence: {_escaped(entry.consequence)}")
    if entry.heirs:
        parts.append(f"Inherited by: {_escaped(', '.join(entry.heirs))}.")
    return "\n".join(
        textwrap.fill(part, WIDTH, break_long_words=False, break_on_hyphens=False)
        for part in parts
    )


def number(value: Any, digits: int = 10) -> str:
    """Return the text of a number, or of nested lists of numbers, with so many digits. Default: 10."""
    if isinstance(value, list):
        return f"[{', '.join(number(part, digits) for part in value)}]"
    return value if isinstance(value, str) else f"{value + 0.0:.{digits}g}"


def _both(name: str, lines: Sequence[Line]) -> dict[str, str | None]:
    latex, text = (
        sep.join(line[i] for line in lines) or None for i, sep in ((2, r" \\ "), (1, "\n"))
    )
    return {name: latex, f"{name}_text": text}


def _in_text(line: Line) -> str:
    kind, text, latex = line
    if kind == "formula":
        return f"${latex}$"
    if kind == "sentence":
        return _escaped(text).rstrip(".")
    return r" \\ ".join(f"\\texttt{{{_escaped(line)}}}" for line in text.splitlines())


def _escaped(text: str) -> str:
    """Return plain text escaped for LaTeX; parts between dollar signs are formulas and stay unchanged."""
    pieces = text.split("$")
    pieces[::2] = ["".join(ESCAPES.get(sign, sign) for sign in piece) for piece in pieces[::2]]
    return "$".join(pieces)
