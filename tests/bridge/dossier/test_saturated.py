"""Saturated units are a sentence of the dossier where they change a digit of it, and nothing where they do not."""

from __future__ import annotations

import warnings

import pytest
from torch import nn

import bridge
from bridge.dossier import network

TEXT = (
    "feature_map: units of gelu are saturated; torch computes their slopes with errors of up to "
)


def told(*errors):
    with network.noted() as sentences:
        for error in errors:
            warnings.warn(TEXT + error, RuntimeWarning, stacklevel=1)
        warnings.warn("something else", UserWarning, stacklevel=1)
    return sentences


@pytest.mark.parametrize(
    ("errors", "worst"),
    [(("3e-04", "2e-02", "1e+00", "5e-02"), ["1e+00"]), (("3e-04",), []), ((), [])],
)
def test_only_the_worst_visible_error_is_told_and_other_warnings_are_passed_on(errors, worst):
    with pytest.warns(UserWarning, match="something else"):
        sentences = told(*errors)
    assert sentences == [TEXT.removeprefix("feature_map: ") + error for error in worst]


def test_the_dossier_of_a_saturated_network_says_so(torch):
    x = torch.randn(12, 3)
    body = nn.Linear(3, 3), nn.GELU(), nn.Linear(3, 3), nn.Mish()  # of no infinite width here
    model = nn.Sequential(*body, nn.Linear(3, 2))
    with torch.no_grad():
        model[0].bias[0] = -12.0
    dossier = bridge.dossier(model, x, (x[:, 0] > 0).long(), progress=False)
    assert any("units of gelu are saturated" in doubt.text for doubt in dossier["geometry"].doubts)
