"""Limits of working memory for a measurement, given as a number of bytes or as text such as ``"4GiB"``.

Counted work: how long one processor core of moderate speed would take for the operations of a measurement.

Unlike the time that it took, it depends neither on the machine nor on what else runs there, so that a limit on it
always allows the same measurements. Half the time is counted for numbers in float32.
"""

import math
import re
from collections.abc import Callable
from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

OPERATIONS = 3e10  # additions and multiplications in a second in float64, of products of matrices and convolutions
NUMBERS = 1.5e9  # numbers that any operation writes in a second
CALL = 2e-5  # seconds that every operation takes in any case
# times m n min(m, n)
CUBIC = {"linalg_qr": 2, "_linalg_svd": 10, "linalg_svd": 10, "_linalg_eigh": 10}

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
_TEXT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)


def bytes_of(memory: int | str) -> int:
    """Convert a memory limit, an integer or text with a unit (B, kB ... TB, KiB ... TiB), to a number of bytes."""
    if isinstance(memory, bool) or not isinstance(memory, int | str):
        raise TypeError(
            f"memory: got {type(memory).__name__}, needs bytes as an integer or text such as '4GiB'"
        )
    if isinstance(memory, str):
        match = _TEXT.fullmatch(memory)
        if match is None or match[2].lower() not in _UNITS:
            raise ValueError(
                f"memory: got {memory!r}, needs a number and a unit, such as '4GiB' or '500MB'"
            )
        memory = int(float(match[1]) * _UNITS[match[2].lower()])
    if memory < 1:
        raise ValueError(f"memory: got {memory} bytes, needs a positive number")
    return memory


def require(memory: int, needed: float, purpose: str) -> None:
    """Raise ValueError if ``memory`` bytes are fewer than the bytes ``needed`` for ``what``."""
    if needed > memory:
        raise ValueError(
            f"memory: got {text_of(memory)}, needs at least {text_of(needed)} for {purpose}"
        )


def text_of(size: float) -> str:
    """Format ``size`` bytes as text with a binary unit, for messages."""
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} GiB"


class _Count(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A dispatch mode that adds up the work of all operations, in ``seconds``."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seconds = 0.0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run ``func`` and count it."""
        result = func(*args, **(kwargs or {}))
        packet = func.overloadpacket
        operations = 0.0
        if packet in flop_registry:
            operations = flop_registry[packet](*args, **(kwargs or {}), out_val=result)
        elif packet.__name__ in CUBIC and isinstance(args[0], Tensor):
            *batch, rows, columns = args[0].shape
            operations = (
                CUBIC[packet.__name__] * math.prod(batch) * rows * columns * min(rows, columns)
            )
        parts = result if isinstance(result, tuple | list) else (result,)
        results = [part for part in parts if isinstance(part, Tensor)]
        size = results[0].element_size() / 8 if results else 1.0  # half the time in float32
        self.seconds += CALL + size * (
            operations / OPERATIONS + sum(part.numel() for part in results) / NUMBERS
        )
        return result


def work_of(measure: Callable[[], Any]) -> float:
    """Return the counted work of one call, in seconds of one core."""
    with _Count() as count:
        measure()
    return float(count.seconds)
