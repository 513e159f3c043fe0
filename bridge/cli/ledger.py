"""Commands on the ledger, which recompute verdicts and list errata."""

from __future__ import annotations

import argparse
import difflib
import json
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bridge.cli import console
from closedform.suggestions import unknown

if TYPE_CHECKING:
    from theory.core.ledger.checked_entry import CheckedEntry

VERDICTS = (
    "CONFIRMED", "MISPRINT", "CONDITIONAL", "SUPPORTED", "CONTRADICTED", "UNRESOLVED", "ILLEGIBLE", "DEFINITION",
    "ASSUMPTION", "NOTE", "OPEN",
)  # fmt: skip


def run_check_ledger(arguments: argparse.Namespace) -> int:
    """Recompute and print the verdict of every entry, or of the named ones; return 1 if one is not the declared one."""
    from theory.core.proof.store import using

    began = time.perf_counter()
    with using(read=not arguments.no_cache, write=not arguments.no_cache):
        checked = check(arguments.names, fresh=arguments.fresh, processes=arguments.processes)
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
    return 1 if differing else 0


def run_errata(arguments: argparse.Namespace) -> int:
    """Print the statements of all papers, or of one, whose verdict is "wrong" or "right only under a condition"."""
    checked = check([arguments.paper] if arguments.paper else [], is_paper=True)
    shown = [entry for entry in checked if entry.is_erratum]
    if arguments.json:
        from bridge.cli.errata import as_json

        print(json.dumps([as_json(entry) for entry in shown], indent=1, ensure_ascii=False))
        return 0
    if arguments.bibtex:
        from bridge.cli.errata import bibtex_of

        print(bibtex_of((entry.paper for entry in shown), shown))
        return 0
    from bridge.cli.errata_text import show

    show(shown)
    return 0


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
    found: list[CheckedEntry] = []
    with console.Bar("entries") as bar:
        for paper in papers or [None]:
            for label in labels or [None]:
                try:
                    found += theory.check_ledger(paper, label, fresh=fresh, processes=processes, progress=bar.reach)
                except ValueError as problem:
                    raise ValueError(_unknown(str(label), paper, str(problem), others)) from None
    return current(found)


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
    heads = [(paper.rstrip("0123456789"), paper[len(paper.rstrip("0123456789")) :]) for paper in papers]
    widths = [max(map(len, head), default=0) + 2 for head in heads]
    rows: list[tuple[str, list[str]]] = [("", [name for name, _ in heads]), ("", [year for _, year in heads])]
    for verdict in VERDICTS:
        counts = [sum(e.paper == paper and e.verdict == verdict for e in checked) for paper in papers]
        if any(counts):
            rows.append((verdict, [str(count) for count in counts]))
    rows.append(("entries", [str(sum(e.paper == paper for e in checked)) for paper in papers]))
    rows.append(("differ", [str(sum(e.paper == paper and not e.agrees for e in checked)) for paper in papers]))
    return [
        f"{name:<13}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        for name, cells in rows
    ]
