"""Exact states of what changes in a training, so that a training that is interrupted goes on to the last bit.

A training that takes an ``unfinished`` asks it first for the state of an earlier attempt, and offers it the present
state after every epoch; how often that is stored is not the training's business.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

State = dict[str, Any]


class GlobalRandomness:
    """The global random state of torch, from which dropout draws, on the CPU and on one device."""

    def __init__(self, device: torch.device) -> None:
        self._device = device if device.type == "cuda" else None

    def state_dict(self) -> State:
        """Return the present state."""
        here = {"cpu": torch.get_rng_state()}
        return (
            here
            if self._device is None
            else {**here, "device": torch.cuda.get_rng_state(self._device)}
        )

    def load_state_dict(self, state: State) -> None:
        """Set the state to an earlier one."""
        torch.set_rng_state(state["cpu"].cpu())
        if self._device is not None:
            torch.cuda.set_rng_state(state["device"].cpu(), self._device)


Stateful = (
    nn.Module
    | torch.optim.Optimizer
    | torch.optim.lr_scheduler.LRScheduler
    | torch.Generator
    | GlobalRandomness
)


class Unfinished(Protocol):
    """Where the state of an unfinished training is stored, such as :class:`empirics.runs.parts.Parts`."""

    @property
    def begun(self) -> State | None:
        """The state of an earlier attempt; None if there is none."""
        ...

    def keep(self, state: Callable[[], State]) -> None:
        """Store the state that ``state`` returns if it is time to."""
        ...


@dataclass(frozen=True)
class WithValues:
    """An unfinished training whose recorded arrays are stored with it, and filled in when its state is asked for."""

    unfinished: Unfinished
    values: Mapping[str, NDArray[Any]]

    @property
    def begun(self) -> State | None:
        """The state of an earlier attempt; None if there is none."""
        state = self.unfinished.begun
        if state is not None:
            for name, values in self.values.items():
                values[...] = state["values"][name].numpy()
        return state

    def keep(self, state: Callable[[], State]) -> None:
        """Store the state that ``state`` returns and the arrays if it is time to."""
        self.unfinished.keep(lambda: {**state(), "values": tensors(self.values)})


def state_of(changing: Mapping[str, Stateful]) -> State:
    """Return the states of networks, optimisers and random streams, by their names."""
    return {
        name: thing.get_state() if isinstance(thing, torch.Generator) else thing.state_dict()
        for name, thing in changing.items()
    }


def restore(changing: Mapping[str, Stateful], state: Mapping[str, Any]) -> None:
    """Give networks, optimisers and random streams the states that :func:`state_of` returned."""
    for name, thing in changing.items():
        if isinstance(thing, torch.Generator):
            thing.set_state(state[name].cpu())
        else:
            thing.load_state_dict(state[name])


def tensors(values: Mapping[str, NDArray[Any]]) -> State:
    """Return arrays as tensors of the same numbers, which can be stored."""
    return {name: torch.from_numpy(np.array(value)) for name, value in values.items()}
