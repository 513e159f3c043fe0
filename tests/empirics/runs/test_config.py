"""Tests of configurations: equality, and an error that names the field for every impossible one."""

from __future__ import annotations

import dataclasses
import math
import pickle
from typing import ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empirics.experiments import two_point
from empirics.runs.config import Configuration

SIZES = ("depth", "width", "inputs", "outputs", "epochs", "seeds", "channels", "kernel")
POSITIVE = ("gain", "dx", "learning_rate")
NAMES = ("architecture", "activation", "optimiser", "dtype")
NOT_FINITE = st.sampled_from([math.nan, math.inf, -math.inf])
NOT_A_NUMBER = st.one_of(
    st.text(), st.none(), st.booleans(), st.lists(st.floats()), st.complex_numbers()
)


@dataclasses.dataclass(frozen=True)
class Own(Configuration):
    """A configuration whose checks do not ask for those of the base class."""

    experiment: ClassVar[str] = "own"
    kind: Literal["good", "better"] = "good"
    fast: bool = True
    device: str = "cpu"
    size: int = 1
    rate: float = 1

    def __post_init__(self):
        assert self.kind in ("good", "better")  # the choices are checked before
        self.check_integers(size=1)
        self.check_numbers("rate", above=0)


@dataclasses.dataclass(frozen=True)
class Further(Own):
    """A configuration with one more choice."""

    experiment: ClassVar[str] = "further"
    other: Literal["one", "two"] = "one"

    def __post_init__(self):
        super().__post_init__()
        self.set_field("size", 7)


@dataclasses.dataclass(frozen=True)
class Plain(Further):
    """A configuration without checks of its own."""

    last: Literal["x", "y"] = "x"


@pytest.mark.parametrize(
    ("kind", "error", "change"),
    [
        (Own, ValueError, {"kind": "nonsense"}),
        (Own, TypeError, {"fast": 1}),
        (Own, TypeError, {"device": 0}),
        (Own, ValueError, {"size": 0}),
        (Own, ValueError, {"rate": 0}),
        (Further, ValueError, {"kind": "nonsense"}),
        (Further, ValueError, {"other": "three"}),
        (Further, ValueError, {"size": 0}),
        (Plain, ValueError, {"other": "three"}),
        (Plain, ValueError, {"last": "z"}),
    ],
)
def test_a_class_with_checks_of_its_own_has_those_of_its_annotations(kind, error, change):
    with pytest.raises(error, match=f"^{next(iter(change))}: got"):
        kind(**change)


def test_checked_values_are_kept():
    assert isinstance(Own().rate, float)
    assert Plain().size == 7
    assert Own().changed(size=3) == pickle.loads(pickle.dumps(Own(size=3)))


def refused(error, **change):
    (name,) = change
    with pytest.raises(error, match=f"^{name}: got"):
        two_point.Config(**change)


@given(st.sampled_from(SIZES), st.integers(max_value=0))
def test_sizes_below_one(name, value):
    refused(ValueError, **{name: value})


@given(
    st.sampled_from((*SIZES, "first_seed")),
    st.one_of(st.floats(), st.text(), st.none(), st.booleans()),
)
def test_sizes_that_are_no_integers(name, value):
    refused(TypeError, **{name: value})


@given(st.integers(max_value=-1))
def test_negative_seeds(value):
    refused(ValueError, first_seed=value)


@given(st.sampled_from(POSITIVE), st.floats(max_value=0, allow_nan=False))
def test_not_positive(name, value):
    refused(ValueError, **{name: value})


@given(st.sampled_from((*POSITIVE, "dy", "x1", "y1", "dropout")), NOT_FINITE)
def test_not_finite(name, value):
    refused(ValueError, **{name: value})


@given(st.sampled_from((*POSITIVE, "dy", "x1", "y1", "dropout")), NOT_A_NUMBER)
def test_no_number(name, value):
    refused(TypeError, **{name: value})


