"""Learning curves of frozen kernels by gradient flow, as printed: medians over the realisations beside the means."""

from dataclasses import replace

import numpy as np

from bridge.compression.exponents import MATTERS, LearningCurve, learning_curves
from bridge.results.analysis import Analysis, Table, Traces, members, table_of, with_verdict
from bridge.statistics.arrays import Array
from closedform.measured import Measured
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies import learning_curves as means
from papers.paccolat2021.studies.families import fitted

RESAMPLINGS = 1000
OF_MEDIANS = {"lazy": q.BETA_LAZY_MEDIAN, "compressed": q.BETA_COMPRESSED_MEDIAN}
CAPTION = (
    "Exponent of the median test error over the realisations, from a straight line through the logarithms at all "
    "numbers of points; its error is the scatter of the exponents of resampled realisations. Beside it that of the "
    "mean. No realisation is left out."
)


def analyse(traces: Traces) -> Analysis:
    """Analyse the traces as :func:`papers.paccolat2021.studies.learning_curves.analyse` does, and by medians."""
    analysis = means.analyse(traces)
    of_medians = table({label: learning_curves(trace) for label, trace in traces.items()})
    return replace(
        analysis,
        tables=(*analysis.tables, of_medians),
        measured=(*analysis.measured, *with_verdict(of_medians.measured)),
    )


def table(curves: means.Curves) -> Table:
    """Return a row for each model and regime, with the exponents of the medians and of the means."""
    return table_of(
        "learning-curves-of-medians", "Exponents of medians", CAPTION, members(curves),
        (
            ("model", lambda row: row[0]),
            ("regime", lambda row: means.LOOKS[row[1].regime][2]),
            (r"$\beta$ of medians", lambda row: measured(*row)),
            (r"$\beta$ of means", lambda row: row[1].beta),
            (r"predicted $\beta$", lambda row: row[1].predicted),
        ),
    )  # fmt: skip


def measured(label: str, curve: LearningCurve) -> Measured | None:
    """Return the exponent of the medians of a curve, compared with that of the theory."""
    count = curve.errors.shape[1]
    beta, error = of_medians(curve.sizes, curve.errors)
    quantity = OF_MEDIANS[curve.regime]
    return fitted(quantity, label, beta, error, count, curve.predicted, MATTERS)


def of_medians(sizes: Array, errors: Array) -> tuple[float, float]:
    """Return the exponent β of the medians, and its error.

    Args:
        sizes: numbers of training points, ``[size]``.
        errors: test errors, dimensionless, ``[size, seed]``; the realisations of all sizes are resampled together.

    Returns:
        β and the standard deviation of the β of resampled realisations; infinite where a median is zero.
    """
    rng = np.random.default_rng(0)
    count = errors.shape[1]
    chosen = [rng.integers(count, size=count) for _ in range(RESAMPLINGS)]
    slopes = [_slope(sizes, errors[:, columns]) for columns in chosen]
    return _slope(sizes, errors), float(np.std(slopes, ddof=1))


def _slope(sizes: Array, errors: Array) -> float:
    medians = np.median(errors, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            -float(np.polyfit(np.log(sizes), np.log(medians), 1)[0]) if medians.all() else np.nan
        )
