"""An epoch as one CUDA graph: the GPU gets its hundreds of small operations at once, not one after the other."""

from collections.abc import Callable
from copy import deepcopy

import torch

from empirics.networks.architecture import Activations, Outputs
from empirics.training.backpropagation import Backpropagation

WARM_UP = 3  # epochs before the capture, in which libraries allocate what they keep


def as_cuda_graph(trainer: Backpropagation) -> Callable[[], tuple[list[Activations], Outputs]]:
    """Return a function that observes, then updates, and returns what it saw, which its next call overwrites."""
    before, apart = deepcopy(trainer.state()), torch.cuda.Stream()  # type: ignore[no-untyped-call]
    apart.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(apart):
        for _ in range(WARM_UP):
            trainer.observe()
            trainer.update()
    torch.cuda.current_stream().wait_stream(apart)
    trainer.load_state(before)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        seen = trainer.observe()
        trainer.update()

    def epoch() -> tuple[list[Activations], Outputs]:
        graph.replay()
        return seen

    return epoch
