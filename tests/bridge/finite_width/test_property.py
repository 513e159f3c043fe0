"""Property tests of the theory where it is claimed: on configurations that hypothesis draws, with fresh networks."""

import pytest

pytest.importorskip("hypothesis")
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.testing import require
from empirics.experiments.finite_width import Config


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(
    Config.strategy(
        activation=st.sampled_from(["sin", "tanh", "erf"]), width=(100, 300), depth=(1, 2), norm=(0.5, 2.0),
        weight_variance=(0.8, 2.0), bias_variance=0.2, networks=2000, draw="units",
    )
)  # fmt: skip
def test_the_first_order_of_smooth_networks(config):
    require("finite_width.kernel_spread", config)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(Config.strategy(width=(20, 60), depth=(1, 2), norm=(0.1, 5.0), networks=8000, draw="units"))
def test_the_product_of_rectifiers(config):
    require("finite_width.exact_spread", config)
