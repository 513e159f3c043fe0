"""The parts of a run that works part by part: stored in its checkpoint, finished or not, and joined at the end."""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from empirics.training.checkpoint import Checkpoint


class Parts:
    """The finished parts of a run; ``state`` is the checkpoint's content: parts, notes and ``begun``, the open part."""

    def __init__(self, checkpoint: Checkpoint | None, name: str = "seeds") -> None:
        self._checkpoint, self._name = checkpoint, name
        stored = checkpoint.load() if checkpoint is not None else None
        self.state: dict[str, Any] = stored or {name: []}
        if checkpoint is not None:
            checkpoint.finished = lambda: self.state

    @property
    def done(self) -> list[dict[str, Tensor]]:
        """The finished parts, a list of ``{variable: values}``."""
        done: list[dict[str, Tensor]] = self.state[self._name]
        return done

    @property
    def begun(self) -> dict[str, Any] | None:
        """The state of the part in progress that was stored last, also before an interruption; None if none was."""
        begun: dict[str, Any] | None = self.state.get("begun")
        return begun

    def keep(self, state: Callable[[], dict[str, Any]]) -> None:
        """Store the state of the part in progress if it is time to; ``state`` is called only then."""
        if self._checkpoint is not None and self._checkpoint.due():
            self.state = {**self.state, "begun": copy.deepcopy(state())}
            self._checkpoint.save(self.state)

    def add(self, values: Mapping[str, Any], **notes: Any) -> None:
        """Store one more part, and notes that the end of the run needs; later notes overwrite earlier ones."""
        part = {name: torch.as_tensor(value) for name, value in values.items()}
        # One assignment: a signal in between would otherwise save a part without its notes.
        before = {name: value for name, value in self.state.items() if name != "begun"}
        self.state = {**before, **notes, self._name: [*self.done, part]}
        if self._checkpoint is not None and self._checkpoint.due():
            self._checkpoint.save(self.state)

    def stacked(
        self, described: Mapping[str, tuple[Sequence[str], str]], axis: int = 0
    ) -> dict[str, tuple[Sequence[str], NDArray[Any], str]]:
        """Join the parts along ``axis`` to variables ``{variable: (dimensions, meaning)}``, which need no ``seed``."""
        values = {
            name: np.stack([part[name].cpu().numpy() for part in self.done], axis)
            if "seed" in dims
            else self.done[0][name].cpu().numpy()
            for name, (dims, _) in described.items()
        }
        return {name: (dims, values[name], meaning) for name, (dims, meaning) in described.items()}
