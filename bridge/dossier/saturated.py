"""Warnings of the measures about saturated units, as sentences of a dossier instead of on the terminal."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

BEGINNING = "feature_map: units of "  # of the warning in ``empirics.measure.geometry.saturation``
VISIBLE = 0.01  # relative error of a slope below which no figure and no digit of a dossier changes


@contextmanager
def noted() -> Iterator[list[str]]:
    """Collect the warning with the largest error, if it is visible; any other warning is passed on.

    Yields:
        A list of at most one sentence, filled at the end.
    """
    sentences: list[str] = []
    worst = VISIBLE
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield sentences
    for warning in caught:
        text = str(warning.message)
        if not text.startswith(BEGINNING):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
        elif (error := float(text.rsplit(" ", 1)[-1])) >= worst:
            worst, sentences[:] = error, [text.removeprefix("feature_map: ")]
