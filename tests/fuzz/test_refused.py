"""Arguments that the fuzz found to fail with an error of another kind, which are refused by their names."""

from functools import cache

import numpy as np
import pytest
import torch

import bridge
from empirics import measure, networks
from empirics.data import Dataset, random_labels
from empirics.experiments import EXPERIMENTS
from tests.fuzz import fitting, hostile, values
from tests.oracles.collapse_traces import make_trace
from theory import activations, catalogue, collapse, compression, geometry
from theory.core import Argument
from theory.core.ledger.printed import Claim, Word

FORM = catalogue()["two_point.dh2"]
FORM_OF_SIGMA, X = geometry.nngp_metric("erf")[0], np.eye(2)
UNSHOWABLE = hostile.Unshowable()
LONG = hostile.HOSTILE["8 GB in one number"]()


@pytest.mark.parametrize(
    ("name", "call"),
    {
        "name": lambda: activations.from_expression(activations.z, UNSHOWABLE),
        "kinks": lambda: activations.from_expression(activations.z, "own", LONG),
        "coefficients": lambda: activations.polynomial(UNSHOWABLE),
        "features": lambda: collapse.exact_nc1(UNSHOWABLE, [0, 1]),
        "validate": lambda: FORM.function("numpy", UNSHOWABLE),
        "backend": lambda: FORM.function(UNSHOWABLE),
        "language": lambda: FORM.code(UNSHOWABLE),
        "values": lambda: Claim("There are {n}.", LONG),
        "decoders": lambda: collapse.sufficiency([[0.5, 0], [0, 0.5]], UNSHOWABLE),
        "regime": lambda: compression.learning_curve_exponent(UNSHOWABLE),
        "activation": lambda: geometry.kernel_matrix(UNSHOWABLE, X),
        "depth": lambda: geometry.kernel_matrix("erf", X, depth=10**9),
        "dtype": lambda: geometry.kernel_matrix("erf", X, dtype=hostile.nested(1000)),
        "text": lambda: Word(UNSHOWABLE, ("fewer",)),
        "sample": lambda: Argument(activations.z, "a number", sample=UNSHOWABLE),
        "device": lambda: EXPERIMENTS["collapse"].Config(device=UNSHOWABLE),
        "first_label": lambda: EXPERIMENTS["compression"].Config(first_label=hostile.nested(1000)),
        "data": lambda: bridge.table(UNSHOWABLE),
        "widths": lambda: bridge.geometry.extrapolate(
            torch.ones(3, requires_grad=True), np.ones((3, 3))
        ),
        "count": lambda: measure.resampled_nc1(X, [0, 1], count=10**9),
        "y": lambda: measure.neural_tangent_gram(values.network(), X, UNSHOWABLE),
        "sigma": lambda: FORM_OF_SIGMA(np.ones(3), 10**400, 1.0),
    }.items(),
)
def test_refused_by_name(name, call):
    with pytest.raises((TypeError, ValueError), match=rf"^{name}[^:]*: got"):
        call()


NETWORK = values.network()
trace_once = cache(make_trace)


@pytest.mark.parametrize(
    ("name", "call"),
    {
        "divide_by_classes": lambda wrong: measure.neural_collapse(
            X, [0, 1], divide_by_classes=wrong
        ),
        "batch_statistics": lambda wrong: measure.layerwise_collapse(
            NETWORK, ["0"], values.batches(), 3, batch_statistics=wrong
        ),
        "keep_class_sizes": lambda wrong: random_labels(fitting.dataset(), keep_class_sizes=wrong),
        "classes": lambda wrong: Dataset(
            torch.zeros(2, 1), torch.tensor([0, 1]), wrong, "two points"
        ),
        "same_size": lambda wrong: bridge.collapse.gaps(trace_once(), same_size=wrong),
        "samples": lambda wrong: bridge.collapse.layer_profile(trace_once(), samples=wrong),
        "epoch": lambda wrong: bridge.collapse.equiseparation(trace_once(), epoch=wrong),
        "device": lambda wrong: networks.initial_weights(
            networks.build("fully_connected", inputs=2, width=5, depth=2), 1.0, [0], device=wrong
        ),
        "optimisation": lambda wrong: measure.usable_information(
            None, fitting.decoder, fitting.partition(), optimisation=wrong
        ),
    }.items(),
)
@pytest.mark.parametrize("wrong", ["auto", torch.tensor([True, False]), 0.5])
def test_flags_counts_and_settings_of_another_kind_are_refused_by_name(name, call, wrong):
    with pytest.raises((TypeError, ValueError), match=rf"^{name}[^:]*: got"):
        call(wrong)
