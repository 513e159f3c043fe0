"""The fit of the command ``closedform fit two-point FILE``."""

from __future__ import annotations

from bridge.analyses import Fit


def fit(file: str, *, dx2: float | None = None, target2: float | None = None, layer: int | None = None) -> Fit:
    """Fit the two-point theory to a CSV or netCDF file with t, dh2, dy2, w (optionally loss and seed).

    Args:
        file: path of the file.
        dx2: squared distance of the two inputs, input^2. Default: from the file's attributes.
        target2: squared distance of the two target outputs, output^2. Default: from the file's attributes.
        layer: number of the layer, for a file with several layers. Default: the only one.
    """
    from bridge import two_point

    return two_point.fit(file, dx2=dx2, target2=target2, layer=layer)
