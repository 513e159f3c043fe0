r"""The mean of numbers that are nested in networks, such as one number for each line of each network.

Networks are independent, the numbers of one network are not necessarily. The error of the mean is therefore that of the
means of the networks, :math:`s_\mathrm{networks}/\sqrt n`. Means of three networks may agree by chance, which gives an
error of almost nothing. The scatter of the numbers within networks causes an error of
:math:`s_\mathrm{within}/\sqrt{n L}` even if all networks are equal, so the larger of both is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bridge.statistics.arrays import Array
from closedform.measured import Measured

FEWEST = 3  # the scatter of fewer networks does not determine an error


@dataclass(frozen=True)
class NestedMean:
    """A mean over networks, of their means."""

    mean: float  # of the means of the networks; NaN without any number
    error: float  # its standard error; NaN for fewer than three networks
    repetitions: int  # independent numbers from which ``error`` was estimated, for the quantile of Student's t
    networks: int  # number of networks with at least one finite number

    def of(self, quantity: str, label: str) -> Measured | None:
        """Return the mean as a measured number of a quantity; one without an error below three networks."""
        if not np.isfinite(self.mean):
            return None
        is_known = np.isfinite(self.error) and self.error > 0
        return Measured(quantity, label, self.mean, *((self.error, self.networks) if is_known else ()))


def nested_mean(values: Array) -> NestedMean:
    """Compute the mean over networks of ``values [network, ...]``, with an error over them and what is nested in them.

    Numbers that are not finite are left out, and so are networks without any.
    """
    rows = [row[np.isfinite(row)] for row in np.reshape(values, (len(values), -1))]
    rows = [row for row in rows if row.size]
    means = np.array([row.mean() for row in rows])
    count, total = len(rows), sum(row.size for row in rows)
    if count < FEWEST:
        return NestedMean(float(means.mean()) if count else np.nan, np.nan, count, count)
    between, repetitions = float(means.std(ddof=1)) / np.sqrt(count), count
    if total > count:
        within = sum(float(((row - row.mean()) ** 2).sum()) for row in rows) / (total - count)
        least = float(np.sqrt(within * np.mean([1 / row.size for row in rows]) / count))
        if least > between:
            between, repetitions = least, total - count + 1
    return NestedMean(float(means.mean()), between, repetitions, count)
