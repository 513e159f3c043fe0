"""A curve shows at which epochs it was measured where these are few, and none is drawn through two of them."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from papers.cheong2025.studies import panels


@pytest.mark.parametrize(
    ("measured", "line", "marker"),
    [(2, "None", "."), (3, "-", "."), (panels.SPARSE - 1, "-", "."), (panels.SPARSE, "-", "None")],
)
def test_few_epochs_are_marked_and_two_are_no_curve(measured, line, marker):
    values = np.full((1, 20), np.nan)
    values[0, :measured] = 1.0
    axes = Figure().subplots()
    panels.curves(axes, np.arange(20.0), values, linestyle="-")
    (drawn,) = axes.lines
    assert (drawn.get_linestyle(), drawn.get_marker()) == (line, marker)
    assert len(drawn.get_xdata()) == measured
