"""What to say about a name that does not exist: the names that look like it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

CLOSE = 0.5  # similarity (difflib's ratio) from which a name is worth suggesting
SHORT = 12  # names that are all listed if none is close


def unknown(kind: str, got: str, names: Iterable[str]) -> str:
    """One line: what was not found, and what was perhaps meant."""
    names = list(names)
    ends = {name.rsplit(".", 1)[-1]: name for name in names}
    near = difflib.get_close_matches(got, names, n=3, cutoff=CLOSE)
    near += [ends[end] for end in difflib.get_close_matches(got, ends, n=3, cutoff=CLOSE) if ends[end] not in near]
    if near:
        hint = f"did you mean {' or '.join(near[:3])}?"
    elif not names:
        hint = "there are none"
    elif len(names) <= SHORT:
        hint = f"there are {', '.join(names)}"
    else:
        hint = f"there are {len(names)}, such as {', '.join(names[:3])}"
    return f"no {kind} {got!r}; {hint}"
