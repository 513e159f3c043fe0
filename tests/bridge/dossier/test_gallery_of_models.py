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

from .foreign_models import CLASSES, LABELS, MODELS, Applied, mlp, vectors

PRINTED = 0.0006  # of an accuracy in percent with one digit
pytestmark = pytest.mark.slow


@pytest.fixture
def foreign(request):
    """A model of the gallery; only torch's own warnings about what it is made of are no errors."""
    torch.manual_seed(0)
    with warnings.catch_warnings():
        for category in (FutureWarning, DeprecationWarning, UserWarning):
            warnings.simplefilter("ignore", category)
        return MODELS[request.param]()


@pytest.mark.parametrize("foreign", MODELS, indirect=True)
# before any training, the estimate of a spectral norm is too small, and the network is far from its linear range
@pytest.mark.filterwarnings(
    "ignore:.*feature_map. units of tanh are saturated:RuntimeWarning",
    "ignore:.*log_volume_element. the Jacobian is so ill-conditioned:RuntimeWarning",
)
def test_a_foreign_model_is_measured_or_the_way_out_is_said(foreign):
    model = foreign.model.eval()
    given = model, foreign.inputs, foreign.labels
    if foreign.refused:
        with pytest.raises((ValueError, TypeError), match=foreign.refused):
            bridge.dossier(*given, budget=2, progress=False, **foreign.options)
        if list(model.parameters()):  # a watched run needs no derivatives of a quantised network
            with pytest.raises((ValueError, TypeError), match=foreign.refused):
                empirics.watch(*given, **foreign.options)
        return
    dossier = bridge.dossier(*given, budget=4, progress=False, **foreign.options)
    with empirics.watch(*given, steps="calls", **foreign.options) as run:
        run.step()
    assert run.trace.attrs["output"] in said(dossier)
    assert f"output: {run.trace.attrs['output']}" in run.summary()
    if foreign.decide is None:
        return
    with torch.no_grad():
        decided = foreign.decide(model)
    labels = LABELS if foreign.labels is None else torch.as_tensor(foreign.labels)
    accuracy = float(decided.eq(labels).double().mean())
    assert f"{accuracy:.1%} of" in dossier.findings[0]
    assert float(run.trace["accuracy"][0]) == pytest.approx(accuracy)


def said(dossier) -> str:
    """Return the page's table of the network as text."""
    (table,) = [table for table in dossier["network"].tables if table.name == "network"]
    return str(table.cells)


def nc1_by_hand(features: np.ndarray, labels: np.ndarray) -> float:
    means = np.stack([features[labels == label].mean(0) for label in range(CLASSES)])
    within = np.cov((features - means[labels]).T, bias=True)
    between = np.cov(means.T, bias=True)
    return float(np.trace(within @ np.linalg.pinv(between, rcond=1e-10)))


def test_numbers_of_a_model_with_two_outputs_are_those_of_its_logits():
    torch.manual_seed(1)
    x = vectors()
    plain = mlp()
    both = Applied(lambda own, points: (own.body(points), own.head(own.body(points))),
                   body=plain[:4], head=plain[4])  # fmt: skip
    dossier = bridge.dossier(both, x, LABELS, budget=20, progress=False)
    assert "1 of 0 [N, 8], 1 [N, 3]" in said(dossier)
    features = plain[:4](x).detach().double().numpy()
    by_hand = nc1_by_hand(features, LABELS.numpy())
    nc1 = measure.neural_collapse(torch.as_tensor(features), LABELS).nc1
    assert nc1 == pytest.approx(by_hand, rel=1e-6)
    assert f"is {by_hand:.3g} at 24 points" in " ".join(dossier.findings)

    def gradient(point):
        twin = mlp().double()
        twin.load_state_dict({name: value.double() for name, value in plain.state_dict().items()})
        rows = []
        for output in twin(point.double().unsqueeze(0))[0]:
            parts = torch.autograd.grad(output, list(twin.parameters()), retain_graph=True)
            rows.append(torch.cat([part.flatten() for part in parts]))
        return torch.stack(rows)

    entry = float((gradient(x[0]) * gradient(x[1])).sum())
    alone = Applied(lambda own, points: (own.net(points), 0.0), net=plain)
    for model in (plain, alone):
        gram = measure.neural_tangent_gram(model, x[:2])
        assert float(gram[0, 1]) == pytest.approx(entry, rel=1e-9)


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


def test_points_that_depend_on_each_other_are_said():
    class Mixed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = mlp()

        def forward(self, x):
            return self.net(x - x.mean(0))

    found = bridge.dossier(Mixed(), vectors(), LABELS, budget=2, progress=False)
    assert any("depends on the other points" in line for line in found.left_out)
