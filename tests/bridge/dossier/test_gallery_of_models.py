"""A gallery of models that people have: each gives right numbers, or says the way out."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch
from torch import nn

import bridge
import empirics
from empirics import measure

from . import plain_numbers
from .foreign_models import LABELS, MODELS, Applied, mlp, vectors

# relative, in float64; the curvature divides by squares of small stretchings
ROUNDING, OF_CURVATURE = 1e-9, 1e-8
OF_FLOAT32 = 2e-6  # relative, of features in the precision of the model
# what has no number, by model; every other quantity is compared for every model
WITHOUT = {
    "GCN of nodes": ("NC1", "volume"),  # the features of all nodes are computed at once
    "GraphSAGE of nodes": ("NC1", "volume"),
    "VAE": ("accuracy", "NC1"),  # no classes
    "RealNVP": ("accuracy", "NC1"),
    "SIREN": ("accuracy", "NC1"),
    "DeepONet": ("accuracy", "NC1"),
    "PINN": ("accuracy", "NC1"),
}
# with at least as many features as inputs, and without kinks
CURVED = {
    "KAN", "SIREN", "PINN", "mixture of experts", "actor-critic", "features, logits", "logits, features", "bfloat16",
    "half", "compiled", "pruned", "spectral norm", "loader of dictionaries", "dataset of dictionaries", "TensorDataset",
}  # fmt: skip
QUICK = "actor-critic"  # has every quantity, in half a second


def made(name):
    """Return a model of the gallery; only torch's own warnings about what it is made of are no errors."""
    torch.manual_seed(0)
    with warnings.catch_warnings():
        for category in (FutureWarning, DeprecationWarning, UserWarning):
            warnings.simplefilter("ignore", category)
        return MODELS[name]()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name != QUICK)) for name in MODELS]
)
def test_a_foreign_model_is_measured_or_the_way_out_is_said(name):
    foreign = made(name)
    model = foreign.model.eval()
    data = model, foreign.inputs, foreign.labels
    if foreign.refused:
        with pytest.raises((ValueError, TypeError), match=foreign.refused):
            bridge.dossier(*data, budget=2, progress=False, **foreign.options)
        if list(model.parameters()):  # a watched run needs no derivatives of a quantised network
            with pytest.raises((ValueError, TypeError), match=foreign.refused):
                empirics.watch(*data, **foreign.options)
        return
    dossier = bridge.dossier(*data, budget=60, progress=False, **foreign.options)
    with empirics.watch(*data, steps="calls", **foreign.options) as run:
        run.step()
    assert run.trace.attrs["output"] in said(dossier)
    assert f"output: {run.trace.attrs['output']}" in run.summary()
    compared = [
        *accuracy(foreign, dossier, run),
        *collapse(foreign, dossier, run),
        *of_double_precision(made(name), dossier),
    ]
    expected = {"accuracy", "kernel", "NC1", "volume"} - {*WITHOUT.get(name, ())}
    assert {*compared} == expected | ({"curvature"} if name in CURVED else set())


def accuracy(foreign, dossier, run):
    """Compare the accuracies of page and watched run with what the owner reads off."""
    if not foreign.classifies:
        return
    with torch.no_grad():
        decided = foreign.read(foreign.model, foreign.points).argmax(-1)
    value = float(decided.eq(labels_of(foreign)).double().mean())
    assert f"{value:.1%} of" in dossier.findings[0]
    assert float(run.trace["accuracy"][0]) == pytest.approx(value)
    yield "accuracy"


def collapse(foreign, dossier, run):
    """Compare NC1 of the last layer with that of features in the precision of the model."""
    rows = cells(dossier, "collapse", "collapse")
    if not rows:
        return
    own = getattr(foreign.model, "_orig_mod", foreign.model)
    features = plain_numbers.features_and_leaves(foreign, own, foreign.points)[0].detach()
    labels = labels_of(foreign)
    if labels.ndim == 3:  # of pixels
        features = features.movedim(1, -1)
    features = features.flatten(0, labels.ndim - 1).flatten(1)
    expected = plain_numbers.nc1(features.double().numpy(), labels.flatten().numpy())
    assert rows[-1][3] == pytest.approx(expected, rel=OF_FLOAT32)
    if rows[-1][0] in run.trace["layer"] and labels.ndim == 1:
        watched = float(run.trace["nc1"].sel(layer=rows[-1][0])[0])
        assert watched == pytest.approx(expected, rel=OF_FLOAT32)
    yield "NC1"


