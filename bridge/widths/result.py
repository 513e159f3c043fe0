"""The result of a width check: an exponent with its error for every layer, and a verdict."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from closedform import atomic_write
from closedform.measured import Measured
from closedform.verdicts import DISAGREES, FOR

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TRANSFERS, GROWS, VANISHES, DRIFTS = "transfers", "grows", "vanishes", "drifts"
EXPECTED, MORE, LESS = "as expected", "more than expected", "less than expected"
BLUNT = "too blunt"


@dataclass(frozen=True, repr=False)
class LayerScaling(Result):
    """How the signals of one layer depend on the width.

    Attributes:
        name: name of the module, "(root)" for parameters of the model itself.
        size: exponent of the output before training.
        own: exponents of the change of the output by the layer's own weights, one for each number of steps.
        change: the same of the whole change of the output.
        values: root mean square of the layer's own update at the first step that is looked at and has one, ``[width,
            seed]``.
        expected: exponent of the layer's own update that the theory has for a parametrisation; 0 if none was named.

    An exponent is None where a root mean square is 0 or not finite.
    """

    name: str
    size: Measured | None
    own: tuple[Measured | None, ...]
    change: tuple[Measured | None, ...]
    values: Array = field(repr=False)
    expected: float = 0.0

    @property
    def verdict(self) -> str:
        """What becomes of the layer's own update in wide networks.

        It "grows" or "vanishes" by the first look that has an exponent; it "drifts" if only later looks disagree, as
        where growing updates of other layers saturate it; it "transfers" if all looks agree, and is "too blunt" else.
        With another exponent expected than 0, it is "more than expected", "less than expected" or "as expected".
        """
        looks = [number for number in self.own if number is not None]
        verdicts = [number.verdict for number in looks]
        if not looks:
            return BLUNT
        if verdicts[0] == DISAGREES:
            is_more = looks[0].value > self.expected
            return (GROWS, VANISHES, MORE, LESS)[2 * bool(self.expected) + (not is_more)]
        if DISAGREES in verdicts:
            return DRIFTS
        if not all(verdict in FOR for verdict in verdicts):
            return BLUNT
        return EXPECTED if self.expected else TRANSFERS


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
        for verdict in (GROWS, VANISHES, MORE, LESS, DRIFTS, BLUNT):
            names = [layer.name for layer in self.layers if layer.verdict == verdict]
            if names:
                lines.append(f"{verdict}: {', '.join(names)}")
        if self.transfers:
            lines.append("every layer's own update keeps its size: hyperparameters can transfer")
        return "\n".join([*lines, *self.notes])

    def figure(self) -> Figure:
        """Return a figure with a panel for each layer: own updates of all seeds against the width, and a flat line."""
        from bridge.plots import layout, style

        with layout.drawing_of(
            len(self.layers), x="width", y="own update, root mean square", sharex=True
        ) as (figure, panels):
            for panel, layer in zip(panels, self.layers, strict=True):
                self._draw_layer(panel, layer)
                panel.set_title(style.literal(f"{layer.name}: {layer.verdict}"))
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
        from matplotlib.ticker import NullLocator

        from bridge.plots import layout, style

        panel.plot(self.widths, layer.values, "o", color=style.BLUE, markersize=3)
        positive = layer.values[layer.values > 0]
        if positive.size:
            widths = np.asarray(self.widths, dtype=float)
            level = math.exp(float(np.log(positive).mean()))
            middle = math.exp(float(np.log(widths).mean()))
            panel.plot(widths, level * (widths / middle) ** layer.expected, **style.THEORY)
            panel.set(xscale="log")
            layout.logarithmic(panel)
            panel.set_xticks(self.widths, map(str, self.widths))
            panel.xaxis.set_minor_locator(NullLocator())

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

    def write(self, directory: str | Path) -> Path:
        """Write ``width-check.json``, ``.csv`` and ``.svg`` into a folder, and return the path of the figure.

        Args:
            directory: the folder, which is made if there is none.
        """
        from matplotlib import pyplot as plt

        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        atomic_write.text(folder / "width-check.json", json.dumps(self.to_dict(), indent=1))
        self.to_dataframe().to_csv(folder / "width-check.csv", index=False)
        figure = self.figure()
        path = folder / "width-check.svg"
        figure.savefig(path)
        plt.close(figure)
        return path


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
