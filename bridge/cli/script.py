"""A user's Python file: run as by ``python FILE.py``, or imported for the experiments that it defines.

sys.path and sys.argv are restored. ``closedform run FILE.py`` and ``closedform report DIR FILE.py`` take experiments.
"""

import importlib.util
import runpy
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

NEEDS = (
    "needs a function of a seed, decorated with empirics.experiments.define, or a Study, or a Config (a frozen "
    "dataclass that inherits from empirics.runs.config.Configuration, with the attribute `experiment`) and its "
    "run, decorated with run_of(Config)"
)


@contextmanager
def run(path: Path) -> Iterator[dict[str, Any]]:
    """Run the script as ``__main__``, without arguments and with its own folder first on ``sys.path``; yield its names.

    The folder stays there until the block ends, since networks may import modules when they are called.
    """
    search_path, arguments = list(sys.path), list(sys.argv)
    sys.path.insert(0, str(path.resolve().parent))
    sys.argv[:] = [str(path)]
    try:
        with _named_errors(path):
            names = runpy.run_path(str(path.absolute()), run_name="__main__")
        yield names
    finally:
        sys.path[:], sys.argv[:] = search_path, arguments


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    """Raise the errors of a script as ValueError with its file and line."""
    file = str(path.absolute())
    try:
        yield
    except SyntaxError as error:
        raise ValueError(
            f"{error.filename}, line {error.lineno}: {type(error).__name__}: {error.msg}"
        ) from error
    except Exception as error:
        lines = [
            step.lineno
            for step in traceback.extract_tb(error.__traceback__)
            if step.filename == file
        ]
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


def is_file(name: str) -> bool:
    """Return whether the name of an experiment is that of a Python file."""
    return name.endswith(".py")


@contextmanager
def opened(name: str) -> Iterator[ModuleType]:
    """Import the file, and take its function ``analyse``, if any, for reports on its experiments."""
    from bridge.results.analyses import USER_ANALYSES
    from empirics.experiments.registry import command_name

    path = Path(name)
    if not path.is_file():
        raise ValueError(
            f"FILE: got {name!r}, where no file is, needs a Python script that defines an experiment"
        )
    with imported(path) as module:
        names = [
            *(study.name for study in studies(module)),
            *(kind.experiment for kind in configs(module)),
        ]
        analyse = getattr(module, "analyse", None)
        if callable(analyse):
            USER_ANALYSES.update({command_name(known): analyse for known in names})
        try:
            yield module
        finally:
            for known in names:
                USER_ANALYSES.pop(command_name(known), None)


def studies(module: ModuleType) -> list[Any]:
    """Return the studies that the module defines."""
    from empirics.runs.study import Study

    return [value for value in vars(module).values() if isinstance(value, Study)]


def configs(module: ModuleType) -> list[Any]:
    """Return the classes of configurations that the module defines and that have a run of their own."""
    from empirics.runs.config import Configuration

    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Configuration)
        and value.__module__ == module.__name__
        and "own_run" in vars(value)
    ]


def chosen(module: ModuleType) -> tuple[Any | None, Any]:
    """Return the study of a module, or None, and its class of configurations; a ValueError for none or several."""
    for kind, found in (("Study", studies(module)), ("Config with a run", configs(module))):
        if len(found) > 1:
            raise ValueError(f"FILE: got {len(found)} of the kind {kind}, needs one in each file")
        if found:
            return (found[0], None) if kind == "Study" else (None, found[0])
    raise ValueError(f"FILE: got {module.__name__}.py without an experiment, {NEEDS}")


def for_workers(module: ModuleType) -> None:
    """Send the classes of the module to workers by value, since they cannot import the file."""
    cloudpickle = sys.modules.get("cloudpickle")
    if cloudpickle is not None:
        cloudpickle.register_pickle_by_value(module)
