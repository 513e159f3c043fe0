"""Output to the terminal: verdicts are coloured in a terminal, and plain text in a pipe."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from bridge.report.formulas import Checked

COLOURS = {"good": "32", "bad": "31", "doubt": "33", "bold": "1", "quiet": "2"}
KINDS = {"HOLDS": "good", "agrees": "good", "FAILS": "bad", "disagrees": "bad"}
WIDEST = 100


def paint(text: str, kind: str, stream: TextIO | None = None) -> str:
    """Return ``text`` in a colour if ``stream`` (default: stdout) is a terminal and NO_COLOR is not set.

    Args:
        text: text to colour.
        kind: key of ``COLOURS``.
        stream: stream to which the text is written. Default: stdout.
    """
    stream = stream or sys.stdout
    if "NO_COLOR" in os.environ or not stream.isatty():
        return text
    return f"\x1b[{COLOURS[kind]}m{text}\x1b[0m"


def verdict(text: str) -> str:
    """Return a verdict in green, red or yellow."""
    return paint(text, KINDS.get(text, "doubt"))


def heading(text: str) -> None:
    """Print the heading of one part of a longer output."""
    print(f"\n{paint(text, 'bold')}")


def width() -> int:
    """Return the number of columns of the output, at most 100."""
    return min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)


def wrapped(text: str, indent: str) -> str:
    """Return a paragraph broken into lines, with all lines but the first indented."""
    return textwrap.fill(text, width(), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def show(form: Any) -> None:
    """Print a closed form or a family."""
    print(form)


def usage(family: Any) -> str:
    """Return the options of the command line for a family: ``--activation ACTIVATION [--depth DEPTH]``."""
    options = [(f"--{p.name.replace('_', '-')} {p.name.upper()}", p.default is None) for p in family.parameters]
    return " ".join(option if is_required else f"[{option}]" for option, is_required in options)


def verdicts(checked: Checked) -> None:
    """Print the name of a closed form and the verdict on each of its steps."""
    print(paint(checked.name, "bold"), flush=True)
    for claim, name, _ in checked.verdicts:
        line = wrapped(f"  {name:<10}{' '.join(claim.split())}", " " * 12)
        print(line.replace(name, verdict(name), 1))


class Bar:
    """How many of a number of closed forms are checked: one line on stderr, if it is a terminal, below what is printed.

    Args:
        total: how many there are.
    """

    width = 30

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0

    def __enter__(self) -> Bar:
        self._draw()
        return self

    def __exit__(self, *exception: object) -> None:
        self._write("")

    def around(self, show: Callable[[Checked], None]) -> Callable[[Checked], None]:
        """``show`` with the bar out of its way, and one closed form further on afterwards."""

        def shown(checked: Checked) -> None:
            self._write("")
            show(checked)
            sys.stdout.flush()
            self._done += 1
            self._draw()

        return shown

    def _draw(self) -> None:
        filled = self.width * self._done // max(self._total, 1)
        self._write(f"{'#' * filled}{'.' * (self.width - filled)} {self._done} of {self._total} closed forms")

    @staticmethod
    def _write(text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()


def plain(formula: str) -> str:
    """A condition in words, which the ledger keeps as a LaTeX text, without its markup; a formula as it is."""
    words = re.fullmatch(r"\\text\{(.*)\}", formula, flags=re.DOTALL)
    return words[1].replace(r"\_", "_") if words else formula


def erratum(equation: Any) -> None:
    """One entry of the errata: what is printed, what is right, and how one knows."""
    print(f"{paint(f'{equation.paper} {equation.label}', 'bold')}  {verdict(equation.verdict.name)}")
    for title, text in (
        ("statement", equation.statement),
        ("printed", equation.printed),
        ("corrected" if equation.verdict.name == "MISPRINT" else "holds", equation.corrected),
        ("evidence", equation.evidence),
    ):
        if text is not None and str(text):
            print(wrapped(f"  {title:<11}{' '.join(plain(str(text)).split())}", " " * 13))
    print()
