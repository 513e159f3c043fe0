"""Common parts of the figures of image networks, one line (Figures 4 to 6, top), and spectra (G.14, G.21, G.30)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import NDArray

from bridge import arguments
from bridge.plots import layout, style
from bridge.results.analysis import Traces
from papers.zavatoneveth2023.studies.images.hypothesis import crossings, entropy, prediction

LOG10 = np.log(10)
HEIGHTS = (0.36, 1.5, 0.8)  # relative heights of the panels of blends, volume element and entropy

GREY_TO_BLUE = ("#8a8d93", "#9c5480", "#3973e6")

TRAINED, UNTRAINED = style.BLUE, "#8a8d93"
BLENDS = 7  # interpolated images side by side


def class_names(trace: xr.Dataset) -> tuple[str, ...]:
    """Return the names of the classes, in the order of their labels."""
    return tuple(arguments.attribute(trace, "class_names", list))


def origin(traces: Traces) -> str:
    """Return one sentence on the origin of the images, and on whether only a subset of the data set was read."""
    texts = arguments.attribute(next(iter(traces.values())), "origin")
    sentence = f"Images: {texts['train']}; {texts['test']}."
    sizes = [re.search(r"a subset: ([\d,]+) of ([\d,]+) images", text) for text in texts.values()]
    if all(sizes):
        total = sum(int(size.group(1).replace(",", "")) for size in sizes if size)
        title = texts["train"].partition(",")[0]
        sentence += f" What is read here is a {total:,}-image subset of {title}."
    return sentence


def short_origin(traces: Traces) -> str:
    """Return the data set, and whether it is a subset, for the foot of a figure."""
    sentence = origin(traces)
    match = re.search(r"a [\d,]+-image subset of [^.]+", sentence)
    return match.group(0) if match else sentence.removeprefix("Images: ").partition(",")[0]


def colours() -> Any:
    """Return a colour map of the ten classes, for values 0 to 9 with limits −0.5 and 9.5."""
    return ListedColormap(style.CLASS_COLOURS)


def picture(image: NDArray[np.uint8] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an image ``[channel, height, width]``, 0 to 255, as ``[height, width, 3]`` in [0, 1]."""
    shown: NDArray[np.float64] = np.moveaxis(np.asarray(image, dtype=np.float64) / 255, 0, -1)
    return np.repeat(shown, 3, axis=-1) if shown.shape[-1] == 1 else shown


def show_blends(axes: Any, ends: NDArray[np.uint8]) -> None:
    """Draw interpolated images side by side, over positions 0 to 1."""
    share = np.linspace(0, 1, BLENDS)
    first, second = (picture(end) for end in ends)
    width = 1 / (BLENDS - 1)
    for t in share:
        axes.imshow(
            (1 - t) * first + t * second, extent=(t - 0.46 * width, t + 0.46 * width, 0, 1), aspect="auto",
            interpolation="nearest",
        )  # fmt: skip
    axes.set(xlim=(-width / 2, 1 + width / 2), ylim=(0, 1))
    axes.set_axis_off()


def finish(
    figure: Figure, traces: Traces, present: Sequence[int] = (), entries: Sequence[Any] = ()
) -> None:
    """Draw one legend above all panels, of the classes that occur and further entries; name the images below them."""
    names = class_names(next(iter(traces.values())))
    style.legend(
        figure, [*(Patch(color=style.CLASS_COLOURS[c], label=names[c]) for c in present), *entries]
    )
    figure.supxlabel(f"images: {short_origin(traces)}", fontsize=7.5)


def rounding(trace: xr.Dataset) -> float:
    """Return the relative size of a singular value that consists of rounding errors: pixels times machine epsilon."""
    model = arguments.attribute(trace, "config")["precision"] == "model"
    pixels = trace.sizes["channel"] * trace.sizes["pixel_row"] * trace.sizes["pixel_column"]
    return pixels * float(np.finfo(np.float32 if model else np.float64).eps)


def above_rounding(spectrum: NDArray[np.float64], relative: float) -> NDArray[np.bool_]:
    """Return which eigenvalues ``[..., eigenvalue]`` exceed rounding; ``relative`` is for their roots."""
    result: NDArray[np.bool_] = spectrum > relative**2 * spectrum.max(-1, keepdims=True)
    return result


