"""When the next measurement is due: after so many steps, and when it fits into a share of the training time."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from closedform import checks

STATE = ("due_at", "training", "measuring", "latest")


@dataclass
class MeasurementSchedule:
    """The times of the measurements, the first before training and the last in any case, and their seconds."""

    every: int  # steps between two measurements
    budget: float | None = None  # largest share of the training time, or None for no limit
    due_at: int = 0  # step from which the next measurement is due
    training: float = 0.0  # without the measurements
    measuring: float = 0.0  # all of them
    latest: float = 0.0  # the last one
    clock: Callable[[], float] = field(default=time.perf_counter, repr=False)

    def __post_init__(self) -> None:
        self._since = self.clock()

    def resume(self) -> None:
        """Go on counting the training time from now."""
        self._since = self.clock()

    def pause(self) -> None:
        """Count the training time until now."""
        now = self.clock()
        self.training += now - self._since
        self._since = now

    def is_due(self, step: int) -> bool:
        """Return whether to measure at ``step``."""
        if step < self.due_at:
            return False
        if self.budget is None:
            return True
        self.pause()
        return self.measuring + self.latest <= self.budget * self.training

    def done(self, step: int, seconds: float) -> None:
        """Record that the measurement at ``step`` is finished and took ``seconds``."""
        self.measuring += seconds
        self.latest = seconds
        self.due_at = (step // self.every + 1) * self.every
        self.resume()

    def state_dict(self) -> dict[str, float]:
        """Return the state for a checkpoint."""
        return {name: getattr(self, name) for name in ("every", *STATE)}

    def load_state_dict(self, state: Mapping[str, float]) -> None:
        """Restore the state of a checkpoint."""
        for name in STATE:
            value = checks.nonnegative_number(name, state[name])
            setattr(self, name, int(value) if name == "due_at" else value)
        self.resume()
