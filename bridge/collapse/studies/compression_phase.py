"""Do the layers compress late in training? Numbers with errors over seeds (Figures 3.5 to 3.8).

A compression phase would be a fall of minimality after the networks have begun to fit. Its measure is minimality at the
last epoch minus that at the first measured epoch after the beginning, seed by seed, at every cut. Networks that
compress more than others keep less minimality at the end. Gaps are what training images have beyond test images then.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from bridge.collapse import InformationPlane
from bridge.collapse import quantities as q
from bridge.results.analysis import Table
from bridge.results.means_table import Row, means_table
from bridge.statistics.arrays import Array

COLUMNS = (
    ("later change", q.LATER_CHANGE), ("lead", q.MINIMALITY_LEAD), ("gap in sufficiency", q.SUFFICIENCY_GAP),
    ("gap in minimality", q.MINIMALITY_GAP),
)  # fmt: skip
CAPTION = (
    "Training images, bits, with standard errors over seeds. Later change: minimality at the last epoch minus that at "
    "the first measured epoch after the beginning; a compression phase would be negative. Lead: minimality that the "
    "first network keeps at the end beyond the second. Gaps: what training images have at the end beyond test images."
)


def last(values: Array) -> Array:
    """Return the last finite value of each seed of ``[seed, epoch]``, ``[seed]``."""
    return np.array([row[np.isfinite(row)][-1] if np.isfinite(row).any() else np.nan for row in values])


def later_change(plane: InformationPlane, cut: int) -> Array:
    """Return the change of minimality on training images after the second measured epoch, ``[seed]``, or NaN."""
    values = plane.minimality[:, :, 0, cut]
    if values.shape[1] < 3:
        return np.full(len(values), np.nan)
    change: Array = last(values) - values[:, 1]
    return change


def gap(values: Array, cut: int) -> Array:
    """Return what training images have at the end beyond test images, ``[seed, epoch, split, cut]`` -> ``[seed]``."""
    train, test = (last(values[:, :, split, cut]) for split in (0, 1))
    difference: Array = train - test
    return difference


def table(planes: Mapping[str, InformationPlane]) -> Table:
    """Return the changes of every network and layer, and the leads of each network over each later one."""
    rows: list[Row] = []
    for label, plane in planes.items():
        for cut in range(1, len(plane.cut)):
            gaps = {q.SUFFICIENCY_GAP: gap(plane.sufficiency, cut), q.MINIMALITY_GAP: gap(plane.minimality, cut)}
            rows.append((label, int(plane.cut[cut]), {q.LATER_CHANGE: later_change(plane, cut)} | gaps))
    for (first, one), (second, other) in combinations(planes.items(), 2):
        if len(one.cut) != len(other.cut) or len(one.minimality) != len(other.minimality):
            continue
        for cut in range(1, len(one.cut)):
            kept = [last(plane.minimality[:, :, 0, cut]) for plane in (one, other)]
            rows.append((f"{first} over {second}", int(one.cut[cut]), {q.MINIMALITY_LEAD: kept[0] - kept[1]}))
    heads = "configuration", "layer"
    return means_table(
        "collapse-compression-phase", "Is there a compression phase?", CAPTION, rows, heads, COLUMNS
    )  # fmt: skip
