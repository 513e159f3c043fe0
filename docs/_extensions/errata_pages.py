"""The pages on the errata of each paper, from computed verdicts if a build has them, otherwise from recorded ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from ledger_pages import COMPUTED, body, conditions, edition, forms, overview, titled
from rst import anchor, escape, heading, link, table

from bridge.cli.errata import as_json, bibtex
from theory.core import references
from theory.core.formula.provenance import Source
from theory.core.ledger.checked_entry import CheckedEntry, by_root

KINDS = {
    "MISPRINT": "misprint",
    "CONDITIONAL": "condition missing",
    "INCONSISTENT": "places disagree",
    "REMARK": "true, easily misread",
}
RECORDED = "The verdicts are those that were recorded with the paper when programs last decided all of its ledger."
ERRATA = (
    "What is not right as printed, or right only under a condition that is not printed: what, where, in which edition, "
    "and what follows from it."
)
MEANING = (
    "A *misprint* fails as printed; a corrected form holds, and at a witness point an independent computation, which "
    "shares no code with the derivation, gives the corrected number and not the printed one. Where a *condition is "
    "missing*, the statement holds under the condition shown, and fails at a counterexample that keeps everything else "
    "that the paper assumes. Lines that could not be read in this edition are not counted, and neither are differences "
    "of :doc:`convention </conventions>`."
)


def pages(
    directory: Path,
    errata: Mapping[str, Sequence[CheckedEntry]],
    ledgers: Mapping[str, Sequence[CheckedEntry]],
) -> dict[str, list[str]]:
    """Return all pages by name, after the errata are written next to them as JSON and BibTeX.

    Args:
        directory: where the generated pages go.
        errata: the errata of each paper.
        ledgers: all checked entries of each paper; none for a build without the pages of the ledgers.
    """
    when = COMPUTED if ledgers else RECORDED
    made = {"errata": overview("Errata", f"{ERRATA} {when}", "errata", errata)}
    (directory / "errata").mkdir(parents=True, exist_ok=True)
    for paper, entries in errata.items():
        made[f"errata/{paper}"] = errata_page(paper, entries, ledgers.get(paper, ()))
        objects = [as_json(entry) for entry in entries]
        text = json.dumps(objects, indent=1, ensure_ascii=False)
        (directory / "errata" / f"{paper}.json").write_text(f"{text}\n", encoding="utf-8")
        (directory / "errata" / f"{paper}.bib").write_text(
            bibtex(paper, entries), encoding="utf-8"
        )
    return made


def errata_page(
    paper: str, errata: Sequence[CheckedEntry], ledger: Sequence[CheckedEntry]
) -> list[str]:
    """The errata of a paper: a table of all, then each with what is printed, what holds, and how one sees it.

    Args:
        paper: key of the paper.
        errata: its errata.
        ledger: all entries of the paper, if the site has a page with them; otherwise none, and nothing links to it.
    """
    anchors = {entry.label: anchor("entry", paper, entry.label) for entry in ledger}
    anchors |= {entry.label: anchor("erratum", paper, entry.label) for entry in errata}
    lines = heading(escape(f"Errata: {Source(paper, 'the paper').citation}"), "=")
    lines += [f"*{escape(references()[paper]['title'])}*", ""]
    roots = by_root(errata)
    for root, _ in roots:
        if root.finding:
            lines += [f"#. {escape(root.finding)} [{link(root.label, anchors[root.label])}]"]
    lines += ["", *edition(ledger or errata)]
    rows = [
        (link(e.label, anchors[e.label]), escape(e.where).replace("Section ", "§\N{NO-BREAK SPACE}"),
         KINDS[e.verdict], escape(e.consequence))
        for e, _ in roots
    ]  # fmt: skip
    lines += table(("statement", "where", "kind", "what follows"), rows, style="errata")
    lines += [
        f"{_counted(paper, errata, ledger)} ``closedform check --ledger {paper} LABEL --fresh`` computes one of them "
        "again.",
        "",
        MEANING,
        "",
        f"The same :download:`as JSON <{paper}.json>` and :download:`as BibTeX <{paper}.bib>`. ",
        "",
    ]
    placed: set[str] = set()
    for root, heirs in roots:
        lines += [f".. _{anchors[root.label]}:", "", *heading(escape(root.label), "-")]
        lines += [
            f"**{KINDS[root.verdict].capitalize()}**, {escape(root.where)}.",
            "",
            *body(root, anchors),
        ]
        # An heir of two roots is shown under the first one; what follows from several heirs is said once.
        said = {root.consequence, f"As {root.label}."}
        for heir in (heir for heir in heirs if heir.label not in placed):
            placed.add(heir.label)
            lines += [
                f".. _{anchors[heir.label]}:",
                "",
                *heading(escape(f"{heir.label}, inherited"), "~"),
            ]
            in_ledger = f": :ref:`in the ledger <{anchor('entry', paper, heir.label)}>`"
            lines += [f"{escape(heir.where)}{in_ledger if ledger else ''}.", ""]
            lines += forms(heir)
            follows = "" if heir.consequence in said else escape(heir.consequence)
            lines += titled(("Holds if", conditions(heir)), ("What follows.", follows))
            said.add(heir.consequence)
    return lines


def _counted(paper: str, errata: Sequence[CheckedEntry], ledger: Sequence[CheckedEntry]) -> str:
    """Return how many statements were looked at, how many are errata, and when the verdicts were computed."""
    listed = f"{len(errata)} are listed here, those that inherit a fault below its root."
    if not ledger:
        return f"Of the statements of this paper, {listed} {RECORDED}"
    confirmed = sum(entry.verdict == "CONFIRMED" for entry in ledger)
    return (
        f"Of {len(ledger)} statements in :doc:`the ledger of this paper </generated/equations/{paper}>`, {confirmed} "
        f"are confirmed as printed, in general; {listed} {COMPUTED}"
    )
