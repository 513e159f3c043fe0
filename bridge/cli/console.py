"""Output to the terminal: verdicts are coloured in a terminal, and plain text in a pipe."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.errata import number
from closedform.verdict_kinds import DOUBT, KINDS
from theory.core.ledger.checked_entry import VALUES

if TYPE_CHECKING:
    from bridge.report.formulas import Checked
    from theory.core.ledger.checked_entry import CheckedEntry, CheckedWitness

COLOURS = {"good": "32", "bad": "31", "doubt": "33", "bold": "1", "quiet": "2"}
WIDEST = 100


def paint(text: str, kind: str) -> str:
    """Return ``text`` in the colour of a kind in ``COLOURS`` if stdout is a terminal and NO_COLOR is not set."""
    if "NO_COLOR" in os.environ or not sys.stdout.isatty():
        return text
    return f"\x1b[{COLOURS[kind]}m{text}\x1b[0m"


def verdict(text: str) -> str:
    """Return a verdict in green, red or yellow."""
    return paint(text, KINDS.get(text, DOUBT))


def heading(text: str) -> None:
    """Print the heading of one part of a longer output."""
    print(f"\n{paint(text, 'bold')}")


def width() -> int:
    """Return the number of columns of the output, at most 100."""
    return min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)


def wrapped(text: str, indent: str) -> str:
    """Return a paragraph broken into lines, with all lines but the first indented."""
    return textwrap.fill(
        text, width(), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def paged(text: str) -> None:
    """Print a text; in a terminal that is shorter, page by page, so that its beginning is read first."""
    is_read_here = sys.stdin.isatty() and sys.stdout.isatty()
    if is_read_here and text.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(f"{text}\n")
    else:
        print(text)


def usage(family: Any) -> str:
    """Return the options of the command line for a family: ``--activation ACTIVATION [--depth DEPTH]``."""
    return options_of(
        [(parameter.name, parameter.default is None) for parameter in family.parameters]
    )


def options_of(parameters: Iterable[tuple[str, bool]]) -> str:
    """Return the same from the name of each parameter and whether it must be given."""
    options = [
        (f"--{name.replace('_', '-')} {name.upper()}", is_required)
        for name, is_required in parameters
    ]
    return " ".join(option if is_required else f"[{option}]" for option, is_required in options)


def verdicts(checked: Checked) -> None:
    """Print the name of a closed form and the verdict on each of its steps, with the cause of what is UNDECIDED."""
    print(paint(checked.name, "bold"), flush=True)
    for claim, name, because in checked.verdicts:
        cause = f" ({because})" if name == "UNDECIDED" and because else ""
        line = wrapped(f"  {name:<10}{' '.join(claim.split())}{cause}", " " * 12)
        print(line.replace(name, verdict(name), 1))


class Bar:
    """How many things (such as "closed forms") are checked: one line on stderr, if it is a terminal."""

    width = 30

    def __init__(self, what: str, total: int = 0) -> None:
        self._what, self._total, self._done = what, total, 0

    def __enter__(self) -> Bar:
        self._draw()
        return self

    def __exit__(self, *exception: object) -> None:
        self._write("")

    def around(self, show: Callable[[Checked], None]) -> Callable[[Checked], None]:
        """``show`` with the bar out of its way, and one step further on afterwards."""

        def shown(checked: Checked) -> None:
            self._write("")
            show(checked)
            sys.stdout.flush()
            self._done += 1
            self._draw()

        return shown

    def reach(self, reached: object, total: int) -> None:
        """One step further on, of so many in this round; a new round begins where the last one is complete."""
        if self._done == self._total:
            self._total += total
        self._done += 1
        self._draw()

    def _draw(self) -> None:
        filled = self.width * self._done // max(self._total, 1)
        self._write(
            f"{'#' * filled}{'.' * (self.width - filled)} {self._done} of {self._total} {self._what}"
        )

    @staticmethod
    def _write(text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()


def entry(checked: CheckedEntry) -> None:
    """One entry of the ledger: what is printed, what is right, the witness, what follows, and how one knows."""
    print(f"{paint(f'{checked.paper} {checked.label}', 'bold')}  {verdict(checked.verdict)}")
    place = ", ".join(part for part in (checked.where, checked.edition) if part)
    refuted = "counterexample" if checked.verdict == "CONDITIONAL" else "witness"
    for title, text in (
        ("where", place),
        ("statement", checked.statement),
        *forms(checked),
        ("holds if", text_of(checked.condition).removeprefix("if ")),
        ("looked for in", checked.looked_for),
        ("inferred", text_of(checked.inferred)),
        (refuted, "" if checked.witness is None else witness(checked.witness)),
        ("measured", checked.measurement.get("text", "")),
        ("follows", checked.consequence),
        ("inherited", ", ".join(checked.heirs)),
        ("evidence", checked.evidence),
        ("error", checked.error),
    ):
        if (text and text != checked.statement) or title == "statement":
            print(titled(title, text, 18))
    print()


def forms(checked: CheckedEntry) -> tuple[tuple[str, str], ...]:
    """What is printed and what is right, with titles: an algorithm is one listing in which the change is marked."""
    if checked.algorithm:
        return (("algorithm", "\n".join(checked.algorithm)),)
    return ("printed", text_of(checked.printed) or checked.statement), (
        "corrected",
        text_of(checked.corrected),
    )


def titled(title: str, text: str, indent: int) -> str:
    """Lines of a listing, or a paragraph, next to a title of a fixed width."""
    if title == "algorithm":
        return f"  {title:<{indent - 2}}" + f"\n{' ' * indent}".join(text.splitlines())
    return wrapped(f"  {title:<{indent - 2}}{' '.join(text.split())}", " " * indent)


def difference(checked: CheckedEntry) -> None:
    """An entry whose computed verdict is not the declared one, with the steps that say so."""
    name = paint(f"{checked.paper} {checked.label}", "bold")
    print(f"\n{name}: computed {verdict(checked.verdict)}, declared {checked.declared}")
    if checked.error:
        print(wrapped(f"  {checked.error}", " " * 4))
    for shown, claim, found in checked.failing or checked.steps:
        print(wrapped(f"  {found:<10}{shown}: {' '.join(claim.split())}", " " * 12))
    if checked.witness is not None:
        print(wrapped(f"  at the witness: {witness(checked.witness)}", " " * 4))


def witness(found: CheckedWitness, digits: int = 10, words: Mapping[str, str] = VALUES) -> str:
    """The point and the values there, with so many digits, each after its word."""
    from theory.core.text.plain_letters import plain

    def named(name: str, value: str) -> str:
        return f"{plain(found.letters[name]) if name in found.letters else name} = {value}"

    return found.sentence(named, lambda value: number(value, digits), words)


def text_of(lines: Sequence[tuple[str, str, str]]) -> str:
    """Return the texts of the lines of a statement in one line."""
    return "; ".join(
        text.rstrip(".") if i + 1 < len(lines) else text for i, (_, text, _) in enumerate(lines)
    )
