"""Measurements that decide printed statements: one measured number, and the study from which it comes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from closedform import checks
from closedform.measured import Measured, shown
from closedform.untrusted_files import json_in, reading
from closedform.verdicts import BLUNT, DISAGREES

if TYPE_CHECKING:
    from theory.core.ledger.rulings import Ruling

FILE = "measurements.json"


@dataclass(frozen=True)
class Measurement:
    """A measured number with a prediction, which decides an entry of the ledger, and the study from which it comes.

    ``changed`` has the options that differ from those of ``scale`` (smoke, laptop, paper), ``configurations`` and
    ``plan`` are hashes, and ``kind`` is "confirmatory" if the plan was noted before a run on fresh seeds, else
    "exploratory". ValueError is raised for a number without a prediction or an error.
    """

    study: str
    scale: str
    measured: Measured
    meaning: str = ""
    changed: Mapping[str, Any] = field(default_factory=dict)
    configurations: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    plan: str = ""
    kind: str = ""

    def __post_init__(self) -> None:
        checks.instance("measured", self.measured, Measured, "a Measured")
        for name in ("study", "scale", "meaning", "plan", "kind"):
            checks.text(name, getattr(self, name), or_empty=True)
        for name in ("changed", "versions"):
            checks.instance(name, getattr(self, name), Mapping, "a mapping")  # type: ignore[type-abstract]
        checks.texts("configurations", self.configurations)
        if not self.measured.is_compared:
            raise ValueError(
                f"measured: got {self.measured} without a prediction or an error, needs both"
            )

    @property
    def ruling(self) -> "Ruling":
        """CONTRADICTED or UNRESOLVED if the number disagrees or is too blunt to say; SUPPORTED otherwise."""
        from theory.core.ledger.rulings import Ruling

        rulings = {DISAGREES: Ruling.CONTRADICTED, BLUNT: Ruling.UNRESOLVED}
        return rulings.get(self.measured.verdict, Ruling.SUPPORTED)

    def as_json(self) -> dict[str, Any]:
        """Return the fields for a file."""
        return asdict(self) | {"measured": self.measured.as_json()}

    def __str__(self) -> str:
        number = self.measured
        relation = {"=": "", ">": "more than ", "<": "less than "}[number.relation]
        # a side does not depend on it
        relevant = "" if relation else f", resolution {number.smallest_relevant:.4g}"
        among = f", the decisive one of {number.among}" if number.among > 1 else ""
        options = (f"{name} {value}" for name, value in self.changed.items())
        return (
            f"{self.meaning or number.quantity}, {number.label}{among}: predicted {relation}{shown(number.predicted)}, "
            f"measured {shown(number.value)} ± {shown(number.total_error)} (limit {number.limit:.4g} errors{relevant}; "
            f"{', '.join((self.study, self.scale, *options))})"
        )


def measurements(package: str, name: str = FILE) -> Mapping[str, Measurement]:
    """Return the measurements saved next to a ledger, by label of the entry; none if the file does not exist.

    Args:
        package: package of the ledger, such as "papers.paccolat2021.ledger".
        name: name of the file, whose content is ``{label: {field of Measurement: value}}``.

    >>> sorted(measurements("papers.vanrossem2024.ledger"))[:1]
    ['3.1 and Figure 2']
    """
    path = Path(str(files(package) / name))
    if not path.is_file():
        return {}
    with reading(path, "measurements that `closedform record --evidence` wrote"):
        return {label: _measurement(fields) for label, fields in json_in(path).items()}


def _measurement(fields: Mapping[str, Any]) -> Measurement:
    own = {
        "measured": Measured.from_json(fields["measured"]),
        "configurations": tuple(fields.get("configurations", ())),
    }
    return Measurement(**{**fields, **own})
