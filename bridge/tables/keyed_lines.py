"""Lines such as ``step: 10, dh2: 0.31``: each is a row whose fields bring their names along."""

from __future__ import annotations

import re

_NAME = r"[\"']?(?P<name>[A-Za-z_][^\s:=,;|\"']*)[\"']?"
_PAIR = re.compile(rf"\s*{_NAME}\s*[:=]\s*(?P<value>[^\s,;|:=]+)\s*(?:[,;|]\s*|(?=\s)|$)")
_NUMBER_WITH_NAME = re.compile(r"[A-Za-z_][^\s:=,;|]*\s*[:=]\s*[-+.\d]")
LOOKED_AT = 20  # lines by which a text is recognised


def rows_of_lines(text: str) -> list[dict[str, float | str]] | None:
    """Return a row for each line of ``key: value`` or ``key=value``; None for a text of another kind.

    Args:
        text: the text of a file.

    Raises:
        ValueError: if the first two lines are pairs and a later one is not, a name occurs twice in a line, or lines
            have pairs between other words, whose columns would be nonsense.
    """
    numbered = [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    lines = [(number, line) for number, line in numbered if not line.lstrip().startswith("#")]
    if not lines or any(_pairs(line) is None for _, line in lines[:2]):
        few = [line for _, line in lines[:LOOKED_AT]]
        if len(few) > 1 and all(_NUMBER_WITH_NAME.search(line) for line in few):
            raise ValueError(
                f"lines such as {few[0][:80]!r}, which are keys with values between other words, not rows under a "
                "header; keep 'step: 1, dh2: 0.5' of each line, or write JSON lines"
            )
        return None
    rows = []
    for number, line in lines:
        row = _pairs(line)
        if row is None:
            raise ValueError(
                f"line {number} {line[:80]!r}, which is not keys with values as line 1 is; leave it out"
            )
        rows.append(row)
    return rows


def _pairs(line: str) -> dict[str, float | str] | None:
    """Return the pairs of a line; None if it has anything else, or no number."""
    row: dict[str, float | str] = {}
    position = 0
    while position < len(line.rstrip()):
        pair = _PAIR.match(line, position)
        if pair is None:
            return None
        if pair["name"] in row:
            raise ValueError(f"a line with two values of {pair['name']!r}")
        row[pair["name"]] = _number(pair["value"])
        position = pair.end()
    has_number = any(isinstance(value, float) for value in row.values())
    return row if has_number else None


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
