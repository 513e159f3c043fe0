"""Labels that depend on the distance from the axis: cylinders, and any shells of alternating sign."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from theory.compression.fixed_points import whole


@dataclass(frozen=True)
class Shells:
    """Labels of alternating sign in shells of ``d_parallel`` informative directions.

    Attributes:
        radii: where the label changes sign, positive and strictly increasing.
        d_parallel: number of informative directions.
        innermost: the label (+1 or -1) at the centre; -1 as in the cylinder model.

    Raises:
        ValueError: if a field is not as said.
    """

    radii: tuple[float, ...]
    d_parallel: int = 2
    innermost: int = -1

    def __post_init__(self) -> None:
        given: Any = self.radii
        if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray):
            raise TypeError(f"radii: got {given!r}, needs a sequence of numbers")
        radii = tuple(float(radius) for radius in given)
        if not radii or not np.isfinite(radii).all() or radii[0] <= 0 or (np.diff(radii) <= 0).any():
            raise ValueError(f"radii: got {self.radii}, needs positive numbers in strictly increasing order")
        if isinstance(self.innermost, bool) or self.innermost not in (1, -1):
            raise ValueError(f"innermost: got {self.innermost!r}, needs +1 or -1")
        object.__setattr__(self, "radii", radii)
        object.__setattr__(self, "d_parallel", whole("d_parallel", self.d_parallel, 1))

    @classmethod
    def equiprobable(cls, d_parallel: int) -> Shells:
        """One shell that holds half of the Gaussian data, to all digits of float64."""
        count = whole("d_parallel", d_parallel, 1)
        return cls((math.sqrt(2 * special.gammaincinv(count / 2, 0.5)),), count)

    def __call__(self, x: ArrayLike) -> NDArray[np.int64]:
        """Labels of points.

        Args:
            x: informative coordinates ``[..., d_parallel]``, finite.

        Returns:
            +1 or -1, ``[...]``.
        """
        points = np.asarray(x, dtype=np.float64)
        if points.ndim < 1 or points.shape[-1] != self.d_parallel:
            raise ValueError(f"x: got shape {points.shape}, needs [..., {self.d_parallel}]")
        if not np.isfinite(points).all():
            raise ValueError("x: needs finite numbers, got some that are not")
        cell = np.searchsorted(self.radii, np.linalg.norm(points, axis=-1), side="right")
        signs: NDArray[np.int64] = self.innermost * (-1) ** cell
        return signs

    @property
    def mean(self) -> float:
        """Mean label over Gaussian data, in [-1, 1]."""
        inside = special.gammainc(self.d_parallel / 2, np.square(self.radii) / 2)
        signs = self.innermost * (-1.0) ** np.arange(len(self.radii) + 1)
        return float(signs @ np.diff([0.0, *inside, 1.0]))
