"""The fit behind ``closedform fit two-point FILE``."""

from __future__ import annotations

from bridge.analyses import Fit


def fit(file: str, *, dx2: float | None = None, target2: float | None = None, layer: int | None = None) -> Fit:
    """Fit the two-point theory to a CSV or netCDF file with t, dh2, dy2, w (and perhaps loss, seed).

    Args:
        file: its path.
        dx2: squared distance of the two inputs, unless the file's attributes have it.
        target2: squared distance of the two target outputs, unless the file's attributes have it.
        layer: which layer, where the file has several.
    """
    from bridge import two_point

    return two_point.fit(file, dx2=dx2, target2=target2, layer=layer)
