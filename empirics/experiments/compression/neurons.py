"""Figures 1, 3, 4 and 6: where do single neurons go, and which function do they make on their way?"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.compression.config import Config
from empirics.experiments.compression.scales import stripe
from empirics.experiments.study import Scale, Study

POINTS: dict[Scale, int] = {"smoke": 1000, "laptop": 2000, "paper": 10_000}
NEURONS: dict[Scale, int] = {"smoke": 100, "laptop": 200, "paper": 10_000}
KEPT = 1000
SHARES: dict[Scale, tuple[float, ...]] = {
    "smoke": (0.1, 0.5),
    "laptop": (0.1, 0.5, 0.8),
    "paper": (0.1, 0.5, 0.9, 0.99),
}


def configs(scale: Scale) -> Mapping[str, Config]:
    """The stripe in two dimensions, one network followed closely; the cylinder in three."""
    width = NEURONS[scale]
    common = {
        "points": POINTS[scale], "width": width, "kept": min(width, KEPT), "tracked": min(width, 60), "seeds": 1,
        "shares": SHARES[scale], "test_points": 2000, "places": 301,
    }  # fmt: skip
    return {
        "stripe d=2": stripe(scale, **common | {"dimension": 2}),
        "cylinder d=3": stripe(scale, **common | {"dimension": 3, "labels": "shells"}),
    }


STUDY = Study(
    name="compression-neurons",
    question="Do the neurons converge to the fixed points that the theory derives?",
    figure="Figures 1, 3, 4 and 6",
    table=configs,
)
