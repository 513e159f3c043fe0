"""The finished parts of a run that does them one after another: kept in its checkpoint and joined at the end."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from empirics.training.checkpoint import Checkpoint


class Parts:
    """What a run has done so far, including the parts that were done before it was interrupted.

    Args:
        checkpoint: where to keep them; nowhere where None.
        name: of the parts in the checkpoint.

    Attributes:
        state: what the checkpoint holds: the parts under their name, ``seconds``, and the notes given to :meth:`add`.
    """

    def __init__(self, checkpoint: Checkpoint | None, name: str = "seeds") -> None:
        self._checkpoint, self._name = checkpoint, name
        stored = checkpoint.load() if checkpoint is not None else None
        self.state: dict[str, Any] = stored or {name: [], "seconds": 0.0}
        self._began: float = time.perf_counter() - self.state["seconds"]  # of the parts done before, if the run goes on

    @property
    def done(self) -> list[dict[str, Tensor]]:
        """The parts, ``{variable: values}``."""
        done: list[dict[str, Tensor]] = self.state[self._name]
        return done

    @property
    def seconds(self) -> float:
        """Time that the run took, in seconds."""
        return time.perf_counter() - self._began

    def add(self, values: Mapping[str, Any], **notes: Any) -> None:
        """Keep one more part.

        Args:
            values: ``{variable: array or tensor}``.
            notes: what else the end of the run needs; the last part's is kept.
        """
        self.done.append({name: torch.as_tensor(value) for name, value in values.items()})
        self.state |= notes | {"seconds": self.seconds}
        if self._checkpoint is not None and self._checkpoint.due():
            self._checkpoint.save(self.state)

    def stacked(
        self, described: Mapping[str, tuple[Sequence[str], str]], axis: int = 0
    ) -> dict[str, tuple[Sequence[str], NDArray[Any], str]]:
        """The variables of the trace, as :func:`empirics.trace.dataset` takes them.

        Args:
            described: ``{variable: (dimensions, meaning)}``; those without ``seed`` are the same in all parts.
            axis: along which the parts lie.
        """
        values = {
            name: np.stack([part[name].cpu().numpy() for part in self.done], axis)
            if "seed" in dims
            else self.done[0][name].cpu().numpy()
            for name, (dims, _) in described.items()
        }
        return {name: (dims, values[name], meaning) for name, (dims, meaning) in described.items()}
