"""Figure B.1: volume element and curvature of three erf units with weights at equal angles, and their symmetry."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge import arguments
from bridge.geometry.convergence import QUANTITIES
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces
from bridge.statistics.arrays import Array
from closedform.measured import Measured
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.studies.maps import symmetric, ticks

UNITS = 3  # those of the closed forms
ROUNDING = 8 * np.finfo(np.float64).eps  # of a sum of a few terms, relative to the value
THEORY = {name: f"geometry.three_unit_{name}" for name in QUANTITIES}
WORST = {"volume_element": q.SYMMETRIC_VOLUME, "curvature": q.SYMMETRIC_CURVATURE}
SIZE = (2.6, 2.3)


def analyse(traces: Traces) -> Analysis:
    """Compare both quantities at every input with their closed forms, and turn the grid by thirds and sixths."""
    for trace in traces.values():
        arguments.dataset(
            trace,
            "the experiment geometry.symmetric_units",
            tuple(QUANTITIES),
            attributes=("config",),
        )
    with_theory = [(label, trace) for label, trace in traces.items() if _has_theory(trace)]
    return Analysis(
        traces=traces,
        pictures=(
            Picture(
                "figure-b1-symmetric-units",
                "Volume element and scalar curvature of erf units with weights at equal angles on the unit circle and "
                "one common bias. Dashed: the circle on which the curvature of three units changes sign. The "
                "curvature is a third of what Eqs. (B.69) and (B.70) of the paper print. As Figure B.1 of the paper.",
                draw(traces),
            ),
        ),
        measured=tuple(
            _worst(label, trace, name) for (label, trace), name in product(with_theory, QUANTITIES)
        ),
        how_compared=(
            "At the input with the most significant deviation from the closed form. The error is the scatter over "
            "inputs that are turned into each other, which in exact arithmetic does not exist, or the rounding of a "
            "few operations. The limit of standard errors is raised, since it is the worst of many."
        ),
        findings=tuple(_finding(label, trace) for label, trace in traces.items()),
        theory=tuple(THEORY.values()),
    )


def _has_theory(trace: xr.Dataset) -> bool:
    config = _config(trace)
    return bool(config["activation"] == "erf" and config["units"] == UNITS)


def _config(trace: xr.Dataset) -> dict[str, Any]:
    config: dict[str, Any] = arguments.attribute(trace, "config")
    return config


def _copies(trace: xr.Dataset, quantity: str) -> Array:
    """Return the values ``[radius, turn, angle]``, where turns by one unit leave the network as it is."""
    values = np.asarray(trace[quantity].transpose("radius", "angle").values, dtype=np.float64)
    return values.reshape(len(values), _config(trace)["units"], -1)


def closed_form(trace: xr.Dataset, quantity: str) -> Array:
    """Return the closed form of three units at every input, ``[radius, angle]``."""
    from theory import catalogue

    radius, angle = trace["radius"].values[:, None], trace["angle"].values
    closed = catalogue()[THEORY[quantity]]
    values = closed(
        x1=radius * np.cos(angle), x2=radius * np.sin(angle), bias=_config(trace)["bias"]
    )
    return np.asarray(values, dtype=np.float64)


def _worst(label: str, trace: xr.Dataset, quantity: str) -> Measured:
    """Return the value whose deviation from the closed form is the most significant one."""
    radius, angle = trace["radius"].values[:, None], trace["angle"].values
    expected = closed_form(trace, quantity)
    copies = _copies(trace, quantity)
    measured = copies.reshape(expected.shape)
    scatter = copies.std(axis=1, ddof=1).max(axis=1)[:, None]
    errors = np.maximum(scatter, ROUNDING * np.abs(expected).max(axis=1)[:, None]) + 0 * expected
    worst = np.unravel_index(np.argmax(np.abs(measured - expected) / errors), expected.shape)
    where = f"{label}, |x| = {float(radius[worst[0], 0]):.3g}, {np.degrees(angle[worst[1]]):.0f}°"
    return Measured(
        WORST[quantity], where, float(measured[worst]), float(errors[worst]), predicted=float(expected[worst]),
        resolution=1e-6 * float(np.abs(expected).max()), among=expected.size,
    )  # fmt: skip


def _finding(label: str, trace: xr.Dataset) -> str:
    volumes = np.log(_copies(trace, "volume_element"))
    units = volumes.shape[1]
    whole = volumes.reshape(len(volumes), -1)
    turned = float(np.abs(volumes - np.roll(volumes, 1, axis=1)).max())
    text = f"{label}: turning by 1/{units} changes log-volume by at most {turned:.1g}"
    if volumes.shape[2] % 2 == 0:
        half = float(np.abs(whole - np.roll(whole, volumes.shape[2] // 2, axis=1)).max())
        text += f", by 1/{2 * units} by up to {half:.2g}"
    if _has_theory(trace):
        expected = np.sign(2 * abs(_config(trace)["bias"]) - trace["radius"].values)[:, None]
        measured = np.sign(trace["curvature"].transpose("radius", "angle").values)
        wrong = int(((measured != expected) & (np.abs(expected) > 0)).sum())
        text += f"; the curvature has another sign than 2|b| - |x| at {wrong} of {measured.size} inputs"
    return text + "."


def draw(traces: Traces) -> Figure:
    """Draw Figure B.1: volume element and curvature, one row for each bias."""
    look: layout.Look = {"x": "$x_1$", "y": "$x_2$", "size": SIZE, "sharex": True, "sharey": True}
    with layout.drawing(len(traces), 2, **look) as (figure, axes):
        for row, (label, trace) in zip(axes, traces.items(), strict=True):
            _map(row[0], trace, "volume_element", {"cmap": "viridis"}, r"$(\det g)^{1/2}$")
            reach = float(np.abs(trace["curvature"].values).max())
            _map(row[1], trace, "curvature", {"cmap": "PuOr", "norm": symmetric(reach, 3)}, "$R$")
            bias = abs(_config(trace)["bias"])
            if 0 < 2 * bias < float(trace["radius"].values[-1]):
                turn = np.linspace(0, 2 * np.pi, 200)
                row[1].plot(2 * bias * np.cos(turn), 2 * bias * np.sin(turn), **style.THEORY)
            row[0].set_title(label, loc="left")
    return figure


def _map(
    panel: Any, trace: xr.Dataset, quantity: str, options: dict[str, Any], label: str
) -> None:
    values = trace[quantity].transpose("radius", "angle").values
    angles = np.append(trace["angle"].values, 2 * np.pi)
    values = np.concatenate([values, values[:, :1]], axis=1)
    radii = trace["radius"].values[:, None]
    image = panel.pcolormesh(
        radii * np.cos(angles),
        radii * np.sin(angles),
        values,
        shading="gouraud",
        rasterized=True,
        **options,
    )
    bar = panel.get_figure().colorbar(image, ax=panel, label=label, pad=0.02)
    if quantity == "curvature":
        ticks(bar, image.norm.vmax)
    panel.set_aspect("equal")
    panel.grid(visible=False)
