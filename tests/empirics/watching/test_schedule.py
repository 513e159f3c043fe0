"""The schedule of a watched run: at every so many steps, as far as the budget of time allows."""

from __future__ import annotations

import pytest
import torch

import empirics
from empirics.watching.mirror import numbers, sender
from empirics.watching.quantity import TraceVariable
from empirics.watching.schedule import MeasurementSchedule


class Clock:
    """A clock that is set by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def measured_steps(
    schedule: MeasurementSchedule,
    clock: Clock,
    steps: int,
    *,
    of_step: float,
    of_measurement: float,
) -> list[int]:
    schedule.resume()
    found = []
    for step in range(1, steps + 1):
        clock.now += of_step
        if schedule.is_due(step):
            schedule.pause()
            clock.now += of_measurement
            schedule.done(step, of_measurement)
            found.append(step)
    return found


def test_without_a_budget_every_so_many_steps():
    clock = Clock()
    schedule = MeasurementSchedule(5, clock=clock)
    schedule.done(0, 0.0)
    assert measured_steps(schedule, clock, 20, of_step=1, of_measurement=1000) == [5, 10, 15, 20]


def test_the_interval_widens_until_the_budget_holds():
    clock = Clock()
    schedule = MeasurementSchedule(10, 0.05, clock=clock)
    schedule.done(0, 2.0)  # before any training
    steps = measured_steps(schedule, clock, 2000, of_step=0.125, of_measurement=1.0)
    assert schedule.training == pytest.approx(250)  # the measurements are not training
    assert schedule.measuring <= 0.05 * schedule.training
    # 2 s, and 2 s more if it takes as long as the first one, are 5 % of 80 s
    assert steps[0] == 640
    assert steps[1:] == [650, 800, 960, 1120, 1280, 1440, 1600, 1760, 1920]  # 1 s in 20 s
    cheap = MeasurementSchedule(10, 0.05, due_at=10, clock=clock)
    assert measured_steps(cheap, clock, 100, of_step=1, of_measurement=0.01) == list(
        range(10, 101, 10)
    )


def test_the_state_of_a_checkpoint_goes_on_counting():
    clock = Clock()
    first = MeasurementSchedule(10, 0.1, due_at=10, clock=clock)
    measured_steps(first, clock, 25, of_step=1, of_measurement=0.5)
    first.pause()
    clock.now += 3600  # the process is gone
    again = MeasurementSchedule(10, 0.1, clock=clock)
    again.load_state_dict(first.state_dict())
    assert (again.due_at, again.measuring) == (30, 1.0)
    clock.now += 5
    again.pause()
    assert again.training == pytest.approx(30)


class Scalars:
    """What the writer of TensorBoard, the module of MLflow or a run of W&B is told."""

    def __init__(self, method: str) -> None:
        self.told: list[object] = []
        setattr(self, method, lambda *given, **named: self.told.append((*given, *named.items())))


def test_numbers_go_to_any_logger():
    quantities = {
        "nc1": TraceVariable("", ("layer",)),
        "log_volume": TraceVariable("", ("point",)),
        "loss": TraceVariable(""),
    }
    values = {"nc1": [1.0, float("inf")], "log_volume": [1.0, 3.0], "loss": 0.5}
    flat = numbers(values, quantities, {"layer": (["1", "3"], "")})
    assert flat == {"watch/nc1/1": 1.0, "watch/log_volume": 2.0, "watch/loss": 0.5}
    for method, told in [
        ("add_scalar", [(name, value, 7) for name, value in flat.items()]),
        ("log_metrics", [(flat, ("step", 7))]),
        ("log", [({**flat, "watch/step": 7},)]),
    ]:
        logger = Scalars(method)
        sender(logger)(flat, 7)
        assert logger.told == told
    seen = []
    sender(lambda scalars, step: seen.append((scalars, step)))(flat, 7)
    assert seen == [(flat, 7)]


def test_a_state_of_other_steps_or_none_at_all_is_refused():
    model = torch.nn.Linear(2, 1)
    every = ({"every": steps, "measures": ["kernel"], "steps": "calls"} for steps in (5, 7))
    five, seven = (empirics.watch(model, torch.eye(2), **options) for options in every)
    with five:
        five.step()
        state = five.state_dict()
    with pytest.raises(ValueError, match="state: got every = 5, needs every = 7"):
        seven.load_state_dict(state)
    for other in (
        {},
        [],
        None,
        {"steps": 3},
        state | {"schedule": {"every": 5}},
        state | {"record": 1},
        "text",
    ):
        with pytest.raises(ValueError, match=r"state: got .*, needs what state_dict\(\) returned"):
            five.load_state_dict(other)
