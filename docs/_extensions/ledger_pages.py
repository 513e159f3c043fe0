"""The pages on the ledger of each paper, from verdicts that are computed when the site is built."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import scoreboard
from rst import anchor, bullets, code, displayed, escape, heading, link, table

from bridge.cli.errata import number
from bridge.cli.ledger import VERDICTS
from bridge.results.record import command
from theory.core import references
from theory.core.formula.provenance import Source
from theory.core.ledger.checked_entry import CheckedEntry, CheckedWitness, ShownLine
from theory.core.text.measured_conditions import SECTION, measured_conditions
from theory.ledger_records import recorded_comparison

LARGEST = 150  # entries on one page, apart from a section with more
COMPUTED = "Every verdict was computed when this page was built."
EQUATIONS = (
    "Each numbered equation and checkable sentence of the papers, as printed, with the verdict that a program reaches "
    f"about what is shown. {COMPUTED}"
)


def pages(papers: Mapping[str, Sequence[CheckedEntry]]) -> dict[str, list[str]]:
    """Return the pages of the ledgers by name.

    Args:
        papers: all checked entries of each paper; none for a build that decides none.
    """
    if not papers:
        text = "This build computes no verdicts; ``make site`` does, and ``closedform check --ledger`` shows them."
        return {
            "equations": [*heading("The equation ledger", "="), text, ""],
            "scoreboard": scoreboard.around([text, ""]),
        }
    made = {
        "equations": overview("The equation ledger", EQUATIONS, "equations", papers),
        "scoreboard": scoreboard.page(papers),
    }
    for paper, entries in papers.items():
        made |= equation_pages(paper, entries)
    return made


def overview(
    title: str, text: str, folder: str, papers: Mapping[str, Sequence[CheckedEntry]]
) -> list[str]:
    """How many entries of each paper have which verdict, with a page for each paper."""
    counts = [Counter(entry.verdict for entry in found) for found in papers.values()]
    rows = [
        [v.lower(), *(str(count[v]) for count in counts)]
        for v in VERDICTS
        if any(count[v] for count in counts)
    ]
    names = [
        f":doc:`{escape(Source(paper, 'the paper').citation)} <{folder}/{paper}>`"
        for paper in papers
    ]
    lines = [*heading(title, "="), text, "", *table(("verdict", *names), rows)]
    return [
        *lines,
        ".. toctree::",
        "   :maxdepth: 1",
        "   :hidden:",
        "",
        *(f"   {folder}/{p}" for p in papers),
        "",
    ]


def equation_pages(paper: str, entries: Sequence[CheckedEntry]) -> dict[str, list[str]]:
    """All entries of a paper in its order, on one page or, if they are many, on a page for every few sections."""
    lines = [
        *heading(escape(f"{references()[paper]['title']} ({references()[paper]['year']})"), "=")
    ]
    lines += [*edition(entries), f"{COMPUTED} What is not right as printed is also on :doc:`a page of its own "
              f"</generated/errata/{paper}>`.", ""]  # fmt: skip
    counts = Counter(entry.verdict for entry in entries)
    lines += table(
        ("verdict", "entries"), [(v.lower(), str(counts[v])) for v in VERDICTS if counts[v]]
    )
    anchors = {entry.label: anchor("entry", paper, entry.label) for entry in entries}
    parts = by_sections(entries)
    if len(parts) < 2:
        return {
            f"equations/{paper}": lines
            + [line for entry in entries for line in entry_lines(entry, anchors)]
        }
    made, start = {}, 0
    for part in parts:
        first, last = main_section(part[0]), main_section(part[-1])
        title = (
            first
            if first == last
            else f"{first.replace('Section', 'Sections')} to {last.split()[-1]}"
        )
        shown_here = [line for entry in part for line in entry_lines(entry, anchors)]
        made[f"{paper}/{start}"] = [*heading(escape(title), "="), *shown_here]
        start += len(part)
    toctree = [".. toctree::", "   :maxdepth: 1", "", *(f"   {name}" for name in made), ""]
    return {
        f"equations/{name}": page for name, page in {paper: [*lines, *toctree], **made}.items()
    }


def by_sections(entries: Sequence[CheckedEntry]) -> list[list[CheckedEntry]]:
    """Return the entries of every page: as many whole sections as fit."""
    parts: list[list[CheckedEntry]] = [[]]
    for _, group in groupby(entries, main_section):
        section = list(group)
        if parts[-1] and len(parts[-1]) + len(section) > LARGEST:
            parts.append([])
        parts[-1] += section
    return parts


def main_section(entry: CheckedEntry) -> str:
    """Return "Section II" for an entry of Section II.A."""
    return " ".join(re.findall(r"\w+", entry.where)[:2])


def entry_lines(entry: CheckedEntry, anchors: dict[str, str]) -> list[str]:
    """An entry with a heading to which others link."""
    title = heading(escape(f"{entry.label}: {entry.verdict}"), "-")
    place = [f".. _{anchors[entry.label]}:", "", *title, f"{escape(entry.where)}.", ""]
    return [*place, *body(entry, anchors), *steps(entry)]


def edition(entries: Sequence[CheckedEntry]) -> list[str]:
    """Which text was read."""
    read = "; ".join(dict.fromkeys(entry.edition for entry in entries if entry.edition))
    return [f"Text that was read: {escape(read)}.", ""] if read else []


def body(entry: CheckedEntry, anchors: dict[str, str]) -> list[str]:
    """One printed statement with what holds in its place, the witness, what follows, and what that rests on."""
    quoted = [text for _, text, _ in entry.printed] == [entry.statement]
    lines = [] if quoted else [escape(entry.statement), ""]
    if not entry.agrees:
        unmet = f"**The ledger declares {entry.declared}; its programs do not reach that.**"
        lines += [f"{unmet} {escape(entry.error)}", ""]
    lines += forms(entry)
    lines += shown("Inferred, because the text that was read is damaged", entry.inferred)
    heirs = "; ".join(
        link(heir, anchors[heir]) if heir in anchors else escape(heir) for heir in entry.heirs
    )
    return lines + titled(
        ("Holds if", conditions(entry)),
        (
            "The condition was looked for in",
            f"{escape(entry.looked_for)}." if entry.looked_for else "",
        ),
        (
            "Counterexample:" if entry.verdict == "CONDITIONAL" else "Witness:",
            witness(entry.witness),
        ),
        ("Measured:", measurement(entry)),
        (
            "Networks follow it:",
            " ".join(measured(entry.closed_form, f"{entry.paper} {entry.label}")),
        ),
        ("What follows.", escape(entry.consequence)),
        ("Inherited by", f"{heirs}." if heirs else ""),
        ("How it is known.", escape(entry.evidence)),
        ("Transcription:", transcription(entry)),
        (
            "Closed form:",
            f":ref:`{entry.closed_form} <form-{entry.closed_form}>`." if entry.closed_form else "",
        ),
    )


def transcription(entry: CheckedEntry) -> str:
    """How the formulas of an entry compare with the TeX of the paper; empty if that has none of them."""
    known = recorded_comparison(entry.paper)
    if known is None:
        return ""
    if entry.label in known.equal:
        return "the formula is that of the paper's TeX, glyph by glyph; terms and factors may be in another order."
    differing = [difference for difference in known.differing if difference.label == entry.label]
    only = [
        f"only {whose} ``{glyphs}``"
        for difference in differing
        for whose, glyphs in (("here", difference.ours), ("in the paper", difference.theirs))
        if glyphs
    ]
    return f"compared with the paper's TeX, {', '.join(only)}." if only else ""


def titled(*parts: tuple[str, str]) -> list[str]:
    """Paragraphs that begin with their titles; none where there is no text."""
    return [line for title, text in parts if text for line in (f"*{title}* {text}", "")]


def conditions(entry: CheckedEntry) -> str:
    """The condition without which the printed statement fails."""
    return "; ".join(
        f":math:`{latex}`" if kind == "formula" else escape(text.removeprefix("if "))
        for kind, text, latex in entry.condition
    )


def measured(*names: str | None) -> list[str]:
    """Where closed forms or entries of the ledger were measured to hold, in sentences with links to the maps."""
    maps = measured_conditions(*names).items()
    return [
        f"{escape(sentence)} (:ref:`map <{SECTION.format(name)}>`)." for name, sentence in maps
    ]


def forms(entry: CheckedEntry) -> list[str]:
    """What is printed and what is right: an algorithm is one listing, in which the change is marked."""
    if entry.algorithm:
        title = "*As printed, with the correction:*" if entry.corrected else "*As printed:*"
        return [title, "", *code("diff", "\n".join(entry.algorithm))]
    return [*shown("As printed", entry.printed), *shown("Corrected", entry.corrected)]


def steps(entry: CheckedEntry) -> list[str]:
    """The verdict on each step of the printed statement, and of what holds in its place."""
    names = {"corrected": "with the condition" if entry.verdict == "CONDITIONAL" else "corrected"}
    named = ((names.get(form, form), claim, verdict) for form, claim, verdict in entry.steps)
    return bullets(
        f"{form}: {verdict}" if claim == "as printed" else f"{form}: {verdict}, {claim}"
        for form, claim, verdict in named
    )


def shown(title: str, parts: Iterable[ShownLine]) -> list[str]:
    """A statement after its title, formulas below it; nothing for none."""
    words, formulas = [f"*{title}:*"], []
    for kind, text, latex in parts:
        if kind == "formula":
            formulas += displayed(latex)
        else:
            words.append(escape(text))
    return [" ".join(words), "", *formulas] if formulas or words[1:] else []


def witness(found: CheckedWitness | None) -> str:
    """The point, and the values of the printed, the corrected and the independent computation there, in a sentence."""
    if found is None:
        return ""
    found = found.at_one_place
    found = replace(found, at={name: escape(value) for name, value in found.at.items()})

    def named(name: str, value: str) -> str:
        return (
            f":math:`{found.letters[name]}` = {value}"
            if name in found.letters
            else f"{escape(name)} = {value}"
        )

    return f"{found.sentence(named, lambda value: number(value, 6))}."


def measurement(entry: CheckedEntry) -> str:
    """The predicted and the measured number, and the command that measures it."""
    if not (fields := entry.measurement):
        return ""
    run = command(fields["study"], fields["scale"], fields.get("changed"))
    planned = f", {fields['kind']}, plan {fields['plan']}" if fields.get("plan") else ""
    return f"{escape(fields['text'])}. Made by ``{run}``, {len(fields['configurations'])} configurations{planned}."
