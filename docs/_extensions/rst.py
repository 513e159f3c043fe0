"""reStructuredText from text that knows nothing of it: escaped, indented, in tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path


def escape(text: str) -> str:
    """Plain text that shows as it is; pieces between dollars become formulas, pieces between backquotes code."""
    pieces = re.split(r"(\$[^$]+\$|``[^`]+``|`[^`]+`)", " ".join(str(text).split()))
    return "".join(_piece(piece) for piece in pieces)


def _piece(piece: str) -> str:
    if len(piece) > 2 and piece[0] == piece[-1] == "$":
        return f":math:`{piece[1:-1]}`\\ "
    if len(piece) > 2 and piece[0] == piece[-1] == "`":
        return f"``{piece.strip('`')}``\\ "
    return re.sub(r"([\\*`_|<>\[\]])", r"\\\1", piece)


def plain(lines: Sequence[str]) -> list[str]:
    """The lines of a docstring in which ``|x|`` is an absolute value and ``np.bool_`` a name: neither is a reference.

    Code, formulas, and what is indented below a directive or a double colon stay as they are.
    """
    made: list[str] = []
    prose: list[str] = []

    def close() -> None:
        pieces = re.split(r"(`+[^`]+`+)", "\n".join(prose))  # a formula may go on in the next line
        pieces[::2] = [re.sub(r"(?<!\\)\||(?<=\w)_(?!\w)", r"\\\g<0>", piece) for piece in pieces[::2]]
        made.extend("".join(pieces).split("\n") if prose else [])
        prose.clear()

    margin = -1  # of the directive or double colon whose block this is; -1 outside of any
    for line in lines:
        indent = len(line) - len(line.lstrip())
        inside = margin >= 0 and (not line.strip() or indent > margin)
        directive = not inside and line.lstrip().startswith(".. ")
        opens = directive or (not inside and line.rstrip().endswith("::"))
        margin = indent if opens else margin if inside else -1
        if inside or directive:
            close()
            made.append(line)
        else:
            prose.append(line)
    close()
    return made


def heading(title: str, line: str) -> list[str]:
    """A heading, underlined by the character ``line``."""
    return [title, line * max(4, 2 * len(title)), ""]


def indented(text: str, by: int = 3) -> list[str]:
    """The lines of a text, moved right."""
    return [" " * by + line if line.strip() else "" for line in text.splitlines()]


def displayed(latex: str) -> list[str]:
    """A displayed formula."""
    return [".. math::", "", *indented(latex), ""]


def code(language: str, text: str) -> list[str]:
    """A listing."""
    return [f".. code-block:: {language}", "", *indented(text), ""]


def bullets(sentences: Iterable[str]) -> list[str]:
    """A list of plain sentences."""
    return [*(f"- {escape(sentence)}" for sentence in sentences), ""]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table whose cells are already reStructuredText; nothing where it has no rows."""
    if not (rows := list(rows)):
        return []
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in (header, *rows):
        lines += [f"   {'* -' if i == 0 else '  -'} {cell}" for i, cell in enumerate(row)]
    return [*lines, ""]


def write_if_changed(path: Path, lines: Iterable[str]) -> None:
    """Write a page; leave a page that says the same untouched, so that it is not read again."""
    text = "\n".join(lines) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
