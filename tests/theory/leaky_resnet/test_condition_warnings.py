"""What the cost of the identity says of its error, against the truth with 120 digits."""

from __future__ import annotations

import re
import warnings

import mpmath
import numpy as np
import pytest

from theory import leaky_resnet as lr
from theory.leaky_resnet import norms
from theory.leaky_resnet.norms import PROMISED

SAID = re.compile(r"estimated relative error (\S+?)[;.]")
SMALLEST = 2e-16  # error that rounding of the result alone may have
SINGULAR = 1e50  # values above it are of matrices that are singular but for rounding


def truth(A, bias, gamma):
    with mpmath.workdps(120):
        rows = np.maximum(A, 0).tolist() + bias * [[1.0] * A.shape[1]]
        kernel = mpmath.matrix(rows).T * mpmath.matrix(rows) + mpmath.mpf(gamma) * mpmath.eye(
            A.shape[1]
        )
        try:
            response = mpmath.inverse(kernel) * mpmath.matrix(A.tolist()).T
        except ZeroDivisionError:
            return mpmath.inf
        return mpmath.fsum(
            mpmath.mpf(a) * response[j, i]
            for i, row in enumerate(A.tolist())
            for j, a in enumerate(row)
        )


def cases(rng, count):
    """Representations with nearly equal samples, with samples of different sizes, and with both."""
    for _ in range(count):
        samples = int(rng.integers(2, 6))
        A = rng.normal(size=(samples + int(rng.integers(1, 5)), samples))
        kind = rng.integers(3)
        if kind == 0:
            A = A[:, :1] + 10 ** rng.uniform(-9, 0) * rng.normal(size=A.shape)
        elif kind == 1:
            A *= 10 ** rng.uniform(-6, 6, size=samples)
        else:
            A = A @ (
                np.linalg.qr(rng.normal(size=(samples, samples)))[0]
                * 10 ** rng.uniform(-9, 0, size=samples)
            )
        yield A, bool(rng.integers(2)), float(rng.choice([0, 0, 10 ** rng.uniform(-14, 0)]))


@pytest.mark.slow
@pytest.mark.parametrize("in_balls", [True, False])
def test_said_and_true(rng, in_balls, monkeypatch):
    """In balls all are right without a warning; the estimate for larger matrices is too large rather than too small."""
    if not in_balls:
        monkeypatch.setattr(norms, "MOST_OPERATIONS", 0)
    ratios, silent = [], []
    for A, bias, gamma in cases(rng, 400):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = float(lr.cost_of_identity(A, bias=bias, gamma=gamma))
        exact = truth(A, bias, gamma)
        if not np.isfinite(found) or abs(exact) > SINGULAR:
            continue
        error = max(float(abs(mpmath.mpf(found) / exact - 1)), SMALLEST)
        if caught:
            ratios.append(float(SAID.search(str(caught[0].message))[1]) / error)
        else:
            silent.append(error)
    assert max(silent) < PROMISED
    if in_balls:
        assert not ratios
        return
    print(
        f"\n{len(ratios)} warnings: said / true {np.quantile(ratios, [0, 0.1, 0.5, 0.9, 1])}; {len(silent)} silent"
    )
    assert min(ratios) > 0.01
    assert np.median(ratios) < 100


def test_features_that_are_tiny_next_to_the_bias_keep_their_cost(rng):
    features = rng.normal(size=(4, 3))
    expected = lr.cost_of_identity(features * 1e-6)
    for scale in (1e-10, 1e-100, 1e-160, 1e-300):
        assert lr.cost_of_identity(features * scale) == pytest.approx(expected, rel=1e-9)
    with pytest.warns(RuntimeWarning, match="which singular values are called zero"):
        lr.cost_of_identity(rng.normal(size=(4, 5)) * 1e-200)
