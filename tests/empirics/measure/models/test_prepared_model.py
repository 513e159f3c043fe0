"""A prepared model gives, bit for bit, what the model itself gives, whatever changes between two calls."""

from functools import partial

import pytest
import torch
from torch import nn

from empirics import measure
from empirics.measure.models import feature_map
from empirics.measure.models.prepared_model import PreparedModel, RenewedCopy


class Net(nn.Module):
    """A network with many kinds of state."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3)
        self.drop, self.last = nn.Dropout(0.5), nn.Linear(3 * 16, 2)
        self.scale, self.sizes, self.act = 1.0, {"power": [1.0]}, partial(torch.mul, 2.0)
        self.shift = torch.tensor(0.25)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return two outputs."""
        h = self.act(torch.tanh(self.drop(self.norm(self.conv(x)) + self.shift))) * self.scale
        return self.last(h.flatten(1)) ** self.sizes["power"][0]


def net(dtype: torch.dtype = torch.float32) -> Net:
    torch.manual_seed(0)
    return Net().to(dtype).eval()


def assign(model: Net) -> None:
    model.conv.weight.data = torch.randn_like(model.conv.weight)


def replace_parameter(model: Net) -> None:
    model.last.weight = nn.Parameter(torch.randn_like(model.last.weight))


def step(model: Net) -> None:
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1)


CHANGES = {
    "values": step,
    "data": assign,
    "a parameter": replace_parameter,
    "running statistics": lambda model: model.norm.running_mean.add_(0.3),
    "a buffer": lambda model: setattr(model.norm, "running_var", model.norm.running_var + 1),
    "a tensor": lambda model: model.shift.add_(0.5),
    "a number": lambda model: setattr(model, "scale", 2.0),
    "a number in a list": lambda model: model.sizes["power"].__setitem__(0, 2.0),
    "a function": lambda model: setattr(model, "act", partial(torch.mul, 3.0)),
    "a part": lambda model: setattr(model, "last", nn.Linear(48, 3)),
    "its shape": lambda model: setattr(
        model, "last", nn.Linear(48, 1).to(model.last.weight.dtype)
    ),
    "a hook": lambda model: model.conv.register_forward_hook(lambda _, taken, given: 2 * given),
    "what is trained": lambda model: model.conv.requires_grad_(False),
}
MEASURES = {
    "kernel": lambda model, x: measure.neural_tangent_gram(model, x),
    "volume": lambda model, x: measure.log_volume_element(model, x),
    "volume in its precision": lambda model, x: measure.log_volume_element(
        model, x, precision="model"
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("quantity", "dtype"),
    [
        ("kernel", torch.float32),
        ("volume", torch.float64),
        ("volume in its precision", torch.float32),
    ],
)
def test_every_change_is_seen(quantity: str, dtype: torch.dtype) -> None:
    x = torch.randn(3, 1, 6, 6, dtype=dtype, generator=torch.Generator().manual_seed(1))
    for change in CHANGES.values():
        model = net(dtype)
        prepared = PreparedModel(model)
        before = MEASURES[quantity](prepared, x)
        assert torch.equal(before, MEASURES[quantity](model, x))
        change(model)
        model.to(dtype)
        held = {name: value.clone() for name, value in model.state_dict().items()}
        after = MEASURES[quantity](prepared, x)
        assert torch.equal(after, MEASURES[quantity](model, x))
        assert (
            after.shape != before.shape
            or not torch.equal(after, before)
            or change is CHANGES["what is trained"]
        )
        assert all(torch.equal(value, held[name]) for name, value in model.state_dict().items())


def test_only_numbers_are_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(
        feature_map, "RenewedCopy", lambda *given: made.append(given) or RenewedCopy(*given)
    )
    x = torch.randn(4, 1, 6, 6)
    for change in CHANGES.values():
        made.clear()
        model = net()
        prepared = PreparedModel(model)
        for _ in range(3):
            measure.neural_tangent_gram(prepared, x)
        assert len(made) == 1
        change(model)
        measure.neural_tangent_gram(prepared, x)
        of_numbers = (
            "values",
            "data",
            "a parameter",
            "running statistics",
            "a buffer",
            "a tensor",
            "what is trained",
        )
        assert len(made) == 1 + (change not in [CHANGES[name] for name in of_numbers])


def test_memory_of_the_user_is_not_written_to() -> None:
    model = net(torch.float64)
    prepared, x = PreparedModel(model), torch.randn(4, 1, 6, 6)
    measure.neural_tangent_gram(prepared, x)
    put_away, copy = model.last.weight.data, model.last.weight.data.clone()
    # as an average of weights is exchanged for them
    model.last.weight.data = torch.zeros_like(put_away)
    measure.neural_tangent_gram(prepared, x)
    assert torch.equal(put_away, copy)


def test_other_points_and_copies_of_the_model() -> None:
    model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 3)).double()
    prepared = PreparedModel(model)
    for count in (4, 1, 7):
        x = torch.randn(count, 2, dtype=torch.float64)
        assert torch.equal(
            measure.neural_tangent_gram(prepared, x), measure.neural_tangent_gram(model, x)
        )
    other = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 3)).double()
    prepared.model = other
    assert torch.equal(
        measure.log_volume_element(prepared, x), measure.log_volume_element(other, x)
    )
    assert torch.equal(
        measure.neural_tangent_gram(prepared, x), measure.neural_tangent_gram(other, x)
    )
    assert torch.equal(measure.metric_spectrum(prepared, x), measure.metric_spectrum(other, x))
    assert torch.equal(measure.scalar_curvature(prepared, x), measure.scalar_curvature(other, x))


def test_models_in_training_mode_or_without_numbers_are_refused_at_each_call() -> None:
    model = net()
    prepared, x = PreparedModel(model), torch.randn(4, 1, 6, 6)
    measure.neural_tangent_gram(prepared, x)
    model.train()
    with pytest.raises(ValueError, match="eval"):
        measure.neural_tangent_gram(prepared, x)
    with torch.no_grad():
        model.eval().last.bias[0] = torch.nan
        model.conv.weight[0] = torch.nan
    for quantity in (measure.neural_tangent_gram, measure.log_volume_element):
        with pytest.raises(ValueError, match="not finite"):
            quantity(prepared, x)


def test_state_that_cannot_be_looked_into_counts_as_changed() -> None:
    model = net()
    kept = RenewedCopy(model, double=False)
    assert kept.renewed(model)
    model.stream = torch.Generator()
    assert not RenewedCopy.renewed(kept, model)


def test_a_method_and_what_a_forward_pass_leaves_behind() -> None:
    class Counting(nn.Linear):
        calls = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.calls += 1
            return super().forward(x) * (1 + 0 * self.calls)

        def twice(self, x: torch.Tensor) -> torch.Tensor:
            return 2 * super().forward(x)

    model = Counting(2, 2)
    x = torch.randn(3, 2)
    plain, twice = PreparedModel(model), PreparedModel(model.twice)
    for _ in range(2):
        assert torch.equal(
            measure.log_volume_element(plain, x), measure.log_volume_element(model, x)
        )
        assert torch.equal(
            measure.log_volume_element(twice, x), measure.log_volume_element(model.twice, x)
        )
    twice.model = model.forward
    assert torch.equal(measure.log_volume_element(twice, x), measure.log_volume_element(model, x))


def test_a_parameter_of_another_shape_is_seen_where_no_attribute_says_so() -> None:
    class Raw(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.eye(2))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x @ self.weight.T

    model = Raw()
    kept = RenewedCopy(model, double=False)
    model.weight.data = torch.ones(3, 2)
    assert not kept.renewed(model)
