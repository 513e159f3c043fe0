"""The measurements of a watched run: which measures apply, and their values at each step."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from closedform import checks
from empirics.watching.quantity import Measure, WatchRecord
from empirics.watching.subject import WatchedModel
from empirics.watching.undisturbed import device_of, undisturbed

# of measures, whose messages say why
REFUSALS = (ValueError, TypeError, NotImplementedError, RuntimeError)


@dataclass
class Measuring:
    """The measures of a run, and what they have found."""

    subject: WatchedModel  # the model and its data
    measures: dict[str, Measure]  # those that do not apply are removed at the first measurement
    all_must_apply: bool  # whether a measure that does not apply is an error
    record: WatchRecord = field(default_factory=lambda: WatchRecord({}))  # the values so far
    left_out: dict[str, str] = field(default_factory=dict)  # why measures do not apply
    _warned: set[str] = field(default_factory=set, repr=False)

    def describe(self) -> None:
        """Find the measures that apply; ValueError if one does not and all must."""
        with undisturbed(self.subject.original) as copy:
            subject = self.subject.on(copy)
            for name, measure in list(self.measures.items()):
                try:
                    self.record.described[name] = measure.describe(subject)
                except REFUSALS as problem:
                    self._leave_out(name, problem)

    def measure(self, step: int) -> dict[str, Any]:
        """Return the values of all variables at ``step``; a measure that fails later than at first gives NaN."""
        values: dict[str, Any] = {}
        problems: list[str] = []
        with (
            undisturbed(self.subject.original) as copy,
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always")
            subject = self.subject.on(copy)
            for name, measure in list(self.measures.items()):
                try:
                    values |= measure(subject)
                except REFUSALS as problem:
                    if not self.record.steps:
                        self._leave_out(name, problem)
                    else:
                        problems.append(f"{name} could not be measured and is NaN: {problem}")
            device = device_of(copy)
            if device.type == "cuda":
                torch.cuda.synchronize(device)
        for message in dict.fromkeys([*problems, *(str(warning.message) for warning in caught)]):
            if message not in self._warned:
                warnings.warn(f"watch, step {step}: {message}", RuntimeWarning, stacklevel=3)
        self._warned |= {*problems, *(str(warning.message) for warning in caught)}
        return values

    def _leave_out(self, name: str, problem: Exception) -> None:
        if self.all_must_apply:
            raise ValueError(f"measures: {name!r} does not apply. {problem}") from problem
        self.left_out[name] = str(problem)
        del self.measures[name]
        self.record.described.pop(name, None)

    def identity(self) -> dict[str, Any]:
        """Return what has to be the same when a run goes on."""
        subject = self.subject
        return {
            "measures": [*self.measures, *self.left_out],
            "layers": [layer.name for layer in subject.layers],
            "pair": None if subject.pair is None else list(subject.pair),
            "points": subject.positions(),
            "inputs": list(subject.inputs.shape),
        }

    def state_dict(self) -> dict[str, Any]:
        """Return the state as numbers, texts and tensors."""
        states = {name: dict(measure.state) for name, measure in self.measures.items()}
        return {"identity": self.identity(), "record": self.record.state_dict(), "states": states,
                "left_out": dict(self.left_out)}  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state; ValueError if it belongs to other measures, layers or inputs."""
        mine, its = self.identity(), state["identity"]
        for name, value in mine.items():
            same = sorted(value) == sorted(its[name]) if name == "measures" else value == its[name]
            checks.require(same, "state", f"{name} {its[name]}", f"{value}, those of this run")
        for name, reason in state["left_out"].items():
            if self.measures.pop(name, None) is not None:
                self.left_out[name] = reason
        self.record.described = {}
        self.describe()
        self.record.load_state_dict(state["record"])
        for name, stored in state["states"].items():
            self.measures[name].state = {key: value.cpu().clone() for key, value in stored.items()}
