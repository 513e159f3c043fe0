"""Functions that turn plain text into reStructuredText: escaped, indented, in tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path


def escape(text: str) -> str:
    """Return plain text escaped; text between dollar signs becomes a formula, text between backquotes code."""
    pieces = re.split(r"(\$[^$]+\$|``[^`]+``|`[^`]+`)", " ".join(str(text).split()))
    return "".join(_piece(piece) for piece in pieces)


def _piece(piece: str) -> str:
    if len(piece) > 2 and piece[0] == piece[-1] == "$":
        return f":math:`{piece[1:-1]}`\\ "
    if len(piece) > 2 and piece[0] == piece[-1] == "`":
        return f"``{piece.strip('`')}``\\ "
    return re.sub(r"([\\*`_|<>\[\]])", r"\\\1", piece)


def plain(lines: Sequence[str]) -> list[str]:
    """Return the lines of a docstring with ``|x|`` and names such as ``np.bool_`` escaped, which are not references.

    Code, formulas and the indented blocks of directives and double colons are not changed.
    """
    result: list[str] = []
    prose: list[str] = []

    def close() -> None:
        # a formula may continue on the next line
        pieces = re.split(r"(`+[^`]+`+)", "\n".join(prose))
        pieces[::2] = [
            re.sub(r"(?<!\\)\||(?<=\w)_(?!\w)", r"\\\g<0>", piece) for piece in pieces[::2]
        ]
        result.extend("".join(pieces).split("\n") if prose else [])
        prose.clear()

    # indentation of the directive or double colon of the current block; -1 outside of blocks
    margin = -1
    for line in lines:
        indent = len(line) - len(line.lstrip())
        is_inside = margin >= 0 and (not line.strip() or indent > margin)
        is_directive = not is_inside and line.lstrip().startswith(".. ")
        opens = is_directive or (not is_inside and line.rstrip().endswith("::"))
        margin = indent if opens else margin if is_inside else -1
        if is_inside or is_directive:
            close()
            result.append(line)
        else:
            prose.append(line)
    close()
    return result


def heading(title: str, line: str) -> list[str]:
    """Return a heading, underlined with the character ``line``."""
    return [title, line * max(4, 2 * len(title)), ""]


def indented(text: str, by: int = 3) -> list[str]:
    """Return the indented lines of a text."""
    return [" " * by + line if line.strip() else "" for line in text.splitlines()]


def displayed(latex: str) -> list[str]:
    """Return a displayed formula."""
    return [".. math::", "", *indented(latex), ""]


def code(language: str, text: str) -> list[str]:
    """Return a listing."""
    return [f".. code-block:: {language}", "", *indented(text), ""]


def raw(text: str) -> list[str]:
    """Return HTML for the page as it is."""
    return [".. raw:: html", "", *indented(text), ""]


def anchor(kind: str, paper: str, label: str) -> str:
    """The target of a link to an entry of a ledger, which stays the same when other entries are added."""
    signed = re.sub(r"(?<![a-z0-9])-", " minus ", label.lower()).replace("+", " plus ")
    return f"{kind}-{paper}-{re.sub('[^a-z0-9]+', '-', signed).strip('-')}"


def link(text: str, target: str) -> str:
    """A link to a label; what would end it or escape something is left out of its text."""
    words = re.sub(r"[`<>\\]", " ", text).strip()
    return f":ref:`{words} <{target}>`"


def bullets(sentences: Iterable[str]) -> list[str]:
    """Return a list of plain sentences."""
    return [*(f"- {escape(sentence)}" for sentence in sentences), ""]


def table(header: Sequence[str], rows: Iterable[Sequence[str]], style: str = "") -> list[str]:
    """Return a table whose cells are already reStructuredText; an empty list if it has no rows.

    Args:
        header: the heads of the columns.
        rows: the cells of each row.
        style: class of the table in the style sheet; none by default.
    """
    if not (rows := list(rows)):
        return []
    lines = [
        ".. list-table::",
        "   :header-rows: 1",
        *([f"   :class: {style}"] if style else []),
        "",
    ]
    for row in (header, *rows):
        lines += [f"   {'* -' if i == 0 else '  -'} {cell}" for i, cell in enumerate(row)]
    return [*lines, ""]


def write_if_changed(path: Path, lines: Iterable[str]) -> None:
    """Write a page unless the file already has this content, so that Sphinx does not read it again."""
    text = "\n".join(lines) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
