"""Tests of the dossier of a small network: its numbers equal those of the measures, and bad input is named."""

import sys

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import stats
from torch import nn

import bridge
from bridge.cli import main
from bridge.dossier import geometry, volume
from bridge.dossier.expectation import numeral
from bridge.dossier.network import checked
from empirics import measure


@pytest.fixture(scope="module")
def data():
    generator = torch.Generator().manual_seed(0)
    labels = torch.arange(90) % 3
    centres = 2 * torch.randn(3, 5, generator=generator)
    return centres[labels] + torch.randn(90, 5, generator=generator), labels


def network(activation=nn.Mish, seed=1):
    """A smooth network; Mish has no expression here, so that nothing is computed at infinite width."""
    torch.manual_seed(seed)
    return nn.Sequential(
        nn.Linear(5, 12),
        activation(),
        nn.Linear(12, 12),
        activation(),
        nn.Linear(12, 12),
        activation(),
        nn.Linear(12, 3),
    )


@pytest.fixture(scope="module")
def model():
    """A network in training mode, which no measurement may change."""
    return network().train()


@pytest.fixture(scope="module")
def found(model, data):
    return bridge.dossier(model, *data, points=90, progress=False)


def test_it_has_its_parts_and_findings(found):
    assert [section.title for section in found.sections] == [
        "network",
        "geometry",
        "collapse",
        "kernel",
    ]
    assert found.left_out == (
        "infinite width: the activation Mish has none of the expressions known here",
    )
    assert len(found.findings) == 8
    assert sum("recorded map" in finding for finding in found.findings) == 1
    assert (
        sum("95 % interval" in finding and "over classes" in finding for finding in found.findings)
        == 1
    )
    assert all(finding in " ".join(str(found).split()) for finding in found.findings)
    assert max(map(len, str(found).splitlines())) <= 100


def test_the_interval_of_the_accuracy_is_wilsons_of_thirty_of_ninety(found):
    expectations, facts, *_ = found["network"].tables
    assert len(expectations.rows) == 5
    (accuracy,) = (row for row in facts.rows if row[""] == "accuracy")
    assert accuracy["95 %"] == expectations.rows[0]["95 %"] == "24.5 to 43.6 %"


def test_collapse_is_what_the_measure_says_and_the_floor_is_there(found, data):
    rows = found["collapse"].tables[0].rows
    assert [row["layer"] for row in rows] == ["1", "3", "5"]
    with torch.no_grad():
        first = network()[:2](data[0])
    assert rows[0]["NC1"] == pytest.approx(
        float(measure.neural_collapse(first, data[1]).nc1), rel=1e-6
    )
    assert rows[0]["isotropic floor"] == pytest.approx((90 - 3) * (3 - 1) / (12 - 3))


def test_volume_and_curvature_are_what_the_measures_say(found, data):
    rows = found["geometry"].tables[0].rows
    assert rows[-1]["quantity"] == "scalar curvature"
    exact = measure.log_volume_element(network().eval()[:6], data[0])
    assert rows[0]["median"] == pytest.approx(float(np.median(exact)), rel=1e-9)
    used = {row["quantity"]: row["points"] for row in rows}
    for other in ("the same", "another"):
        assert used[f"log stretching to a neighbour of {other} class"] == 90


def test_readouts_that_know_nothing_have_the_rank_correlations_of_scipy(rng):
    x, rows = rng.normal(size=12), rng.integers(0, 4, size=(5, 12)).astype(float)
    rows[2] = 1.0  # a constant has no ranks
    expected = [stats.spearmanr(x, row).statistic if np.ptp(row) else 0.0 for row in rows]
    assert volume._rank_correlations(x, rows) == pytest.approx(expected)
    assert not volume._rank_correlations(np.ones(12), rows).any()


def test_shares_of_the_labels_in_the_eigenvectors_grow_to_one(found):
    shares = [row["of the labels"] for row in found["kernel"].tables[0].rows]
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1 + 1e-12


