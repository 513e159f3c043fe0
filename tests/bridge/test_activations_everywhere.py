"""A name or an expression of an activation means the same everywhere, and a new one is known everywhere at once."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from bridge.cli import main
from bridge.geometry.sklearn_kernel import NNGPKernel
from closedform import activation_names
from closedform.activation_names import DEFINITIONS, NAMES, Definition, Named, canonical, named
from closedform.expressions import FUNCTIONS, has_kink
from empirics import experiments, networks
from empirics.networks import functions
from empirics.networks.resnet import resnet
from theory import activations, geometry
from theory.core.formula import parsing

WITH_NUMBER = (
    "leaky_relu(1/3)",
    "leaky_relu(-0.25)",
    "relu_power_3",
    "monomial_2",
    "monomial(3)",
    "hermite_5",
)
ALIASES = tuple(alias for one in DEFINITIONS.values() for alias in one.aliases)
POINTS = np.random.default_rng(0).uniform(-6, 6, 200)
ROUNDING = 1e-13
MEASURE_CURVATURE = ("geometry.random_networks", "geometry.symmetric_units", "geometry.mnist")


def fields():
    """The experiments that take an activation."""
    kinds = {name: experiments.EXPERIMENTS[name].Config for name in experiments.EXPERIMENTS}
    return [
        name
        for name, kind in kinds.items()
        if "activation" in {field.name for field in dataclasses.fields(kind)}
    ]


@pytest.mark.parametrize("text", [*NAMES, *ALIASES, *WITH_NUMBER])
def test_a_name_is_the_same_function_in_theory_and_torch(text):
    theirs = activations.from_text(text)
    z = torch.from_numpy(POINTS).requires_grad_()
    close = {"rtol": ROUNDING, "atol": ROUNDING}
    ours = networks.Elementwise(text)(z)
    np.testing.assert_allclose(ours.detach().numpy(), theirs.function(0)(POINTS), **close)
    batched = networks.activations.activation(text)
    np.testing.assert_array_equal(batched.function(z).detach().numpy(), ours.detach().numpy())
    slope = batched.pull_back(torch.ones_like(z), (z if batched.keeps_input else ours).detach())
    np.testing.assert_allclose(
        slope.numpy(), np.broadcast_to(theirs.function(1)(POINTS), POINTS.shape), **close
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "text",
    [
        *(n for n in NAMES if n != "softplus"),
        *WITH_NUMBER,
        *(pytest.param(text, marks=pytest.mark.slow) for text in ("exp(tanh(z))", "softplus")),
    ],
)
def test_a_closed_form_takes_every_activation(text):
    """The kernel of a wide layer is the mean over two correlated pre-activations of torch's functions."""
    xx, yy, xy = 1.2, 0.9, 0.5
    nodes, weights = np.polynomial.hermite_e.hermegauss(150)
    first, second = np.meshgrid(nodes, nodes, indexing="ij")
    x, y = np.sqrt(xx) * first, xy / np.sqrt(xx) * first + np.sqrt(yy - xy**2 / xx) * second
    phi = functions.from_text("activation", text)
    products = (phi(torch.from_numpy(x)) * phi(torch.from_numpy(y))).numpy()
    mean = np.einsum("i,j,ij", weights, weights, products) / (2 * np.pi)
    kernel = geometry.nngp_kernel(text)(xx=xx, yy=yy, xy=xy, sigma=1.0, zeta=0.0)
    assert float(kernel) == pytest.approx(mean, rel=2e-3)  # quadrature across a kink


def test_both_know_every_function_of_the_grammar_or_say_that_they_do_not():
    assert set(FUNCTIONS) < set(parsing.OPERATIONS)
    assert set(functions.FUNCTIONS) < set(FUNCTIONS)
    assert {one.name for one in map(named, functions.KERNELS) if one} == set(functions.KERNELS)