def of_double_precision(foreign, dossier):
    """Compare kernel, volumes and curvatures with those of the model in float64."""
    model = getattr(foreign.model, "_orig_mod", foreign.model).double().eval()
    points = plain_numbers.doubled(foreign.points)
    with plain_numbers.in_float64():
        gram = plain_numbers.kernel(foreign, model, points)
        features, leaves = plain_numbers.features_and_leaves(foreign, model, points)
    spectrum = [row[1] for row in cells(dossier, "kernel", "spectrum")]
    eigenvalues = np.linalg.eigvalsh(gram)
    mean, share = np.trace(gram) / len(gram), eigenvalues[-1] / eigenvalues.sum()
    ratio = eigenvalues.sum() ** 2 / (eigenvalues**2).sum()
    assert spectrum == pytest.approx([mean, share, ratio], rel=ROUNDING)
    yield "kernel"
    rows = cells(dossier, "geometry", "geometry")
    if not rows:
        return
    jacobian = plain_numbers.jacobians(features, leaves, is_kept=True)
    volumes, rank = plain_numbers.volumes(jacobian)
    if rows[0][0].startswith("mean log stretching"):
        volumes = volumes / rank
    assert extremes(rows[0]) == pytest.approx(spread(volumes), rel=ROUNDING)
    yield "volume"
    for row in rows:
        if row[0].startswith("rank"):
            assert extremes(row) == pytest.approx(spread(rank))
        if row[0] == "scalar curvature" and leaves[0].ndim == 2:
            curvatures = plain_numbers.curvatures(jacobian, leaves[0])
            assert extremes(row) == pytest.approx(spread(curvatures), rel=OF_CURVATURE)
            yield "curvature"


def spread(values):
    return [np.median(values), values.min(), values.max()]


def extremes(row):
    """Return median, lowest and highest value in a row of the table of the geometry."""
    return [row[2], row[4], row[5]]


def labels_of(foreign):
    return LABELS if foreign.labels is None else torch.as_tensor(foreign.labels)


def cells(dossier, part, table):
    """Return the rows of a table of a dossier; none if it is left out."""
    for section in dossier.sections:
        for candidate in section.analysis.tables:
            if (section.title, candidate.name) == (part, table):
                return candidate.cells
    return []


def said(dossier) -> str:
    """Return the page's table of the network as text."""
    (table,) = [table for table in dossier["network"].tables if table.name == "network"]
    return str(table.cells)


@pytest.mark.slow
def test_a_model_with_two_outputs_is_measured_at_its_logits():
    torch.manual_seed(1)
    x = vectors()
    plain = mlp()
    both = Applied(lambda own, points: (own.body(points), own.head(own.body(points))),
                   body=plain[:4], head=plain[4])  # fmt: skip
    dossier = bridge.dossier(both, x, LABELS, budget=20, progress=False)
    assert "1 of 0 [N, 8], 1 [N, 3]" in said(dossier)
    alone = Applied(lambda own, points: (own.net(points), 0.0), net=plain)
    expected = measure.neural_tangent_gram(plain, x[:2])
    torch.testing.assert_close(measure.neural_tangent_gram(alone, x[:2]), expected)


@pytest.mark.slow
def test_a_measure_takes_the_output_of_the_last_linear_map_or_asks():
    torch.manual_seed(2)
    plain = mlp()
    x = vectors()
    two = Applied(lambda own, points: (own.body(points), own.head(own.body(points))),
                  body=plain[:4], head=plain[4])  # fmt: skip
    expected = measure.metric(plain, x[:3])
    torch.testing.assert_close(measure.metric(two, x[:3]), expected)
    alike = Applied(lambda own, points: (own.net(points).tanh(), own.net(points).exp()), net=plain)
    with pytest.raises(ValueError, match=r"lambda x: model\(x\)\[0\]"):
        measure.metric(alike, x[:3])
    single = measure.metric(lambda points: two(points)[1], x[:3], precision="model")
    torch.testing.assert_close(single.double(), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_points_that_depend_on_each_other_are_said():
    class Mixed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = mlp()

        def forward(self, x):
            return self.net(x - x.mean(0))

    dossier = bridge.dossier(Mixed(), vectors(), LABELS, budget=2, progress=False)
    assert any("depends on the other points" in line for line in dossier.left_out)
