"""Entries of the ledger with recomputed verdicts, and errata as text."""

import difflib
import re
import time
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path

from bridge.cli import console
from bridge.cli.console import forms, paint, text_of, titled, verdict, witness
from closedform.suggestions import unknown
from theory.core.ledger.checked_entry import CheckedEntry, by_root

VALUES = {"printed": "printed", "independent": "true"}
"""Numbers at the witness; the corrected one is the independent one, or the verdict would be another."""

VERDICTS = (
    "CONFIRMED", "FOLLOWS", "REMARK", "MISPRINT", "CONDITIONAL", "INCONSISTENT", "SUPPORTED", "CONTRADICTED",
    "UNRESOLVED", "ILLEGIBLE", "DEFINITION", "ASSUMPTION", "NOTE", "OPEN",
)  # fmt: skip


def check_ledger(
    names: Sequence[str], *, fresh: bool, processes: int | None, record: bool = False
) -> int:
    """Recompute and print the verdict of every entry, or of the named ones; return 1 if one is not the declared one.

    With ``record`` the verdicts of errata are kept next to the ledgers, for ``closedform errata``.
    """
    began = time.perf_counter()
    checked = check(names, fresh=fresh, processes=processes)
    if len(checked) == 1:
        console.entry(checked[0])
    for line in table(checked):
        print(line)
    differing = [entry for entry in checked if not entry.agrees]
    for entry in differing:
        console.difference(entry)
    agreeing = len(checked) - len(differing)
    print(
        f"\n{agreeing} of {len(checked)} computed verdicts are the declared ones ({time.perf_counter() - began:.1f} s)"
    )
    if record and not differing:
        from theory.ledger_records import record as write

        for path in write(checked):
            print(f"recorded {path}")
    return 1 if differing else 0


def check_text(names: Sequence[str], file: str, *, record: bool = False) -> int:
    """Look up passages, quotations and numbers of one ledger in the text of its paper; return 1 if one is not there.

    Where the text has TeX, the printed formulas are compared with it, and differences are listed; with ``record`` this
    comparison is kept with the paper.
    """
    import theory
    from theory.core.ledger.source import read
    from theory.core.ledger.tex_comparison import compared
    from theory.core.ledger.transcription import missing
    from theory.ledger import LEDGERS, checked_key
    from theory.ledger_records import record_comparison

    if len(names) != 1:
        raise ValueError(f"--text: got {len(names)} names, needs one paper")
    paper = checked_key(names[0])
    entries, passages = theory.equations(paper), read(LEDGERS.targets[paper]).passages
    text = Path(file).read_text(encoding="utf-8")
    absent, formulas = missing(entries, passages, text), compared(entries, passages, text)
    for label, ours, theirs in formulas.differing:
        only = ", ".join(
            f"only {where}: {glyphs}"
            for where, glyphs in (("ours", ours), ("the paper's", theirs))
            if glyphs
        )
        print(console.wrapped(f"[{label}] {only}", "    "))
    for kind, label, words in absent:
        print(console.wrapped(f"no {kind} [{label}]: {words}", "    "))
    differing = dict.fromkeys(difference.label for difference in formulas.differing)
    print(
        f"formulas: {len(formulas.equal)} are those of the paper's TeX, {len(differing)} differ, "
        f"{len(formulas.without_tex)} without TeX in their passages"
    )
    print(f"{len(passages)} passages and {len(entries)} entries; {len(absent)} not in the text")
    if record:
        print(f"recorded {record_comparison(paper, formulas)}")
    return 1 if absent else 0


def check(
    words: Sequence[str],
    *,
    is_paper: bool = False,
    fresh: bool = False,
    processes: int | None = None,
    others: Iterable[str] = (),
) -> tuple[CheckedEntry, ...]:
    """Return the named entries with verdicts, of all papers if none is named; errors suggest ``others``, too."""
    import theory
    from bridge.results.evidence import current

    papers: list[str | None] = [word for word in words if word in theory.ledgers()]
    labels: list[str | None] = [word for word in words if word not in papers]
    if labels and is_paper:
        raise ValueError(unknown("paper", str(labels[0]), theory.ledgers()))
    checked: list[CheckedEntry] = []
    with console.Bar("entries") as bar:
        for paper in papers or [None]:
            for label in labels or [None]:
                try:
                    checked += theory.check_ledger(
                        paper, label, fresh=fresh, processes=processes, progress=bar.reach
                    )
                except ValueError as problem:
                    raise ValueError(_unknown(str(label), paper, str(problem), others)) from None
    return current(checked)


def _unknown(label: str, paper: str | None, problem: str, others: Iterable[str]) -> str:
    """Return a message on an unknown label, which suggests papers and other names where one is similar."""
    import theory

    if paper is not None:
        return f"{paper}: {problem}"
    similar = difflib.get_close_matches(label, [*theory.ledgers(), *others], n=2)
    if similar:
        return f"no label, paper or closed form {label!r}; did you mean {' or '.join(similar)}?"
    return f"{problem}; a paper is one of {', '.join(theory.ledgers())}"


