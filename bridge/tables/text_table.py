"""Strict reading of tables of text: what separates the fields, how many each row has, and what a decimal comma is.

A table has a header and a row for each line, with the separator ``,``, ``;``, tab, ``|`` or blanks. A line that begins
with ``#`` is a comment; elsewhere the sign is a part of the text. Quotes may enclose a separator, ``#`` or the end of a
line. Every row has as many fields as the header; only an empty field at the end of *all* rows may be added. Nothing is
guessed from what the fields say, since a wrong guess would move values under other names.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bridge.arguments import listed

if TYPE_CHECKING:
    import pandas as pd

ROW = "row of the file"  # name of the index of a table from a text file
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "blanks"}
LONGEST_LINE = 2**18  # characters
MOST_COLUMNS = 10_000  # which take a quarter of a second
UNKNOWN = ("", "NaN", "nan", "NA", "N/A", "null", "None")  # fields without a value
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_DECIMAL_COMMA = re.compile(r"[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?")
_DECIMAL_POINT = re.compile(r"[+-]?(\d+\.\d*|\.\d+)([eE][+-]?\d+)?")

Fields = list[str]
NumberedRow = tuple[int, Fields]  # with the line of the file on which the row begins, from 1


def text_of(data: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte-order mark; ValueError for another encoding."""
    encoding = next((name for mark, name in MARKS.items() if data.startswith(mark)), "utf-8")
    text = data.decode(encoding)
    if "\0" in text:
        raise ValueError("a NUL, which no table of text has; save it as UTF-8")
    longest = max(map(len, text.splitlines()), default=0)
    if longest > LONGEST_LINE:
        raise ValueError(f"a line of {longest:,} characters")
    return text


def frame_of_text(text: str) -> pd.DataFrame:
    """Return a table of text, whose index is the number of the line, from 1, on which a row begins.

    Args:
        text: the text of a file.

    Raises:
        ValueError: if the text has no header, a row has another number of fields, a name occurs twice or is missing,
            a quote does not end, or a line or the number of columns is beyond what anybody fits.
    """
    import pandas as pd

    separator = _separator(text)
    rows = list(_rows(text, separator))
    if not rows:
        raise ValueError("no line with the names of columns")
    (_, names), *body = _without_last_empty_field(rows)
    widest = max(len(fields) for _, fields in rows)
    if widest > MOST_COLUMNS:
        raise ValueError(f"{widest:,} columns")
    _check_names(names)
    for number, fields in body:
        if len(fields) != len(names):
            raise ValueError(
                f"{len(fields)} field{'s' * (len(fields) != 1)} in line {number}, where the header has {len(names)}, "
                f"separated by {SEPARATORS[separator]}"
            )
    columns: list[list[str]] = [[] for _ in names]
    for _, fields in body:
        for column, field in zip(columns, fields, strict=True):
            column.append(field)
    # elsewhere a comma in a number may mean thousands, and the number stays text
    if separator == ";":
        columns = _with_decimal_points(columns, names)
    index = pd.Index([number for number, _ in body], name=ROW)
    values = {name: _parsed(column, index) for name, column in zip(names, columns, strict=True)}
    return pd.DataFrame(values, index=index, columns=names)


def _separator(text: str) -> str:
    """Return what separates the fields: the first of tab, semicolon, bar, comma that the header has outside quotes."""
    for separator in ("\t", ";", "|", ","):
        header = next(_rows(text, separator), None)
        if header is not None and len(header[1]) > 1:
            return separator
    return " "


def _rows(text: str, separator: str) -> Iterator[NumberedRow]:
    """Yield rows without comments and empty lines; a quoted field may hold ends of lines."""
    stream = _Lines(text)
    reader = csv.reader(stream, delimiter=separator, skipinitialspace=True, strict=True)
    while True:
        stream.has_begun = False
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ValueError(f"{error} in the row of line {stream.first}") from None
        stripped = [field.strip() for field in fields]
        if separator == " ":  # any number of blanks between fields, and at the end of a line
            stripped = [field for field in stripped if field]
        if any(stripped):
            yield stream.first, stripped


class _Lines(Iterator[str]):
    """The lines of a text for a reader of rows; those that begin with ``#`` between two rows are left out."""

    def __init__(self, text: str) -> None:
        self._lines = iter(io.StringIO(text, newline=""))
        self._number = 0
        self.first = 0  # the line on which the row begins
        self.has_begun = False  # whether the reader has taken a line of its row

    def __next__(self) -> str:
        line = next(self._lines)
        self._number += 1
        while not self.has_begun and (line.lstrip().startswith("#") or not line.strip()):
            line = next(self._lines)
            self._number += 1
        if not self.has_begun:
            self.first, self.has_begun = self._number, True
        return line.lstrip(" ") if self.first == self._number else line


def _without_last_empty_field(rows: Sequence[NumberedRow]) -> list[NumberedRow]:
    """Return the rows without an empty last field that all of them have, whether the header has it or not."""
    (first, names), *body = rows
    named = len(names) - (names[-1] == "")
    is_added = all(len(fields) == named + 1 and fields[-1] == "" for _, fields in body)
    if not is_added or not (body or names[-1] == ""):
        return list(rows)
    return [(first, names[:named]), *((number, fields[:-1]) for number, fields in body)]


def _check_names(names: Sequence[str]) -> None:
    """Raise ValueError if a name occurs twice, or all are numbers."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"several columns with the name {listed(twice)}")
    if all(_is_number(name) for name in names):
        raise ValueError(
            f"a first line {listed(names)}, where the names of the columns should stand"
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.lower() not in ("nan", "inf", "infinity")


def _with_decimal_points(columns: Sequence[Fields], names: Sequence[str]) -> list[Fields]:
    """Return columns whose decimal commas are points; ValueError where a column has both, which may mean thousands."""
    result = []
    for name, column in zip(names, columns, strict=True):
        has_comma = any(_DECIMAL_COMMA.fullmatch(field) for field in column)
        if has_comma and any(_DECIMAL_POINT.fullmatch(field) for field in column):
            raise ValueError(f"decimal commas and decimal points in the column {name!r}")
        result.append(
            [
                field.replace(",", ".") if _DECIMAL_COMMA.fullmatch(field) else field
                for field in column
            ]
        )
    return result


def _parsed(column: Fields, index: pd.Index) -> pd.Series:
    """Return a column as numbers where all its fields are numbers or unknown, and as text otherwise."""
    import pandas as pd

    fields = [None if field in UNKNOWN else field for field in column]
    series = pd.Series(fields, index=index, dtype=object)
    try:
        return pd.to_numeric(series)
    except (ValueError, TypeError):
        return series
