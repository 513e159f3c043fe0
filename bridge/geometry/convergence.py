r"""Comparison of random networks of finite width with the closed forms for infinite width, at every input.

There are two tests. *Limit*: the means extrapolated to infinite width should equal the closed form. *Rate*: the means
should approach it as 1/width. The exponent p of :math:`\bar q_n - q_\infty \propto n^{-p}`, with :math:`q_\infty` fixed
at the closed form, is fitted if the deviation at the smallest width is significant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from bridge import arguments, scaling
from bridge.geometry.extrapolation import WidthLimit, extrapolate
from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from bridge.tables.grid import gridded
from closedform import checks

if TYPE_CHECKING:
    from bridge.scaling.result import ScalingFit

# Variable of the trace -> closed form of theory.geometry.
QUANTITIES: Mapping[str, str] = {
    "volume_element": "volume_element",
    "curvature": "scalar_curvature",
}
NAMES = {"volume_element": "volume element", "curvature": "scalar curvature"}
SEEN = 5.0  # deviation of the mean at the smallest width, in standard errors, above which a rate is fitted
AT_ONCE = 3.0  # standard deviations of a normal variable within which an extrapolation agrees


@dataclass(frozen=True, repr=False)
class Convergence(Result):
    """One quantity for one activation at finite widths, its extrapolation, and its closed form at infinite width.

    Attributes:
        activation: name of the activation in ``theory.activations``.
        quantity: ``"volume_element"`` or ``"curvature"``.
        closed_form: name of the closed form, in ``theory.catalogue()`` unless the activation is an expression.
        norms: norms of the inputs, ``[input]``.
        widths: widths of the networks, ``[width]``.
        expected: closed form at infinite width, ``[input]``.
        samples: averages over directions of the input, ``[width, realisation, input]``.
        limits: extrapolations at the inputs.
        rate: power law of the deviation at the input where it is most significant; None if it is nowhere significant.
        rate_norm: norm of that input; NaN without a rate.
    """

    activation: str
    quantity: str
    closed_form: str
    norms: Array
    widths: Array
    expected: Array = field(repr=False)
    samples: Array = field(repr=False)
    limits: tuple[WidthLimit, ...] = field(repr=False)
    rate: ScalingFit | None
    rate_norm: float

    @property
    def z(self) -> Array:
        """Deviation of every extrapolation from the closed form, in standard errors, ``[input]``."""
        return np.array(
            [
                limit.z(float(value))
                for limit, value in zip(self.limits, self.expected, strict=True)
            ]
        )

    @property
    def resolution(self) -> float:
        """Largest standard error of an extrapolation, relative to the largest closed form."""
        return max(limit.error for limit in self.limits) / float(np.abs(self.expected).max())

    def summary(self) -> str:
        """Return a few lines of text: the extrapolation at every input, the verdict, and the rate."""
        means = self.samples.mean(axis=1)
        lines = [
            f"{self.activation}, {NAMES[self.quantity]}: {self.samples.shape[1]} networks of each of the widths "
            f"{', '.join(f'{width:g}' for width in self.widths)}, extrapolated in 1/width",
            "",
            f"{'norm':>8}{f'width {self.widths[-1]:g}':>14}{'extrapolated':>14}{'error':>10}{'closed form':>14}"
            f"{'z':>8}",
        ]
        for i, (limit, value) in enumerate(zip(self.limits, self.expected, strict=True)):
            lines.append(
                f"{self.norms[i]:8.3g}{means[-1, i]:14.5g}{limit.limit:14.5g}{limit.error:10.2g}{value:14.5g}"
                f"{self.z[i]:8.1f}"
            )
        said = "agree" if self.agrees else "do not agree"
        lines += [
            "",
            f"extrapolations and closed form {said} at the level of three standard deviations",
        ]
        if self.rate is None:
            return "\n".join(
                [*lines, "rate: no deviation at the smallest width is large enough to fit it"]
            )
        low, high = self.rate.interval
        rate = f"deviation at norm {self.rate_norm:g} goes as width^{self.rate.exponent:.2f}"
        return "\n".join(
            [*lines, f"rate: {rate}, 95 % interval {low:.2f} to {high:.2f}; 1/width is -1"]
        )

    @property
    def agrees(self) -> bool:
        """Whether every extrapolation is within three standard errors of the closed form (more for few networks)."""
        limit = stats.t.isf(stats.norm.sf(AT_ONCE), self.samples.shape[1] - 1)
        return bool((np.abs(self.z) <= limit).all())


def convergence(
    trace: Any,
    quantity: str = "volume_element",
    *,
    activation: str | None = None,
    dimension: int | None = None,
    sigma: float = 1.0,
    zeta: float = 0.0,
) -> Convergence:
    """Compare one quantity of random networks of several widths with its closed form at infinite width.

    Args:
        trace: trace of ``experiments.geometry.random_networks``, or a table of your own (DataFrame, mapping of columns,
            Dataset, CSV file) with the columns ``width`` (at least three), ``seed`` (which network, at least three of
            each width), ``norm`` (of the input) and the quantity.
        quantity: ``"volume_element"`` or ``"curvature"``. Default: ``"volume_element"``.
        activation: name of the activation, or an expression in ``z``. For a table only.
        dimension: dimension of the inputs. For a table only.
        sigma: standard deviation of the weights of the first layer. For a table only; default 1.
        zeta: standard deviation of its biases. For a table only; default 0.

    Raises:
        ValueError: if the quantity is unknown, the trace is of another experiment, or a network is singular.

    >>> values = [0.2, 0.25, 0.3, 0.26, 0.27, 0.25, 0.26, 0.262, 0.258]
    >>> table = {"width": [10] * 3 + [20] * 3 + [40] * 3, "seed": [0, 1, 2] * 3, "norm": [1.0] * 9}
    >>> found = convergence(table | {"volume_element": values}, activation="erf", dimension=2)
    >>> found.z.round(1).tolist()
    [2.8]
    """
    import theory.geometry
    from theory import activations

    checks.one_of("quantity", quantity, QUANTITIES)
    table = gridded(trace, ("width", "seed", "norm"), (quantity,))
    if table is None:
        arguments.dataset(
            trace, "the experiment geometry.random_networks", (quantity,), attributes=("config",)
        )
        config = arguments.attribute(trace, "config")
        grid = (
            trace[quantity]
            .mean("direction", skipna=False)
            .rename(realisation="seed", input="norm")
        )
    else:
        if activation is None or dimension is None:
            raise ValueError(
                "activation, dimension: are not in the data; give both, for the closed form"
            )
        config = {"activation": activation, "dimension": dimension, "sigma": sigma, "zeta": zeta}
        grid = table[quantity]
    name = config["activation"]
    if ":" in name:
        raise ValueError(
            f"trace: its activation {name!r} is an import path; a prediction needs an expression in z"
        )
    form = getattr(theory.geometry, QUANTITIES[quantity])(activations.from_text(name))
    norms = grid["norm"].values.astype(np.float64)
    expected = at_infinite_width(form, config, norms)
    samples = grid.transpose("width", "seed", "norm").values
    if not np.isfinite(samples).all():
        raise ValueError(
            f"trace: {quantity} of {int((~np.isfinite(samples)).sum())} networks is not finite"
        )
    widths = grid["width"].values.astype(np.float64)
    limits = tuple(extrapolate(widths, samples[..., i]) for i in range(norms.size))
    rate, where = _rate(widths, samples, expected, limits)
    return Convergence(
        activation=name,
        quantity=quantity,
        closed_form=form.name,
        norms=norms,
        widths=widths,
        expected=expected,
        samples=samples,
        limits=limits,
        rate=rate,
        rate_norm=float("nan") if rate is None else float(norms[where]),
    )


def at_infinite_width(form: Any, config: Mapping[str, Any], norms: Array) -> Array:
    """Return a closed form at inputs of these norms ``[input]``, for the weights of a configuration."""
    expected = form(d=config["dimension"], r=norms**2, sigma=config["sigma"], zeta=config["zeta"])
    return np.broadcast_to(np.asarray(expected, dtype=np.float64), norms.shape)


def _rate(
    widths: Array, samples: Array, expected: Array, limits: tuple[WidthLimit, ...]
) -> tuple[ScalingFit | None, int]:
    """Return the power law at the input where the deviation at the smallest width is clearest, and its index."""
    first = [
        abs(limit.means[0] - value) / limit.errors[0]
        for limit, value in zip(limits, expected, strict=True)
    ]
    where = int(np.argmax(first))
    if first[where] < SEEN:
        return None, where
    return scaling.fit(
        widths, samples[..., where] - expected[where], offset=0.0, level=0.95
    ), where
