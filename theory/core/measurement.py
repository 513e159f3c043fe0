"""A measurement that decides a printed statement."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theory.core.findings import Finding


@dataclass(frozen=True)
class Measurement:
    """Predicted against measured, as one study found it.

    Args:
        study: its name on the command line.
        scale: at which it was run: "smoke", "laptop", "paper".
        predicted: the number that the statement implies.
        measured: mean over repetitions.
        error: standard error of the difference, positive.
        resolution: smallest deviation that matters, positive.
        limit: standard errors beyond which a deviation counts; 2 by default.
        configurations: hashes of the configurations of its runs.
        versions: of the packages that it was run with.

    Raises:
        ValueError: if error, resolution or limit is not positive.
    """

    study: str
    scale: str
    predicted: float
    measured: float
    error: float
    resolution: float
    limit: float = 2.0
    configurations: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("error", "resolution", "limit"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}: got {getattr(self, name)}, needs a positive number")

    @property
    def finding(self) -> Finding:
        """CONTRADICTED beyond the limit; else SUPPORTED, or UNRESOLVED if a deviation that matters could hide."""
        from theory.core.findings import Finding

        if abs(self.measured - self.predicted) > self.limit * self.error:
            return Finding.CONTRADICTED
        return Finding.UNRESOLVED if self.limit * self.error > self.resolution else Finding.SUPPORTED


def measurements(package: str, name: str = "measurements.json") -> Mapping[str, Measurement]:
    """The measurements kept beside a ledger, by the labels of its entries; none where there is no such file.

    Args:
        package: of the ledger, "theory.papers.paccolat2021".
        name: of the file, ``{label: {field of Measurement: value}}``.
    """
    path = files(package) / name
    if not path.is_file():
        return {}
    kept = json.loads(path.read_text(encoding="utf-8"))
    return {
        label: Measurement(**{**fields, "configurations": tuple(fields.get("configurations", ()))})
        for label, fields in kept.items()
    }
