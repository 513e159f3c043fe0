"""Real numbers from whatever a user gives, or an error that names what was wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def numbers(values: Any, what: str) -> Array:
    """``values`` as float64, refusing text, complex numbers, NaN and infinity in the name of ``what``."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        entries = array.ravel().tolist() if array.dtype.kind in "OSUT" else [array.dtype]
        other = [each for each in entries if isinstance(each, bool) or not isinstance(each, (int, float))]
        if other:
            raise TypeError(f"{what}: needs real numbers, got {str(other[0])[:40]!r}")
    result = array.astype(np.float64)
    bad = ~np.isfinite(result)
    if bad.any():
        place = f" (the first in row {int(np.argwhere(bad)[0][0])})" if result.ndim else ""
        raise ValueError(f"{what}: {int(bad.sum())} of {result.size} entries are NaN or infinite{place}; drop them")
    return result


def listed(names: Sequence[str]) -> str:
    """Names for an error message."""
    return ", ".join(repr(str(name)) for name in names) or "nothing"
