"""An epoch as one CUDA graph: the GPU gets its hundreds of small operations at once, not one after the other."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING

import torch

from empirics.networks.architecture import Activations, Outputs

if TYPE_CHECKING:
    from empirics.training.loop import Trainer

WARM_UP = 3  # epochs before the capture, in which libraries allocate what they keep


def one_epoch(trainer: Trainer) -> tuple[list[Activations], Outputs]:
    """Observe, then update, and return what was seen."""
    seen = trainer.observe()
    trainer.update()
    return seen


def as_cuda_graph(trainer: Trainer) -> Callable[[], tuple[list[Activations], Outputs]]:
    """Return :func:`one_epoch` as a graph; what it returns is overwritten by the next call."""
    before, apart = deepcopy(trainer.state()), torch.cuda.Stream()  # type: ignore[no-untyped-call]
    apart.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(apart):
        for _ in range(WARM_UP):
            one_epoch(trainer)
    torch.cuda.current_stream().wait_stream(apart)
    trainer.load_state(before)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        seen = one_epoch(trainer)

    def step() -> tuple[list[Activations], Outputs]:
        graph.replay()
        return seen

    return step
