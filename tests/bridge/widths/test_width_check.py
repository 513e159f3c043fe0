"""Width checks: planted exponents are found, correct parametrisations pass, and every layer is measured by itself."""

import json
import re

import numpy as np
import pytest
import torch
from torch import nn

import bridge
from bridge.widths.exponents import exponents
from bridge.widths.layer import LayerScaling
from closedform.measured import Measured
from empirics import measure
from theory.core import Verdict
from theory.engine import in_parametrisation, own_updates
from theory.engine.own_updates import PARAMETRISATIONS

WIDTHS = (16, 32, 64, 128, 256)
LAYERS = {"0": "input", "2": "hidden", "4": "output"}
READOUT = 64
GENERATOR = torch.Generator().manual_seed(11)
BATCH = tuple(
    torch.randn(64, size, generator=GENERATOR, dtype=torch.float64) for size in (6, READOUT)
)


class Scaled(nn.Linear):
    """A dense layer with weights ``n^-a w``, where w has the standard deviation ``n^-b``."""

    def __init__(self, inputs, outputs, factor, spread):
        super().__init__(inputs, outputs, bias=False)
        self.factor = factor
        nn.init.normal_(self.weight, std=spread)

    def forward(self, features):
        return self.factor * super().forward(features)


def in_exponents(a, b, readout=READOUT):
    def make(width):
        sizes = (6, width), (width, width), (width, readout)
        layers = []
        for (inputs, outputs), factor, spread in zip(sizes, a, b, strict=True):
            scale = 6**-0.5 if inputs == 6 else 1.0
            layers += [Scaled(inputs, outputs, scale * width**-factor, width**-spread), nn.ReLU()]
        return nn.Sequential(*layers[:-1]).double()

    return make


def of_rates(kind, c, rate):
    def make(model, width):
        layers = [layer for layer in model if isinstance(layer, Scaled)]
        return kind(
            [
                {"params": layer.parameters(), "lr": rate * width**-exponent}
                for layer, exponent in zip(layers, map(float, c), strict=True)
            ]
        )

    return make


def checked(name, optimizer, steps=(1,), **options):
    a, b, rates = PARAMETRISATIONS[name]
    a, b = (tuple(map(float, values)) for values in (a, b))
    kind, rate = (torch.optim.SGD, 1e-4) if optimizer == "sgd" else (torch.optim.Adam, 1e-4)
    return bridge.width_check(
        in_exponents(a, b),
        WIDTHS,
        of_rates(kind, rates[optimizer], rate),
        batch=BATCH,
        loss=nn.functional.mse_loss,
        steps=steps,
        **options,
    )


QUICK = [("maximal update", "adam")]  # the others are among the slow tests
NAMED = [(name, kind) for name, (_, _, rates) in PARAMETRISATIONS.items() for kind in rates]


@pytest.mark.parametrize(
    ("name", "optimizer"),
    [pytest.param(*named, marks=[pytest.mark.slow] * (named not in QUICK)) for named in NAMED],
)
def test_own_updates_of_networks_have_the_exponents_that_theory_derives(name, optimizer):
    theory = in_parametrisation(name, optimizer)
    expected = {layer: theory[role] for layer, role in LAYERS.items()}
    check = checked(name, optimizer, expected=expected, seeds=12)
    for layer in check.layers:
        own = layer.own[0]
        assert abs(own.value - layer.expected) < 0.05 + 4 * own.error, layer.name
        assert own.error < 0.15, layer.name


def named_parametrisation(optimizer, **options):
    return bridge.width_check(
        lambda width: nn.Sequential(
            nn.Linear(6, width), nn.ReLU(), nn.Linear(width, width), nn.LayerNorm(width), nn.Linear(width, 4)
        ),
        (16, 32, 64),
        lambda model, width: optimizer(model.parameters()),
        batch=(torch.randn(8, 6), torch.randn(8, 4)),
        loss=nn.functional.mse_loss,
        seeds=2,
        steps=(1,),
        **options,
    )  # fmt: skip


def test_a_named_parametrisation_has_the_exponents_of_the_theory_by_the_shapes_of_layers():
    theory = in_parametrisation("standard", "adam")
    check = named_parametrisation(
        torch.optim.AdamW, parametrisation="standard", expected={"4": 0.7}
    )
    assert [layer.expected for layer in check.layers] == [
        theory["input"],
        theory["hidden"],
        0.0,
        0.7,
    ]
    check = named_parametrisation(lambda p: torch.optim.SGD(p, 1e-3), parametrisation="ntk")
    theory = in_parametrisation("ntk", "sgd")
    assert check["4"].expected == theory["output"]
    with pytest.raises(ValueError, match="got RMSprop as the optimiser, needs SGD or Adam"):
        named_parametrisation(torch.optim.RMSprop, parametrisation="standard")
    with pytest.raises(ValueError, match="name"):
        named_parametrisation(torch.optim.Adam, parametrisation="other")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_every_balance_holds(optimizer):
    for update in own_updates(optimizer).values():
        assert set(update.check().values()) == {Verdict.HOLDS}


