r"""Measurements for the two-point theory, ``dh2``, ``dy2`` and ``w`` over time, and the checks of their validity."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bridge.fit import noise_profile
from bridge.statistics import normal
from bridge.statistics.arrays import Array
from bridge.tables import table
from closedform import checks
from closedform.untrusted_files import decoded

CURVES = ("dh2", "dy2", "w")
# more than the two time constants and up to three parameters of the initial state
FEWEST_POINTS = 8
RECORDS = ("two_point", "watch")  # traces whose every point is that of a network, without noise
# of the largest value of a column and of constants, so that fourth powers are within floats
SIZES = (1e-70, 1e70)
NOISY = 1e-7  # noise, relative to the range of a curve, that exceeds rounding in single precision
WHITE_FLIPS = 0.62  # share of sign changes of third differences: 77 % for white noise, almost none for a smooth curve
NOISE_MARGIN = 6.0  # standard deviations of noise that a check tolerates
THIRD_DIFFERENCE = np.sqrt(20.0)  # standard deviation of 1, -3, 3, -1 applied to unit white noise
SAME = 1e-6  # relative difference below which an argument and an attribute are equal


def by_curve(values: Iterable[Any]) -> dict[str, float]:
    """Return one number for each of the three curves, by name."""
    return dict(zip(CURVES, map(float, values), strict=True))


@dataclass(frozen=True)
class Trace:
    """One training run, observed at two points."""

    label: str  # name of the run, such as "seed 3"
    t: Array  # times, [time]; their unit is that of the fitted time constants
    state: Array  # squared distance of representations, that of outputs, and alignment, [3, time]
    dx2: float  # squared distance of the inputs, input^2
    target2: float  # squared distance of the target outputs, output^2
    loss: Array | None  # half the mean squared error (Eq. 1), output^2, [time], or None
    # squared distance of the initial mean output from the mean target, output^2, or None
    mean2_0: float | None
    layer: Any  # layer of the representation, or None
    exact: bool  # whether it is a direct record of a network, whose first point has no error
    config: str = ""  # configuration of a run of ours as JSON text; empty for other data
    end: str = (
        ""  # what the end of the data lacks, a sentence; empty if nothing was left out there
    )

    @property
    def elapsed(self) -> Array:
        """Time since the first point, ``[time]``."""
        return np.asarray(self.t - self.t[0])

    def checked(self) -> Trace:
        """Return this trace; a ValueError if its curves are constant, impossible, or of a size that has no powers."""
        where = f" ({self.label})" if self.label else ""
        if self.t.size < FEWEST_POINTS:
            raise ValueError(
                f"data{where}: got {self.t.size} points in time, needs at least {FEWEST_POINTS}"
            )
        for name, row in zip(CURVES, self.state, strict=True):
            if name != "w" and row.max() <= 0:
                raise ValueError(
                    f"column {name!r}{where}: a squared distance, but none of its values is positive"
                )
            _check_size(f"column {name!r}{where}: its largest value", float(np.abs(row).max()))
        _check_size(f"t{where}: the time from first to last", float(self.t[-1] - self.t[0]))
        if np.ptp(self.state, axis=1).max() <= SAME * np.abs(self.state).max():
            raise ValueError(
                f"data{where}: all curves are constant, without a time constant; was the network trained?"
            )
        if self.loss is not None:
            if self.loss.min() < 0:
                raise ValueError(
                    f"column 'loss'{where}: got {self.loss.min():g}, needs half a mean squared error, at least 0"
                )
            _check_size(f"column 'loss'{where}: its largest value", float(self.loss.max()))
        return self

    @cached_property
    def noise(self) -> Array:
        """Standard deviation of the measurement noise in each curve, ``[3]``; 0 for an exact record.

        It is estimated from the median of third differences, and only if their signs alternate as those of white noise.
        The rounding of floats counts as noise as well, which :meth:`is_noisy` distinguishes; that of values to a few
        digits is at least that of its steps.
        """
        if self.exact:
            return np.zeros(3)
        third = np.diff(self.state, n=3, axis=1)
        flips = (third[:, 1:] * third[:, :-1] < 0).mean(axis=1)
        deviation = np.median(np.abs(third), axis=1) / (normal.MEDIAN * THIRD_DIFFERENCE)
        rounding = np.sqrt((noise_profile.steps(self.state) ** 2).mean(axis=1) / 12)
        return np.asarray(np.maximum(np.where(flips > WHITE_FLIPS, deviation, 0.0), rounding))

    def is_noisy(self, noise: Array) -> bool:
        """Return whether the ``noise [3]`` of a curve exceeds rounding."""
        return bool((noise > NOISY * np.ptp(self.state, axis=1)).any())


def read(
    data: Any,
    dx2: float | None = None,
    target2: float | None = None,
    layer: Any = None,
    time: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> tuple[Trace, ...]:
    """Return one :class:`Trace` for each seed; arguments and errors are those of :func:`bridge.two_point.fit`."""
    tables = table.read(
        data,
        CURVES,
        ("loss", "output_mean"),
        columns=columns,
        layer=layer,
        time=time,
        at_least=FEWEST_POINTS,
    )
    return tuple(_trace(measured, dx2, target2) for measured in tables)


def _trace(measured: table.Repetition, dx2: float | None, target2: float | None) -> Trace:
    mean2_0 = None
    mean = measured.columns.get("output_mean")
    if mean is not None and "target_mean" in measured.attributes:
        target = np.atleast_1d(
            np.asarray(decoded("target_mean", str(measured.attributes["target_mean"]), object))
        )
        mean2_0 = float(((np.atleast_1d(mean[0]) - target) ** 2).sum())
    return Trace(
        label=measured.label,
        t=measured.t,
        state=np.stack([measured.columns[name] for name in CURVES]),
        dx2=_known("dx2", dx2, measured.attributes, "inputs", smallest=math.ulp(0.0)),
        target2=_known("target2", target2, measured.attributes, "target outputs", smallest=0.0),
        loss=measured.columns.get("loss"),
        mean2_0=mean2_0,
        layer=measured.attributes.get("layer"),
        exact=measured.attributes.get("experiment") in RECORDS,
        config=str(measured.attributes.get("config", "")),
        end=measured.end,
    ).checked()


def _check_size(name: str, value: float) -> None:
    """Refuse a number other than zero that is so small or large that products of it leave the range of floats."""
    if value and not SIZES[0] <= value <= SIZES[1]:
        raise ValueError(
            f"{name} is {value:g}, needs {SIZES[0]:g} to {SIZES[1]:g}; give it in another unit"
        )


def _known(name: str, argument: float | None, attributes: Any, of: str, smallest: float) -> float:
    """Return a number that is an argument, an attribute of the data, or both if they are equal."""
    stated = attributes.get(name)
    if argument is None and stated is None:
        raise ValueError(
            f"{name}: not in the data's attributes; give {name} (--{name}), the squared distance of the two {of}"
        )
    values = []
    for value in (argument, stated):
        if value is None:
            continue
        sign = "positive" if smallest else "at least 0"
        need = f"one real number, the squared distance of the two {of}, finite and {sign}"
        values.append(checks.real_number(name, value, need, least=smallest))
        _check_size(name, values[-1])
    if len(values) == 2 and abs(values[0] - values[1]) > SAME * max(values):
        raise ValueError(
            f"{name}: the argument says {values[0]:g}, the data's attributes {values[1]:g}; give one"
        )
    return values[0]
