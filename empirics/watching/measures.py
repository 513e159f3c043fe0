"""The measures of a watched run by name, and functions of the user's own as measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import torch

from closedform import checks
from empirics.watching.classes import Accuracy, Collapse, InputPair
from empirics.watching.derivatives import Hamiltonian, Kernel, Volume
from empirics.watching.quantity import Described, Measure, TraceVariable
from empirics.watching.subject import WatchedModel

MEASURES: Final[Mapping[str, Callable[[], Measure]]] = {
    "accuracy": Accuracy,
    "collapse": Collapse,
    "volume": Volume,
    "kernel": Kernel,
    "two_point": InputPair,
    "hamiltonian": Hamiltonian,
}


class UserMeasure(Measure):
    """A function of the user's own, from the model in evaluation mode to a number."""

    def __init__(self, function: Callable[[torch.nn.Module], Any]) -> None:
        super().__init__()
        self.function = function

    @property
    def name(self) -> str:
        """Name of the variable: that of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def describe(self, subject: WatchedModel) -> Described:
        """Describe the variable by the first line of the function's docstring."""
        meaning = (self.function.__doc__ or self.name).strip().partition("\n")[0]
        return Described({self.name: TraceVariable(meaning, units="")})

    def __call__(self, subject: WatchedModel) -> Mapping[str, Any]:
        """Call the function."""
        value = self.function(subject.original)
        return {self.name: value.item() if isinstance(value, torch.Tensor) else float(value)}


def named(wanted: Any) -> dict[str, Measure]:
    """Return the chosen measures by name; all of :data:`MEASURES` for None."""
    if wanted is None:
        return {name: kind() for name, kind in MEASURES.items()}
    chosen: dict[str, Measure] = {}
    for entry in checks.sequence("measures", wanted, "names or functions of the model"):
        measure: Measure
        if callable(entry):
            measure = UserMeasure(entry)
            name = measure.name
        else:
            name = checks.one_of("measures", entry, MEASURES)
            measure = MEASURES[name]()
        checks.require(name not in chosen, "measures", f"{name!r} twice", "each measure once")
        chosen[name] = measure
    checks.require(bool(chosen), "measures", "none", "at least one")
    return chosen