def test_the_maximal_update_transfers_and_the_standard_parametrisation_does_not():
    good = checked("maximal update", "adam", steps=(1, 4), layers=["0", "2"])
    assert good.transfers
    assert "hyperparameters can transfer" in good.summary()
    assert checked("maximal update", "adam")["4"].verdict not in ("grows", "vanishes")
    wrong = checked("standard", "adam", steps=(1, 4))
    assert not wrong.transfers
    assert {wrong["2"].verdict, wrong["4"].verdict} == {"grows"}
    # an alarm allows for the number of layers
    assert {layer.own[0].among for layer in wrong.layers} == {3}
    # which sizes before training do not see
    assert abs(wrong["2"].size.value) < 0.1


def layer(*own, expected=0.0, error=0.01, among=1):
    """A layer with exponents of its own update; None where there is none."""
    numbers = tuple(
        None
        if value is None
        else Measured("a.b", "l", value, error, 5, expected, resolution=0.1, among=among)
        for value in own
    )
    return LayerScaling("l", None, numbers, numbers, np.ones((3, 5)), expected)


@pytest.mark.parametrize(
    ("scaling", "verdict"),
    [
        (layer(0.01, -0.02), "transfers"),
        (layer(0.5, 0.4), "grows"),
        (layer(-0.5, 0.0), "vanishes"),
        (layer(0.01, -0.3), "drifts"),
        (layer(None, 0.4), "grows"),  # behind a readout that is zero at first
        (layer(None, None), "too blunt"),
        (layer(0.0, 0.0, error=0.2), "too blunt"),
        (layer(0.5, 0.5, expected=0.5), "as expected"),
        (layer(0.2, 0.2, expected=0.5), "less than expected"),
        (layer(0.9, 0.9, expected=0.5), "more than expected"),
        # an alarm has to stand out among all layers, agreement does not
        (layer(0.3, error=0.06), "grows"),
        (layer(0.3, error=0.06, among=19), "too blunt"),
        (layer(0.3, error=0.03, among=19), "grows"),
        (layer(0.02, error=0.02, among=19), "transfers"),
    ],
)
def test_the_verdict_of_a_layer(scaling, verdict):
    assert scaling.verdict == verdict


def test_exponents_are_corrected_for_a_scatter():
    widths = np.array([32.0, 64.0, 128.0, 256.0])
    values = 3 * widths**0.7 * np.sqrt(1 + 20 / widths)
    corrected = exponents(widths, values[:, None])[0]
    plain = np.polyfit(np.log(widths), np.log(values), 1)[0]
    assert abs(corrected - 0.7) < 0.03 < 0.09 < abs(plain - 0.7)


def test_wide_networks_weigh_more_in_an_exponent():
    widths = np.array([32.0, 64.0, 128.0, 256.0, 512.0])
    at_either_end = np.ones((5, 2))
    at_either_end[0, 0] = at_either_end[4, 1] = 1.1
    narrow, wide = exponents(widths, at_either_end)
    assert abs(narrow) < abs(wide) / 2


def test_a_batch_with_more_rows_than_the_narrowest_width_is_said():
    def notes_of(rows):
        batch = torch.randn(rows, 6), torch.randn(rows, 4)
        check = bridge.width_check(
            lambda width: nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 4)),
            (16, 32, 64),
            lambda model, width: torch.optim.SGD(model.parameters(), 1e-3),
            batch=batch,
            loss=nn.functional.mse_loss,
            seeds=2,
        )
        return [note for note in check.notes if "rows of the batch" in note]

    assert notes_of(16) == []
    (note,) = notes_of(17)
    assert note.startswith("2: 17 rows of the batch are more than its 16 inputs")


def test_a_layer_with_parameters_inside_of_others_changes_by_its_own_alone():
    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(3, 3)
            self.shift = nn.Parameter(torch.zeros(3))

        def forward(self, x):
            return torch.relu_(self.inner(x)) + self.shift

    torch.manual_seed(0)
    model, inputs = Outer(), torch.randn(5, 3)
    optimizer = torch.optim.SGD(
        [{"params": model.inner.parameters(), "lr": 1.0}, {"params": [model.shift], "lr": 0.0}]
    )
    found = measure.layer_updates(
        model, optimizer, (inputs, torch.zeros(5, 3)), nn.functional.mse_loss, (1,)
    )
    assert found.own[""] == (0.0,)
    assert found.change[""][0] > 0
    assert found.own["inner"][0] > 0


