r"""Measurements of one network on lines and planes through test images, and the spectra of its metric.

On the decision boundary of a classifier the two largest logits are equal. To first order the distance of a point from
it is :math:`(z_{(1)} - z_{(2)}) / \|\nabla_x (z_{(1)} - z_{(2)})\|`, in units of the network's (normalised) input.

A line is :math:`(1 - t) x_1 + t x_2`. A plane is :math:`t_1 x_1 + t_2 x_2 + t_3 x_3` with :math:`t_1 + t_2 + t_3 = 1`,
drawn with the three images at the corners of an equilateral triangle of side one, their convex hull (no t below zero).
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from closedform.checks.arrays import Array
from empirics import measure
from empirics.experiments.geometry.images.augmentation import SeedImages
from empirics.experiments.geometry.images.config import VisionConfig
from empirics.measure.geometry.stretch import margin_directions
from empirics.networks.resnet import ResNet

HEIGHT = math.sqrt(3) / 2  # height of the triangle, in units of its side

CHUNK = 512  # points evaluated at once


def decide(model: nn.Module, points: Tensor) -> tuple[Tensor, Tensor]:
    """Return logits ``[n, C]`` and first-order distances ``[n]`` to the decision boundary; float64 on the CPU."""
    if any(module.training for module in model.modules()):
        raise ValueError(
            "model: got training mode, in which points of a batch affect each other; call .eval() first"
        )
    logits, distances = [], []
    for chunk in torch.split(points, CHUNK):
        norm = torch.linalg.vector_norm(margin_directions(model, chunk).double().flatten(1), dim=1)
        with torch.no_grad():
            z = model(chunk).double()
        gap = -z.topk(2, dim=1).values.diff(dim=1)[:, 0]
        distances.append(torch.where(norm > 0, gap / norm, torch.inf).cpu())
        logits.append(z.cpu())
    return torch.cat(logits), torch.cat(distances)


MEMORY = {"cpu": "1GiB", "cuda": "32GiB"}  # memory for Jacobians
# lines and planes between images of different classes, and of one class
KINDS = ("different", "same")


class BaseImages:
    """The test images on which lines and planes are based: the first suitable ones, in the seed's random order.

    ``planes`` ``[plane, 3]`` are the first images of each class of every triple, and last three of the first class;
    ``ends`` ``[2 * lines, 2]`` first those of different classes (the first line is an edge of the first plane), then
    those of one class; ``kinds`` names these. ValueError if there are too few images.
    """

    def __init__(self, config: VisionConfig, images: SeedImages) -> None:
        labels = images.test_labels.cpu()
        of_class = {c: torch.nonzero(labels == c).flatten().tolist() for c in config.classes}
        first = config.classes[0]
        if len(of_class[first]) < 4 or any(not members for members in of_class.values()):
            raise ValueError(
                f"test_size: got {len(labels)}, too few images of the classes {config.classes}; needs more"
            )
        first_of = {c: members[0] for c, members in of_class.items()}
        triples = [[first_of[a], first_of[b], first_of[c]] for a, b, c in config.triples]
        corners = triples[0]
        self.planes = torch.tensor([*triples, of_class[first][1:4]])
        different = [(corners[0], corners[1])]
        if config.lines > 1:
            different += pairs(labels, config.lines - 1, same=False, leave_out=frozenset(corners))
        self.ends = torch.tensor(different + pairs(labels, config.lines, same=True))
        self.kinds = np.repeat(KINDS, config.lines)


class GeometryMeasurements:
    """Measurements of the networks of one seed; with ``on_sphere`` also the metric of the unit sphere on the lines."""

    def __init__(
        self, config: VisionConfig, images: SeedImages, places: BaseImages, on_sphere: bool = False
    ) -> None:
        self.config, self.on_sphere = config, on_sphere
        positions = np.linspace(0, 1, config.positions)
        x, y = plane_axes(config.resolution, config.margin)
        test = images.normalised(images.test)
        self.lines = torch.cat([line(test[ends], positions) for ends in places.ends])
        self.planes = torch.cat([plane(test[corners], x, y) for corners in places.planes])
        self.corners = test[places.planes[0]]
        side = config.resolution
        self._line_shape = (len(places.ends), config.positions)
        self._plane_shape = (len(places.planes), side, side)

    def measure(self, model: ResNet) -> dict[str, NDArray[np.float64]]:
        """Return all values of ``model`` in evaluation mode, by name; its earlier mode is restored."""
        training = model.training
        model.eval()
        try:
            values = self._at("line", model, self.lines, self._line_shape)
            values |= self._at("plane", model, self.planes, self._plane_shape)
            if self.on_sphere:
                volume = self._volume(model, self.lines, target="sphere")
                values["line_sphere_log_volume"] = volume.reshape(self._line_shape)
            spectrum = measure.metric_spectrum(
                model.features,
                self.corners,
                memory=self._memory(self.corners),
                precision=self.config.precision,
            )
            values["spectrum"] = spectrum[:, : model.feature_count].cpu().numpy()
        finally:
            model.train(training)
        return values

    def _at(
        self, name: str, model: ResNet, points: Tensor, shape: tuple[int, ...]
    ) -> dict[str, Any]:
        logits, distance = decide(model, points)
        return {
            f"{name}_log_volume": self._volume(model, points).reshape(shape),
            f"{name}_distance": distance.numpy().reshape(shape),
            f"{name}_logits": logits.numpy().reshape(*shape, -1),
        }

    def _volume(
        self, model: ResNet, points: Tensor, target: Literal["space", "sphere"] = "space"
    ) -> Any:
        volume = measure.log_volume_element(
            model.features,
            points,
            self._memory(points),
            precision=self.config.precision,
            target=target,
        )
        return volume.cpu().numpy()

    @staticmethod
    def _memory(points: Tensor) -> str:
        return MEMORY.get(points.device.type, MEMORY["cpu"])


def line(ends: Tensor, positions: Array) -> Tensor:
    """Return points ``[n, *input]`` between two ends ``[2, *input]`` (App. G 2); 0 and 1 give the ends exactly."""
    return mixed(ends, np.stack([1 - positions, positions], axis=-1))


def plane_axes(resolution: int, margin: float) -> tuple[Array, Array]:
    """Return coordinates ``[resolution]`` of columns and rows of a square, by ``margin`` wider than the triangle."""
    along = np.linspace(-margin, 1 + margin, resolution)
    return along, along - 0.5 + HEIGHT / 2


def barycentric(x: Array, y: Array) -> Array:
    """Return the weights of the three corners at points ``x``, ``y`` of the drawing, ``[..., 3]``; their sum is one."""
    third = y / HEIGHT
    second = x - third / 2
    return np.stack(np.broadcast_arrays(1 - second - third, second, third), axis=-1)


def plane(corners: Tensor, x: Array, y: Array) -> Tensor:
    """Return points of the plane through three images (App. G 2), ``[rows * columns, *input]``, row after row."""
    across, up = np.meshgrid(x, y)
    return mixed(corners, barycentric(across.ravel(), up.ravel()))


def mixed(images: Tensor, weights: Array) -> Tensor:
    """Return sums ``[n, *input]`` of images ``[k, *input]`` with weights ``[n, k]``."""
    if weights.ndim != 2 or weights.shape[1] != len(images):
        raise ValueError(
            f"weights: got shape {list(weights.shape)}, needs [n, {len(images)}] for {len(images)} images"
        )
    coefficients = torch.as_tensor(weights, dtype=images.dtype, device=images.device)
    result: Tensor = torch.tensordot(coefficients, images, dims=1)
    return result


def pairs(
    labels: Tensor, count: int, same: bool, leave_out: frozenset[int] = frozenset()
) -> list[tuple[int, int]]:
    """Return disjoint pairs of images of the same class or not, in their order; ValueError for fewer than ``count``."""
    chosen: list[tuple[int, int]] = []
    waiting: list[int] = []
    for i, label in enumerate(labels.tolist()):
        if i in leave_out:
            continue
        partner = next((j for j in waiting if (int(labels[j]) == label) == same), None)
        if partner is None:
            waiting.append(i)
            continue
        waiting.remove(partner)
        chosen.append((partner, i))
        if len(chosen) == count:
            return chosen
    raise ValueError(
        f"test_size: got {len(labels)} images, too few for {count} lines of each kind; needs more"
    )