def table(checked: Iterable[CheckedEntry]) -> list[str]:
    """Return the lines of a table of the numbers of entries: a row for each verdict, a column for each paper."""
    checked = list(checked)
    papers = list(dict.fromkeys(entry.paper for entry in checked))
    heads = [
        (paper.rstrip("0123456789"), paper[len(paper.rstrip("0123456789")) :]) for paper in papers
    ]
    widths = [max(map(len, head), default=0) + 2 for head in heads]
    rows: list[tuple[str, list[str]]] = [
        ("", [name for name, _ in heads]),
        ("", [year for _, year in heads]),
    ]
    for name in VERDICTS:
        counts = [sum(e.paper == paper and e.verdict == name for e in checked) for paper in papers]
        if any(counts):
            rows.append((name, [str(count) for count in counts]))
    rows.append(("entries", [str(sum(e.paper == paper for e in checked)) for paper in papers]))
    rows.append(
        (
            "differ",
            [str(sum(e.paper == paper and not e.agrees for e in checked)) for paper in papers],
        )
    )
    return [
        f"{name:<13}"
        + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        for name, cells in rows
    ]


HEADS = {
    "main": "The main findings",
    "result": "What changes a result",
    "number": "What changes a number",
    "wording": "What changes words or lines alone",
    "none": "Without consequences",
    "": "Others",
    "remark": "True, and easily misread",
}


def show_errata(errata: Iterable[CheckedEntry]) -> None:
    """Print errata by paper: its main findings, then each root with its heirs, sorted by what it changes."""
    errata = list(errata)
    roots = by_root(errata)
    for paper in dict.fromkeys(entry.paper for entry in errata):
        edition = next(entry.edition for entry in errata if entry.paper == paper)
        print(paint(console.wrapped(", ".join(filter(None, (paper, edition))), "  "), "bold"))
        of_paper = [(root, heirs) for root, heirs in roots if root.paper == paper]
        for root, _ in of_paper:
            if root.finding:
                print(
                    console.wrapped(f"  {root.priority}. {root.finding} [{root.label}]", " " * 5)
                )
        heads = [_head(root) for root, _ in of_paper]
        before, head = None, ""
        for (root, heirs), of_root in zip(of_paper, heads, strict=True):
            if of_root != head:
                head = of_root
                print(f"\n{paint(f'{HEADS[head]} ({heads.count(head)})', 'bold')}")
            _show_root(root, heirs, before)
            before = root
    wrong = sum(entry.is_erratum for entry in errata)
    print(
        f"{wrong} printed statements are wrong, disagree, or hold only under a condition that is not printed;"
    )
    print(
        f"{len(roots)} are roots and shown. One of them, or an heir: closedform errata PAPER LABEL"
    )
    print(
        "Recorded verdicts are shown where there are any; closedform errata --fresh decides again."
    )


def _head(root: CheckedEntry) -> str:
    """The head under which an erratum stands."""
    if root.verdict == "REMARK":
        return "remark"
    return "main" if root.priority else root.effect


def _show_root(
    root: CheckedEntry, heirs: Sequence[CheckedEntry] = (), before: CheckedEntry | None = None
) -> None:
    """Print what is printed, what holds, a number that tells them apart, and heirs; not what is as in ``before``."""
    follows, is_harmless = root.consequence, re.fullmatch(r"None\b[^.]*\.", root.consequence)
    suffix = ", without consequences" if is_harmless else ""
    print(f"{paint(root.label, 'bold')}  {verdict(root.verdict)}, {root.where}{suffix}")
    numbers = "" if root.witness is None else witness(root.witness.at_one_place, 6, VALUES)
    inherited = "; ".join(dict.fromkeys([*root.heirs, *(heir.label for heir in heirs)]))
    if (
        before is not None
        and root.heirs
        and (root.heirs, follows) == (before.heirs, before.consequence)
    ):
        follows = inherited = f"as {before.label}"
    for title, text in (
        *_changed_forms(root),
        ("if", _condition(root)),
        ("witness", numbers),
        (
            "follows",
            "" if is_harmless else follows,
        ),  # whole: its last words are often what is not affected
        ("heirs", shortened(inherited)),
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
        " ".join(old[i:j])
        if change == "equal"
        else f"[{' '.join(old[i:j])} → {' '.join(new[k:n])}]"
        for change, i, j, k, n in changes
    ]
    return " ".join(parts)


def _condition(checked: CheckedEntry) -> str:
    """The missing condition, with the sections that do not say it or, where none is named, the nearest sentence."""
    condition, (searched, *_) = (
        text_of(checked.condition).removeprefix("if "),
        checked.looked_for.split('; "'),
    )
    if not searched:
        return condition
    section = re.sub(r"^Sections? ", "not said in ", searched)
    return (
        f"{condition.rstrip('.')} ({section if section != searched else f'nearest: {searched}'})"
    )


def shortened(labels: str, longest: int = 140) -> str:
    """Return the first of labels between "; ", in about so many characters, and how many more there are."""
    parts = labels.split("; ")
    kept = [
        part
        for part, end in zip(parts, accumulate(map(len, parts)), strict=True)
        if end <= longest
    ] or parts[:1]
    if len(kept) == len(parts):
        return labels
    return "; ".join(kept) + f"; and {len(parts) - len(kept)} more"
