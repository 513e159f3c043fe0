"""Random streams, one for each seed and purpose, so that a seed gives the same network in every batch.

Streams are derived with :class:`numpy.random.SeedSequence`, which spreads small seeds (0, 1, 2, ...) over all 64 bits.
Different purposes ("weights", "dropout", "subset", "labels", "batches", "teacher", "augmentation") never share a
stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import torch

from closedform import checks

Purpose = Literal["weights", "dropout", "subset", "labels", "batches", "teacher", "augmentation"]
STREAMS: dict[Purpose, int] = {
    "weights": 0, "dropout": 1, "subset": 2, "labels": 3, "batches": 4, "teacher": 5, "augmentation": 6,
}  # fmt: skip
_SIGN_BIT = 63  # torch takes a signed 64-bit seed


def generator(seed: int, purpose: Purpose, device: torch.device | str = "cpu") -> torch.Generator:
    """Return the random generator of a seed for one purpose (of :data:`STREAMS`), at the start of its stream."""
    entropy = [checks.seed("seed", seed), STREAMS[checks.one_of("purpose", purpose, STREAMS)]]
    state = np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0]
    return torch.Generator(device=device).manual_seed(int(state) & ((1 << _SIGN_BIT) - 1))


def generators(
    seeds: Sequence[int], purpose: Purpose, device: torch.device | str = "cpu"
) -> list[torch.Generator]:
    """Return one :func:`generator` for each of ``seeds``."""
    return [generator(seed, purpose, device) for seed in seeds]
