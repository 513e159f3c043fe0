r"""Extrapolation of a quantity to infinite width, from repetitions at finite widths.

Means over random networks have an expansion in 1/width, :math:`\bar q_n = q_\infty + a_1/n + a_2/n^2 + \ldots`. A
polynomial in 1/n is fitted by weighted least squares, with weights from the scatter of the realisations. The error of
the limit is the standard error, over realisations, of the same linear combination of widths, which allows for
correlations between widths. :math:`\chi^2` tests the truncation of the polynomial.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge.plots.result import Result
from bridge.scaling.uncertainty import covariance, smooth_errors
from bridge.statistics.arrays import Array
from bridge.statistics.rank_correlation import has_repeated
from closedform import checks
from closedform.checks import arrays
from closedform.checks.plain import shown

ORDER = 2  # order of the polynomial in 1/width
FEWEST = 3  # smallest number of realisations


@dataclass(frozen=True, repr=False)
class WidthLimit(Result):
    """An extrapolation to infinite width.

    Attributes:
        limit: the quantity at infinite width.
        error: standard error of the limit over realisations, with ``realisations - 1`` degrees of freedom.
        realisations: number of realisations.
        coefficients: coefficients of 1, 1/n, 1/n², ...
        chi2: sum of squared residuals in units of the errors.
        degrees: degrees of freedom of the residuals.
        widths: widths of the networks, ``[width]``.
        means: means over realisations, ``[width]``.
        errors: standard errors of the means, smoothed over the widths, ``[width]``.
    """

    limit: float
    error: float
    realisations: int
    coefficients: tuple[float, ...]
    chi2: float
    degrees: int
    widths: Array = field(repr=False)
    means: Array = field(repr=False)
    errors: Array = field(repr=False)

    @property
    def misfit(self) -> float:
        """Probability of a larger chi² if the polynomial is right and networks of different widths are independent."""
        if not self.degrees:
            return float("nan")
        return float(
            stats.f.sf(
                self.chi2 / self.degrees, self.degrees, self.widths.size * (self.realisations - 1)
            )
        )

    def z(self, expected: float) -> float:
        """Return the deviation of the limit from ``expected`` in standard errors, which follows Student's t."""
        return (self.limit - expected) / self.error

    def predict(self, widths: ArrayLike) -> Array:
        """Return the fitted polynomial at positive widths, in their shape."""
        at = arrays.positive_array("widths", widths)
        return np.asarray(np.polynomial.polynomial.polyval(1 / at, self.coefficients))


def extrapolate(widths: ArrayLike, samples: ArrayLike, *, order: int = ORDER) -> WidthLimit:
    """Extrapolate a mean over random networks to infinite width.

    Args:
        widths: positive widths, all different, ``[width]``.
        samples: ``[width, realisation]``, with at least three independent realisations.
        order: order of the polynomial in 1/width, at least 1 and below the number of widths. Default: 2.

    Raises:
        TypeError: if entries are not real numbers.
        ValueError: if shapes are wrong, numbers are not finite, widths are not positive, or there are too few widths.

    >>> widths = np.array([10, 20, 40, 80])
    >>> samples = 2 + 3 / widths[:, None] + np.array([-0.01, 0, 0.01])
    >>> round(extrapolate(widths, samples, order=1).limit, 3)
    2.0
    """
    n, values = arrays.real_array("widths", widths), arrays.real_array("samples", samples)
    if n.ndim != 1 or n.size < 2 or n.min() <= 0 or has_repeated(n):
        raise ValueError(
            f"widths: got {shown(widths)}, needs at least two positive numbers, all different"
        )
    order = checks.integer("order", order, 1, n.size - 1)
    if values.ndim != 2 or len(values) != n.size or values.shape[1] < FEWEST:
        raise ValueError(
            f"samples: got shape {values.shape}, needs ({n.size}, realisations), at least {FEWEST} of them"
        )
    means, errors = values.mean(axis=1), smooth_errors(n, values, "mean")
    # scaled, so that the columns have similar magnitudes
    powers = (n.min() / n)[:, None] ** np.arange(order + 1)
    scaled = powers / errors[:, None]
    inverse = np.linalg.pinv(scaled) / errors
    solution = inverse @ means
    return WidthLimit(
        limit=float(solution[0]),
        error=float(np.sqrt(inverse[0] @ covariance(values, "mean", 0) @ inverse[0])),
        realisations=values.shape[1],
        coefficients=tuple(
            float(coefficient) for coefficient in solution * n.min() ** np.arange(order + 1)
        ),
        chi2=float((((means - powers @ solution) / errors) ** 2).sum()),
        degrees=n.size - order - 1,
        widths=n,
        means=means,
        errors=errors,
    )
