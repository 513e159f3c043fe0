"""Error messages for unknown names, with suggestions of similar names."""

import difflib
from collections.abc import Iterable
from typing import Any

SIMILAR = 0.5  # lowest similarity (difflib's ratio) of a suggested name
SHORT = 12  # up to this number, all names are listed if none is similar


def unknown(kind: str, got: Any, names: Iterable[str]) -> str:
    """Return one line that states the unknown name of an object of this kind, and suggests similar names."""
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
