r"""Volume element and curvature of a few erf units with weights at equal angles on the unit circle (Figure B.1).

The features are :math:`m^{-1/2} \varphi(w_a \cdot x + b)` with :math:`w_a = (\cos 2\pi a/m, \sin 2\pi a/m)` for m
units and one common bias. Inputs lie on a polar grid whose angles the symmetry of the network maps onto each other.
The closed forms for three units are in ``theory.geometry``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from empirics import measure
from empirics.experiments.geometry.widths_config import SymmetricUnitsConfig as Config
from empirics.runs.session import RunResult, Session, run_of

__all__ = ["Config", "run"]

LAW = ("radius", "angle")


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Measure the network at every input.

    Returns:
        ``volume_element`` in 1/input^2 and ``curvature``, dimensionless, both ``[radius, angle]``; NaN where the
        metric is singular up to rounding.
    """
    radii = config.largest_radius * np.arange(1, config.radii + 1) / config.radii
    angles = 2 * np.pi * np.arange(config.units * config.angles) / (config.units * config.angles)
    shape = (radii.size, angles.size)
    x = radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    network = config.build().to(session.device)
    inputs = torch.as_tensor(x.reshape(-1, 2), device=session.device)
    variables = {
        "volume_element": (
            LAW, measure.log_volume_element(network, inputs).exp().reshape(shape).cpu(), "sqrt(det g) (1/input^2)"
        ),
        "curvature": (
            LAW, measure.scalar_curvature(network, inputs).reshape(shape).cpu(), "scalar curvature (dimensionless)"
        ),
    }  # fmt: skip
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "radius": (radii, {"long_name": "norm of the input"}),
        "angle": (angles, {"long_name": "angle of the input (rad)"}),
    }
    return RunResult(variables, coordinates)
