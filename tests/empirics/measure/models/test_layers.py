"""Layers: which call sites are measured, what is said of the others, and what named ones give."""

import re

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from empirics import measure
from empirics.measure.models.layer_outputs import TruncatedModel, outputs_of, part_up_to
from empirics.measure.models.layers import in_groups, layers_of, reader_of


class Shared(nn.Module):
    """One GELU for four places."""

    def __init__(self):
        super().__init__()
        self.inp, self.mid = nn.Linear(5, 8), nn.ModuleList(nn.Linear(8, 8) for _ in range(3))
        self.act, self.out = nn.GELU(), nn.Linear(8, 3)

    def forward(self, x):
        x = self.act(self.inp(x))
        for part in self.mid:
            x = self.act(part(x))
        return self.out(x)


class Tokens(nn.Module):
    """A block of a transformer: embeddings of tokens and of positions, a function for a nonlinearity."""

    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(20, 8), nn.Embedding(6, 8)
        self.up, self.down, self.head = nn.Linear(8, 16), nn.Linear(16, 8), nn.Linear(8, 3)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        return self.head((x + self.down(F.gelu(self.up(x)))).mean(1))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.turn = nn.LSTM(5, 8, batch_first=True), nn.Unflatten(0, (1, -1))
        self.act, self.head = nn.Tanh(), nn.Linear(8, 3)

    def forward(self, x):
        x = self.act(self.cell(x[:, None])[0][:, -1])
        return self.head(torch.relu(self.turn(x))[0])


X = torch.randn(4, 5, generator=torch.Generator().manual_seed(0))
LINEAR = nn.Sequential(nn.Linear(5, 8), nn.Linear(8, 8), nn.Linear(8, 3))


@pytest.mark.parametrize(
    ("model", "x", "names", "left_out"),
    [
        (Shared(), X, ["act[0]", "act[1]", "act[2]", "act[3]"], ""),
        (Tokens(), torch.randint(0, 20, (4, 6)), ["add()@mean"], ""),
        (
            Recurrent(),
            X,
            ["cell@last", "act", "penultimate"],
            r"relu\(\): without a tensor that has a row for each input; cell: fused or scripted",
        ),
        (LINEAR, X, ["0", "1"], "^no nonlinearity is visible, so that linear maps are measured"),
        (nn.Sequential(nn.Flatten(), nn.Linear(5, 3)), X, [], "^$"),
    ],
    ids=["shared", "tokens", "recurrent", "linear", "one linear map"],
)
def test_the_layers_are_call_sites_and_the_rest_is_spoken_of(model, x, names, left_out):
    found = layers_of(model, x)
    assert [layer.name for layer in found.measured] == names
    assert re.search(left_out or "^$", found.left_out)


@pytest.mark.filterwarnings("ignore:`torch.jit")
def test_what_is_inside_a_scripted_module_is_not_visible():
    found = layers_of(nn.Sequential(torch.jit.trace(LINEAR, X), nn.ReLU()), X)
    assert [layer.name for layer in found.measured] == ["1"]
    assert found.left_out == "0: fused or scripted, so that nonlinearities inside are not visible"


def test_the_reader_is_the_linear_map_that_ends_the_pass_and_takes_the_last_layer_as_it_is():
    class Scaled(Shared):
        def forward(self, x):
            return self.out(2 * self.act(self.inp(x)))

    plain = nn.Sequential(
        nn.Linear(5, 8), nn.Tanh(), nn.Dropout(), nn.Flatten(), nn.Linear(8, 3)
    ).eval()
    for model, x, reader in [
        (Shared(), X, "out"), (plain, X, "4"), (Scaled(), X, "out"), (Tokens(), torch.randint(0, 20, (4, 6)), "head"),
        (LINEAR, X, "2"), (nn.Sequential(nn.Linear(5, 8), nn.Tanh()), X, ""), (nn.Linear(5, 3), X, ""),
    ]:  # fmt: skip
        found = layers_of(model, x)
        assert reader_of(model, found.measured, found.sites, x) == reader


def test_groups_hold_the_limit_and_all_layers_in_order():
    layers = layers_of(Shared(), X).measured
    assert [len(group) for group in in_groups(layers, 16)] == [2, 2]
    assert [len(group) for group in in_groups(layers, 24)] == [3, 1]
    assert [len(group) for group in in_groups(layers, 1)] == [1] * 4
    assert sum(in_groups(layers, 24), ()) == layers


def test_the_part_up_to_a_layer_of_a_sequential_is_one_where_no_block_hides_a_call():
    act = nn.Tanh()
    flat = nn.Sequential(nn.Linear(5, 8), act, nn.Linear(8, 8), act, nn.Linear(8, 3))
    assert [type(part) for part in part_up_to(flat, "1[1]")] == [
        nn.Linear,
        nn.Tanh,
        nn.Linear,
        nn.Tanh,
    ]
    hidden = nn.Sequential(nn.Sequential(nn.Linear(5, 8), act), nn.Linear(8, 8), act)
    for model, name in [
        (flat, "1[0]"),
        (flat, "1[1]"),
        (flat, "2"),
        (hidden, "0.1[1]"),
        (hidden, "0"),
    ]:
        expected = outputs_of(model, X, [name])[1][name]
        assert torch.equal(part_up_to(model, name)(X), expected)
        assert torch.equal(TruncatedModel(model, name)(X), expected)


def test_measures_take_the_names_of_calls():
    torch.manual_seed(0)
    model, labels = Shared(), torch.arange(40) % 3
    x = torch.randn(40, 5)
    names = ["act[0]", "act[3]", "mid.1"]
    found = measure.layerwise_collapse(model, names, (x, labels), 3, classifier="out")
    with torch.no_grad():
        second = model.act(model.mid[1](model.act(model.mid[0](model.act(model.inp(x))))))
        features = {"act[0]": model.act(model.inp(x)), "act[3]": model.act(model.mid[2](second))}
    for name, expected in features.items():
        assert found[name].nc1 == pytest.approx(
            measure.neural_collapse(expected, labels).nc1, rel=1e-5
        )
        state = measure.two_point_state(model, name, x[0], x[1], [0.0] * 3, [1.0] * 3)
        assert state.dh2 == pytest.approx(
            float((expected[1] - expected[0]).square().sum()), rel=1e-5
        )
    for name, said in {
        "act": r"'act': is reached 4 times, needs one call, such as 'act\[0\]'",
        "act[4]": r"'act\[4\]': is never reached",
        "relu()": r"'relu\(\)': is never reached",
    }.items():
        with pytest.raises(ValueError, match=said):
            measure.layerwise_collapse(model, [name], (x, labels), 3)
        with pytest.raises(ValueError, match=said):
            measure.two_point_state(model, name, x[0], x[1], [0.0] * 3, [1.0] * 3)
