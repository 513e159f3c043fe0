"""Own activations from training to the prediction: an expression stands for the same function in both packages."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bridge.dossier import dense
from bridge.geometry import convergence
from empirics.experiments.geometry import random_networks
from empirics.networks import Elementwise

SIZES = {"widths": (4, 8, 16), "realisations": 3, "directions": 2}


@pytest.mark.slow
@pytest.mark.parametrize("quantity", ["volume_element", "curvature"])
def test_an_expression_is_predicted_and_measured_as_the_named_activation(quantity):
    named, own = (
        convergence(
            random_networks.run(random_networks.Config(activation=a, **SIZES), progress=False),
            quantity,
        )
        for a in ("monomial_2", "z**2/sqrt(3)")
    )
    np.testing.assert_allclose(own.expected, named.expected, rtol=1e-9)
    np.testing.assert_allclose(own.samples, named.samples, rtol=1e-9, atol=1e-9)


def test_an_import_path_has_no_prediction():
    trace = random_networks.run(
        random_networks.Config(activation="torch:sin", **SIZES), progress=False
    )
    with pytest.raises(
        ValueError, match="'torch:sin' is an import path; a prediction needs an expression in z"
    ):
        convergence(trace, "volume_element")


def test_a_dossier_recognises_an_own_activation():
    assert dense._expression(Elementwise("z*erf(z)"), torch.float32, "1").function(0)(
        1.0
    ) == pytest.approx(0.8427007929)
