"""Labels that depend on the distance from an axis: the cylinder model, and shells of alternating sign in general."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from theory.core.arguments import increasing, integer, positive, real_array, sign


@dataclass(frozen=True)
class Shells:
    """Labels of alternating sign in shells of ``d_parallel`` informative directions.

    Attributes:
        radii: radii at which the label changes sign, positive, strictly increasing, dimensionless.
        d_parallel: number of informative directions.
        innermost: the label (+1 or -1) at the centre; -1 in the cylinder model.

    Raises:
        ValueError: if a field violates these conditions.
    """

    radii: tuple[float, ...]
    d_parallel: int = 2
    innermost: int = -1

    def __post_init__(self) -> None:
        radii = increasing("radii", positive("radii", self.radii))
        sign("innermost", self.innermost)
        object.__setattr__(self, "radii", tuple(map(float, radii)))
        object.__setattr__(self, "d_parallel", integer("d_parallel", self.d_parallel, 1))

    @classmethod
    def equiprobable(cls, d_parallel: int) -> Shells:
        """Return the labels with one sign change, at the radius that contains half of the Gaussian data."""
        count = integer("d_parallel", d_parallel, 1)
        return cls((math.sqrt(2 * special.gammaincinv(count / 2, 0.5)),), count)

    def __call__(self, x: ArrayLike) -> NDArray[np.int64]:
        """Return the labels of points.

        Args:
            x: informative coordinates, ``[..., d_parallel]``, finite, dimensionless.

        Returns:
            The labels, +1 or -1, ``[...]``.
        """
        points = real_array("x", x, last=self.d_parallel)
        cell = np.searchsorted(self.radii, np.linalg.norm(points, axis=-1), side="right")
        signs: NDArray[np.int64] = self.innermost * (-1) ** cell
        return signs

    @property
    def mean(self) -> float:
        """Return the mean label over Gaussian data, in [-1, 1]."""
        inside = special.gammainc(self.d_parallel / 2, np.square(self.radii) / 2)
        signs = self.innermost * (-1.0) ** np.arange(len(self.radii) + 1)
        return float(signs @ np.diff([0.0, *inside, 1.0]))
