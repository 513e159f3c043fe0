"""Execution of a user's script in this process as by ``python FILE.py``; sys.path and sys.argv are restored."""

from __future__ import annotations

import importlib.util
import runpy
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any


@contextmanager
def run(path: Path) -> Iterator[dict[str, Any]]:
    """Run the script as ``__main__``, without arguments and with its own folder first on ``sys.path``; yield its names.

    The folder stays on ``sys.path`` until the block ends, since networks may import modules when they are called. Where
    the script fails, a ValueError has its file and line, and the error.
    """
    search_path, arguments = list(sys.path), list(sys.argv)
    sys.path.insert(0, str(path.resolve().parent))
    sys.argv[:] = [str(path)]
    try:
        yield _names(path)
    finally:
        sys.path[:], sys.argv[:] = search_path, arguments


def _names(path: Path) -> dict[str, Any]:
    with _named_errors(path):
        return runpy.run_path(str(path.absolute()), run_name="__main__")


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    """Raise the errors of a script as ValueError with its file and line."""
    file = str(path.absolute())
    try:
        yield
    except SyntaxError as error:
        raise ValueError(f"{error.filename}, line {error.lineno}: {type(error).__name__}: {error.msg}") from error
    except Exception as error:
        lines = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename == file]
        place = f"{path}, line {lines[-1]}" if lines else str(path)
        raise ValueError(f"{place}: {type(error).__name__}: {error}") from error


@contextmanager
def imported(path: Path) -> Iterator[ModuleType]:
    """Import the script as a module named after its file, with its own folder first on ``sys.path`` in this context."""
    search_path = list(sys.path)
    sys.path.insert(0, str(path.resolve().parent))
    specification = importlib.util.spec_from_file_location(path.stem, path.absolute())
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    before = sys.modules.get(path.stem)
    sys.modules[path.stem] = module  # where dataclasses look their annotations up
    try:
        with _named_errors(path):
            specification.loader.exec_module(module)
        yield module
    finally:
        sys.path[:] = search_path
        if before is None:
            sys.modules.pop(path.stem, None)
        else:
            sys.modules[path.stem] = before
