"""Values in the types of other libraries: a form gives back the type that it gets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

OWN: set[type] = {float, int, bool, str}
"""Types whose values are computed by numpy; those of numpy itself join them when they are first seen."""
BACKENDS = {"torch": "torch", "jax": "jax", "jaxlib": "jax"}


def function_of(
    form: Any, values: tuple[Any, ...], named: Mapping[str, Any]
) -> Callable[..., Any] | None:
    """Return the function that keeps the type of its arguments; None for numbers and arrays of numpy.

    ``form`` is a closed form. Tensors of torch (with their gradient) and arrays of JAX are computed there; arrays of
    xarray keep dimensions and coordinates, and series of pandas their index, which has to be the same for all.
    """
    kinds: set[Any] = set(map(type, (*values, *named.values())))
    others = {library for kind in kinds for library in _libraries(kind)}
    for library, backend in BACKENDS.items():
        if library in others:
            return form.function(backend)
    if _are("DataArray", values, named) and _are("Series", values, named):
        raise TypeError(
            f"{form.name}: got a DataArray and a Series, needs one of both kinds; Series.to_xarray() makes a DataArray"
        )
    if "xarray" in others and _are("DataArray", values, named):
        return lambda *given, **by_name: _of_xarray(form, given, by_name)
    if "pandas" in others and _are("Series", values, named):
        return lambda *given, **by_name: _of_pandas(form, given, by_name)
    OWN.update(kind for kind in kinds if "numpy" in _libraries(kind))
    return None


@lru_cache(maxsize=1024)
def _libraries(kind: type) -> frozenset[str]:
    """Return the libraries of a type and of those that it inherits from, which may be a user's own tensor."""
    return frozenset(str(base.__module__).partition(".")[0] for base in kind.__mro__)


def _are(kind: str, values: tuple[Any, ...], named: Mapping[str, Any]) -> bool:
    return any(_is(kind, value) for value in (*values, *named.values()))


def _is(kind: str, value: Any) -> bool:
    return any(base.__name__ == kind for base in type(value).__mro__)


def _of_xarray(form: Any, values: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    names, count = list(named), len(values)

    def compute(*arrays: Any) -> Any:
        return form.function()(*arrays[:count], **dict(zip(names, arrays[count:], strict=True)))

    return sys.modules["xarray"].apply_ufunc(compute, *values, *named.values())


def _of_pandas(form: Any, values: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    series = [value for value in (*values, *named.values()) if _is("Series", value)]
    if not all(entry.index.equals(series[0].index) for entry in series):
        raise ValueError(
            f"{form.name}: got series with different indices, needs one index; reindex them"
        )

    def numbers(value: Any) -> Any:
        return value.to_numpy() if _is("Series", value) else value

    by_name = {name: numbers(value) for name, value in named.items()}
    result = form.function()(*map(numbers, values), **by_name)
    return type(series[0])(result, index=series[0].index)
