"""Dossiers of the networks that people have: the task is recognised, and three numbers of each are recomputed."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

import bridge
from empirics import measure
from empirics.measure.models.task import task_of
from tests import architectures

N = 24
CLASSES = torch.arange(N) % 3
WORDS = ("class", "decision", "boundary", "boundaries", "entropy")


def normal(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1))


def made(kind, **options):
    torch.manual_seed(0)
    return kind(**options).eval()


def found_of(model, inputs, labels=None, **options):
    return bridge.dossier(model, inputs, labels, points=N, progress=False, **options)


def row(found, part, table, key, value):
    tables = {each.name: each for each in found[part].tables}
    return next(row for row in tables[table].rows if row[key] == value)


def share(gram, targets, k):
    """The share of the centred targets in the k leading eigenvectors, written out."""
    vectors = np.linalg.eigh(np.asarray(gram))[1][:, ::-1]
    centred = targets - targets.mean(0)
    return np.square(vectors[:, :k].T @ centred).sum() / np.square(centred).sum()


def jacobian_gram(model, x):
    """The tangent kernel of the gradients of all outputs, one after another."""
    rows = []
    for point in x:
        outputs = model(point[None]).flatten()
        gradients = [
            torch.autograd.grad(one, [*model.parameters()], retain_graph=True) for one in outputs
        ]
        rows.append(torch.cat([torch.cat([part.flatten() for part in g]) for g in gradients]))
    jacobians = torch.stack(rows).double()
    return np.einsum("np,mp->nm", *(2 * [jacobians.numpy()]))


def log_volume(features, x):
    values = []
    for point in x.double():
        jacobian = torch.autograd.functional.jacobian(features, point[None]).reshape(
            -1, point.numel()
        )
        values.append(float(torch.linalg.svdvals(jacobian).log().sum()))
    return np.array(values)


def test_a_classifier():
    """Of images, tokens and pixels, the same numbers are recomputed in the gallery of models."""
    net, x = made(architectures.Recurrent), normal(N, 7, 4)
    found = found_of(net, x, CLASSES)
    with torch.no_grad():
        outputs = net(x)
        nc1 = measure.neural_collapse(net.gru(x)[0][:, -1], CLASSES).nc1
    accuracy = float((outputs.argmax(1) == CLASSES).float().mean())
    loss = float(F.cross_entropy(outputs, CLASSES))
    assert row(found, "network", "network", "", "accuracy")["value"] == f"{accuracy:.1%}"
    assert row(found, "network", "network", "", "cross-entropy")["value"] == f"{loss:.3g} nats"
    assert found["collapse"].tables[0].rows[-1]["NC1"] == pytest.approx(float(nc1), rel=1e-4)
    targets = np.eye(3)[CLASSES.numpy()]
    measured = row(found, "kernel", "kernel", "eigenvectors", 3)["of the labels"]
    assert measured == pytest.approx(share(jacobian_gram(net, x), targets, 3), rel=1e-3)
    assert "classes" in row(found, "network", "network", "", "task")["value"]


def spoken(found):
    sentences = [*found.findings]
    for section in found.sections:
        sentences += [section.lead, *section.analysis.reading, *section.analysis.reading.values()]
        sentences += [
            str(value)
            for table in section.analysis.tables
            for line in table.rows
            for value in line.values()
        ]
    return " ".join(sentences).lower()


@pytest.mark.parametrize("with_targets", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_an_autoencoder_is_told_nothing_of_classes(with_targets):
    net, x = made(architectures.Autoencoder), normal(N, 10)
    found = found_of(net, x, x if with_targets else None)
    assert not any(word in spoken(found).replace("class indices", "") for word in WORDS)
    assert any("labels= with one for each point" in reason for reason in found.left_out)
    gram = jacobian_gram(net, x)
    diagonal = row(found, "kernel", "spectrum", "quantity", "mean of the diagonal")["value"]
    assert diagonal == pytest.approx(np.diag(gram).mean(), rel=1e-4)
    features = nn.Sequential(net.encoder, net.decoder[:2]).double()
    values = [
        torch.linalg.svdvals(torch.autograd.functional.jacobian(features, one))
        for one in x.double()
    ]
    logs = [float(each[:3].log().mean()) for each in values]  # the code has three numbers
    rows = row(
        found,
        "geometry",
        "geometry",
        "quantity",
        "mean log stretching of the non-singular directions",
    )
    assert rows["median"] == pytest.approx(np.median(logs), rel=1e-6)
    if with_targets:
        with torch.no_grad():
            error = float(F.mse_loss(made(architectures.Autoencoder)(x), x))
        assert (
            row(found, "network", "network", "", "mean squared error")["value"] == f"{error:.3g}"
        )
        measured = row(found, "kernel", "kernel", "eigenvectors", 6)["of the targets"]
        assert measured == pytest.approx(share(gram, x.double().numpy(), 6), rel=1e-3)


def test_labels_of_an_autoencoder_are_groups_of_the_points():
    found = found_of(made(architectures.Autoencoder), normal(N, 10), CLASSES)
    assert row(found, "network", "network", "", "task")["value"].startswith(
        "none: the outputs have shape [N, 10]"
    )
    assert "collapse" in [section.title for section in found.sections]
    assert not any("boundar" in finding or "classified" in finding for finding in found.findings)


class Nested(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, batch):
        return {"hidden": batch.values, "logits": self.inner(batch.values, batch.mask).logits}


@pytest.mark.parametrize(
    "given",
    [
        "dataclass",
        "loader",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("dictionary", "tuple")),
    ],
)
def test_models_of_several_inputs(given):
    net, values = made(architectures.OfDict), normal(N, 5)
    mask = (normal(N, 5) > -1).float()
    model, inputs, labels = net, {"values": values, "mask": mask}, CLASSES
    if given == "tuple":
        inputs = (values, mask)
    elif given == "dataclass":
        model, inputs = Nested(net), architectures.Masked(values, mask)
    elif given == "loader":
        inputs, labels = DataLoader(TensorDataset(values * mask, CLASSES), batch_size=7), None
        model = nn.Sequential(net.first, net.act, net.head)
    found = found_of(model, inputs, labels)
    features = torch.tanh(net.first(values * mask)).detach()
    prefix = "inner." if given == "dataclass" else ""
    last = found["collapse"].tables[0].rows[-1]
    assert last["layer"] == {"loader": "1"}.get(given, f"{prefix}act")
    assert last["NC1"] == pytest.approx(
        float(measure.neural_collapse(features, CLASSES).nc1), rel=1e-5
    )
    with torch.no_grad():
        accuracy = float((net(values, mask).logits.argmax(1) == CLASSES).float().mean())
    assert row(found, "network", "network", "", "accuracy")["value"] == f"{accuracy:.1%}"
    exact = log_volume(nn.Sequential(net.first, net.act).double(), values * mask)
    if given == "loader":
        volumes = row(found, "geometry", "geometry", "quantity", "log volume element")
        assert volumes["median"] == pytest.approx(np.median(exact), rel=1e-6)
    else:
        rank = row(found, "geometry", "geometry", "quantity", "rank, of 5")
        assert rank["median"] == np.median(mask.sum(1))  # a masked number has no direction


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param([], id="logit", marks=pytest.mark.slow),
        pytest.param([nn.Sigmoid()], id="probability"),
        pytest.param([nn.Flatten(0)], id="flat", marks=pytest.mark.slow),
    ],
)
def test_one_output_decides_between_two_classes(ending):
    torch.manual_seed(0)
    body = [nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 1)]
    x, labels = normal(N, 5), torch.arange(N) % 2
    found = found_of(nn.Sequential(*body, *ending), x, labels)
    two = nn.Linear(12, 2)
    with torch.no_grad():
        two.weight.copy_(torch.cat([0 * body[2].weight, body[2].weight]))
        two.bias.copy_(torch.cat([0 * body[2].bias, body[2].bias]))
    twin = found_of(nn.Sequential(*body[:2], two), x, labels)
    assert "binary" in row(found, "network", "network", "", "task")["value"]
    # Two classes tell nothing of others.
    assert found["collapse"].tables[0].rows[0]["95 % over classes"] == "–"
    for name in ("accuracy", "cross-entropy"):
        assert row(found, "network", "network", "", name) == row(
            twin, "network", "network", "", name
        )
    if ending != [nn.Flatten(0)]:
        boundary = "log stretching towards the decision boundary"
        one, other = (
            row(each, "geometry", "geometry", "quantity", boundary) for each in (found, twin)
        )
        assert one["median"] == pytest.approx(other["median"], rel=1e-5)


@pytest.mark.parametrize(
    ("output", "labels", "name"),
    [
        ((2, 3), CLASSES, "classes"), ((2, 1), CLASSES % 2, "binary"), ((2,), CLASSES % 2, "binary"),
        ((2, 1), CLASSES > 0, "binary"), ((2, 3), CLASSES > 0, "classes"),
        ((2, 1), CLASSES, "regression"), ((2, 4, 3), torch.zeros(N, 4).long(), "tokens"),
        ((2, 3, 4, 4), torch.zeros(N, 4, 4).long(), "dense"), ((2, 2), torch.zeros(N, 2), "regression"),
        ((2, 4, 3), CLASSES, None), ((2, 10), CLASSES, None), ((2, 3), None, None),
    ],
)  # fmt: skip
def test_tasks_are_recognised(output, labels, name):
    task = task_of(None, labels, torch.zeros(output), torch.zeros(N, 10))
    assert task.name == name
    assert task.how


@pytest.mark.parametrize(
    ("labels", "outputs", "said"),
    [
        (CLASSES + 1, (2, 3), "got 1 to 3, .*counted from 0: labels - 1"),
        (CLASSES - 100 * (CLASSES == 2), (2, 3), "got -98 to 1, .*leave out points without a class"),
        (torch.full((N, 4), 255), (2, 4, 3), "got 255 to 255, .*positions without a class have -100"),
        (torch.full((N, 4), -100), (2, 4, 3), "-100 at all positions of a point"),
    ],
)  # fmt: skip
def test_labels_that_are_no_classes_are_refused_with_the_way_out(labels, outputs, said):
    with pytest.raises(ValueError, match=said):
        task_of(None, labels, torch.zeros(outputs), torch.zeros(N, 10))


def test_positions_without_a_class_do_not_count():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Embedding(11, 8), nn.Linear(8, 12), nn.Tanh(), nn.Linear(12, 3))
    x = torch.randint(0, 11, (N, 5), generator=torch.Generator().manual_seed(1))
    labels = torch.where(torch.arange(5) < 1 + CLASSES[:, None], x % 3, -100)
    found = found_of(net, x, labels, budget=5)
    has_class = labels >= 0
    with torch.no_grad():
        chosen, features = net(x).argmax(-1), net[:3](x)
        loss = F.cross_entropy(net(x).flatten(0, 1), labels.flatten(), reduction="none")
    accuracy = float((chosen == labels)[has_class].float().mean())
    per_point = loss.reshape(N, 5).sum(1) / has_class.sum(1)
    assert row(found, "network", "network", "", "accuracy")["value"] == f"{accuracy:.1%}"
    said = row(found, "network", "network", "", "cross-entropy")["value"]
    assert said == f"{float(per_point.mean()):.3g} nats"
    assert f"of {has_class.sum()} of {N} × 5 positions" in str(found)
    nc1 = measure.neural_collapse(features[has_class], labels[has_class]).nc1
    assert found["collapse"].tables[0].rows[-1]["NC1"] == pytest.approx(float(nc1), rel=1e-4)


def test_targets_of_zero_and_one_are_said_to_be_numbers():
    x = normal(N, 5)
    net = nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 1))
    found = str(found_of(net, x, 1.0 * (x[:, 0] > 0)))
    assert "if they stand for one class" in " ".join(found.split())
