"""Execution of a user's script in this process as by ``python FILE.py``; sys.path and sys.argv are restored."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def run(path: Path) -> Iterator[dict[str, Any]]:
    """Run the script as ``__main__``, without arguments and with its own folder first on ``sys.path``.

    The folder stays on ``sys.path`` until the block ends, since networks may import modules when they are called.

    Args:
        path: path of a Python script.

    Yields:
        The names that the script defines.
    """
    search_path, arguments = list(sys.path), list(sys.argv)
    sys.path.insert(0, str(path.resolve().parent))
    sys.argv[:] = [str(path)]
    try:
        yield runpy.run_path(str(path.absolute()), run_name="__main__")
    finally:
        sys.path[:], sys.argv[:] = search_path, arguments
