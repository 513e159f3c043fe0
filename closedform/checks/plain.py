"""The gate for numbers and arrays of users: kinds that numpy or torch would misread or choke on are refused by name.

Every check of numbers and arrays calls :func:`plain` first. It imports neither numpy nor torch: their arrays exist only
where they are imported already. Checks of choices, booleans, and kinds of objects follow.
"""

import reprlib
import sys
from collections.abc import Collection, Iterable, Mapping
from itertools import product
from typing import Any, TypeVar, cast

Kind = TypeVar("Kind")
Choice = TypeVar("Choice")
MOST_LEVELS = 32  # of sequences inside one another; arrays of numpy have at most 64 dimensions
MOST_ENTRIES = 10**7  # of nested sequences, which take a second; arrays have no limit
FROM_BITS = 100  # integers from here on are shown by their size
SMALL = (bool, float, int, str, type(None))
BYTES = (bytes, bytearray, memoryview)
REPRESENTATION = reprlib.Repr()
REPRESENTATION.maxlist = REPRESENTATION.maxtuple = REPRESENTATION.maxdict = 12
REPRESENTATION.maxstring = REPRESENTATION.maxother = 100
TENSORS = {
    *(f"torch.{kind}{bits}" for kind, bits in product(("int", "uint"), (8, 16, 32, 64))),
    *(
        f"torch.{kind}"
        for kind in (
            "float16",
            "bfloat16",
            "float32",
            "float64",
            "complex64",
            "complex128",
            "bool",
        )
    ),
}


def shown(value: Any) -> str:
    """Return any value for an error message: an array by its shape, a long or broken one by what can be said of it."""
    if isinstance(value, int) and value.bit_length() >= FROM_BITS:
        return f"an integer of {value.bit_length()} bits"
    try:
        if isinstance(value.ndim, int) and value.ndim:
            return f"shape {tuple(value.shape)}"
    # it has none, or is an object of the user's that fails wherever it is looked at
    except Exception:
        pass
    return REPRESENTATION.repr(value)


def plain(name: str, value: Any) -> Any:
    """Return numbers as numpy and torch read them alike, without gradients; what is no array or sequence as it is.

    TypeError is raised for bytes, masked arrays and other tensors, ValueError for too many levels or entries.
    """
    return value if type(value) in SMALL else _plain(name, value, [MOST_ENTRIES], 0)


def _plain(name: str, value: Any, left: list[int], level: int) -> Any:
    if isinstance(value, (list, tuple)):
        left[0] -= len(value)
        if level == MOST_LEVELS or left[0] < 0:
            got = (
                f"more than {MOST_LEVELS} levels"
                if level == MOST_LEVELS
                else f"more than {MOST_ENTRIES:,} entries"
            )
            raise ValueError(
                f"{name}: got sequences inside one another with {got}, needs fewer, or an array"
            )
        return [
            entry if type(entry) in SMALL else _plain(name, entry, left, level + 1)
            for entry in value
        ]
    if isinstance(value, BYTES):
        raise TypeError(f"{name}: got {type(value).__name__}, needs numbers")
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and isinstance(value, numpy.ma.MaskedArray):
        raise TypeError(
            f"{name}: got a masked array, needs an array without a mask; fill or drop the masked entries"
        )
    if torch is None or not isinstance(value, torch.Tensor):
        return value
    strange = what_is_strange(value)
    if strange:
        raise TypeError(f"{name}: got {strange}, needs a dense tensor of numbers")
    return value.detach().resolve_conj().resolve_neg()


def what_is_strange(tensor: Any) -> str:
    """Return what keeps a tensor from being read like an array; nothing if it can be."""
    torch = sys.modules["torch"]
    if torch.nn.parameter.is_lazy(tensor):
        return "a parameter without numbers yet"
    if type(tensor).__name__ == "MaskedTensor":
        return "a masked tensor"
    if tensor.is_nested:
        return "a nested tensor"
    if tensor.is_meta:
        return "a tensor on the device 'meta', without numbers"
    if tensor.layout != torch.strided:
        return "a sparse tensor"
    return "" if str(tensor.dtype) in TENSORS else f"a tensor of {tensor.dtype}"


def require(good: bool, name: str, got: object, needs: str) -> None:
    """Raise ``ValueError("name: got ..., needs ...")`` unless ``good``."""
    if not good:
        raise ValueError(f"{name}: got {got}, needs {needs}")


def instance(name: str, value: Any, kind: type[Kind], needs: str) -> Kind:
    """Return ``value`` if it is a ``kind``; raise TypeError otherwise."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")
    return value


def text(name: str, value: Any, *, or_empty: bool = False) -> str:
    """Return ``value`` if it is text that says something, or empty if allowed; TypeError or ValueError otherwise."""
    require(bool(instance(name, value, str, "text").strip()) or or_empty, name, "no text", "some")
    return cast(str, value)


def texts(name: str, value: Any) -> tuple[str, ...]:
    """Return a tuple of texts, of which there may be none; raise TypeError or ValueError otherwise."""
    return tuple(
        text(f"{name}[{index}]", entry)
        for index, entry in enumerate(sequence(name, value, "texts"))
    )


def mapping(name: str, value: Any) -> Mapping[Any, Any]:
    """Return ``value`` if it is a mapping, and an empty one for None; raise TypeError otherwise."""
    return {} if value is None else instance(name, value, Mapping, "a mapping")  # type: ignore[type-abstract]


def function(name: str, value: Any, needs: str) -> None:
    """Raise TypeError unless ``value`` can be called."""
    if not callable(value):
        raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")


def one_of(name: str, value: Choice, choices: Collection[Choice]) -> Choice:
    """Return ``value`` if it is among ``choices``; raise ValueError otherwise."""
    try:
        is_known = value in frozenset(choices)  # by its hash, which arrays and tables do not have
    except Exception:
        is_known = False
    if not is_known:
        raise ValueError(
            f"{name}: got {shown(value)}, needs one of {', '.join(map(str, choices))}"
        )
    return value


def boolean(name: str, value: Any) -> bool:
    """Return ``value`` if it is True or False; raise TypeError otherwise, also for 1 and for a boolean of numpy."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}: got {shown(value)}, needs True or False")
    return value


def sequence(name: str, value: Any, of: str = "numbers") -> Iterable[Any]:
    """Return ``value`` if it is iterable, not too long, and neither text nor bytes; TypeError or ValueError if not."""
    try:
        if isinstance(value, (str, *BYTES)):
            raise TypeError
        iter(value)
        length = len(value) if hasattr(value, "__len__") else 0
    except Exception:  # also of an object of the user's that fails wherever it is looked at
        raise TypeError(f"{name}: got {shown(value)}, needs a sequence of {of}") from None
    require(length <= MOST_ENTRIES, name, f"{length:,} {of}", f"at most {MOST_ENTRIES:,}")
    return cast(Iterable[Any], value)
