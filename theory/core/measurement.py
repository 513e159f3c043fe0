"""Measurements that decide printed statements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from closedform.untrusted_json import decoded

if TYPE_CHECKING:
    from theory.core.findings import Finding


@dataclass(frozen=True)
class Measurement:
    """A predicted and a measured number from one study; both have the unit of the quantity.

    Args:
        study: name of the study on the command line.
        scale: scale at which the study was run: "smoke", "laptop" or "paper".
        predicted: the number that the statement implies, or the bound that it sets.
        measured: mean over repetitions.
        error: standard error of the difference, positive.
        resolution: smallest relevant deviation, positive.
        limit: number of standard errors beyond which a deviation counts; 2 by default.
        relation: "=" if the statement implies the number, ">" or "<" if it says that the quantity is beyond it.
        quantity: what was measured, in words, with its unit.
        changed: options of the study that differ from those of the scale.
        configurations: hashes of the configurations of the study's runs, in order.
        versions: versions of the packages with which the study was run.

    Raises:
        ValueError: if error, resolution or limit is not positive, or the relation is another one.
    """

    study: str
    scale: str
    predicted: float
    measured: float
    error: float
    resolution: float
    limit: float = 2.0
    relation: str = "="
    quantity: str = ""
    changed: Mapping[str, Any] = field(default_factory=dict)
    configurations: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("error", "resolution", "limit"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}: got {getattr(self, name)}, needs a positive number")
        if self.relation not in ("=", "<", ">"):
            raise ValueError(f"relation: got {self.relation!r}, needs '=', '<' or '>'")

    @property
    def finding(self) -> Finding:
        """Return CONTRADICTED beyond the limit, SUPPORTED if no relevant deviation is possible, else UNRESOLVED.

        These are the verdicts "disagrees", "agrees" and "too blunt to say" of comparisons.

        A bound is SUPPORTED if the measured number is on its right side by more than the limit, CONTRADICTED if it is
        on the wrong side by as much, and else UNRESOLVED.
        """
        from theory.core.findings import Finding

        if self.relation != "=":
            beyond = (self.measured - self.predicted) * (1 if self.relation == ">" else -1)
            if abs(beyond) <= self.limit * self.error:
                return Finding.UNRESOLVED
            return Finding.SUPPORTED if beyond > 0 else Finding.CONTRADICTED
        deviation, allowed = abs(self.measured - self.predicted), self.limit * self.error
        if deviation > allowed:
            return Finding.CONTRADICTED
        return Finding.SUPPORTED if deviation + allowed <= self.resolution else Finding.UNRESOLVED


def measurements(package: str, name: str = "measurements.json") -> Mapping[str, Measurement]:
    """Return the measurements saved beside a ledger, by label of the entry; none if the file does not exist.

    Args:
        package: package of the ledger, such as "theory.papers.paccolat2021".
        name: name of the file, whose content is ``{label: {field of Measurement: value}}``.
    """
    path = files(package) / name
    if not path.is_file():
        return {}
    saved = decoded(f"{package}, {name}", path.read_text(encoding="utf-8"))
    return {
        label: Measurement(**{**fields, "configurations": tuple(fields.get("configurations", ()))})
        for label, fields in saved.items()
    }
