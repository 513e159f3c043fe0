"""Rows of the table for ``empirics``: neural collapse, log-volume, tangent kernels and curvature of networks."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from side_by_side import Row
from torch import Tensor, nn
from torch.func import functional_call, jacrev, vmap

from empirics import measure
from empirics.measure.models.differentiation import by_definition
from empirics.networks.resnet import resnet

CLASSES, BATCH = 10, 250
COLLAPSE = {512: 10_000, 4096: 4000, 16_384: 2000}  # dimension: samples
PREPARED = (
    "A copy of the model, its first pass and the search for its layers do not grow with the number of points; a second "
    "call of a prepared model is without them. All ways compute half the products of a symmetric matrix. "
)
PASSES = {
    "MLP": "The passes and products alone take nine tenths of the second call, which the way by hand has, too.",
    "CNN 8-8": "Passes through torch's convolutions take half of the second call, gradients of the layers and their "
    "inner products a quarter each: a ratio of 2 is out of reach.",
    "Transformer": "Passes, the backward pass of attention and inner products take six tenths of the second call, many "
    "small operations the rest, without which the ratio would be 2.",
}
CONTRACTION = "vmap of jacrev, matmul"
FLOAT32 = 2e-2  # of NC1 where the class means are summed in float32


def collapse_data(dimension: int, samples: int) -> tuple[Tensor, Tensor]:
    """Return float32 features ``[samples, dimension]`` of balanced Gaussian classes, and labels."""
    stream = torch.Generator().manual_seed(0)
    labels = torch.arange(samples) % CLASSES
    means = torch.randn(CLASSES, dimension, generator=stream) * dimension**-0.25
    return means[labels] + torch.randn(samples, dimension, generator=stream), labels


def algorithm_1(x: Tensor, y: Tensor) -> float:
    """Return NC1 by the thesis' Algorithm 1, with the right class means, class by class in batches, in float32."""
    batches = list(zip(x.split(BATCH), y.split(BATCH), strict=True))
    sums = torch.zeros(CLASSES, x.shape[1])
    for features, labels in batches:
        for c in range(CLASSES):
            sums[c] += features[labels == c].sum(0)
    means = sums / (len(x) / CLASSES)
    centred = (means - sums.sum(0) / len(x)).T
    sizes, turn = torch.linalg.eigh(centred.T @ centred)
    sizes, directions = sizes[1:], centred @ turn[:, 1:]
    total = 0.0
    for features, labels in batches:
        for c in range(CLASSES):
            total += float(
                (((features[labels == c] - means[c]) @ directions) / sizes).square().sum()
            )
    return total * CLASSES / len(x)


def nc1_by_hand(x: Tensor, y: Tensor) -> float:
    """Return NC1 with all samples at once, in the precision of the features."""
    member = nn.functional.one_hot(y, CLASSES).to(x.dtype)
    counts = member.sum(0)[:, None]
    means = (member.T @ x) / counts
    _, sizes, turned = torch.linalg.svd(counts.sqrt() * (means - x.mean(0)), full_matrices=False)
    directions = turned[: CLASSES - 1].T / sizes[: CLASSES - 1]
    return float((x @ directions - (means @ directions)[y]).square().sum())


def two_reads(x: Tensor) -> None:
    """Read the data twice, which any exact method must do."""
    for _ in range(2):
        x.sum()


def collapse_rows() -> Iterator[Row]:
    """Yield NC1 at the three widths."""
    for dimension, samples in COLLAPSE.items():
        x, y = collapse_data(dimension, samples)
        yield Row(
            f"NC1, D = {dimension}, {samples} samples, float32",
            lambda x=x, y=y: measure.neural_collapse(x, y).nc1,
            {
                "Algorithm 1, float32": lambda x=x, y=y: algorithm_1(x, y),
                "by hand, float32": lambda x=x, y=y: nc1_by_hand(x, y),
                "by hand, float64": lambda x=x, y=y: nc1_by_hand(x.double(), y),
                "the data read twice": lambda x=x: two_reads(x),
            },
            goal=1,
            bounds=("the data read twice",),
            tolerance=FLOAT32,
            truth=lambda x=x, y=y: nc1_by_hand(x.double(), y),
            note="Ours is right to 15 digits, by hand and Algorithm 1 in float32 to 6 or 7. The two passes take six "
            "tenths of the time at D = 512, the nearest class means and checks of the samples the rest.",
        )


