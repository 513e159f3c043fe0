"""Tests that bad input to comparisons, power analyses and rank correlations is refused in words that name it."""

from __future__ import annotations

import numpy as np
import pytest

import bridge
from bridge.statistics.rank_correlation import rank_correlation

NOT_FINITE = (np.nan, np.inf, -np.inf)
NOT_POSITIVE = (0.0, -1e-6, -1e6)
PAIR = [1.0, 2.0]
ROW = np.random.default_rng(0).normal(size=10)


def compare(prediction=1.0, measurement=1.0, **options):
    """Return a comparison whose arguments are good where nothing else is said."""
    return bridge.compare(prediction, measurement, **({"error": 0.1} | options))


def without_error(prediction, measurement, **options):
    return bridge.compare(prediction, measurement, **options)


def power(deviation=None, **options):
    return bridge.power(compare(PAIR, PAIR), deviation, **options)


# Words of the message, and the call.
REFUSED = [
    *((f"{name}: ", lambda name=name, bad=bad: compare(**{name: bad}))
      for name in ("prediction", "measurement", "error", "prediction_error", "resolution") for bad in NOT_FINITE),
    *((f"{name}: got", lambda name=name, bad=bad: compare(**{name: bad}))
      for name in ("error", "resolution", "threshold") for bad in NOT_POSITIVE),
    *((f"{name}: got .*, needs real numbers", lambda name=name, bad=bad: compare(**{name: bad}))
      for name in ("prediction", "measurement") for bad in ("1", None, 1j, True, {})),
    ("needs an error to compare", lambda: without_error(0.5, 0.5)),
    ("one repetition", lambda: without_error(0.5, [0.5])),
    ("identical repetitions", lambda: without_error(0.5, [0.5] * 3)),
    ("repetitions: got 1", lambda: compare(repetitions=1)),
    ("repetitions: got shape", lambda: compare(PAIR, PAIR, repetitions=[2, 3, 4])),
    ("repetitions: .*NaN", lambda: compare(repetitions=np.nan)),
    ("repetitions: got a number without error=", lambda: without_error(1.0, PAIR, repetitions=2)),
    *(("measurement: got shape", lambda count=count: compare(PAIR, np.ones(count))) for count in (3, 6)),
    *(("error: got shape", lambda count=count: compare(PAIR, PAIR, error=np.ones(count))) for count in (3, 6)),
    ("measurement: got shape", lambda: without_error(PAIR, np.ones((3, 2)))),
    ("names: got", lambda: compare(PAIR, PAIR, names=["x"] * 3)),
    ("needs the smallest relevant deviation", lambda: compare(0.0, 0.01)),
    ("needs at least one number", lambda: compare([], [])),
    *(("comparisons", lambda count=count: compare().joint_limit(count)) for count in (0, -1, 1.5, 10**400)),
    ("comparison: got float", lambda: bridge.power(1.0)),
    *(("deviation: ", lambda bad=bad: power(bad)) for bad in (0.0, -1.0, [1.0, 2.0, 3.0], np.nan)),
    *(("chance: got", lambda bad=bad: power(chance=bad)) for bad in (0, 1, 1.5, True, "most")),
    ("at least 4", lambda: rank_correlation(ROW[:3], ROW[:3])),
    ("second: got shape", lambda: rank_correlation(ROW, ROW[:5])),
    ("NaN or infinity", lambda: rank_correlation(ROW, [*ROW[:9], np.inf])),
    *(("level: got", lambda bad=bad: rank_correlation(ROW, ROW, level=bad)) for bad in (0, 1, True, "all")),
]  # fmt: skip


@pytest.mark.parametrize(("words", "call"), REFUSED)
def test_bad_input_is_refused_in_these_words(words, call):
    with pytest.raises((TypeError, ValueError), match=words):
        call()
