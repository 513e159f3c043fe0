"""Tests of the noise floor of features that are not isotropic."""

from __future__ import annotations

import numpy as np
import pytest

from theory import collapse


@pytest.mark.parametrize("decay", [0.3, 0.6])
def test_it_sets_the_noise_floor(decay: float, rng: np.random.Generator) -> None:
    """Power-law spectra in 600 dimensions: mean NC1 of class-blind features within the order C/D_eff."""
    classes, each, eigenvalues = 4, 25, np.arange(1.0, 601) ** -decay
    effective = collapse.effective_dimension_of(eigenvalues)
    labels = np.repeat(np.arange(classes), each)
    values = []
    for _ in range(60):
        h = rng.standard_normal((len(labels), 600)) * np.sqrt(eigenvalues)
        means = h.reshape(classes, each, 600).mean(axis=1)
        _, s, v = np.linalg.svd(means - means.mean(axis=0), full_matrices=False)
        seen = (h - means[labels]) @ (v[:-1] / s[:-1, None]).T
        values.append(np.sum(seen**2) / each)
    expected = (len(labels) - classes) * (classes - 1) / effective
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values) - expected) < 2 * classes / effective * expected + 4 * error
    naive = collapse.noise_floor()(samples=len(labels), classes=classes, dimension=600)
    assert abs(np.mean(values) - naive) > 4 * error


def test_limits() -> None:
    assert collapse.effective_dimension_of(np.full(7, 1e-200)) == pytest.approx(7)
    assert collapse.effective_dimension_of([3.0, 0.0, 0.0]) == 1


@pytest.mark.parametrize("bad", [[], [0.0], [-1.0, 2.0], [np.nan], [[1.0]], ["a"]])
def test_bad_eigenvalues(bad: object) -> None:
    with pytest.raises((ValueError, TypeError), match="eigenvalues"):
        collapse.effective_dimension_of(bad)
