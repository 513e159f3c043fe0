"""Numbers of dossiers of eight kinds of networks, computed again in a few lines of torch and numpy."""

import numpy as np
import pytest
import torch
from torch.func import functional_call, jacrev
from torch.nn import functional as F

import bridge
from tests.bridge.dossier.test_budget import case

pytestmark = pytest.mark.slow
NAMES = ["resnet", "convnext", "vit", "gpt", "gru", "unet", "autoencoder", "dictionary"]
CLASSIFIERS = ["resnet", "convnext", "vit", "gru", "dictionary"]


@pytest.fixture(scope="module")
def dossiers():
    """Name -> (model in double precision, inputs, labels, dossier of it with all the work that it asks for)."""
    made = {}

    def dossier(name):
        if name not in made:
            model, inputs, labels = case(name)
            found = bridge.dossier(model, inputs, labels, budget=2000.0, progress=False)
            made[name] = (model.double().eval(), as_double(inputs), labels, found)
        return made[name]

    return dossier


def as_double(inputs):
    if isinstance(inputs, dict):
        return {key: as_double(one) for key, one in inputs.items()}
    return inputs.double() if inputs.is_floating_point() else inputs


def run(model, inputs):
    outputs = model(**inputs) if isinstance(inputs, dict) else model(inputs)
    return getattr(outputs, "logits", outputs)


def value(found, section, heading, name, column):
    """The number in the column of the row that is named so."""
    rows = (
        row for table in found[section].tables for row in table.rows if row.get(heading) == name
    )
    return next(rows)[column]


@pytest.mark.parametrize("name", NAMES)
def test_loss(dossiers, name):
    model, inputs, labels, found = dossiers(name)
    with torch.no_grad():
        outputs = run(model, inputs)
    if name == "autoencoder":
        said, expected = (
            value(found, "network", "", "mean squared error", "value"),
            F.mse_loss(outputs, labels.double()),
        )
    else:
        logits = outputs.flatten(0, 1) if name == "gpt" else outputs
        said = value(found, "network", "", "cross-entropy", "value")
        expected = F.cross_entropy(logits, labels.flatten() if name == "gpt" else labels)
    # three digits are printed
    assert float(said.split()[0]) == pytest.approx(float(expected), rel=5e-3)


@pytest.mark.parametrize("name", NAMES)
def test_eigenvalues_of_the_tangent_kernel(dossiers, name):
    model, inputs, _, found = dossiers(name)
    weights = {key: one.detach() for key, one in model.named_parameters()}

    def outputs(weights):
        return run(
            lambda *given, **named: functional_call(model, weights, given, named), inputs
        ).flatten(1)

    gradients = torch.cat(
        [each.flatten(2) for each in jacrev(outputs, chunk_size=8)(weights).values()], dim=2
    )
    eigenvalues = torch.linalg.eigvalsh(torch.einsum("icp,jcp->ij", gradients, gradients))
    expected = float(eigenvalues.sum() ** 2 / (eigenvalues**2).sum())
    said = value(found, "kernel", "quantity", "participation ratio of the eigenvalues", "value")
    assert said == pytest.approx(expected, rel=1e-6)
    said = value(found, "kernel", "quantity", "largest eigenvalue over the trace", "value")
    assert said == pytest.approx(float(eigenvalues[-1] / eigenvalues.sum()), rel=1e-6)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_nc1_of_the_penultimate_layer(dossiers, name):
    model, inputs, labels, found = dossiers(name)
    kept = {}
    linear = [module for module in model.modules() if isinstance(module, torch.nn.Linear)][-1]
    linear.register_forward_pre_hook(
        lambda module, arguments: kept.update(features=arguments[0].detach())
    )
    run(model, inputs)
    features = kept["features"].flatten(1).numpy()
    means = np.array([features[labels == k].mean(0) for k in range(3)])
    within = (features - means[labels]).T @ (features - means[labels]) / len(labels)
    between = (means - means.mean(0)).T @ (means - means.mean(0)) / 3
    layers = [
        row["layer"] for table in found["collapse"].tables for row in table.rows if "NC1" in row
    ]
    said = value(found, "collapse", "layer", layers[-1], "NC1")
    assert said == pytest.approx(np.trace(within @ np.linalg.pinv(between, rcond=1e-9)), rel=1e-6)
