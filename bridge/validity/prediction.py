"""Predictions that can be tested by name: what each says, the experiment that measures it, and its resolution.

A subject keeps its predictions as constants in one module and announces that module, by its name, in ``CLAIMS``. The
function that compares a trace is one that the studies of the subject use. A user's own claim is a function
``(config, seed) -> (predicted, measured)``.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from bridge.results.quantity import CLAIMS
from bridge.statistics.arrays import Array
from closedform import checks
from closedform.checks.plain import shown
from closedform.measured import Measured, Relation
from closedform.suggestions import unknown
from closedform.verdicts import RESOLUTION

T = TypeVar("T")
Pair: TypeAlias = tuple[ArrayLike, ArrayLike]
"""Predicted and measured numbers ``[seed]`` of the same networks; one predicted number may stand for all of them."""


@dataclass(frozen=True)
class Prediction:
    """A prediction of the theory that an experiment measures, seed by seed.

    ``compare`` is a function of a trace that returns a :data:`Pair`, with NaN for a network that measures nothing, or
    without an experiment ``(config, seed) -> (predicted, measured)``. A bound is compared at the bound itself, and
    ``resolution`` is only the unit of its figures. ``axes`` are parameters of maps that are no fields of the
    configuration, or change several: name -> function ``(config, value) -> config``.
    """

    name: str  # ``"subject.name"``; of a user's own claim, the name of the function
    sentence: str  # what is claimed
    compare: Callable[..., Any]
    base: Any = None  # configuration at which it is tested if nothing else is said; None for a user's own claim
    # smallest relevant deviation, in the unit that ``is_relative`` says
    resolution: float = RESOLUTION
    # resolution is a share of the prediction, not in the unit of the quantity
    is_relative: bool = True
    # "=": the number itself is predicted; ">" or "<": that it lies above or below
    relation: Relation = "="
    quantity: str = ""  # identifier of what the studies compare
    # the closed forms, or families of them, that are tested; kept as their names
    forms: tuple[str, ...] = ()
    # paper and label of entries of the ledger: ``"jacot2024 2.1 varies less"``
    entries: tuple[str, ...] = ()
    most: int = 64  # networks that are asked about one configuration
    axes: Mapping[str, Callable[[Any, Any], Any]] = field(default_factory=dict)
    # limits within which every measured number lies, such as (0, 1) of a share; None if there are none
    bounds: tuple[float, float] | None = None
    # whether other seeds give other numbers; a law without scatter is decided by one of them
    varies: bool = True

    def __post_init__(self) -> None:
        forms = checks.sequence(
            "forms", self.forms, "closed forms, families of them, or their names"
        )
        object.__setattr__(self, "forms", tuple(getattr(form, "name", form) for form in forms))
        if self.bounds is not None:
            low, high = map(float, self.bounds)
            is_range = math.isfinite(high - low) and low < high
            checks.require(
                is_range, "bounds", self.bounds, "two finite limits, the lower one first"
            )

    def within(self, resolution: float | None = None) -> str:
        """Return a resolution in words, such as " within 10 %", by default that of the claim; empty for a bound."""
        share = self.resolution if resolution is None else resolution
        if self.relation != "=":
            return ""
        return f" within {100 * share:g} %" if self.is_relative else f" within {share:.2g}"

    def members(self, config: Any) -> tuple[str, ...]:
        """Return the names of the closed forms that are tested at a configuration.

        Args:
            config: a configuration, whose fields choose the member of a family. A family with a parameter that is no
                field, or for which the catalogue has no member of that name, is left out.

        Raises:
            ValueError: if a name in ``forms`` is that of no closed form and no family.
        """
        import theory
        from theory.core.facade.family import Family

        catalogue, names = theory.catalogue(), []
        for name in self.forms:
            if name not in catalogue:
                raise ValueError(f"forms: {unknown('closed form', name, catalogue)}")
            form = catalogue[name]
            if not isinstance(form, Family):
                names.append(name)
                continue
            required = [parameter for parameter in form.parameters if parameter.default is None]
            if all(hasattr(config, parameter.name) for parameter in required):
                labels = [
                    parameter.label(getattr(config, parameter.name)) for parameter in required
                ]
                if form.has_member("_".join(labels)):
                    names.append(f"{name}.{'_'.join(labels)}")
        return tuple(names)

    @property
    def experiment(self) -> str:
        """Name of the experiment, or of what is drawn for a claim without one; empty for a user's own claim."""
        return str(self.base.experiment) if self.base is not None else ""

    @property
    def is_of_experiment(self) -> bool:
        """Whether an experiment measures it, and not the function of the claim itself."""
        from empirics.experiments import EXPERIMENTS

        return self.experiment in EXPERIMENTS

    def pair(self, config: Any, seeds: range) -> tuple[Array, Array]:
        """Run the networks with these seeds; return predicted and measured numbers ``[seed]``, NaN where none is."""
        if not self.is_of_experiment:
            values = np.array(
                [_two_numbers(self.compare(config, seed)) for seed in seeds], dtype=np.float64
            )
            return values[:, 0], values[:, 1]
        from empirics import experiments

        trace = experiments.run(with_seeds(config, seeds), progress=False, on_divergence="mark")
        predicted, measured = (
            np.asarray(numbers, dtype=np.float64) for numbers in self.compare(trace)
        )
        first, second = np.broadcast_arrays(predicted, measured)
        return np.broadcast_to(first, len(seeds)).copy(), np.broadcast_to(
            second, len(seeds)
        ).copy()

    def at(self, config: Any, **values: Any) -> Any:
        """Return a configuration with other values of parameters.

        Args:
            config: the configuration that has everything else.
            values: by name of a field, or of one of ``axes``. A field that an axis changes, too, such as the learning
                rate that goes with a gain, has the value that is given for it.

        Raises:
            TypeError, ValueError: for what the configuration does not allow.
        """
        fields = {name: value for name, value in values.items() if name not in self.axes}
        changed = config if not fields else _changed(config, fields)
        for name in sorted(values.keys() - fields.keys()):
            changed = self.axes[name](changed, values[name])
        lost = {
            name: value for name, value in fields.items() if getattr(changed, name, value) != value
        }
        return _changed(changed, lost) if lost and changed is not config else changed

    def deviations(
        self, predicted: Array, measured: Array, resolution: float | None = None
    ) -> Array:
        """Return the deviations ``[seed]`` in units of the smallest relevant one; NaN where nothing is measured.

        A relative resolution is a share of the prediction of each network, so that predictions that differ between
        networks are no noise; a network whose prediction is 0 has no such deviation. A bound has one unit for all.
        """
        share = self.resolution if resolution is None else resolution
        deviation = np.where(np.isfinite(predicted - measured), measured - predicted, np.nan)
        if not self.is_relative:
            return np.asarray(deviation / share)
        size = np.abs(predicted)
        if self.relation == "=":
            return np.asarray(deviation / np.where(size > 0, share * size, np.nan))
        known = np.isfinite(deviation)
        unit = share * float(size[known].mean()) if known.any() else 0.0
        return np.asarray(deviation / (unit or share))

    def measured(
        self, label: str, predicted: Array, measured: Array, resolution: float | None = None
    ) -> Measured:
        """Return the comparison over seeds as a measured number, with the mean of the deviations and their error.

        Raises:
            ValueError: if no network measures it.
        """
        share = self.resolution if resolution is None else resolution
        deviations = self.deviations(predicted, measured, resolution)
        known = np.isfinite(deviations)
        if not known.any():
            raise ValueError(f"{self.name}: no network of {label} measures it")
        name, size = self.quantity or self.name, float(np.abs(predicted[known]).mean())
        if self.relation == "=" and self.is_relative:
            centre, unit = float(predicted[known].mean()), share * size
            values = centre + unit * deviations[known]
            compared = Measured.mean(name, label, values, centre, self.relation, unit)
        else:
            unit = share * size if self.is_relative and size > 0 else share
            compared = paired(name, label, (predicted, measured), self.relation, unit)
        assert compared is not None
        return compared


