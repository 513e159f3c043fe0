"""Streams as layers: residual states, tokens, states of recurrent layers and the input of the last linear map."""

import pytest
import torch
from torch import nn

import empirics
from empirics import measure
from empirics.measure.models.layer_outputs import layer_name, outputs_of, part_up_to
from empirics.measure.models.layers import layers_of
from tests import architectures

IMAGES = torch.randn(4, 3, 32, 32, generator=torch.Generator().manual_seed(0))
TOKENS = torch.randint(0, 11, (4, 6), generator=torch.Generator().manual_seed(0))
SERIES = torch.randn(4, 7, 4, generator=torch.Generator().manual_seed(0))


class Timed(nn.Module):
    """Points in the second dimension, as recurrent layers have them by default; cells that are called one by one."""

    def __init__(self):
        super().__init__()
        self.rnn, self.cell, self.head = nn.LSTM(4, 5), nn.GRUCell(5, 6), nn.Linear(6, 2)

    def forward(self, x):
        states, _ = self.rnn(x.transpose(0, 1))
        h = states.new_zeros(len(x), 6)
        for state in states:
            h = self.cell(state, h)
        return self.head(h)


def model(kind, **options):
    torch.manual_seed(0)
    return kind(**options).eval()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("kind", "x", "names"),
    [
        (architectures.ResNet, IMAGES, [f"layer{stage}.0@pooled" for stage in (1, 2, 3, 4)]),
        (
            architectures.ConvNeXt,
            IMAGES,
            [*(f"features.{i}@pooled" for i in (2, 5, 8, 11)), "penultimate"],
        ),
        (architectures.ViT, IMAGES, ["blocks.0@0", "blocks.1@0", "blocks.2@0", "penultimate"]),
        (
            architectures.GPT,
            TOKENS,
            ["blocks.0", "blocks.1", "blocks.2", "blocks.3", "penultimate"],
        ),
        (architectures.Recurrent, SERIES, ["gru@last"]),
        (Timed, SERIES, ["rnn@last", "cell[6]"]),
        (
            architectures.UNet,
            torch.randn(4, 1, 8, 8),
            ["inc.2", "inc.5", "down.2", "down.5", "out.2", "out.5"],
        ),
        (architectures.Autoencoder, torch.randn(4, 10), ["encoder.1", "decoder.1"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_layers_of_the_networks_that_people_have(kind, x, names):
    found = layers_of(model(kind), x).measured
    assert [layer.name for layer in found] == names
    _, kept = outputs_of(model(kind), x.clone(), names)
    assert [layer.features for layer in found] == [kept[name][0].numel() for name in names]


def test_named_streams_are_what_the_network_computes():
    vit = model(architectures.ViT)
    wanted = [
        "residual",
        "penultimate",
        ("ln", 0),
        ("ln", "mean"),
        ("ln", "last"),
        ("patch", "pooled"),
        "ln@-2",
    ]
    found = layers_of(vit, IMAGES, wanted).measured
    names = ["blocks.0@0", "blocks.1@0", "blocks.2@0", "penultimate"]
    names += ["ln@0", "ln@mean", "ln@last", "patch@pooled", "ln@-2"]
    assert [layer.name for layer in found] == names
    assert {layer.features for layer in found} == {12}
    _, kept = outputs_of(vit, IMAGES.clone(), names)
    with torch.no_grad():
        patches = vit.patch(IMAGES)
        x = (
            torch.cat([vit.cls.expand(4, -1, -1), patches.flatten(2).transpose(1, 2)], 1)
            + vit.position
        )
        first, ended = vit.blocks[0](x), vit.ln(vit.blocks(x))
    for name, expected in {
        "blocks.0@0": first[:, 0], "penultimate": ended[:, 0], "ln@0": ended[:, 0], "ln@mean": ended.mean(1),
        "ln@last": ended[:, -1], "ln@-2": ended[:, -2], "patch@pooled": patches.mean((2, 3)),
    }.items():  # fmt: skip
        assert torch.allclose(kept[name], expected, atol=1e-6)
        assert torch.allclose(part_up_to(vit, name)(IMAGES.clone()), expected, atol=1e-6)
    assert len(layers_of(vit, IMAGES, [("residual", "mean")]).measured) == 3


def test_states_of_recurrent_layers_have_points_first():
    net = model(Timed)
    _, kept = outputs_of(net, SERIES, ["rnn", ("rnn", "last"), "cell[0]"])
    with torch.no_grad():
        states, (last, _) = net.rnn(SERIES.transpose(0, 1))
    torch.testing.assert_close(kept["rnn"], states.transpose(0, 1))
    torch.testing.assert_close(kept[("rnn", "last")], last[-1])
    torch.testing.assert_close(kept["cell[0]"], net.cell(states[0], torch.zeros(4, 6)))


class Summed(nn.Module):
    """Sums that are no residual connections: of products, as in rotary embeddings, and in a nonlinearity by hand."""

    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(5, 8), nn.Linear(8, 5)

    def forward(self, x):
        h = self.up(x)
        h = h + 0.1 * h**3
        return self.down(h * h.cos() + h.flip(-1) * h.sin())


@pytest.mark.parametrize(
    "block",
    [Summed(), nn.Sequential(nn.Linear(5, 5), nn.ReLU())],
    ids=["sums of products", "no sums"],
)
def test_other_sums_are_no_residual_stream(block):
    with pytest.raises(ValueError, match="no residual connection is visible"):
        layers_of(nn.Sequential(block, nn.Linear(5, 2)), torch.randn(3, 4, 5), ["residual"])


def test_measures_and_watched_runs_take_the_same_words():
    gru, labels = model(architectures.Recurrent), torch.arange(4) % 2
    words = [("gru", 3), ("gru", "last"), "penultimate"]
    found = measure.layerwise_collapse(gru, words, (SERIES, labels), 3)
    with torch.no_grad():
        states = gru.gru(SERIES)[0]
    assert [*found] == ["gru@3", "gru@last", "penultimate"]
    assert found["gru@3"].nc1 == pytest.approx(
        measure.neural_collapse(states[:, 3], labels, classes=3).nc1, rel=1e-5
    )
    assert found["gru@last"].nc1 == found["penultimate"].nc1
    vit = model(architectures.ViT)
    residual = measure.layerwise_collapse(vit, ["residual"], (IMAGES, labels), 3)
    assert [*residual] == ["blocks.0@0", "blocks.1@0", "blocks.2@0"]
    with pytest.raises(ValueError, match="'residual': stands for several layers, needs one"):
        measure.two_point_state(vit, "residual", IMAGES[0], IMAGES[1], [0.0] * 3, [1.0] * 3)
    state = measure.two_point_state(gru, ("gru", 3), SERIES[0], SERIES[1], [0.0] * 3, [1.0] * 3)
    assert state.dh2 == pytest.approx(
        float((states[1, 3] - states[0, 3]).square().sum()), rel=1e-5
    )
    with empirics.watch(
        gru, SERIES, labels, layers=words, measures=["collapse", "volume"], steps="calls"
    ) as run:
        run.step()
    assert run.trace.layer.values.tolist() == [*found]
    assert "penultimate" in run.trace.log_volume.long_name


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (3, TypeError),
        (("ln", 0, 1), TypeError),
        (("ln", "first"), ValueError),
        ("ln@x", ValueError),
    ],
)
def test_what_is_no_name_is_refused(given, error):
    with pytest.raises(error, match="needs a name, or a pair of a name and a position"):
        layer_name("layers", given)
