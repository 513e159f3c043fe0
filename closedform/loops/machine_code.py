"""The decorator that turns a loop over arrays into machine code, which is kept in a file where that is possible.

numba keeps machine code in ``__pycache__`` beside the source, or else in the user's cache folder. Where neither can be
written, or a stored file cannot be read, the loop is translated in every process anew, which takes about a second.
"""

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba

from closedform.loops import elementary

# numba compares the source of the loop with that of its stored machine code, but not the functions that it calls.
SHARED = sha256(Path(elementary.__file__).read_bytes()).hexdigest()[:12]


def compiled(function: Callable[..., Any], *, sums: bool = False) -> Callable[..., Any]:
    """Return a function of numbers and arrays as machine code for the types that it is called with.

    Args:
        function: loops in the part of Python that numba translates; it raises no errors.
        sums: whether sums may be made in another order, and rounded together with their products, for loops whose
            inner loop is a sum. Default: False, so that every operation is rounded by itself, and the bits are the same
            on all processors.

    Returns:
        The compiled function. It takes the same arguments, by position.
    """
    function.__qualname__ += f"_{SHARED}"  # a part of the name of the file
    options: dict[str, Any] = {
        "error_model": "numpy",
        "fastmath": {"reassoc", "contract"} if sums else False,
    }
    machine_code: Callable[..., Any] | None = None

    @wraps(function)
    def call(*arguments: Any) -> Any:
        nonlocal machine_code
        try:
            if machine_code is None:
                machine_code = numba.njit(cache=True, **options)(function)
            return machine_code(*arguments)
        # of the files, before the loop has begun; an error of the loop itself comes again
        except Exception:
            machine_code = numba.njit(**options)(function)
            return machine_code(*arguments)

    return call
