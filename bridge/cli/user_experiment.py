"""Experiments in a Python file of the user's own: ``closedform run FILE.py``, ``closedform report DIR FILE.py``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from bridge.cli import script

NEEDS = (
    "needs a function of a seed, decorated with empirics.experiments.define, or a Study, or a Config (a frozen "
    "dataclass that inherits from empirics.runs.config.Configuration, with the attribute `experiment`) and its "
    "run, decorated with run_of(Config)"
)


def is_file(name: str) -> bool:
    """Return whether the name of an experiment is that of a Python file."""
    return name.endswith(".py")


@contextmanager
def opened(name: str) -> Iterator[ModuleType]:
    """Import the file, and take its function ``analyse``, if there is one, for reports on its experiments.

    Raises:
        ValueError: if there is no such file, or it fails.
    """
    from bridge.results.analyses import USER_ANALYSES
    from empirics.experiments.registry import command_name

    path = Path(name)
    if not path.is_file():
        raise ValueError(f"FILE: got {name!r}, where no file is, needs a Python script that defines an experiment")
    with script.imported(path) as module:
        names = [*(study.name for study in studies(module)), *(kind.experiment for kind in configs(module))]
        if callable(analyse := getattr(module, "analyse", None)):
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
    """Return the study of the module, or None, and its class of configurations.

    Raises:
        ValueError: if the module defines none, or several.
    """
    for kind, found in (("Study", studies(module)), ("Config with a run", configs(module))):
        if len(found) > 1:
            raise ValueError(f"FILE: got {len(found)} of the kind {kind}, needs one in each file")
        if found:
            return (found[0], None) if kind == "Study" else (None, found[0])
    raise ValueError(f"FILE: got {module.__name__}.py without an experiment, {NEEDS}")


def for_workers(module: ModuleType) -> None:
    """Send the classes of the module to workers by value, since they cannot import the file."""
    if (cloudpickle := sys.modules.get("cloudpickle")) is not None:
        cloudpickle.register_pickle_by_value(module)
