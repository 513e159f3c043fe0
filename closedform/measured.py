"""One measured number: what was measured, what is predicted for it, and the verdict on both.

Tables, reports, records, figures, the ledger and dossiers all carry this type, and a file holds its fields. The verdict
is computed from these fields alone, by :mod:`closedform.verdicts`, so that it is the same wherever the number is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from closedform import checks, verdicts
from closedform.checks.arrays import any_array, epsilon, exact_array
from closedform.repetitions import mean_and_error, skew
from closedform.rounding import are_equal, moderate
from closedform.verdicts import AGREES, BLUNT, THRESHOLD

Relation = Literal["=", ">", "<"]
# of an error, and at least of a number that has one, so that other last bits change no file
DIGITS = 6
# digits that are kept below the first one of the error, so that rounding decides no verdict
BELOW_ERROR = 3
LARGEST_COUNT = 2.0**53  # float64 holds all integers up to it, which are kept as they are
SAME = 1e-12  # relative to the largest magnitude: the rounding error of sums of thousands of float64 numbers


@dataclass(frozen=True)
class Measured:
    """A measured number with its error, and what is predicted for it; all in the unit of the quantity.

    A number with an error is kept with six significant digits, or with more where the error is small, so that the
    verdict rests on just the digits that a file or a table can show. Counts, and numbers without a known error, keep
    all digits: they agree with a prediction that is equal, up to rounding unless both are whole.

    Attributes:
        quantity: identifier of the quantity, a constant of the subject such as ``"two_point.merged_pairs"``.
        label: configuration, and what else identifies the number among those of its quantity.
        value: the measured number.
        error: standard error of ``value``; None if it is not known.
        n: number of repetitions as which the error counts, at least 2: they, or fewer where some carry more of it than
            others; None for a known error.
        predicted: the predicted number, or the bound; None if nothing is predicted.
        relation: "=" if the number itself is predicted, ">" or "<" if only that it lies above or below ``predicted``.
        resolution: smallest relevant deviation, positive; None takes a tenth of the predicted number.
        prediction_error: standard error of ``predicted``.
        among: number of measured numbers among which this one was chosen for its deviation; raises the limit.
        doubt: why the error is not to be trusted as it is, in words; empty if nothing speaks against it. A prediction
            for a number without an error, but with a doubt, is too blunt to judge.
        repetitions: number of repetitions, where the error counts as that of another number ``n``; None where it is n.

    Raises:
        TypeError: if a number is not real, such as a boolean, a complex number or text.
        ValueError: if a number is not finite, an integer is not exact in float64, an error is negative, the resolution
            is not positive or missing for a prediction of zero, ``n`` is below 2, ``among`` below 1, or the relation is
            another one.
    """

    quantity: str
    label: str
    value: float
    error: float | None = None
    n: float | None = None
    predicted: float | None = None
    relation: Relation = "="
    resolution: float | None = None
    prediction_error: float = 0.0
    among: int = 1
    doubt: str = ""
    repetitions: int | None = None

    def __post_init__(self) -> None:
        checks.text("quantity", self.quantity, or_empty=True)
        checks.text("label", self.label, or_empty=True)
        for name in ("value", "error", "predicted", "resolution", "prediction_error"):
            number, described = getattr(self, name), f"{name} of {self.quantity}, {self.label}"
            if number is not None or name in ("value", "prediction_error"):
                real = checks.real_number(
                    described, number, least=0 if "error" in name else -math.inf
                )
                checks.exact_number(described, number, real)
                object.__setattr__(self, name, real)
        checks.one_of("relation", self.relation, get_args(Relation))
        if self.n is not None:
            checks.real_number("n", self.n, "at least 2 repetitions", least=2)
        if self.repetitions is not None:
            checks.integer("repetitions", self.repetitions, 2)
        checks.integer("among", self.among, 1)
        checks.text("doubt", self.doubt, or_empty=True)
        if self.resolution is not None and self.resolution <= 0:
            raise ValueError(f"resolution: got {self.resolution}, needs a positive number")
        if self.predicted == 0 and self.relation == "=" and self.resolution is None:
            raise ValueError(
                "resolution: got none, needs the smallest relevant deviation from a prediction of 0"
            )
        error = math.hypot(self.error or 0.0, self.prediction_error)
        if error > 0:
            for name in ("value", "predicted", "resolution"):
                object.__setattr__(self, name, _kept(getattr(self, name), error))
            for name in ("error", "prediction_error"):
                number = getattr(self, name)
                object.__setattr__(self, name, _kept(number, number))

    @classmethod
    def mean(
        cls,
        quantity: str,
        label: str,
        repetitions: ArrayLike,
        predicted: float | None = None,
        relation: Relation = "=",
        resolution: float | None = None,
    ) -> Measured | None:
        """Return the mean over ``repetitions``, those that are finite, with its standard error; None if there is none.

        The error is None for one repetition, and 0 for repetitions that are equal up to rounding, which determine none.
        The doubt says where the repetitions are so skewed that the limits of the verdict are not what they say
        (:func:`closedform.repetitions.skew`); fewer than eight repetitions cannot show that.

        Raises:
            TypeError: if the repetitions are not real numbers.
            ValueError: if float64 does not hold one of the repetitions.
        """
        counts = any_array("repetitions", repetitions)
        values = exact_array("repetitions", counts).ravel()
        values = values[np.isfinite(values)]
        if not values.size:
            return None
        value, error = mean_and_error(values)
        if are_equal(moderate(values), epsilon=epsilon(counts)):
            error = 0.0
        n = values.size if values.size > 1 else None
        return cls(
            quantity,
            label,
            value,
            None if n is None else error,
            n,
            predicted,
            relation,
            resolution,
            doubt=skew(values),
        )

    @property
    def is_compared(self) -> bool:
        """Whether there is a prediction and an error, so that a verdict is possible."""
        return self.predicted is not None and self.total_error > 0

    @property
    def total_error(self) -> float:
        """Standard error of the deviation, which includes that of the prediction; 0 if there is none."""
        return math.hypot(self.error or 0.0, self.prediction_error)

    @property
    def deviation(self) -> float:
        """Measured minus predicted number; NaN without a prediction."""
        return math.nan if self.predicted is None else self.value - self.predicted

    @cached_property
    def allowed(self) -> float:
        """The deviation that chance allows, limit times error."""
        return self.allowed_among(self.among)

    def allowed_among(self, among: int) -> float:
        """Return what chance allows a number that was chosen among so many for its deviation, as ``allowed``."""
        tail = verdicts.tail(THRESHOLD, among)
        return math.hypot(
            verdicts.quantile(tail, self._n) * (self.error or 0.0),
            verdicts.quantile(tail, math.inf) * self.prediction_error,
        )

    @property
    def _holds_exactly(self) -> bool:
        """Whether a number without an error equals the prediction, or all repetitions are one beyond the bound."""
        if self.relation != "=":
            is_beyond = self.deviation > 0 if self.relation == ">" else self.deviation < 0
            return self.error == 0 and self.n is not None and is_beyond
        pair = moderate(np.asarray([self.value, self.predicted], dtype=np.float64))
        return bool(are_equal(pair))

    @property
    def counted(self) -> float | None:
        """The number of repetitions; None for a known error."""
        return self.n if self.repetitions is None else self.repetitions

    @property
    def _n(self) -> float:
        return math.inf if self.n is None else self.n

    @property
    def smallest_relevant(self) -> float:
        """The resolution, a tenth of the predicted number unless something else was said."""
        return (
            verdicts.RESOLUTION * abs(self.predicted or 0.0)
            if self.resolution is None
            else self.resolution
        )

    @property
    def z(self) -> float:
        """Deviation in units of its standard error; NaN without prediction or error."""
        return self.deviation / self.total_error if self.is_compared else math.nan

    @property
    def limit(self) -> float:
        """Largest ``|z|`` that is not significant; NaN without prediction or error."""
        return self.allowed / self.total_error if self.is_compared else math.nan

    @property
    def largest(self) -> float:
        """Largest deviation that the measurement allows, in absolute value."""
        return abs(self.deviation) + self.allowed

    @cached_property
    def verdict(self) -> str:
        """One of the verdicts of :mod:`closedform.verdicts`, or an empty text without a prediction or an error."""
        if not self.is_compared and self.doubt:
            return BLUNT if self.predicted is not None else ""
        if not self.is_compared:
            return AGREES if self._holds_exactly else ""
        deviation, chance, resolution = np.asarray(
            [self.deviation, self.allowed, self.smallest_relevant]
        )
        return str(verdicts.single(deviation, chance, resolution, self.relation))

    @property
    def why(self) -> str:
        """The verdict, its reason and a doubt about the error in one line of text; empty without a verdict."""
        if not self.is_compared:
            return ": ".join(filter(None, [self.verdict, self.doubt if self.verdict else ""]))
        doubt = f"; {self.doubt}" if self.doubt else ""
        if self.relation == "=":
            sentence = verdicts.sentence(
                self.deviation, self.total_error, self.limit, self._n, self.smallest_relevant
            )
            return sentence + doubt
        side, needed = (
            ("above" if self.z > 0 else "below"),
            ("above" if self.relation == ">" else "below"),
        )
        return (
            f"{self.verdict}: {abs(self.z):.1f} standard errors {side} {shown(self.predicted)}; "
            f"agreement needs more than {self.limit:.1f} {needed}{doubt}"
        )

    @property
    def prediction(self) -> str:
        """The predicted number or bound as text, empty without one."""
        bound = "" if self.relation == "=" else f"{self.relation} "
        return "" if self.predicted is None else f"{bound}{shown(self.predicted)}"

    def against(
        self, predicted: float, relation: Relation = "=", resolution: float | None = None
    ) -> Measured:
        """Return the same measurement compared with another number, which is known exactly."""
        return replace(
            self,
            predicted=predicted,
            relation=relation,
            resolution=resolution,
            prediction_error=0.0,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, for a file."""
        defaults = {field.name: field.default for field in fields(self)}
        return {
            name: getattr(self, name)
            for name, default in defaults.items()
            if getattr(self, name) != default
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Measured:
        """Return the number that :meth:`as_json` wrote; TypeError or ValueError for anything else."""
        saved = checks.mapping("measured number", saved)
        known = {field.name for field in fields(cls)}
        strange = sorted(saved.keys() - known)
        if strange:
            raise ValueError(
                f"measured number: got the field {strange[0]!r}, needs one of {', '.join(sorted(known))}"
            )
        missing = sorted({"quantity", "label", "value"} - saved.keys())
        if missing:
            raise ValueError(
                f"measured number: got no field {missing[0]!r}, needs quantity, label and value"
            )
        for name, value in saved.items():
            is_text = name in ("quantity", "label", "relation", "doubt")
            if isinstance(value, bool) or not isinstance(value, str if is_text else int | float):
                raise ValueError(
                    f"{name}: got {value!r}, needs {'a text' if is_text else 'a number'}"
                )
        return cls(**saved)

    def joined(self, other: Measured) -> Measured | None:
        """Return the mean over the repetitions of two measurements together; None where they are not of one kind.

        They are if both have an error from repetitions, of the same quantity and label, and the same prediction. The
        error is that of all repetitions, which counts how far both means lie apart.

        Args:
            other: the other measurement, of the same unit.

        >>> first = Measured.mean("a.b", "c", [1.0, 2.0, 4.0])
        >>> second = Measured.mean("a.b", "c", [3.0, 7.0])
        >>> first.joined(second).text == Measured.mean("a.b", "c", [1.0, 2.0, 4.0, 3.0, 7.0]).text
        True
        """
        pair = (self, other)
        if any(part.n is None or part.error is None for part in pair) or not self._is_like(other):
            return None
        counts = [part.n or 0.0 for part in pair]
        total = sum(counts)
        squares = counts[0] * counts[1] / total * (self.value - other.value) ** 2
        for n, part in zip(counts, pair, strict=True):
            squares += n * (n - 1) * (part.error or 0.0) ** 2
        value = (counts[0] * self.value + counts[1] * other.value) / total
        error = math.sqrt(squares / (total * (total - 1)))
        doubt = "; ".join(dict.fromkeys(filter(None, (self.doubt, other.doubt))))
        repetitions = int(sum(part.counted or 0 for part in pair))
        return replace(
            self,
            value=value,
            error=error,
            n=total,
            doubt=doubt,
            repetitions=None if repetitions == total else repetitions,
        )

    def _is_like(self, other: Measured) -> bool:
        """Return whether another number is of the same quantity, with the same prediction up to kept digits."""
        names = ("quantity", "label", "relation")
        numbers = ("predicted", "resolution", "prediction_error")
        pairs = [(getattr(self, name), getattr(other, name)) for name in numbers]
        are_alike = all(
            a == b or (None not in (a, b) and math.isclose(a, b, rel_tol=10.0**-DIGITS * 10))
            for a, b in pairs
        )
        return are_alike and all(getattr(self, name) == getattr(other, name) for name in names)

    @property
    def text(self) -> str:
        """The number and its error, such as ``"0.52 ± 0.012"``, or the number alone if its error is not known."""
        return shown(self.value) + ("" if self.error is None else f" ± {shown(self.error, 2)}")

    def __str__(self) -> str:
        return f"{self.quantity}, {self.label}: {self.text}"


def shown(number: float | None, digits: int = 4) -> str:
    """Return a number with so many digits as text; below a million without a power of ten, such as ``"16,384"``."""
    is_long = number is not None and 10**digits - 0.5 <= abs(number) < 999_999.5
    return "" if number is None else f"{number:,.0f}" if is_long else f"{number:.{digits}g}"


def _kept(number: float | None, error: float | None) -> float | None:
    """Return a number with the digits that matter beside an error; a count as it is."""
    if number is None or not error or (number.is_integer() and abs(number) <= LARGEST_COUNT):
        return number
    size = math.floor(math.log10(abs(number)))
    digits = max(DIGITS, size - math.floor(math.log10(error)) + 1 + BELOW_ERROR)
    return float(f"{number:.{min(digits, 17)}g}")


def to_rows(measured: Iterable[Measured]) -> list[dict[str, Any]]:
    """Return one row for each number with all of its fields and what follows from them, for tables and CSV files."""
    derived = ("total_error", "smallest_relevant", "z", "limit", "largest", "verdict", "why")
    rows = []
    for number in measured:
        rows.append(asdict(number) | {name: getattr(number, name) for name in derived})
    return rows
