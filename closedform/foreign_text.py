r"""Text from outside, made safe to show: labels of studies, names of columns, layers and files, attributes of traces.

Such text reaches terminals, figures, pages and files. A terminal obeys escape sequences, a page may be reordered by
marks that nobody sees, lone surrogates cannot be written in UTF-8, and a name of 50,000 letters leaves no room for
anything else. :func:`visible` writes what cannot be seen as Python writes it, such as ``\x1b``, and says how long a
shortened text was. :func:`label` refuses what names nothing that a reader can tell apart.

Text is made visible where it leaves the program; labels that name results are made so where they come in, so that all
tables, figures and files name them alike.
"""

from __future__ import annotations

import re
from typing import Any, TextIO

LONGEST = 200  # letters of a label, of which a page shows a line and a half

# Controls, marks of the direction of writing, separators of lines and paragraphs, surrogates, signs without width or
# picture. Joiners (U+200C, U+200D) are parts of words and of pictures, and stay.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_UNSEEN_IN_LINES = re.compile(rf"(?![\n\t]){_UNSEEN.pattern}")
_OWN_COLOUR = re.compile(r"(\x1b\[[0-9]{1,2}m)")


def visible(text: Any, *, most: int | None = None, lines: bool = False) -> str:
    r"""Return text whose letters can all be seen: ``\x1b`` for an escape, ``\udc80`` for a lone surrogate.

    Args:
        text: any object, read by ``str``.
        most: largest number of letters, after which the text ends with how many it had; None for no limit.
        lines: whether ends of lines and tabs stay what they are, as in text of several lines.

    >>> print(visible("\x1b[31mred"))
    \x1b[31mred
    >>> visible("x" * 50_000, most=4)
    'xxxx… (50,000 letters)'
    """
    whole = str(text)
    kept = whole if most is None else whole[:most]
    shown = (_UNSEEN_IN_LINES if lines else _UNSEEN).sub(lambda match: repr(match[0])[1:-1], kept)
    return shown if len(kept) == len(whole) else f"{shown}… ({len(whole):,} letters)"


def label(name: str, text: Any) -> str:
    """Return the visible form of a text that names something; ``name`` is what it is for the error.

    Raises:
        ValueError: if the text is no text, is blank, or has more than :data:`LONGEST` letters.
    """
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{name}: got {visible(repr(text), most=40)}, needs text that names it")
    if len(text) > LONGEST:
        raise ValueError(f"{name}: got {visible(text, most=40)}, needs at most {LONGEST}")
    return visible(text)


class VisibleStream:
    """A stream for text whose escape sequences, other than the colours of a terminal's own commands, become visible."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the visible form of a text; a terminal gets colours as they are."""
        parts = _OWN_COLOUR.split(text) if self._stream.isatty() else [text]
        # A pattern with one group: every second part is a colour.
        shown = [
            part if number % 2 else visible(part, lines=True) for number, part in enumerate(parts)
        ]
        self._stream.write("".join(shown))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
