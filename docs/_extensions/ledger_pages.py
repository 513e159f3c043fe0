"""The pages on the ledger and on the errata of each paper, from verdicts that are computed when the site is built."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import scoreboard
from rst import anchor, bullets, code, displayed, escape, heading, link, table

import theory
from bridge.cli.errata import as_json, bibtex, number
from bridge.cli.ledger import VERDICTS
from bridge.results.changed_options import command
from bridge.results.evidence import current
from theory.core import references
from theory.core.formula.provenance import Source
from theory.core.ledger.checked_entry import CheckedEntry, CheckedWitness, ShownLine, by_root

KINDS = {"MISPRINT": "misprint", "CONDITIONAL": "condition missing"}
LARGEST = 150  # entries on one page, apart from a section with more
COMPUTED = "Every verdict was computed when this page was built."


def pages(directory: Path) -> dict[str, list[str]]:
    """All pages by name, after the errata are written next to them as JSON and BibTeX.

    Args:
        directory: where the generated pages go.
    """
    entries = current(theory.check_ledger())
    papers = {paper: [entry for entry in entries if entry.paper == paper] for paper in theory.ledgers()}
    made = {
        "equations": overview(
            "The equation ledger",
            "Each numbered equation and checkable sentence of the papers, as printed, with the verdict that a program "
            f"reaches about what is shown. {COMPUTED}",
            "equations",
            papers,
        ),
        "errata": overview(
            "Errata",
            "What is not right as printed, or right only under a condition that is not printed: what, where, in which "
            f"edition, and what follows from it. {COMPUTED}",
            "errata",
            {paper: [entry for entry in found if entry.is_erratum] for paper, found in papers.items()},
        ),
    }
    made["scoreboard"] = scoreboard.page(papers)
    for paper, found in papers.items():
        errata = [entry for entry in found if entry.is_erratum]
        made |= equation_pages(paper, found)
        made[f"errata/{paper}"] = errata_page(paper, found)
        folder = directory / "errata"
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps([as_json(entry) for entry in errata], indent=1, ensure_ascii=False)
        (folder / f"{paper}.json").write_text(text + "\n", encoding="utf-8")
        (folder / f"{paper}.bib").write_text(bibtex(paper, errata), encoding="utf-8")
    return made


def left_out() -> dict[str, list[str]]:
    """Return the two overviews of a build that computes no verdicts."""
    text = "This build computes no verdicts; ``make docs`` does, and ``closedform check --ledger`` shows them."
    titles = {"equations": "The equation ledger", "errata": "Errata"}
    pages = {name: [*heading(title, "="), text, ""] for name, title in titles.items()}
    return pages | {"scoreboard": scoreboard.around([text, ""])}


def overview(title: str, text: str, folder: str, papers: dict[str, list[CheckedEntry]]) -> list[str]:
    """How many entries of each paper have which verdict, with a page for each paper."""
    lines = [*heading(title, "="), text, ""]
    present = [finding for finding in VERDICTS if any(e.verdict == finding for es in papers.values() for e in es)]
    rows = [
        [finding.lower(), *(str(sum(e.verdict == finding for e in found)) for found in papers.values())]
        for finding in present
    ]
    names = [f":doc:`{escape(Source(paper, 'the paper').citation)} <{folder}/{paper}>`" for paper in papers]
    lines += table(("verdict", *names), rows)
    return [*lines, ".. toctree::", "   :maxdepth: 1", "   :hidden:", "", *(f"   {folder}/{p}" for p in papers), ""]


def equation_pages(paper: str, entries: Sequence[CheckedEntry]) -> dict[str, list[str]]:
    """All entries of a paper in its order, on one page or, if they are many, on a page for every few sections."""
    lines = [*heading(escape(f"{references()[paper]['title']} ({references()[paper]['year']})"), "=")]
    lines += [*edition(entries), f"{COMPUTED} What is not right as printed is also on :doc:`a page of its own "
              f"</generated/errata/{paper}>`.", ""]  # fmt: skip
    counts = {finding: sum(entry.verdict == finding for entry in entries) for finding in VERDICTS}
    lines += table(("verdict", "entries"), [(finding.lower(), str(n)) for finding, n in counts.items() if n])
    parts = by_sections(entries)
    if len(parts) < 2:
        return {f"equations/{paper}": [*lines, *entry_lines(paper, entries, range(len(entries)))]}
    made = {}
    for part in parts:
        first, last = (main_section(entries[index]) for index in (part[0], part[-1]))
        title = first if first == last else f"{first.replace('Section', 'Sections')} to {last.split()[-1]}"
        name = f"{paper}/{part[0]}"
        made[f"equations/{name}"] = [*heading(escape(title), "="), *entry_lines(paper, entries, part)]
    toctree = [".. toctree::", "   :maxdepth: 1", "", *(f"   {name.removeprefix('equations/')}" for name in made), ""]
    return {f"equations/{paper}": [*lines, *toctree], **made}


def by_sections(entries: Sequence[CheckedEntry]) -> list[list[int]]:
    """Return the indices of the entries for every page: as many whole sections as fit."""
    parts: list[list[int]] = [[]]
    for _, group in groupby(range(len(entries)), lambda i: main_section(entries[i])):
        section_of_one = list(group)
        if parts[-1] and len(parts[-1]) + len(section_of_one) > LARGEST:
            parts.append([])
        parts[-1] += section_of_one
    return parts


def main_section(entry: CheckedEntry) -> str:
    """Return "Section II" for an entry of Section II.A."""
    return " ".join(re.findall(r"\w+", entry.where)[:2])


def entry_lines(paper: str, entries: Sequence[CheckedEntry], shown_here: Iterable[int]) -> list[str]:
    """Some entries of a paper, each with a heading to which others link."""
    lines: list[str] = []
    anchors = {entry.label: anchor("entry", paper, entry.label) for entry in entries}
    for entry in (entries[index] for index in shown_here):
        lines += [f".. _{anchors[entry.label]}:", ""]
        lines += heading(escape(f"{entry.label}: {entry.verdict}"), "-")
        lines += [f"{escape(entry.where)}.", "", *body(entry, anchors)]
    return lines


def errata_page(paper: str, entries: Sequence[CheckedEntry]) -> list[str]:
    """The errata of a paper: a table of all, then each with what is printed, what holds, and how one sees it."""
    errata = [entry for entry in entries if entry.is_erratum]
    anchors = {entry.label: anchor("entry", paper, entry.label) for entry in entries}
    anchors |= {entry.label: anchor("erratum", paper, entry.label) for entry in errata}
    placed: set[str] = set()
    source, confirmed = references()[paper], sum(entry.verdict == "CONFIRMED" for entry in entries)
    lines = heading(escape(f"Errata: {Source(paper, 'the paper').citation}"), "=")
    lines += [f"*{escape(source['title'])}*", "", *edition(entries)]
    lines += [
        f"Of {len(entries)} statements in :doc:`the ledger of this paper </generated/equations/{paper}>`, {confirmed} "
        f"are confirmed as printed, in general; {len(errata)} are listed here. {COMPUTED}",
        "",
        "A *misprint* fails as printed; a corrected form holds, and at a witness point an independent computation, "
        "which shares no code with the derivation, gives the corrected number and not the printed one. Where a "
        "*condition is missing*, the statement holds under the condition shown, and fails at a counterexample that "
        "keeps everything else that the paper assumes. Lines that could not be read in this edition are not counted, "
        "and neither are differences of :doc:`convention </conventions>`.",
        "",
    ]
    rows = [
        (link(entry.label, anchors[entry.label]), section(entry), KINDS[entry.verdict], escape(entry.consequence))
        for entry in errata
    ]
    lines += table(("statement", "where", "kind", "what follows"), rows, style="errata")
    lines += [f"The same :download:`as JSON <{paper}.json>` and :download:`as BibTeX <{paper}.bib>`. ", ""]
    for root, heirs in by_root(errata):
        lines += [f".. _{anchors[root.label]}:", "", *heading(escape(root.label), "-")]
        lines += [f"**{KINDS[root.verdict].capitalize()}**, {escape(root.where)}.", "", *body(root, anchors)]
        call = f'closedform check --ledger {paper} "{root.label}" --fresh'
        lines += ["To compute this verdict again:", "", *code("console", f"$ {call}")]
        # An heir of two roots is shown under the first one.
        for heir in (heir for heir in heirs if anchors[heir.label] not in placed):
            placed.add(anchors[heir.label])
            lines += [f".. _{anchors[heir.label]}:", "", *heading(escape(f"{heir.label}, inherited"), "~")]
            lines += [
                f"{escape(heir.where)}: :ref:`in the ledger <{anchor('entry', paper, heir.label)}>`.",
                "",
            ]
            lines += [
                *shown("As printed", heir.printed),
                *shown("Corrected", heir.corrected),
                escape(heir.consequence),
                "",
            ]
    return lines


def section(entry: CheckedEntry) -> str:
    """The place in few letters."""
    return escape(entry.where.replace("Section ", "§\N{NO-BREAK SPACE}"))


def edition(entries: Sequence[CheckedEntry]) -> list[str]:
    """Which text was read."""
    read = "; ".join(dict.fromkeys(entry.edition for entry in entries if entry.edition))
    return [f"Text that was read: {escape(read)}.", ""] if read else []


def body(entry: CheckedEntry, anchors: dict[str, str]) -> list[str]:
    """One printed statement with what holds in its place, the witness, what follows, and what that rests on."""
    lines = [escape(entry.statement), ""]
    if not entry.agrees:
        lines += [
            f"**The ledger declares {entry.declared}; its programs do not reach that.** {escape(entry.error)}",
            "",
        ]
    if [text for _, text, _ in entry.printed] != [entry.statement]:
        lines += shown("As printed", entry.printed)
    lines += shown("Corrected", entry.corrected)
    lines += shown("Holds if", [(kind, text.removeprefix("if "), latex) for kind, text, latex in entry.condition])
    if entry.looked_for:
        lines += [f"*The condition was looked for in* {escape(entry.looked_for)}.", ""]
    lines += shown("Inferred, because the text that was read is damaged", entry.inferred)
    if entry.witness is not None:
        lines += witness("Counterexample" if entry.verdict == "CONDITIONAL" else "Witness", entry.witness)
    if entry.measurement:
        lines += measurement(entry)
    if entry.consequence:
        lines += [f"*What follows.* {escape(entry.consequence)}", ""]
    if entry.heirs:
        heirs = ", ".join(link(heir, anchors[heir]) if heir in anchors else escape(heir) for heir in entry.heirs)
        lines += [f"*Inherited by* {heirs}.", ""]
    lines += [f"*How it is known.* {escape(entry.evidence)}", ""]
    if entry.closed_form:
        lines += [f"Closed form: :ref:`{entry.closed_form} <form-{entry.closed_form}>`.", ""]
    return [*lines, *steps(entry)]


def steps(entry: CheckedEntry) -> list[str]:
    """The verdict on each step of the printed statement, and of what holds in its place."""
    names = {"corrected": "with the condition" if entry.verdict == "CONDITIONAL" else "corrected"}
    named = ((names.get(form, form), claim, verdict) for form, claim, verdict in entry.steps)
    return bullets(
        f"{form}: {verdict}" if claim == "as printed" else f"{form}: {verdict}, {claim}"
        for form, claim, verdict in named
    )


def shown(title: str, parts: Iterable[ShownLine]) -> list[str]:
    """A statement below its title, line by line; nothing for none."""
    lines: list[str] = []
    for kind, text, latex in parts:
        lines += (
            displayed(latex) if kind == "formula" else code("python", text) if kind == "code" else [escape(text), ""]
        )
    return [title, "", *lines] if lines else []


def witness(title: str, found: CheckedWitness) -> list[str]:
    """The point, and the values of the printed, the corrected and the independent computation there."""
    found = found.at_one_place
    point = ", ".join(
        f":math:`{found.letters[name]}` = {escape(value)}" if name in found.letters else escape(f"{name} = {value}")
        for name, value in found.at.items()
    )
    names = [name for name in ("printed", "corrected", "independent") if getattr(found, name) is not None]
    lines = [f"*{title}.* {point}", ""] if point else [f"*{title}.*", ""]
    return lines + table(("form", "value there"), [(name, number(getattr(found, name))) for name in names])


def measurement(entry: CheckedEntry) -> list[str]:
    """What was measured, the predicted and the measured number, and the command that measures it."""
    fields = entry.measurement
    run = command(fields["study"], fields["scale"], fields.get("changed"))
    planned = f", {fields['kind']}, plan {fields['plan']}" if fields.get("plan") else ""
    made = f"``{run}``, {len(fields['configurations'])} configurations{planned}"
    number = fields["measured"]
    lines = [f"*Measured*: {escape(fields['meaning'])}, {escape(number['label'])} ({made}).", ""]
    bound = {"=": "", ">": "more than ", "<": "less than "}[number["relation"]]
    names = ("predicted", "value", "total_error", "smallest_relevant", "limit")
    values = [f"{number[name]:.4g}" for name in names]
    heads = ("predicted", "measured", "standard error", "resolution", "limit in errors")
    return lines + table(heads, [[f"{bound}{values[0]}", *values[1:]]])
