"""What a study comes to: fits of every configuration, comparisons with the theory, figures; and how they are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from bridge.comparison import Comparison
    from bridge.two_point import TwoPointFit


@dataclass(frozen=True)
class Fitted:
    """One configuration, read at one layer, with the theory fitted to it.

    Attributes:
        label: name of the configuration in its study.
        trace: the measurement, all seeds.
        layer: where the representation was read.
        fit: the effective theory, or an altered one where ``law`` says so.
        law: ``"effective"`` or one of the altered dynamics.
    """

    label: str
    trace: xr.Dataset = field(repr=False)
    layer: int
    fit: TwoPointFit = field(repr=False)
    law: str = "effective"

    def row(self) -> dict[str, Any]:
        """One row of the table of fits; times in epochs, fit loss as in Eq. (49)."""
        fit = self.fit
        return {
            "configuration": self.label,
            "law": self.law,
            "layer": self.layer,
            "seeds": int(self.trace.sizes["seed"]),
            "tau_h": fit.tau_h,
            "tau_h_error": fit.errors.get("tau_h"),
            "tau_y": fit.tau_y,
            "tau_y_error": fit.errors.get("tau_y"),
            "tau_mean": fit.tau_mean,
            "tau_mean_error": fit.errors.get("tau_mean"),
            "fit_loss": fit.loss,
            "r_squared": fit.r_squared,
            **{f"r_squared_{name}": value for name, value in fit.r_squared_by_curve.items()},
            "r_squared_loss": fit.mean.r_squared if fit.mean else None,
            "warnings": "; ".join(fit.warnings),
        }


@dataclass(frozen=True)
class Picture:
    """A figure with the name of its file and the sentence below it."""

    name: str
    caption: str
    figure: Figure = field(repr=False)


@dataclass(frozen=True)
class Compared:
    """One quantity of one configuration, as the theory has it and as it was measured."""

    label: str
    quantity: str
    comparison: Comparison


@dataclass(frozen=True)
class Analysis:
    """Everything that a report says about one study.

    Attributes:
        fitted: every configuration with its fit.
        pictures: the figures.
        compared: predictions against measurements.
        findings: sentences that the numbers above answer the study's question with.
    """

    fitted: tuple[Fitted, ...]
    pictures: tuple[Picture, ...]
    compared: tuple[Compared, ...] = ()
    findings: tuple[str, ...] = ()


def fit_each(traces: Mapping[str, xr.Dataset]) -> tuple[Fitted, ...]:
    """The effective theory fitted to every configuration, at the layer its trace has.

    Raises:
        ValueError: naming the configuration, if a trace cannot be fitted.
    """
    return tuple(fit_one(label, trace) for label, trace in traces.items())


def fit_one(label: str, trace: xr.Dataset, layer: int | None = None, law: str = "effective") -> Fitted:
    """One law fitted to one configuration; ``layer`` where its trace has several."""
    from bridge import two_point

    chosen = int(trace.layer.values[0]) if layer is None else layer
    try:
        if law == "effective":
            fit = two_point.fit(trace, layer=chosen)
        else:
            fit = two_point.fit_alternative(trace, law, layer=chosen)
    except (TypeError, ValueError) as problem:
        raise ValueError(f"configuration {label!r}, layer {chosen}: {problem}") from problem
    return Fitted(label, trace, chosen, fit, law)
