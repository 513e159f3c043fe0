"""A context that computes attention operation by operation, so that higher derivatives can be taken through it.

torch's fused attention kernels support neither second derivatives nor forward mode, and they hide their internal
operations (a ReLU, the memory of the attention matrix) from inspection. In evaluation mode, torch turns a whole
Transformer layer into one such kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel


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
