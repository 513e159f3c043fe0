"""Checks of traces, which build on ``closedform.checks``: their parts, and what their attributes hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from closedform.untrusted_files import decoded

if TYPE_CHECKING:
    import xarray as xr

Kind = TypeVar("Kind")
MOST_NAMES, MOST_LETTERS = 50, 200  # in a message


def dataset(
    value: Any,
    experiment: str,
    variables: Iterable[str],
    dimensions: Iterable[str] = (),
    *,
    attributes: Iterable[str] = (),
    name: str = "trace",
) -> xr.Dataset:
    """Return ``value`` if it is a Dataset with these parts of an experiment's trace; an error names what is missing."""
    import xarray as xr

    if not isinstance(value, xr.Dataset):
        raise TypeError(
            f"{name}: got {type(value).__name__}, needs a Dataset, the trace of {experiment}"
        )
    missing = [variable for variable in variables if variable not in value]
    missing += [
        f"the dimension {dimension}" for dimension in dimensions if dimension not in value.dims
    ]
    missing += [
        f"the attribute {attribute}" for attribute in attributes if attribute not in value.attrs
    ]
    if missing:
        raise ValueError(
            f"{name}: got a Dataset without {', '.join(missing)}, needs a trace of {experiment}"
        )
    return value


@overload
def attribute(trace: xr.Dataset, name: str) -> dict[str, Any]: ...
@overload
def attribute(trace: xr.Dataset, name: str, kind: type[Kind]) -> Kind: ...
def attribute(trace: xr.Dataset, name: str, kind: type = dict) -> Any:
    """Return what the JSON in an attribute of a trace holds, an object or a list; a ValueError if it does not."""
    if name not in trace.attrs:
        raise ValueError(
            f"trace: got one without the attribute {name!r}, needs a trace of an experiment"
        )
    return decoded(f"trace: {name}", trace.attrs[name], kind)


def listed(names: Sequence[str]) -> str:
    """Return the names, quoted and separated by commas, for an error message; of many the first ones."""
    shown = [repr(str(name)[:MOST_LETTERS]) for name in names[:MOST_NAMES]]
    rest = [f"{len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return ", ".join(shown + rest) or "nothing"