@pytest.mark.parametrize("text", [*NAMES, "relu_power_1", "relu_power_2", "monomial_3"])
def test_what_is_said_of_the_slope_is_true(text):
    one = named(text)
    slope = activations.from_text(text).function(1)
    assert one.slope_jumps == (abs(float(slope(1e-9)) - float(slope(-1e-9))) > 1e-6)
    assert one.numbers or has_kink(one.definition.expression) or not one.slope_jumps


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("silu", "swish"), ("identity", "linear"), (" logistic ", "sigmoid"), ("monomial(2)", "monomial_2"),
        ("leaky_relu(0.01)", "leaky_relu"), ("leaky_relu(0.1)", "leaky_relu(1/10)"), ("z*erf(z)", "z*erf(z)"),
    ],
)  # fmt: skip
def test_a_configuration_stores_one_text_for_an_activation(text, same):
    assert canonical(text) == canonical(same) == same
    assert experiments.two_point.Config(activation=text) == experiments.two_point.Config(
        activation=same
    )
    assert activations.from_text(text) == activations.from_text(same)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sillu", "no activation 'sillu'; did you mean silu"), ("identiy", "did you mean identity"),
        ("monomial", "did you mean monomial_2"), ("z*tahn(z)", "no function 'tahn'; did you mean tan or tanh"),
    ],
)  # fmt: skip
def test_a_typo_gets_the_nearest_name_everywhere(text, words, capsys):
    with pytest.raises(ValueError, match=words):
        activations.from_text(text)
    with pytest.raises(ValueError, match=words):
        networks.Elementwise(text)
    for experiment in fields():
        with pytest.raises(ValueError, match=words):
            experiments.EXPERIMENTS[experiment].Config(activation=text)
    assert main(["run", "two-point", "--activation", text]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("experiment", fields())
def test_every_experiment_takes_every_activation_or_says_why_not(experiment):
    kind = experiments.EXPERIMENTS[experiment].Config
    refused = "needs an activation whose slope does not jump: its curvature is measured"
    for text in (*NAMES, *ALIASES, *WITH_NUMBER, "z*erf(z)", "abs(z)"):
        if activation_names.slope_may_jump(text) and experiment in MEASURE_CURVATURE:
            with pytest.raises(ValueError, match=refused):
                kind(activation=text)
        else:
            assert kind(activation=text).activation == canonical(text)


def test_every_experiment_has_the_field_activation_or_says_why_not():
    assert {"two_point", "two_point.final_distances", "geometry.trained", "geometry.resnet"} <= {
        *fields()
    }
    for name in experiments.EXPERIMENTS:
        names = {field.name for field in dataclasses.fields(experiments.EXPERIMENTS[name].Config)}
        assert not names & {"nonlinearity", "phi", "act", "negative_slope"}
        told = [part.__doc__ or "" for part in experiments.EXPERIMENTS[name].Config.__mro__]
        assert "activation" in names or any("The activation is " in one for one in told)


def test_an_activation_that_is_added_to_the_table_is_known_everywhere(monkeypatch, capsys):
    monkeypatch.setitem(DEFINITIONS, "bump", Definition("z*exp(-z**2/2)", aliases=("hump",)))
    assert activations.from_text("hump") == activations.from_text("bump")
    assert geometry.scalar_curvature("bump").name.endswith("bump")
    values = POINTS * np.exp(-(POINTS**2) / 2)
    z = torch.from_numpy(POINTS)
    np.testing.assert_allclose(
        networks.Elementwise("hump")(z).numpy(), values, rtol=ROUNDING, atol=ROUNDING
    )
    assert (
        sum(isinstance(m, networks.Elementwise) for m in resnet(18, "bump", width=2).modules()) > 8
    )
    for experiment in fields():
        assert experiments.EXPERIMENTS[experiment].Config(activation="hump").activation == "bump"
    small = {"depth": 2, "width": 4, "epochs": 2, "seeds": 1, "layers": (1,)}
    experiments.run(experiments.two_point.Config(activation="bump", **small), progress=False)
    assert NNGPKernel("bump")(np.eye(2)).shape == (2, 2)
    assert main(["show", "geometry.volume_element", "--activation", "hump"]) == 0
    assert "geometry.volume_element.bump" in capsys.readouterr().out
    assert str(Named("bump")) == "bump"
