"""Attention by its definition, while derivatives are taken through it.

torch's fused kernels have no second derivative and no forward mode, and hide from sight what they do inside (a ReLU,
the memory of the attention matrix); in evaluation mode, a whole Transformer layer becomes one such kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel


@contextmanager
def by_definition() -> Iterator[None]:
    """Within it, ``scaled_dot_product_attention`` and Transformer layers run operation by operation."""
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with sdpa_kernel(SDPBackend.MATH):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(before)