@given(st.sampled_from(("dy", "dropout")), st.floats(max_value=-1e-300, allow_infinity=False))
def test_negative(name, value):
    refused(ValueError, **{name: value})


@given(st.floats(min_value=1, allow_nan=False))
def test_dropout_of_everything(value):
    refused(ValueError, dropout=value)


@given(st.sampled_from(NAMES), st.one_of(st.text(), st.integers(), st.none()))
def test_unknown_names(name, value):
    with pytest.raises((TypeError, ValueError), match=f"^{name}: "):
        two_point.Config(**{name: value})


@given(st.integers(1, 50).map(lambda n: 2 * n))
def test_even_kernels(value):
    refused(ValueError, kernel=value)


@given(st.one_of(st.integers(), st.text(), st.floats(), st.lists(st.text(min_size=1), min_size=1)))
def test_layers_that_are_none(value):
    with pytest.raises((TypeError, ValueError), match=r"^layers: got"):
        two_point.Config(layers=value)


@given(
    st.one_of(
        st.just(()),
        st.integers(21, 99).map(lambda l: (l,)),
        st.integers(1, 20).map(lambda l: (l, l)),
        st.just((0,)),
    )
)
def test_layers_that_are_not_there(value):
    with pytest.raises(ValueError, match=r"^layers: got"):
        two_point.Config(depth=20, layers=value)


def test_device_must_be_text():
    refused(TypeError, device=0)


def test_defaults_are_the_released_settings():
    config = two_point.Config()
    x, y = config.data()
    assert x.tolist() == [[-1.0], [0.0]]
    assert y.tolist() == [[0.6], [0.6 + math.sqrt(0.5)]]
    assert (config.depth, config.width, config.layers) == (20, 500, (11,))
    assert (config.learning_rate, config.epochs, config.optimiser) == (0.005, 6000, "gd")


@pytest.mark.parametrize(("depth", "layer"), [(1, 1), (2, 2), (10, 6), (20, 11)])
def test_layer_just_past_the_middle(depth, layer):
    assert two_point.Config(depth=depth).layers == (layer,)


@given(
    st.integers(1, 30), st.floats(1e-3, 1e3), st.sampled_from(["gd", "adam"]), st.integers(1, 4)
)
def test_json_round_trip(depth, gain, optimiser, inputs):
    config = two_point.Config(depth=depth, gain=gain, optimiser=optimiser, inputs=inputs)
    assert two_point.Config.from_json(config.to_json()) == config


def test_points_keep_their_distance_in_more_dimensions():
    x, y = two_point.Config(inputs=3, outputs=5, dx=0.7, dy=1.3).data()
    assert float((x[1] - x[0]).norm()) == pytest.approx(0.7, rel=1e-15)
    assert float((y[1] - y[0]).norm()) == pytest.approx(1.3, rel=1e-15)


def test_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        two_point.Config().gain = 2.0


def test_of_another_experiment():
    with pytest.raises(ValueError, match=r"is of another experiment"):
        two_point.Config.from_json('{"experiment": "collapse"}')
    for text in ("[]", "5", "[" * 100_000):
        with pytest.raises(ValueError, match=r"^config: got JSON "):
            two_point.Config.from_json(text)


def test_a_misspelt_field_suggests_the_right_one():
    with pytest.raises(TypeError, match=r"^Config: no field 'widht'; did you mean width\?$"):
        two_point.Config(widht=3)
    with pytest.raises(
        TypeError,
        match=r"^Config: no field 'qqqq'; there are \d+, such as activation, depth, width",
    ):
        two_point.Config(qqqq=3)
    config = two_point.Config("tanh", width=3)
    assert pickle.loads(pickle.dumps(config)) == config == dataclasses.replace(config)


def test_depths_beyond_all_memory_are_refused():
    with pytest.raises(ValueError, match="depth: got 100000000, needs an integer from 1 to 9999"):
        two_point.Config(depth=10**8)
