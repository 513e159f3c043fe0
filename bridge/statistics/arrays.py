"""Arrays of numbers over repetitions: their mean and its standard error."""

from dataclasses import dataclass

import numpy as np

from closedform.checks.arrays import Array as Array
from closedform.measured import Measured
from closedform.repetitions import mean_and_error as mean_and_error
from closedform.rounding import are_equal, power_of_two

FEWEST_NETWORKS = 3  # the scatter of fewer networks does not determine an error


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
        error = (self.error, self.networks) if np.isfinite(self.error) else ()
        return Measured(quantity, label, self.mean, *error)


def nested_mean(values: Array) -> NestedMean:
    """Compute the mean over networks of finite ``values [network, ...]``, with an error over them and the rest."""
    rows = [row[np.isfinite(row)] for row in np.reshape(values, (len(values), -1))]
    rows = [row for row in rows if row.size]
    times = power_of_two(np.concatenate([np.zeros(1), *rows]))
    rows = [row * times for row in rows]
    means = np.array([row.mean() for row in rows])
    count, total = len(rows), sum(row.size for row in rows)
    if count < FEWEST_NETWORKS:
        return NestedMean(float(means.mean()) / times if count else np.nan, np.nan, count, count)
    between, repetitions = (
        0.0 if are_equal(means) else float(means.std(ddof=1)) / np.sqrt(count),
        count,
    )
    if total > count:
        within = sum(float(((row - row.mean()) ** 2).sum()) for row in rows) / (total - count)
        least = float(np.sqrt(within * np.mean([1 / row.size for row in rows]) / count))
        if least > between:
            between, repetitions = least, total - count + 1
    return NestedMean(float(means.mean()) / times, between / times, repetitions, count)
