"""The sizes at which the studies of compression run; the paper's are its sections 3.2, 4 and appendix B.

At laptop size networks have 200 neurons in place of 10,000: before t* neurons do not see each other, so that the
number of neurons only sets how well one network averages over its own initial weights.
"""

from __future__ import annotations

from empirics.experiments.compression.config import Config
from empirics.experiments.study import Scale

SIZES: dict[Scale, tuple[int, ...]] = {
    "smoke": (250, 500, 1000, 2000),
    "laptop": (500, 1000, 2000, 4000, 8000),
    "paper": (100, 215, 464, 1000, 2154, 4641, 10000),
}
SEEDS: dict[Scale, int] = {"smoke": 8, "laptop": 40, "paper": 20}
WIDTH: dict[Scale, int] = {"smoke": 50, "laptop": 200, "paper": 10_000}
PAPER_SHARES = (0.1, 0.5, 0.9, 0.99, 1.0)


def stripe(scale: Scale, **changes: object) -> Config:
    """The single stripe at ``scale``, with ``changes``."""
    fields: dict[str, object] = {"width": WIDTH[scale], "seeds": SEEDS[scale]}
    if scale == "paper":
        fields |= {"device": "cuda", "shares": PAPER_SHARES, "test_points": 10_000, "rounds": 100_000}
    return Config(**(fields | changes))  # type: ignore[arg-type]
