"""The public functions of all packages, found by introspection: whatever a package announces in its ``__all__``."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from tests.fuzz import objects

PACKAGES = ("closedform", "theory", "empirics", "bridge")
FOREIGN = {
    "theory.core": "tools of the closed forms, which are called through these",
    "empirics.experiments": "their Configs are below; a run may take hours",
    "bridge.cli": "the command line has tests of its own for its options",
    "bridge.report": "writes files",
    "bridge.plots": "takes results of the others",
}
LEFT_OUT = {
    "theory.check_ledger": "takes minutes",
    "theory.leaky_resnet.IllConditionedWarning": "a warning",
    "empirics.training.DivergedError": "an error",
    "empirics.training.Checkpoint": "writes files",
    "empirics.data.load": "may read large files",
}


def packages() -> Iterator[ModuleType]:
    """Every public package, imported."""
    for name in PACKAGES:
        root = importlib.import_module(name)
        yield root
        for found in pkgutil.walk_packages(root.__path__, f"{name}."):
            is_public = not any(part.startswith("_") for part in found.name.split("."))
            if found.ispkg and is_public and not found.name.startswith(tuple(FOREIGN)):
                yield importlib.import_module(found.name)


def functions() -> dict[str, Callable[..., Any]]:
    """The public functions with arguments, by name; one that several packages announce is listed once."""
    names: dict[int, str] = {}
    found: dict[str, Callable[..., Any]] = {}
    for package in packages():
        for name in getattr(package, "__all__", ()):
            value = getattr(package, name)
            dotted = f"{package.__name__}.{name}"
            is_function = inspect.isfunction(value) or hasattr(value, "cache_info")
            if not is_function or dotted in LEFT_OUT or not inspect.signature(value).parameters:
                continue
            names.setdefault(id(value), dotted)
            found[names[id(value)]] = value
    return found | dict(inputs()) | dict(forms()) | dict(objects.methods())


def inputs() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The classes that users call themselves: configurations, labels of theory, settings of training."""
    from closedform.measured import Measured
    from empirics.data import Dataset
    from empirics.experiments import EXPERIMENTS
    from empirics.measure import CollapseMeans, CollapseScatter
    from empirics.training import Optimisation, Partition
    from theory.activations import Activation
    from theory.compression import Shells, Stripes
    from theory.core import (
        Approximates,
        Argument,
        Check,
        Claim,
        Conditional,
        Scales,
        Step,
        Tends,
        Word,
        equal,
    )

    of_formulas = (
        Activation,
        Approximates,
        Argument,
        Check,
        Claim,
        Conditional,
        Scales,
        Step,
        Tends,
        Word,
        equal,
    )
    of_numbers = (Measured, Dataset, CollapseMeans, CollapseScatter, Optimisation, Partition)
    for kind in (*of_formulas, *of_numbers, Shells, Stripes):
        yield f"{kind.__module__}.{kind.__name__}", kind
    for name in EXPERIMENTS:
        yield f"{name}.Config", EXPERIMENTS[name].Config


def forms() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every closed form as a function of float64 and as one of exact numbers, which take the same arguments."""
    import theory

    for name in theory.catalogue():
        for kind in ("__call__", "evaluate"):
            yield f"{name}.{kind}", Form(name, kind)


class Form:
    """A closed form that is built when it is needed first, with the signature of its arguments."""

    def __init__(self, name: str, kind: str) -> None:
        from theory.core import ClosedForm

        self.name, self.kind = name, kind
        self.__doc__ = getattr(ClosedForm, kind).__doc__

    @property
    def __signature__(self) -> inspect.Signature:
        import theory

        names = [argument.name for argument in theory.catalogue()[self.name].arguments]
        names += ["digits"] if self.kind == "evaluate" else []
        return inspect.Signature(
            [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]
        )

    def __call__(self, **arguments: Any) -> Any:
        """Call the form."""
        import theory

        return getattr(theory.catalogue()[self.name], self.kind)(**arguments)