def test_steps_that_are_rounded_away_are_said():
    model = nn.Linear(3, 2)
    batch = torch.randn(5, 3), torch.randn(5, 2)
    for rate, is_said in ((1e-9, True), (1e-2, False)):
        optimizer = torch.optim.SGD(model.parameters(), rate)
        found = measure.layer_updates(model, optimizer, batch, nn.functional.mse_loss)
        assert any("rounded away" in note for note in found.notes) is is_said


def test_the_own_update_is_that_of_all_steps():
    model, batch = nn.Linear(3, 2), (torch.randn(5, 3), torch.randn(5, 2))
    sgd = torch.optim.SGD(model.parameters(), 0.1)
    found = measure.layer_updates(model, sgd, batch, nn.functional.mse_loss, (1, 3))
    # the inputs of the only layer are those before
    assert found.own[""] == pytest.approx(found.change[""], rel=1e-5)
    assert found.own[""][1] > 1.5 * found.own[""][0]


def test_the_modes_of_modules_and_running_statistics_are_left_alone():
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(0.5), nn.Linear(4, 2))
    model[1].eval()
    before = model[1].running_mean.clone()
    batch = torch.randn(9, 3), torch.randn(9, 2)
    sgd = torch.optim.SGD(model.parameters(), 0.1)
    measure.layer_updates(model, sgd, batch, nn.functional.mse_loss, (1,))
    assert [layer.training for layer in model] == [True, False, True, True]
    assert torch.equal(model[1].running_mean, before)


def test_batch_normalisation_has_the_statistics_of_the_batch():
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    batch = 100 * torch.randn(9, 3), torch.randn(9, 4)
    sgd = torch.optim.SGD(model.parameters(), 0.1)
    found = measure.layer_updates(model, sgd, batch, nn.functional.mse_loss, (1,))
    assert found.size["1"] == pytest.approx(1, rel=1e-3)


def test_an_epsilon_that_limits_updates_is_said():
    model = nn.Linear(3, 2)
    optimizer = torch.optim.Adam(model.parameters(), 1e-3, eps=1e-2)
    batch = torch.randn(5, 3), torch.randn(5, 2)
    found = measure.layer_updates(
        model, optimizer, batch, lambda o, t: 1e-3 * nn.functional.mse_loss(o, t)
    )
    assert "not large beside eps = 0.01" in found.notes[0]


def test_a_layer_that_does_not_learn_is_not_decided():
    def optimizer(model, width):
        return torch.optim.SGD(model[0].parameters(), 1e-3)

    check = bridge.width_check(
        in_exponents((0, 0.5, 0.5), (0, 0, 0)),
        WIDTHS,
        optimizer,
        batch=BATCH,
        loss=nn.functional.mse_loss,
        seeds=2,
    )
    assert check["4"].own == (None, None)
    assert check["4"].verdict == "too blunt"


FILE = """
import torch
batch = torch.randn(16, 4), torch.randn(16, 2)
loss = torch.nn.functional.mse_loss
def make_model(width):
    return torch.nn.Sequential(torch.nn.Linear(4, width), torch.nn.ReLU(), torch.nn.Linear(width, 2))
def optimizer(model, width):
    return torch.optim.Adam(model.parameters(), 1e-3)
"""


def test_the_command_reads_a_file_and_writes_numbers_and_a_figure(tmp_path, capsys):
    from bridge.widths.command import run_width_check

    (tmp_path / "mine.py").write_text(FILE)
    words = [str(tmp_path / "mine.py"), "--widths", "16,32,64,128", "--out", str(tmp_path / "out")]
    context = run_width_check.make_context("width-check", words)
    assert run_width_check.invoke(context) == 1
    printed = capsys.readouterr().out
    assert "grows: 2" in printed
    numbers = json.loads((tmp_path / "out" / "width-check.json").read_text())
    assert numbers["layers"]["2"]["verdict"] == "grows"
    page = (tmp_path / "out" / "report.html").read_text()
    assert "grows: 2" in page
    assert "<svg" in page
    assert not re.search(r"(src|href)=.?https?:", page)
    assert (tmp_path / "out" / "width-check.csv").is_file()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"widths": (32, 64)}, "three or more"),
        ({"widths": (64, 32, 128)}, "that increase"),
        ({"steps": (4, 1)}, "increasing numbers"),
        ({"layers": ["7"]}, "layers"),
        ({"seeds": 1}, "seeds"),
        ({"expected": {"7": 1.0}}, "expected"),
    ],
)
def test_bad_input_is_refused(change, words):
    values = {
        "make_model": in_exponents((0, 0.5, 0.5), (0, 0, 0)),
        "widths": WIDTHS[:3],
        "optimizer": lambda model, width: torch.optim.SGD(model.parameters(), 1e-3),
        "batch": BATCH,
        "loss": nn.functional.mse_loss,
        "seeds": 2,
        **change,
    }
    with pytest.raises(ValueError, match=words):
        bridge.width_check(**values)
