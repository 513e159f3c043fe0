"""What to say about a name that does not exist: the names that look like it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

SIMILAR = 0.5  # similarity (difflib's ratio) from which a name is worth suggesting
SHORT = 12  # so many names are all listed if none is similar


def unknown(kind: str, got: Any, names: Iterable[str]) -> str:
    """One line that says which name is unknown, and which names were perhaps meant.

    Args:
        kind: what the name should name: "closed form".
        got: the name that is unknown.
        names: the names that exist.
    """
    names = list(names)
    by_ending = {name.rsplit(".", 1)[-1]: name for name in names}
    similar = difflib.get_close_matches(str(got), names, n=3, cutoff=SIMILAR)
    for ending in difflib.get_close_matches(str(got), by_ending, n=3, cutoff=SIMILAR):
        if by_ending[ending] not in similar:
            similar.append(by_ending[ending])
    if similar:
        hint = f"did you mean {' or '.join(similar[:3])}?"
    elif not names:
        hint = "there are none"
    elif len(names) <= SHORT:
        hint = f"there are {', '.join(names)}"
    else:
        hint = f"there are {len(names)}, such as {', '.join(names[:3])}"
    return f"no {kind} {got!r}; {hint}"
