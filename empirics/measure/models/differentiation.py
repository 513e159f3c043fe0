"""torch's forward mode without its warnings about its own internals, and attention that can be differentiated twice.

torch's fused attention kernels support neither second derivatives nor forward mode, and they hide their internal
operations (a ReLU, the memory of the attention matrix) from inspection. In evaluation mode, torch turns a whole
Transformer layer into one such kernel.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.func import jvp, vmap
from torch.nn.attention import SDPBackend, sdpa_kernel

__all__ = ["jvp", "unhurried", "vmap"]

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # torch.jit.script, inside torch, at the first use
    jvp(torch.sin, (torch.zeros(()),), (torch.ones(()),))


@contextmanager
def unhurried() -> Iterator[None]:
    """Suppress torch's warning, within this context, that ``vmap`` loops over an operation that it cannot batch."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There is a performance drop", UserWarning)
        yield


@contextmanager
def by_definition() -> Iterator[None]:
    """Make ``scaled_dot_product_attention`` and Transformer layers run unfused, within this context."""
    was_enabled = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with sdpa_kernel(SDPBackend.MATH):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(was_enabled)


def leads_to(leaf: Tensor, node: Any) -> bool:
    """Return whether torch's graph has a way from a node back to ``leaf``; a backward pass takes longer."""
    nodes, met = [node], {None, node}
    for node in nodes:
        before = {other for other, _ in getattr(node, "next_functions", ())} - met
        met |= before
        nodes += before
    return any(getattr(node, "variable", None) is leaf for node in nodes)
