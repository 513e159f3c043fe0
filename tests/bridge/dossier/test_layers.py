"""The layers of a dossier: every call of a shared module, functions, and what is said of the rest."""

import re

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import bridge
import empirics
from empirics import measure


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a, self.b, self.relu = (
            nn.Linear(width, width),
            nn.Linear(width, width),
            nn.ReLU(inplace=True),
        )

    def forward(self, x):
        out = self.b(self.relu(self.a(x)))
        out += x
        return self.relu(out)


class Residual(nn.Module):
    """One ReLU for two places in each block, as in torchvision's residual networks; dropout; a function."""

    def __init__(self):
        super().__init__()
        self.stem, self.blocks = nn.Linear(6, 8), nn.Sequential(Block(8), Block(8))
        self.drop, self.head = nn.Dropout(0.5), nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.drop(self.blocks(F.gelu(self.stem(x)))))


@pytest.fixture(scope="module")
def data():
    generator = torch.Generator().manual_seed(0)
    labels = torch.arange(60) % 3
    return 2 * torch.randn(3, 6, generator=generator)[labels] + torch.randn(
        60, 6, generator=generator
    ), labels


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return Residual()


@pytest.fixture(scope="module")
def found(model, data):
    return bridge.dossier(model, *data, points=12, progress=False)


def test_every_call_is_measured_and_the_rest_is_named(found):
    rows = found["collapse"].tables[0].rows
    names = [
        "gelu()",
        "blocks.0.relu[0]",
        "blocks.0.relu[1]",
        "blocks.1.relu[0]",
        "blocks.1.relu[1]",
    ]
    assert [row["layer"] for row in rows] == names
    layers = {
        row["operation"]: (row["calls"], row["measured"])
        for row in found["network"].tables[-1].rows
    }
    assert layers == {
        "Linear": (6, 0),
        "gelu()": (1, 1),
        "ReLU": (4, 4),
        "add()": (2, 0),
        "Dropout": (1, 0),
    }
    assert any("training mode" in doubt.text for doubt in found["network"].doubts)


def test_a_watched_run_has_the_same_layers(found, model, data):
    """And the same numbers, of the second call of a module as of a function; only the last is read by a linear map."""
    names, sent = ["collapse", "two_point", "volume"], {}
    logger = lambda numbers, _: sent.update(numbers)  # noqa: E731
    with empirics.watch(model, *data, measures=names, steps="calls", logger=logger) as run:
        run.step()
    assert "watch/nc1/blocks.1.relu-1" in sent  # loggers get names without brackets
    rows = found["collapse"].tables[0].rows
    assert run.trace.layer.values.tolist() == [row["layer"] for row in rows]
    assert "layers" not in run.left_out
    np.testing.assert_allclose(
        run.trace.nc1.isel(step=-1), [row["NC1"] for row in rows], rtol=1e-5
    )
    assert np.isfinite(run.trace.nc3.isel(step=-1)).values.tolist() == [False] * 4 + [True]
    assert "blocks.1.relu[1]" in run.trace.log_volume.long_name
    assert (run.trace.dh2.isel(step=-1) > 0).all()


def test_nonlinearities_that_are_not_visible_are_spoken_of(data):
    class Written(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(6, 8), nn.Linear(8, 3)

        def forward(self, x):
            return self.b(self.a(x).square())

    torch.manual_seed(0)
    model = Written()
    with empirics.watch(model, *data, measures=["collapse"], steps="calls") as run:
        run.step()
    assert run.trace.layer.values.tolist() == ["a", "penultimate"]
    assert "no nonlinearity is visible, so that linear maps are measured" in run.left_out["layers"]
    left_out = bridge.dossier(model, *data, points=8, budget=1e-9, progress=False).left_out
    assert left_out[0] == f"layers: {run.left_out['layers']}"


def test_the_geometry_is_that_of_the_last_call(found, model, data):
    """And not that of the first, as long as shared modules were dropped."""
    features = nn.Sequential(model.stem, nn.GELU(), model.blocks).eval()
    some = torch.randperm(60, generator=torch.Generator().manual_seed(0))[:12].sort().values
    exact = measure.nonsingular_volume(features, data[0][some])
    row = found["geometry"].tables[0].rows[0]
    assert exact.rank.min() < 6
    assert row["quantity"] == "mean log stretching of the non-singular directions"
    assert row["median"] == pytest.approx(exact.mean_log_stretch.median().item(), abs=0.2)
    assert row["lowest"] == pytest.approx(exact.mean_log_stretch.min().item(), rel=1e-6)


def test_a_module_that_is_called_twice_can_be_named_once_or_by_call(model, data):
    layers = ["blocks.0.relu", "blocks.1.relu[1]"]
    found = bridge.dossier(model, *data, layers=layers, points=8, progress=False)
    measured = [row["layer"] for row in found["collapse"].tables[0].rows]
    assert measured == ["blocks.0.relu[0]", "blocks.0.relu[1]", "blocks.1.relu[1]"]
    with pytest.raises(
        ValueError, match=r"'blocks.0.relu\[2\]' is never reached .*; reached are stem, gelu\(\)"
    ):
        bridge.dossier(model, *data, layers=["blocks.0.relu[2]"])
    with pytest.raises(ValueError, match="each call once"):
        bridge.dossier(model, *data, layers=["blocks.0.relu", "blocks.0.relu[1]"])


def test_shuffled_labels_give_no_verdict_in_favour(model, data):
    """An untrained network, labels in random order: no separation, no share of the labels in the kernel."""
    order = torch.randperm(60, generator=torch.Generator().manual_seed(3))
    tables = bridge.dossier(model, data[0], data[1][order], points=40, progress=False)[
        "network"
    ].tables
    verdicts = {row["expectation"]: row["verdict"] for row in tables[0].rows}
    assert verdicts["Classes lie apart in blocks.1.relu[1], beyond chance"] == "too blunt to say"
    assert (
        verdicts["The labels lie in the leading eigenvectors of the tangent kernel"]
        == "too blunt to say"
    )


def test_measurements_that_exceed_the_budget_are_left_out_with_what_would_be_needed(model, data):
    found = bridge.dossier(model, *data, budget=1e-9, progress=False)
    assert [section.title for section in found.sections] == ["network"]
    assert [reason.partition(":")[0] for reason in found.left_out] == [
        "points", "geometry", "collapse", "kernel", "infinite width",
    ]  # fmt: skip
    assert found.left_out[0].startswith("points: 8 of 60 points within the budget; budget=0.")
    least = [
        re.search(r"not within the budget; budget=(.*) allows 8 points, budget=", reason)
        for reason in found.left_out[1:4]
    ]
    # the budget of the first points of the part that needs most is enough for all three
    enough = max(float(match[1]) for match in least)
    again = bridge.dossier(model, *data, budget=enough, progress=False)
    assert not {"geometry", "collapse", "kernel"} & {
        reason.partition(":")[0] for reason in again.left_out
    }
    assert "more than its linear layers and activations" in found.left_out[4]
    assert [doubt.text for doubt in found["network"].doubts[:5]] == list(found.left_out)


def test_a_memory_limit_reduces_the_points(data):
    torch.manual_seed(0)
    wide = nn.Sequential(nn.Linear(6, 300), nn.Mish(), nn.Linear(300, 3))
    found = bridge.dossier(wide, *data, memory="100KiB", progress=False)
    assert "28 of 60 points" in found["collapse"].doubts[-1].text
