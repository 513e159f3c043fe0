"""Planned maps: what a recorded map asks, fixed by a hash before its networks are trained, which have fresh seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bridge.results.plan import hashed
from bridge.results.record import FRESH
from bridge.validity.points import REACH
from bridge.validity.prediction import Prediction, announced
from bridge.validity.region import LEVEL, SHARP


@dataclass(frozen=True)
class PlannedMap:
    """The plan of a map."""

    name: str  # such as "two-point-points"
    claim: Prediction
    over: Mapping[str, tuple[Any, ...]]  # the parameters, see :func:`bridge.validity`
    networks: int  # the most
    resolution: float | None = None  # by default that of the claim
    first_seed: int = FRESH  # fresh

    @property
    def base(self) -> Any:
        """Configuration of everything else, with fresh seeds if it has any."""
        base = self.claim.base
        return base.changed(first_seed=self.first_seed) if hasattr(base, "first_seed") else base

    @property
    def digest(self) -> str:
        """Hash of the plan: of all that decides about the map but the program that chooses the points."""
        return hashed({
            "claim": [self.claim.name, self.claim.sentence, self.claim.relation, self.claim.is_relative],
            "over": {name: list(values) for name, values in self.over.items()}, "base": self.base.to_json(),
            "networks": [self.networks, self.claim.most], "resolution": self.resolution or self.claim.resolution,
            "rule": [LEVEL, SHARP, REACH],
        })  # fmt: skip


def planned_maps() -> dict[str, PlannedMap]:
    """Return the planned maps of all subjects by name."""
    return {one.name: one for one in announced(PlannedMap)}