def log_volume_rows() -> Iterator[Row]:
    """Yield the log-volume of a narrow ResNet-34 at one image, in float32, unprepared and prepared."""
    net = resnet(34, "gelu", width=16, seed=0).eval().requires_grad_(False)
    image = torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(1))

    def logarithm(jacobian: Tensor) -> float:
        return float(
            torch.linalg.qr(jacobian.flatten(1).double().T, mode="r")[1]
            .diagonal()
            .abs()
            .log()
            .sum()
        )

    def copies(number: int = 16) -> float:
        x = image.expand(number, -1, -1, -1).clone().requires_grad_()
        y = net.features(x)
        rows = []
        for start in range(0, y.shape[1], number):
            which = torch.zeros_like(y)
            which[range(number), range(start, start + number)] = 1
            rows.append(torch.autograd.grad(y, x, which, retain_graph=True)[0])
        return logarithm(torch.cat(rows))

    def rows() -> float:
        x = image.clone().requires_grad_()
        y = net.features(x)[0]
        return logarithm(
            torch.cat([torch.autograd.grad(row, x, retain_graph=True)[0] for row in y])
        )

    prepared = measure.PreparedModel(net.features)
    for which, features in (("", net.features), (", second call", prepared)):
        yield Row(
            f"log-volume, ResNet-34 of width 16, one image, float32{which}",
            lambda features=features: measure.log_volume_element(
                features, image, precision="model"
            ),
            {
                "16 copies of the image": copies,
                "jacrev, chunks of 64": lambda: logarithm(
                    jacrev(lambda x: net.features(x)[0], chunk_size=64)(image)
                ),
                "one row after the other": rows,
            },
            goal=1.2,
            tolerance=1e-4,
            truth=lambda: measure.log_volume_element(net.features, image),
            note="All make the same backward passes through convolutions, which run at the rate of matrix products and "
            "take two thirds of our time, so that the ratio is below 1.6; slopes and sums take a sixth, and finding "
            "out what is the same for all copies a tenth. A copy of the model, a first pass that counts memory and the "
            "check that points do not interact take a tenth of the first call.",
        )


def contraction(model: nn.Module, x: Tensor) -> Tensor:
    """Return the tangent kernel from all gradients by vmap of jacrev, and one matrix product."""
    parameters = {name: p.detach() for name, p in model.named_parameters()}
    with by_definition():
        parts = vmap(
            jacrev(lambda p, z: functional_call(model, p, (z[None],)).flatten()), (None, 0)
        )(parameters, x)
    gradients = torch.cat([part.flatten(1) for part in parts.values()], 1)
    return half(gradients)


def half(a: Tensor) -> Tensor:
    """Return a a^T, of which numpy computes half."""
    return torch.from_numpy(a.numpy() @ a.numpy().T)


def by_layers(model: nn.Sequential, x: Tensor) -> Tensor:
    """Return the tangent kernel of a fully connected network with one output, layer by layer."""
    features, outputs = [], []
    for layer in model:
        if isinstance(layer, nn.Linear):
            features.append(x.detach())
            x = layer(x)
            outputs.append(x)
        else:
            x = layer(x)
    slopes = torch.autograd.grad(x.sum(), outputs)
    return sum(half(s) * (half(a) + 1) for s, a in zip(slopes, features, strict=True))


def models() -> dict[str, tuple[nn.Module, tuple[int, ...], int, float]]:
    """Return networks for tangent kernels: description -> network, shape and number of points, goal."""
    torch.manual_seed(0)
    small = [
        nn.Conv2d(1, 8, 3, padding=1),
        nn.GELU(),
        nn.Conv2d(8, 8, 3, 2, 1),
        nn.GELU(),
        nn.Flatten(),
    ]
    image = [
        nn.Conv2d(1, 16, 3),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.Conv2d(16, 16, 3, 2),
        nn.BatchNorm2d(16),
        nn.ReLU(),
    ]
    return {
        "MLP 100-400-400-1, N = 200": (
            nn.Sequential(nn.Linear(100, 400), nn.GELU(), nn.Linear(400, 400), nn.GELU(), nn.Linear(400, 1)),
            (100,), 200, 2,
        ),
        "CNN 8-8, 8 x 8, N = 500": (nn.Sequential(*small, nn.Linear(128, 1)), (1, 8, 8), 500, 2),
        "CNN 16-16 with batch norm, 16 x 16, 10 outputs, N = 100": (
            nn.Sequential(*image, nn.Flatten(), nn.Linear(576, 10)), (1, 16, 16), 100, 2,
        ),
        "Transformer layer, 8 tokens, N = 100": (
            nn.Sequential(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), nn.Flatten(), nn.Linear(128, 2)),
            (8, 16), 100, 2,
        ),
    }  # fmt: skip


def kernel_rows() -> Iterator[Row]:
    """Yield tangent kernels of an MLP, of CNNs and of a Transformer layer, unprepared and prepared."""
    for name, (model, shape, points, goal) in models().items():
        net = model.double().eval()
        x = torch.randn(
            points, *shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0)
        )
        peers = {CONTRACTION: lambda net=net, x=x: contraction(net, x)}
        if name.startswith("MLP"):
            peers["layer by layer, by hand"] = lambda net=net, x=x: by_layers(net, x)
        for which, given in (("", net), (", second call", measure.PreparedModel(net))):
            yield Row(
                f"tangent kernel, {name}{which}",
                lambda given=given, x=x: measure.neural_tangent_gram(given, x),
                peers,
                goal=goal,
                tolerance=1e-9,
                note=PREPARED
                + next((note for kind, note in PASSES.items() if name.startswith(kind)), ""),
            )


GROUPS = (collapse_rows, log_volume_rows, kernel_rows)