def draw_spectra(traces: Traces) -> Figure:
    """Draw one panel for each configuration, with a curve for each of three images at each snapshot."""
    look: layout.Look = {
        "x": "eigenvalue, in order",
        "y": r"$\log_{10}\sqrt{\lambda_i}$",
        "titles": [*traces],
    }
    with layout.drawing(1, len(traces), **look, size=(3.1, 2.2), sharey=True) as (figure, axes):
        snapshots = next(iter(traces.values()))["snapshot"].values
        chosen = sorted({0, len(snapshots) // 2, len(snapshots) - 1})
        colours = dict(
            zip(chosen, GREY_TO_BLUE if len(chosen) == 3 else GREY_TO_BLUE[::2], strict=False)
        )
        for axis, trace in zip(axes[0], traces.values(), strict=True):
            spectrum = trace["spectrum"].isel(seed=0).values  # [snapshot, corner, eigenvalue]
            for snapshot in chosen:
                values = spectrum[snapshot].copy()
                values[~above_rounding(values, rounding(trace))] = np.nan
                number = np.arange(1, values.shape[-1] + 1)
                axis.plot(number, 0.5 * np.log10(values).T, color=colours[snapshot], linewidth=1.2)
        names = {s: "untrained" if s == 0 else f"epoch {snapshots[s]}" for s in chosen}
        finish(figure, traces, entries=[style.entry(names[s], color=colours[s]) for s in chosen])
    return figure


def draw_lines(traces: Traces) -> Figure:
    """Draw one column for each configuration, from its first network, on its first line."""
    y = ("", r"$\Delta\log_{10}\sqrt{\det g}$", "entropy")
    look: layout.Look = {
        "y": y,
        "titles": [*traces],
        "size": (3.1, 1.15),
        "gridspec_kw": {"height_ratios": HEIGHTS},
    }
    with layout.drawing(3, len(traces), x="share of the second image", **look) as (figure, axes):
        present: set[int] = set()
        for (blends, volume, below), trace in zip(axes.T, traces.values(), strict=True):
            at = trace.isel(seed=0, line=0)
            show_blends(blends, at["line_images"].values)
            present |= _volume(volume, at)
            _entropy(below, at)
        trained, untrained = {"color": TRAINED}, {"color": UNTRAINED, "linestyle": "--"}
        entries = [style.entry("trained", **trained), style.entry("untrained", **untrained)]
        finish(figure, traces, sorted(present), entries)
    return figure


def _volume(axes: Any, at: xr.Dataset) -> set[int]:
    """Draw both volume elements over bands in the colours of the predicted classes; return these classes."""
    position = at["position"].values
    predicted = prediction(at["line_logits"].isel(snapshot=-1).values)
    edges = np.concatenate([[0.0], crossings(predicted, position), [1.0]])
    bands = predicted[np.concatenate([[0], np.flatnonzero(np.diff(predicted)) + 1])]
    for low, high, band in zip(edges[:-1], edges[1:], bands, strict=True):
        axes.axvspan(low, high, color=style.CLASS_COLOURS[int(band)], alpha=0.35, linewidth=0)
    for snapshot, colour, dash, width in ((0, UNTRAINED, "--", 1.1), (-1, TRAINED, "-", 1.8)):
        values = at["line_log_volume"].isel(snapshot=snapshot).values / LOG10
        axes.plot(
            position,
            values - values[np.isfinite(values)].mean(),
            color=colour,
            linestyle=dash,
            linewidth=width,
        )
    axes.set_xlim(-1 / 12, 1 + 1 / 12)
    axes.tick_params(labelbottom=False)
    return {int(band) for band in bands}


def _entropy(axes: Any, at: xr.Dataset) -> None:
    position = at["position"].values
    logits = at["line_logits"].isel(snapshot=-1).values
    axes.plot(position, entropy(logits), color=TRAINED, linewidth=1.6)
    for where in crossings(prediction(logits), position):
        axes.axvline(where, color=style.INK, linewidth=0.7, linestyle=":")
    axes.set(ylim=(0, 1), xlim=(-1 / 12, 1 + 1 / 12))
