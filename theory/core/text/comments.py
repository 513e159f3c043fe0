"""Text of people inside comments of other languages, which it neither ends nor nests, whatever it says."""

import re

_MARKS = re.compile(r"(?<=\*)(?=[/)])|(?<=[/(])(?=\*)")


def in_comment(text: str) -> str:
    """Return a text for a comment of C, JavaScript, Julia, Mathematica or Coq, on one line and without their marks.

    Args:
        text: what somebody wrote, such as the meaning of an argument.

    Returns:
        The text with a blank within each of ``*/``, ``/*``, ``*)`` and ``(*``, and one for each line end and each other
        character that cannot be printed, which may end a line in one of the languages.

    >>> in_comment("Time constant tau*/tau")
    'Time constant tau* /tau'
    """
    return _MARKS.sub(" ", "".join(letter if letter.isprintable() else " " for letter in text))