def test_the_model_is_left_as_it_was(found, model):
    assert model.training
    assert all(map(torch.equal, model.state_dict().values(), network().state_dict().values()))


def test_networks_without_modules_for_activations_are_measured_at_their_linear_maps(data):
    class Plain(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second, self.third = nn.Linear(5, 8), nn.Linear(8, 8), nn.Linear(8, 3)

        def forward(self, x):
            h = self.first(x)
            h = self.second(h / (1 + h.abs()))
            return self.third(h / (1 + h.abs()))

    rows = bridge.dossier(Plain(), *data, points=10)["collapse"].tables[0].rows
    assert [row["layer"] for row in rows] == ["first", "second", "penultimate"]


def test_the_page_is_written_from_the_command_line(tmp_path, capsys):
    script = tmp_path / "mine.py"
    script.write_text(
        "import torch\ntorch.manual_seed(0)\n"
        "model = torch.nn.Sequential(torch.nn.Linear(2, 6), torch.nn.Tanh(), torch.nn.Linear(6, 2))\n"
        "inputs = torch.randn(30, 2)\nlabels = (inputs[:, 0] > 0).long()\n"
    )
    assert main(["dossier", str(script), "--out", str(tmp_path / "out"), "--points", "10"]) == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Dossier of Sequential, " in page
    assert "noise_floor" in page.replace("<wbr>", "")
    assert "report:" in capsys.readouterr().out


@pytest.mark.slow
def test_a_script_runs_as_python_would_run_it(tmp_path, monkeypatch, capsys):
    (tmp_path / "my_network_beside.py").write_text(
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.a, self.b = nn.Linear(2, 6), nn.Linear(6, 2)\n\n    def forward(self, x):\n"
        "        import my_slope_beside\n        return self.b(my_slope_beside.f(self.a(x)))\n"
    )
    (tmp_path / "my_slope_beside.py").write_text("from torch import tanh as f\n")
    script = tmp_path / "mine.py"
    script.write_text(
        "import sys\nimport torch\nfrom my_network_beside import Net\nassert len(sys.argv) == 1\n"
        "if __name__ == '__main__':\n    torch.manual_seed(0)\n    model, inputs = Net(), torch.randn(30, 2)\n"
        "    labels = (inputs[:, 0] > 0).long()\n"
    )
    monkeypatch.chdir(tmp_path)
    for name in ("my_network_beside", "my_slope_beside"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    path, arguments = list(sys.path), list(sys.argv)
    assert main(["dossier", "mine.py", "--out", "out", "--points", "10"]) == 0
    assert (sys.path, sys.argv) == (path, arguments)
    script.write_text("import my_network_beside\nraise ValueError('broken')\n")
    capsys.readouterr()
    assert main(["dossier", "mine.py"]) == 2
    assert capsys.readouterr().err == "closedform: mine.py, line 2: ValueError: broken\n"
    script.write_text("x = 1\nx = = 2\n")
    assert main(["dossier", "mine.py"]) == 2
    assert capsys.readouterr().err.endswith("mine.py, line 2: SyntaxError: invalid syntax\n")
    assert (sys.path, sys.argv) == (path, arguments)


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.first = nn.Embedding(9, 6), nn.Linear(6, 8)
        self.act, self.last = nn.Tanh(), nn.Linear(8, 3)

    def forward(self, words):
        return self.last(self.act(self.first(self.embedding(words).mean(1))))


class Coded(Words):
    def forward(self, words):
        return self.last(self.act(self.first(nn.functional.one_hot(words, 6)[:, 0].float())))


def test_tokens_have_a_geometry_from_their_embedding_if_there_is_one(data):
    words = torch.randint(6, (90, 4), generator=torch.Generator().manual_seed(0))
    parts = ["network", "geometry", "collapse", "kernel"]
    assert [
        section.title for section in bridge.dossier(Words(), words, data[1], points=20).sections
    ] == parts
    without = bridge.dossier(Coded(), words, data[1], points=20)
    assert "geometry" not in [section.title for section in without.sections]
    assert "no embedding reads them all" in without.left_out[0]


def test_layers_that_others_overwrite_and_inputs_that_the_model_overwrites(data):
    """In-place ReLUs after the layer that is looked at, and before everything."""
    x = data[0].double()
    torch.manual_seed(0)
    net = nn.Sequential(
        nn.ReLU(inplace=True), nn.Linear(5, 7), nn.ReLU(inplace=True), nn.Linear(7, 3)
    ).double()
    given = x.clone()
    rows = bridge.dossier(net, given, data[1], layers=["1"], points=10)["collapse"].tables[0].rows
    assert torch.equal(given, x)
    with torch.no_grad():
        exact = measure.neural_collapse(net[1](x.relu()), data[1]).nc1
    assert rows[0]["NC1"] == pytest.approx(exact, rel=1e-9)


@pytest.mark.slow
def test_compiled_networks_are_looked_into(data):
    model = network()
    compiled = bridge.dossier(torch.compile(model, backend="eager"), *data, points=10)
    assert str(compiled) == str(bridge.dossier(model, *data, points=10))


def test_probabilities_are_taken_as_they_are(found, data):
    """The entropy of the decision is that of the logits before the softmax that ends the network."""
    ended = bridge.dossier(nn.Sequential(*network(), nn.Softmax(1)), *data, points=90)
    medians, expected = (
        {row["quantity"]: row["median"] for row in dossier["geometry"].tables[0].rows}
        for dossier in (ended, found)
    )
    for name in ("log volume element", "entropy of the decision, bits"):
        assert medians[name] == pytest.approx(expected[name], rel=1e-5)


def test_an_undecided_network_has_the_largest_entropy(data):
    model = network()
    nn.init.zeros_(model[-1].weight)
    nn.init.zeros_(model[-1].bias)
    undecided = checked(model, data[0][:6], data[1][:6])
    found = geometry.measured(undecided, model[:2], ("inputs", "1"), "1 GB", progress=False)
    np.testing.assert_allclose(found.entropy, np.log2(3), rtol=1e-6)


def test_share_of_random_labels_is_what_shuffling_gives(found, data):
    """Over 400 orders of the labels; the leading eigenvector is nearly constant, so it holds next to nothing."""
    x, y = data
    rows = found["kernel"].tables[0].rows
    _, vectors = np.linalg.eigh(measure.neural_tangent_gram(network(), x).numpy())
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(400):
        centred = np.eye(3)[rng.permutation(y.numpy())]
        centred -= centred.mean(axis=0)
        shares.append(
            np.square(vectors[:, ::-1].T @ centred).sum(axis=1).cumsum() / np.square(centred).sum()
        )
    mean, error = np.mean(shares, axis=0), np.std(shares, axis=0) / 20
    for row in rows:
        k = row["eigenvectors"] - 1
        assert abs(row["of shuffled labels"] - mean[k]) < 4 * error[k] + 1e-12
    assert rows[0]["of shuffled labels"] < 0.5 / 90


def test_one_label_has_no_share(data):
    assert not bridge.dossier(network(), data[0], torch.zeros_like(data[1]), points=10)[
        "kernel"
    ].findings


class OfBatch(nn.Linear):
    def forward(self, batch):
        return super().forward(batch.pixel_values)


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"model": lambda x: x}, TypeError, "nn.Module"),
        ({"model": nn.Flatten()}, ValueError, "without parameters"),
        ({"inputs": torch.ones(90)}, ValueError, "inputs"),
        ({"inputs": torch.full((90, 5), torch.nan)}, ValueError, "finite"),
        ({"labels": torch.ones(90)}, ValueError, "class indices"),
        ({"labels": torch.ones(4, dtype=torch.int64)}, ValueError, "class indices"),
        ({"labels": torch.full((90,), 7)}, ValueError, "indices of the model's 3 outputs"),
        ({"layers": ["nothing"]}, ValueError, "layers"),
        ({"layers": "1"}, TypeError, "layers: got '1', needs a sequence of names"),
        ({"points": 3}, ValueError, "points"),
        (
            {"model": nn.Sequential(nn.Linear(5, 3), nn.Flatten(0))},
            TypeError,
            r"model: got shape \(6,\) from it",
        ),
        ({"model": network().to("meta")}, ValueError, "model: got one on the device 'meta'"),
        ({"model": nn.Linear(4, 3)}, ValueError, "inputs: got points of shape"),
        ({"model": OfBatch(5, 3)}, ValueError, "inputs: got points of shape"),
        ({"inputs": "mine"}, TypeError, "inputs: got str"),
        (
            {"labels": None, "task": "classes"},
            ValueError,
            "labels: got none, needs those of the task 'classes'",
        ),
        (
            {"labels": torch.zeros(90, 2), "task": "classes"},
            ValueError,
            "needs class indices \\[90\\]",
        ),
        ({"task": "binary"}, ValueError, "needs 0 or 1 for each of 90 points, and one output"),
        ({"task": "sorting"}, ValueError, "task: got 'sorting'"),
        (
            {"layers": [("1", "first")]},
            ValueError,
            "needs a name, or a pair of a name and a position, 'last', 'mean'",
        ),
        ({"layers": [("1", 0)]}, ValueError, "'1@0': its output has shape"),
        ({"layers": ["residual"]}, ValueError, "no residual connection is visible"),
        ({"layers": ["1", "1"]}, ValueError, "each once"),
        ({"seed": -1}, ValueError, "seed: got -1"),
        ({"memory": "lots"}, ValueError, "memory: got 'lots'"),
    ],
)
def test_bad_input(data, change, error, said):
    given = {"model": network(), "inputs": data[0], "labels": data[1]} | change
    with pytest.raises(error, match=said):
        bridge.dossier(**given)


