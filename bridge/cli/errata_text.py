"""The errata of a paper as text for a terminal: a few lines for each root of errors, with what inherits it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from bridge.cli.console import forms, paint, text_of, titled, verdict, witness
from theory.core.ledger.checked_entry import CheckedEntry, by_root

VALUES = {"printed": "printed", "independent": "true"}
"""Numbers at the witness; the corrected one is the independent one, or the verdict would be another."""


def show(errata: Iterable[CheckedEntry]) -> None:
    """Print errata by paper, each root with its heirs."""
    errata = list(errata)
    roots = by_root(errata)
    for paper in dict.fromkeys(entry.paper for entry in errata):
        edition = next(entry.edition for entry in errata if entry.paper == paper)
        print(paint(", ".join(filter(None, (paper, edition))), "bold"))
        of_paper = [(root, heirs) for root, heirs in roots if root.paper == paper]
        _show_root(*of_paper[0])
        for (before, _), (root, heirs) in pairwise(of_paper):
            _show_root(root, heirs, before)
    print(f"{len(errata)} printed statements are wrong, or right only under a condition that is not printed;")
    print(f"{len(roots)} are roots and shown. All about one: closedform check --ledger PAPER LABEL")


def _show_root(root: CheckedEntry, heirs: Sequence[CheckedEntry] = (), before: CheckedEntry | None = None) -> None:
    """Print what is printed, what holds, a number that tells them apart, and heirs; not what is as in ``before``."""
    follows, is_harmless = root.consequence, re.fullmatch(r"None\b[^.]*\.", root.consequence)
    suffix = ", without consequences" if is_harmless else ""
    print(f"{paint(root.label, 'bold')}  {verdict(root.verdict)}, {root.where}{suffix}")
    numbers = "" if root.witness is None else witness(root.witness.at_one_place, 6, VALUES)
    inherited = "; ".join(dict.fromkeys([*root.heirs, *(heir.label for heir in heirs)]))
    if before is not None and root.heirs and (root.heirs, follows) == (before.heirs, before.consequence):
        follows = inherited = f"as {before.label}"
    for title, text in (
        *_changed_forms(root),
        ("if", _condition(root)),
        ("witness", numbers),
        ("follows", "" if is_harmless else shortened(follows, ". ")),
        ("heirs", shortened(inherited, "; ")),
    ):
        if text:
            print(titled(title, text, 12))
    print()


def _changed_forms(checked: CheckedEntry) -> tuple[tuple[str, str], ...]:
    """Return what is printed and what is right: a sentence with its change marked, of several formulas the changed."""
    pairs = list(zip(checked.printed, checked.corrected, strict=False))
    if checked.algorithm or not pairs:
        return forms(checked)
    if pairs[0][0][0] == "sentence":
        return (("printed", _with_changes(pairs[0][0][1], pairs[0][1][1])),)
    printed, corrected = zip(*[pair for pair in pairs if pair[0] != pair[1]], strict=True)
    return ("printed", text_of(printed)), ("corrected", text_of(corrected))


def _with_changes(printed: str, corrected: str) -> str:
    """Return a sentence in which the words that differ are marked: "it [must -> need not] saturate"."""
    old, new = printed.split(), corrected.split()
    changes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    parts = [
        " ".join(old[i:j]) if change == "equal" else f"[{' '.join(old[i:j])} → {' '.join(new[k:n])}]"
        for change, i, j, k, n in changes
    ]
    return " ".join(parts)


def _condition(checked: CheckedEntry) -> str:
    """The missing condition, with the sections that do not say it or, where none is named, the nearest sentence."""
    condition, (searched, *_) = text_of(checked.condition).removeprefix("if "), checked.looked_for.split('; "')
    if not searched:
        return condition
    found = re.sub(r"^Sections? ", "not said in ", searched)
    return f"{condition.rstrip('.')} ({found if found != searched else f'nearest: {searched}'})"


def shortened(text: str, between: str, longest: int = 140) -> str:
    """Return the first parts of a text, of about so many characters, and how many more entries there are."""
    parts = text.split(between)
    kept = [part for part, end in zip(parts, accumulate(map(len, parts)), strict=True) if end <= longest] or parts[:1]
    if len(kept) == len(parts):
        return text
    return between.join(kept) + (f"{between}and {len(parts) - len(kept)} more" if between == "; " else ".")
