"""A training run that is watched: it counts the steps, and measures where a measurement is due."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Mapping, Sequence
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import torch
from torch.optim import Optimizer
from torch.optim.optimizer import register_optimizer_step_post_hook

from closedform import checks
from closedform.missing import imported
from empirics.runs import trace
from empirics.watching import mirror
from empirics.watching.measuring import Measuring
from empirics.watching.quantity import TIMES
from empirics.watching.schedule import MeasurementSchedule

if TYPE_CHECKING:
    import xarray as xr

ACROSS = 3  # panels side by side
WIDTH, HEIGHT = 3.2, 2.4  # inches of a panel
RANGE = 100.0  # largest over smallest value from which a positive variable has a logarithmic axis

Steps = Literal["optimizer", "calls"]
UNSEEN = {
    "optimizer": "no step of a torch optimizer with this model's parameters was seen; use steps='calls' and run.step()",
    "calls": "run.step() was never called",
}


class Watch:
    """A watched training run, the context manager that :func:`empirics.watch` returns.

    Args:
        measuring: what is measured.
        schedule: when.
        count: what counts as a step: ``"optimizer"`` or ``"calls"``.
        send: receives the numbers of every measurement.

    Attributes:
        steps: number of steps so far.
    """

    def __init__(
        self, measuring: Measuring, schedule: MeasurementSchedule, count: Steps, send: mirror.Send
    ) -> None:
        self.steps = 0
        self._measuring, self._schedule, self._count, self._send = measuring, schedule, count, send
        self._leading: int | None = None  # identity of the parameter whose optimizers are counted
        self._hook: Any = None
        self._is_busy = False

    @property
    def left_out(self) -> Mapping[str, str]:
        """The measures that do not apply, ``{measure: why}``.

        Under ``"layers"``: nonlinearities that are not seen; ``"points"``: how points of a batch depend on each other.
        """
        unseen = self._measuring.subject.unseen
        company = self._measuring.subject.company
        return (
            self._measuring.left_out
            | ({"layers": unseen} if unseen else {})
            | ({"points": company} if company else {})
        )

    def __enter__(self) -> Self:
        if not self._measuring.record.steps:
            self._measuring.describe()
            self._measure()
        self._schedule.resume()
        if self._count == "optimizer":
            self._hook = register_optimizer_step_post_hook(self._after_step)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._hook is not None:
            self._hook.remove()
            self._hook = None
        self._schedule.pause()
        if kind is None and self._measuring.record.steps[-1] != self.steps:
            self._measure()
        elif kind is None and not self.steps:
            warnings.warn(f"watch: {UNSEEN[self._count]}", RuntimeWarning, stacklevel=2)

    def step(self) -> None:
        """Count one step, for ``steps="calls"``; RuntimeError if the steps of the optimizer are counted."""
        if self._count == "optimizer":
            raise RuntimeError(
                "run.step(): the optimizer's steps are counted; give steps='calls' to count calls"
            )
        self._tick()

    @property
    def trace(self) -> xr.Dataset:
        """The trace so far, with dimension ``step`` and those of the measures; every variable has a meaning and a unit.

        Raises:
            RuntimeError: if nothing has been measured yet.
        """
        record, schedule, subject = self._measuring.record, self._schedule, self._measuring.subject
        if not record.steps:
            raise RuntimeError("trace: nothing has been measured yet; enter the context first")
        like = next(
            (p for p in subject.model.parameters() if p.is_floating_point()), torch.empty(())
        )
        settings = {"experiment": "watch", "every": schedule.every, "budget": schedule.budget}
        config = json.dumps(settings | self._measuring.identity(), sort_keys=True)
        attributes: dict[str, Any] = dict(
            trace.provenance("watch", config, like.device, like.dtype, schedule.training)
        )
        for described in record.described.values():
            attributes |= described.attributes
        attributes |= {
            "measuring_share": schedule.measuring / max(schedule.training, 1e-9),
            "longest_interval": max(
                (b - a for a, b in zip(record.steps, record.steps[1:], strict=False)), default=0
            ),
            "left_out": json.dumps(self.left_out),
            "output": subject.output.said,
        }
        return record.dataset(attributes)

    def summary(self) -> str:
        """Return one line for each variable, from the first to the last measurement."""
        return summary(self.trace)

    def plot(self, variables: Sequence[str] | None = None) -> Any:
        """Return a figure of matplotlib: each variable against the step, of all or of the given ones."""
        return plot(self.trace, variables)

    def state_dict(self) -> dict[str, Any]:
        """Return the state, for a checkpoint of the user's: numbers, texts and tensors only."""
        self._schedule.pause()
        return {
            "steps": self.steps,
            "schedule": self._schedule.state_dict(),
            **self._measuring.state_dict(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from a checkpoint, before or after entering the context.

        Raises:
            ValueError: if the checkpoint belongs to other measures, layers, inputs or steps, or is none.
        """
        try:
            steps = checks.size("steps", state["steps"], 0)
            its, every = state["schedule"], self._schedule.every
            checks.require(
                its["every"] == every, "state", f"every = {its['every']}", f"every = {every}"
            )
            self._measuring.load_state_dict(state)
            self._schedule.load_state_dict(its)
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            needs = "what state_dict() returned"
            raise ValueError(
                f"state: got {type(state).__name__} ({type(error).__name__}: {error}), needs {needs}"
            ) from error
        self.steps = steps

    def _after_step(self, optimizer: Optimizer, *_: Any) -> None:
        """Count a step of an optimizer that holds the same parameter of the model as the first one that was seen."""
        if self._is_busy:
            return
        held = set(
            map(id, chain.from_iterable(group["params"] for group in optimizer.param_groups))
        )
        if self._leading is None:
            self._leading = next(
                (id(p) for p in self._measuring.subject.model.parameters() if id(p) in held), None
            )
        if self._leading in held:
            self._tick()

    def _tick(self) -> None:
        self.steps += 1
        if self._schedule.is_due(self.steps):
            self._schedule.pause()
            self._measure()

    def _measure(self) -> None:
        began, self._is_busy = time.perf_counter(), True
        try:
            values = self._measuring.measure(self.steps)
        finally:
            self._is_busy = False
        seconds = time.perf_counter() - began
        values |= {"training_seconds": self._schedule.training, "measuring_seconds": seconds}
        record = self._measuring.record
        record.add(self.steps, values)
        self._send(mirror.numbers(values, record.quantities, record.coordinates), self.steps)
        self._schedule.done(self.steps, time.perf_counter() - began)

    def __repr__(self) -> str:
        measured = len(self._measuring.record.steps)
        return f"<watched run: {self.steps} steps, {measured} measurements of {', '.join(self._measuring.measures)}>"


class WatchCallback:
    """What the callbacks of training frameworks share: the watched run and its trace."""

    _run: Watch | None = None

    @property
    def run(self) -> Watch:
        """The watched run; RuntimeError before the training has begun."""
        if self._run is None:
            raise RuntimeError("the training has not begun yet")
        return self._run

    @property
    def trace(self) -> xr.Dataset:
        """The trace so far; see :func:`empirics.watch`."""
        return self.run.trace


def summary(trace: xr.Dataset) -> str:
    """Return one line for each variable: its value at the first and at the last measurement, of the last layer."""
    steps = trace["step"].values
    lines = [f"{len(steps)} measurements, steps {steps[0]} to {steps[-1]}"]
    lines += [f"output: {trace.attrs['output']}"] if trace.attrs.get("output") else []
    for name in _shown(trace):
        values, where = trace[name], ""
        if "layer" in values.dims:
            values, where = values.isel(layer=-1), f" of {trace['layer'].values[-1]}"
        others = [dim for dim in values.dims if dim != "step"]
        middle, of_all = values.median(others), ", median" if others else ""
        first, last = float(middle[0]), float(middle[-1])
        lines.append(f"{name}{where}{of_all}: {first:.4g} -> {last:.4g}")
    return "\n".join(lines)


def plot(trace: xr.Dataset, variables: Sequence[str] | None = None) -> Any:
    """Return a figure of matplotlib with a panel for each variable against the step; a line for each layer or point."""
    names = [
        checks.one_of("variables", name, _shown(trace)) for name in variables or _shown(trace)
    ]
    figure = imported("run.plot", "matplotlib.figure").Figure(
        figsize=(WIDTH * min(len(names), ACROSS), HEIGHT * -(-len(names) // ACROSS)),
        layout="constrained",
    )
    panels = figure.subplots(
        -(-len(names) // ACROSS), min(len(names), ACROSS), squeeze=False
    ).ravel()
    for panel in panels[len(names) :]:
        panel.remove()
    for panel, name in zip(panels, names, strict=False):
        values = trace[name].transpose("step", ...).values.reshape(trace.sizes["step"], -1)
        labels = (
            [*trace["layer"].values]
            if trace[name].dims == ("step", "layer")
            else [None] * values.shape[1]
        )
        for number, (line, label) in enumerate(zip(values.T, labels, strict=True)):
            opacity = 0.35 + 0.65 * (number + 1) / len(labels)
            panel.plot(trace["step"], line, color=(0.1, 0.3, 0.6, opacity), label=label)
        finite = values[np.isfinite(values)]
        if len(finite) and finite.min() > 0 and finite.max() > RANGE * finite.min():
            panel.set_yscale("log")
        panel.set(title=name, xlabel="step", ylabel=trace[name].attrs.get("units", ""))
        if 1 < len(labels) <= ACROSS and labels[0] is not None:
            panel.legend(fontsize="x-small", frameon=False)
    return figure


def _shown(trace: xr.Dataset) -> list[str]:
    return [
        str(name) for name in trace.data_vars if name not in TIMES and "step" in trace[name].dims
    ]