def paired(
    quantity: str,
    label: str,
    pair: Pair,
    relation: Relation = "=",
    resolution: float | None = None,
) -> Measured | None:
    """Return the mean over networks, each compared with its own prediction; None if none is finite."""
    predicted, measured = np.broadcast_arrays(
        *(np.asarray(numbers, dtype=np.float64) for numbers in pair)
    )
    finite = np.isfinite(predicted) & np.isfinite(measured)
    if not finite.any():
        return None
    centre = float(predicted[finite].mean())
    values = centre + measured[finite] - predicted[finite]
    return Measured.mean(quantity, label, values, centre, relation, resolution)


def with_seeds(config: Any, seeds: range) -> Any:
    """Return a configuration with just these seeds; one without seeds, as it is."""
    count = next(
        (name for name in ("realisations", "seeds") if name in config.__dataclass_fields__), None
    )
    if count is None:
        return config
    return config.changed(**{count: len(seeds), "first_seed": seeds.start})


def _changed(config: Any, fields: Mapping[str, Any]) -> Any:
    change = getattr(config, "changed", None)
    return replace(config, **fields) if change is None else change(**fields)


class Claims(dict[str, Prediction]):
    """Predictions by name, which print as a table of name, experiment, resolution and sentence."""

    def __repr__(self) -> str:
        rows = [
            (name, claim.experiment, claim.within().strip() or claim.relation, claim.sentence)
            for name, claim in self.items()
        ]
        widths = [
            max(map(len, column), default=0) for column in list(zip(*rows, strict=True))[:-1]
        ]
        return "\n".join("  ".join([*map(str.ljust, row, widths), row[-1]]) for row in rows)


def claims() -> Claims:
    """Return what can be tested by name: ``{name: prediction}``, with sentence, experiment and resolution.

    >>> claims()["two_point.final_distance"].resolution
    0.1
    """
    return Claims({claim.name: claim for claim in announced(Prediction)})


def announced(kind: type[T]) -> Iterator[T]:
    """Yield the constants of a type in the modules that the subjects announce in ``CLAIMS``."""
    for _, module in CLAIMS.each(CLAIMS.__getitem__):
        yield from (value for value in vars(module).values() if isinstance(value, kind))


def as_prediction(claim: Any) -> Prediction:
    """Return a claim given by name, as a :class:`Prediction`, or as a function ``(config, seed)``."""
    if isinstance(claim, Prediction):
        claim.members(claim.base)  # an unknown name is an error now, and not when a map is written
        return claim
    if isinstance(claim, str):
        known = claims()
        if claim not in known:
            raise ValueError(unknown("claim", claim, known))
        return known[claim]
    checks.function("claim", claim, "a name in bridge.claims() or a function (config, seed)")
    name = getattr(claim, "__name__", type(claim).__name__)
    return Prediction(name, (inspect.getdoc(claim) or name).partition("\n")[0], claim)


def _two_numbers(answer: Any) -> tuple[float, float]:
    """Return what a user's claim gave if it is two numbers; raise TypeError otherwise."""
    try:
        predicted, measured = answer
        return float(predicted), float(measured)
    except (TypeError, ValueError):
        raise TypeError(
            f"claim: got {shown(answer)}, needs a function that returns two numbers"
        ) from None