def test_tables_of_pandas_are_taken(data, found):
    inputs = pd.DataFrame(data[0].numpy(), columns=list("abcde"))
    labels = pd.Series(data[1].numpy())
    assert bridge.dossier(network(), inputs, labels, points=90).findings == found.findings
    with pytest.raises(TypeError, match="inputs: got DataFrame, needs a tensor, an array or"):
        bridge.dossier(network(), inputs.assign(a="text"), data[1])
    masked = np.ma.masked_array(data[0].numpy(), mask=data[0].numpy() > 1)
    with pytest.raises(TypeError, match="inputs: got a masked array"):
        bridge.dossier(network(), masked, data[1])


@pytest.mark.slow
@pytest.mark.parametrize("classes", [3, 10])
def test_the_interval_over_classes_covers_other_classes(rng, classes):
    """It contains the mean of log NC1 over sets of classes in 95 % of 300 sets or more, up to two standard errors."""
    labels = np.repeat(np.arange(classes), 20)
    logs, factors = [], []
    for _ in range(300):
        size, centres = np.exp(0.4 * rng.normal(size=(classes, 1))), rng.normal(size=(classes, 20))
        x = centres[labels] + size[labels] * rng.normal(size=(len(labels), 20))
        resampled = measure.resampled_nc1(x, labels, count=1)
        logs.append(np.log(resampled.value))
        factors.append(np.log(resampled.interval_over_classes[1] / resampled.value))
    assert (np.abs(np.array(logs) - np.mean(logs)) < factors).mean() > 0.95 - 2 * 0.013


@pytest.mark.parametrize(
    ("value", "text"),
    [(1273.2, "1,270"), (-0.3714, "−0.371"), (4.9e-3, "0.0049"), (7.123e-5, "7.12×10⁻⁵"), (-2.5e7, "−2.50×10⁷"),
     (0, "0"), (999999.9, "1,000,000"), (2.0, "2")],
)  # fmt: skip
def test_numbers_in_sentences(value, text):
    assert numeral(value) == text
