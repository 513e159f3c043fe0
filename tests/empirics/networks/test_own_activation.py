"""Tests of a user's own activations and architectures: expressions, import paths, callables."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest
import torch
from torch import nn

from closedform.expressions import MOST_LEVELS
from empirics import experiments, networks
from empirics.networks import activations, functions
from empirics.networks.activations import activation
from empirics.networks.architecture import Architecture
from empirics.networks.functions import FUNCTIONS, expression
from empirics.networks.resnet import resnet
from empirics.runs.config import content_hash
from theory.activations import from_text

ROUNDING = 1e-13  # a dozen operations in float64
CURVES = ("dh2", "dy2", "w", "loss")
SMALL = {"depth": 2, "width": 8, "epochs": 20, "seeds": 2, "layers": (1,), "dtype": "float64"}
TWO_POINT = experiments.two_point.Config


class Scaled(Architecture):
    """An own architecture: hidden layers are halved."""

    def hidden(self, layer, affine, earlier):
        return super().hidden(layer, affine, earlier) / 2


def bump(z):
    return z * torch.exp(-(z**2) / 2)


def interrupts(z):
    raise KeyboardInterrupt


ARGUMENTS = dict.fromkeys(("acosh", "log", "sqrt", "cbrt"), "2 + z**2")
ARGUMENTS |= dict.fromkeys(("asin", "acos", "atanh", "erfinv"), "z/4")
ARGUMENTS |= dict.fromkeys(("Max", "Min", "atan2"), "z, z/2 + 1") | {
    "erfcinv": "1 + z/4",
    "He": "5, z",
}
ARGUMENTS |= {"factorial": "4", "factorial2": "7"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "text",
    ["z*erf(z)", "-z**3/6 + 2*z", "z/(1 + exp(-z))", "+z*pi - E", "1e-3*z + erf(1)*z**2", "exp(z/2)**2",
     "Max(z, -1, 1 - z)", "log(2 + z**2, 3)", "Heaviside(z, 1)", "z*EulerGamma",
     *(f"z + {f}({ARGUMENTS.get(f, 'z')})" for f in FUNCTIONS)],
)  # fmt: skip
def test_theory_reads_the_same_function_in_the_same_text(text):
    z = np.linspace(-2.3, 2.4, 12)
    theirs = np.broadcast_to(from_text(text).function(0)(z), z.shape)
    np.testing.assert_allclose(
        expression(text)(torch.from_numpy(z)).numpy(), theirs, rtol=ROUNDING, atol=ROUNDING
    )


def test_a_jump_has_half_its_height_at_zero():
    assert expression("Heaviside(z)")(torch.zeros(1)) == 0.5


@pytest.mark.parametrize(
    "text", ["-" * 900 + "z", "+".join(["z"] * 490), "tanh(" * 150 + "z" + ")" * 150]
)
def test_what_is_nested_too_deeply_is_refused(text):
    for read in (expression, from_text):
        with pytest.raises(ValueError, match="needs at most 64 operations"):
            read(text)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "text", ["tanh(" * MOST_LEVELS + "z" + ")" * MOST_LEVELS, "1 + z*(" * 32 + "z" + ")" * 32]
)
def test_what_is_nested_deeply_has_values_and_derivatives(text):
    point = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    value = expression(text)(point)
    value.backward()
    assert from_text(text).function(0)(0.3) == pytest.approx(value.item(), rel=ROUNDING)
    assert from_text(text).function(1)(0.3) == pytest.approx(point.grad.item(), rel=ROUNDING)


@pytest.mark.parametrize(
    "own",
    ["z/(1 + exp(-z))", f"{__name__}:swish", nn.SiLU, nn.SiLU(), nn.functional.silu],
    ids=["expression", "import path", "class", "module", "function"],
)
def test_an_own_activation_trains_as_the_built_in_one(own):
    built_in, mine = activation("swish"), activation(own)
    z = torch.linspace(-3, 3, 41, dtype=torch.float64)
    gradient = torch.linspace(1, 2, 41, dtype=torch.float64)
    close = {"rtol": ROUNDING, "atol": ROUNDING}
    torch.testing.assert_close(mine.function(z), built_in.function(z), **close)
    torch.testing.assert_close(
        mine.pull_back(gradient, z), built_in.pull_back(gradient, z), **close
    )


swish = nn.SiLU()


def test_a_run_with_an_expression_is_the_run_with_the_name():
    named = experiments.two_point.run(TWO_POINT(activation="swish", **SMALL), progress=False)
    config = TWO_POINT.from_json(TWO_POINT(activation="z/(1 + exp(-z))", **SMALL).to_json())
    own = experiments.two_point.run(config, progress=False)
    for curve in CURVES:
        # grows over 20 steps
        np.testing.assert_allclose(own[curve].values, named[curve].values, rtol=1e-9)
    assert json.loads(own.attrs["config"])["activation"] == "z/(1 + exp(-z))"
    assert content_hash(config) != content_hash(TWO_POINT(activation="swish", **SMALL))


def test_user_architecture():
    plain = networks.build("fully_connected", activation="linear", depth=2, width=4)
    parameters = networks.initial_weights(plain, 1.0, [0])
    x = torch.ones(1, 3, 1, dtype=torch.float64)
    for own in (Scaled, f"{__name__}:Scaled"):
        half = networks.build(own, activation="linear", depth=2, width=4)
        torch.testing.assert_close(
            half.forward(parameters, x)[1], plain.forward(parameters, x)[1] / 4
        )
    trace = experiments.two_point.run(
        TWO_POINT(architecture=f"{__name__}:Scaled", **SMALL), progress=False
    )
    assert float(trace.loss.isel(step=-1).mean()) < float(trace.loss.isel(step=0).mean())


def test_modules_with_an_own_activation_can_be_copied_and_differentiated():
    for module in (activations.Elementwise("z*erf(z)", 2.0), activations.Elementwise(bump, 2.0)):
        z = torch.linspace(-1, 1, 5, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.gradcheck(copy.deepcopy(module), z)
    assert any("erf" in repr(m) for m in resnet(18, "z*erf(z)", width=8).modules())


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (
            "geluu",
            r"activation: no activation 'geluu'; did you mean gelu .* expression in z does as well, such as 'z\*erf",
        ),
        ("sillu", r"activation: no activation 'sillu'; did you mean silu"),
        ("z*erv(z)", r"activation: no function 'erv'; did you mean .*erf"),
        ("z*y", r"activation: no name 'y'; there are pi, E, EulerGamma, z"),
        ("z*gamma(z)", r"activation: gamma is known to closed forms alone"),
        ("monomial_0", r"activation: q: got 0, needs an integer from 1 to 1000"),
        ("leaky_relu(1)", r"activation: slope: got 1, at which leaky ReLU is the identity"),
        ("2 +", r"activation: got '2 \+', needs mathematical text"),
        ("2 + pi", r"activation: got '2 \+ pi', which does not depend on z"),
        ("10**(10**9)*z", "activation: a constant in it is not a finite number"),
        ("max(z)", "activation: Max: got 1 arguments, needs 2 or more"),
        (
            "__import__('os').system('true')",
            r"activation: .* needs known numbers, operations and functions",
        ),
        (
            "log(z)",
            r"activation: got values that are not finite between -2.5 and 2.5, needs a function",
        ),
        (
            "no_such_module:f",
            "activation: got 'no_such_module:f', .* and 'no_such_module' raises ModuleNotFoundError",
        ),
        (
            "math:nothing",
            r"activation: got 'math:nothing', but the module 'math' has no 'nothing'",
        ),
        (
            "math:tanh",
            "activation: got tanh, which raises ValueError: .*, given ten float64 numbers; needs a function",
        ),
        (
            "sys:exit",
            "activation: got exit, which raises SystemExit: .*, given ten float64 numbers; needs a function",
        ),
        (
            f"{__name__}:interrupts",
            r"activation: got interrupts, which raises KeyboardInterrupt \(.*\.py, line \d+\)",
        ),
        (
            "math.:tanh",
            r"activation: got 'math.:tanh', needs an import path of the form 'package.module:name'",
        ),
        (nn.PReLU, "activation: got PReLU with parameters, needs an activation without any"),
        (lambda z: z.softmax(-1), "activation: got values that depend on other entries"),
        (lambda z: z[1:], r"activation: got the shape \(9,\) for \(10,\), needs a function"),
    ],
)
def test_bad_activations_are_refused(bad, message):
    with pytest.raises((TypeError, ValueError), match=message):
        networks.build("fully_connected", activation=bad)


def test_configurations_take_text_only():
    message = "activation: got function, needs text, since a configuration is stored: .* or an import path 'module:f"
    with pytest.raises(TypeError, match=message):
        TWO_POINT(activation=bump)
    with pytest.raises(
        ValueError, match=r"architecture: got 'a\+b', needs an import path 'module:class'"
    ):
        TWO_POINT(architecture="a+b")
    with pytest.raises(
        ValueError,
        match=r"activation: got 'max\(z, 0\)', needs an activation whose slope does not jump",
    ):
        experiments.EXPERIMENTS["geometry.random_networks"].Config(activation="max(z, 0)")


def test_what_has_a_kink_is_told_by_name_and_by_expression():
    activations = ("relu", "tanh", "Max(z, 0)", "z*tanh(z)")
    assert [functions.is_smooth(name) for name in activations] == [False, True, False, True]


@pytest.fixture
def leaves_a_mark(tmp_path, monkeypatch):
    """The name of a module that fails when it is imported, and the file that it leaves."""
    mark = tmp_path / "mark"
    (tmp_path / "ends_the_process.py").write_text(
        f"open({str(mark)!r}, 'w').close()\nraise SystemExit(7)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return "ends_the_process", mark


@pytest.mark.parametrize(
    ("experiment", "field"),
    [
        ("two_point", "activation"), ("two_point", "architecture"), ("two_point.final_distances", "architecture"),
        *((f"geometry.{name}", "activation") for name in ("random_networks", "resnet", "trained")),
    ],
)  # fmt: skip
def test_an_import_path_is_text_until_it_is_run(experiment, field, leaves_a_mark):
    module, mark = leaves_a_mark
    kind = experiments.EXPERIMENTS[experiment].Config
    text = json.dumps(json.loads(kind().to_json()) | {field: f"{module}:f"})
    config = kind.from_json(text).changed(first_seed=1)
    assert getattr(config, field) == f"{module}:f"
    assert str(config)
    assert not mark.exists()
    with pytest.raises(
        ValueError, match=rf"{field}: got '{module}:f', .* raises SystemExit: 7 .*\.py, line \d"
    ):
        experiments.run(config)
    assert mark.exists()
