"""Figure C.1: curvature of networks with monomial activations against the norm of the input."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr
from matplotlib import colormaps
from matplotlib.figure import Figure

from bridge import arguments
from bridge.geometry.convergence import Convergence, convergence
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces
from bridge.statistics.arrays import Array
from papers.zavatoneveth2023.studies import random_networks

SHOWN = range(2, 11)  # degrees of the left panel, dimensions of the right one
PLANE, QUADRATIC = 2, 2
LARGEST_NORM = 2.0
THRESHOLD = "geometry.curvature_threshold"


def analyse(traces: Traces) -> Analysis:
    """Extrapolate to infinite width as for other random networks, and draw the curvature for all degrees and sizes."""
    common = random_networks.analyse(traces)
    picture = Picture(
        "figure-c1-monomials",
        "Scalar curvature of wide networks with monomial activations against the norm of the input, for degrees 2 to "
        "10 in two dimensions and for degree 2 in 2 to 10 dimensions, all standard deviations 1: closed forms, and "
        "values of finite networks extrapolated to infinite width, with one standard error. The curvature is a third "
        "of what Eq. (C.46) of the paper prints. As Figure C.1 of the paper.",
        draw(traces.values()),
    )
    return replace(
        common,
        pictures=(picture, *common.pictures[1:]),
        findings=(_lowest(), *common.findings),
        theory=(*common.theory, THRESHOLD),
    )


def _lowest() -> str:
    from theory import catalogue

    norm = float(np.sqrt(catalogue()[THRESHOLD](q=QUADRATIC, bias=1.0)))
    return f"Closed form: for degree 2 in two dimensions the curvature is lowest at ‖x‖ = {norm:.3f} ζ/σ."


def draw(traces: Iterable[xr.Dataset]) -> Figure:
    """Draw Figure C.1: curvature against the norm for several degrees, and for several dimensions."""
    measured = {}
    for trace in traces:
        result = convergence(trace, "curvature")
        measured[
            int(result.activation[-1]), int(arguments.attribute(trace, "config")["dimension"])
        ] = result
    titles = (f"$d = {PLANE}$", f"$q = {QUADRATIC}$")
    with layout.drawing(
        1, 2, x=r"$\|x\|$", y="scalar curvature $R$", titles=titles, size=(3.4, 2.9)
    ) as (figure, axes):
        _panel(
            axes[0, 0], {(degree, PLANE): f"$q = {degree}$" for degree in SHOWN}, "Reds", measured
        )
        _panel(axes[0, 1], {(QUADRATIC, d): f"$d = {d}$" for d in SHOWN}, "Purples", measured)
    return figure


def _panel(
    panel: Any,
    curves: Mapping[tuple[int, int], str],
    shades: str,
    measured: Mapping[tuple[int, int], Convergence],
) -> None:
    norm = np.linspace(0.0, LARGEST_NORM, 201)
    for number, ((degree, dimension), name) in enumerate(curves.items()):
        colour = colormaps[shades](1.0 - 0.08 * number)
        panel.plot(norm, _closed(degree, dimension, norm), color=colour, label=name)
        result = measured.get((degree, dimension))
        if result is not None:
            limits, errors = zip(
                *((limit.limit, limit.error) for limit in result.limits), strict=True
            )
            style.with_errors(panel, result.norms, limits, errors, color=colour, linestyle="none")
    panel.legend(fontsize=6.5, ncols=2)


def _closed(degree: int, dimension: int, norm: Array) -> Array:
    """Return the closed form of the curvature; that of the plane for any degree, of which only 2 has any dimension."""
    import sympy as sp

    from theory.activations import monomial
    from theory.geometry import scalar_curvature, threshold

    if dimension == PLANE:  # the general closed form takes minutes to derive for degree 10
        planar = sp.lambdify(
            threshold.s,
            threshold.planar_curvature.subs({threshold.q: degree, threshold.bias: 1}),
        )
        return np.asarray(planar(norm**2))
    return np.asarray(
        scalar_curvature(monomial(degree))(d=dimension, r=norm**2, sigma=1.0, zeta=1.0)
    )
