"""Arguments and other things by name, and error messages for unknown names, with suggestions of similar ones."""

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

SIMILAR = 0.5  # lowest similarity (difflib's ratio) of a suggested name
SHORT = 12  # up to this number, all names are listed if none is similar


class UnknownNameError(KeyError):
    """A name that a mapping of this package does not have, with a message for the user, unlike any other KeyError."""

    def __str__(self) -> str:
        """Return the message, of which a KeyError shows the representation."""
        return str(self.args[0])


def unknown(kind: str, got: Any, names: Iterable[str]) -> str:
    """Return one line that states the unknown name of an object of this kind, and suggests similar names."""
    names = list(dict.fromkeys(names))
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


def by_name(
    name: str,
    order: Sequence[str],
    given: tuple[Any, ...],
    named: Mapping[str, Any],
    kind: str = "argument",
    optional: Collection[str] = (),
) -> dict[str, Any]:
    """Return the values by name, of which ``optional`` ones may be missing."""
    signature = f"{name}({', '.join(order)})"
    if len(given) > len(order):
        raise TypeError(f"{signature} takes {len(order)} arguments, got {len(given)}")
    values = dict(zip(order, given, strict=False))
    for key, value in named.items():
        if key not in order:
            raise TypeError(f"{signature}: {unknown(kind, key, order)}")
        if key in values:
            raise TypeError(
                f"{signature} got {key!r} twice, by position ({values[key]!r}) and by name"
            )
        values[key] = value
    missing = [key for key in order if key not in values and key not in optional]
    if missing:
        raise TypeError(f"{signature} needs {', '.join(missing)}")
    return values
