"""The result of a width check: table, sentences, figure, page and numbers of all layers."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.plots.result import Result
from bridge.widths.layer import BLUNT, DRIFTS, GROWS, LESS, MORE, TRANSFERS, VANISHES, LayerScaling
from closedform import atomic_write
from closedform.measured import Measured

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bridge.report.write import Written

DECADE = 1.0  # of powers of ten that a panel shows at least


@dataclass(frozen=True, repr=False)
class WidthCheck(Result):
    """Exponents in the width of every layer.

    Attributes:
        widths: the widths.
        steps: numbers of updates after which it was looked.
        layers: the layers, in the order of the model.
        notes: what makes numbers doubtful, in words.
    """

    widths: tuple[int, ...]
    steps: tuple[int, ...]
    layers: tuple[LayerScaling, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> LayerScaling:
        """Return the layer with this name; KeyError if there is none."""
        by_name = {layer.name: layer for layer in self.layers}
        return by_name[name]

    @property
    def transfers(self) -> bool:
        """Whether the own updates of all layers neither grow nor vanish."""
        return all(layer.verdict == TRANSFERS for layer in self.layers)

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table: one row for each layer, with exponents, standard errors and the verdict."""
        import pandas as pd

        rows = []
        for layer in self.layers:
            row: dict[str, Any] = {"layer": layer.name, **_numbers("size", layer.size)}
            for step, own in zip(self.steps, layer.own, strict=True):
                row |= _numbers(f"own {step}", own)
            row |= _numbers(f"change {self.steps[-1]}", layer.change[-1])
            rows.append({**row, "verdict": layer.verdict})
        return pd.DataFrame(rows)

    def summary(self) -> str:
        """Return the exponents as a table of at most 100 columns, and the layers that do not transfer."""
        longest = max(12, *(len(layer.name) for layer in self.layers))
        last = self.steps[-1]
        head = [
            "before",
            *(f"own, step {step}" for step in self.steps[-2:]),
            f"change, step {last}",
        ]
        lines = [
            f"Exponents in the width at {', '.join(map(str, self.widths))}; own: by a layer's own weights",
            f"{'layer':{min(longest, 24)}}"
            + "".join(f"{word:>16}" for word in head)
            + "  verdict",
        ]
        for layer in self.layers:
            cells = [layer.size, *layer.own[-2:], layer.change[-1]]
            name = layer.name if len(layer.name) <= 24 else f"…{layer.name[-23:]}"
            lines.append(
                f"{name:{min(longest, 24)}}" + "".join(map(_cell, cells)) + f"  {layer.verdict}"
            )
        return "\n".join([*lines, *self.sentences(), *self.notes])

    def sentences(self) -> tuple[str, ...]:
        """Return the layers of each verdict that stands in the way of a transfer, or that nothing does."""
        if self.transfers:
            return ("every layer's own update keeps its size: hyperparameters can transfer",)
        names: dict[str, list[str]] = {}
        for layer in self.layers:
            names.setdefault(layer.verdict, []).append(layer.name)
        return tuple(
            f"{verdict}: {', '.join(names[verdict])}"
            for verdict in (GROWS, VANISHES, MORE, LESS, DRIFTS, BLUNT)
            if verdict in names
        )

    def figure(self) -> Figure:
        """Return a figure with a panel for each layer: own updates of all seeds, and the slope that is expected."""
        from bridge.plots import layout, style

        with layout.drawing_of(len(self.layers), x="width", y="own update, root mean square") as (
            figure,
            panels,
        ):
            for panel, layer in zip(panels, self.layers, strict=True):
                self._draw_layer(panel, layer)
                panel.set_title(style.literal(f"{layer.name}: {layer.verdict}"))
            style.legend(figure)
        return figure

    def _draw(self, ax: Axes) -> None:
        """Draw the own updates of all layers, relative to the narrowest width."""
        from bridge.plots import style

        for layer in self.layers:
            middle = np.exp(np.log(layer.values).mean(axis=1))
            ax.plot(self.widths, middle / middle[0], "o-", label=style.literal(layer.name))
        ax.set(
            xscale="log", yscale="log", xlabel="width", ylabel="own update / at the first width"
        )
        ax.axhline(1.0, **style.THEORY)
        ax.legend(fontsize=6)

    def _draw_layer(self, panel: Any, layer: LayerScaling) -> None:
        from bridge.plots import layout, style

        widths = np.asarray(self.widths, dtype=float)
        for number, repetition in enumerate(layer.values.T):
            label = {} if number else {"label": "one network"}
            panel.plot(widths, repetition, "o", color=style.BLUE, markersize=3, **label)
        positive = layer.values[layer.values > 0]
        if positive.size:
            level = math.exp(float(np.log(positive).mean()))
            middle = math.exp(float(np.log(widths).mean()))
            slope = level * (widths / middle) ** layer.expected
            panel.plot(widths, slope, **style.THEORY, label="the exponent that is expected")
            # at least a decade, so that what is flat looks flat
            half = max(DECADE / 2, float(np.abs(np.log10(positive / level)).max()) * 1.1)
            panel.set(xscale="log", ylim=(level * 10**-half, level * 10**half))
            layout.logarithmic(panel)
            layout.logarithmic_at(panel, self.widths)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as numbers, texts, lists and dicts."""
        return {
            "widths": list(self.widths),
            "steps": list(self.steps),
            "layers": {
                layer.name: {
                    "verdict": layer.verdict,
                    "expected": layer.expected,
                    "size": _as_dict(layer.size),
                    "own": [_as_dict(number) for number in layer.own],
                    "change": [_as_dict(number) for number in layer.change],
                    "values": layer.values.tolist(),
                }
                for layer in self.layers
            },
            "notes": list(self.notes),
        }

    def write(self, directory: str | Path) -> Written:
        """Write ``report.html``, ``width-check.json``, the table as CSV and ``figures/`` into a folder.

        Args:
            directory: the folder, which is made if there is none.
        """
        from bridge.results.analysis import Picture
        from bridge.widths.page import write_page

        folder = Path(directory)
        caption = (
            f"Own updates at the first look that has any, at widths {', '.join(map(str, self.widths))}: a point for "
            "each seed, and the slope that is expected, which is flat where hyperparameters transfer."
        )
        picture = Picture("own-updates", caption, self.figure())
        written = write_page(
            folder, self.layers, self.steps, picture, self.sentences(), self.notes
        )
        atomic_write.text(folder / "width-check.json", json.dumps(self.to_dict(), indent=1))
        return written


def _numbers(name: str, number: Measured | None) -> Mapping[str, float]:
    if number is None:
        return {name: math.nan, f"{name} error": math.nan}
    return {
        name: number.value,
        f"{name} error": math.nan if number.error is None else number.error,
    }


def _cell(number: Measured | None) -> str:
    return (
        f"{'-':>16}"
        if number is None
        else f"{f'{number.value:+.3f} ± {number.error or 0:.3f}':>16}"
    )


def _as_dict(number: Measured | None) -> dict[str, Any] | None:
    return None if number is None else {**asdict(number), "verdict": number.verdict}
