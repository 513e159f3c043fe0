"""Networks whose metric is constant, everywhere or within regions, and the dimensions of a submersion."""

from __future__ import annotations

from collections.abc import Callable
from math import erf

import numpy as np

from theory.core import Check, Claim
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023.network import random_network

Layer = Callable[[np.ndarray], np.ndarray]


def linear_networks(claim: Claim) -> tuple[Check, ...]:
    """Whether two layers have one metric at three points, without and with error functions between them."""
    draw = np.random.default_rng(1)
    one, two = draw.normal(size=(5, 3)), draw.normal(size=(4, 5))
    points = draw.normal(size=(3, 3))

    def metric(at: np.ndarray, between: Layer) -> np.ndarray:
        steps = 1e-3 * np.eye(3)
        columns = [two @ (between(one @ (at + step)) - between(one @ (at - step))) / 2e-3 for step in steps]
        return np.stack(columns, axis=1).T @ np.stack(columns, axis=1)

    def is_constant(between: Layer) -> bool:
        return all(is_close(metric(at, between), metric(points[0], between)) for at in points)

    said = claim["kind"] == "flat, constant"
    return (
        Check("linear layers", lambda: is_constant(lambda z: z) is said, "differences"),
        Check("error functions between them", lambda: not is_constant(np.vectorize(erf)), "differences"),
    )


def relu_regions(claim: Claim) -> tuple[Check, ...]:
    """Whether the metric of a layer of ReLU is the same at points of one region, and at points of two."""
    net = random_network(3, 6, 2)

    def metric(at: np.ndarray) -> np.ndarray:
        active = (net.weights @ at + net.bends > 0).astype(float)
        return np.einsum("j,jm,jn->mn", active, net.weights, net.weights) / 6

    here, nearby, far = (metric(np.array(at)) for at in ((0.2, 0.1), (0.2001, 0.1), (-3.0, 2.0)))
    varies = not is_close(np.linalg.det(here), np.linalg.det(far), 0.1)
    return (
        Check("one region", lambda: is_close(here, nearby) is (claim["within"] == "flat"), "slopes are 0 or 1"),
        Check("two regions", lambda: varies is (claim["between"] == "vary"), "slopes are 0 or 1"),
    )


def counts_pixels(claim: Claim) -> tuple[Check, ...]:
    """Whether the pixels of an image are more than the units of the last hidden layer of a ResNet-34."""
    pixels, units = claim["pixels"], claim["units"]
    fewer = bool(units < pixels)
    return (
        Check("pixels", lambda: bool(claim["height"] * claim["width"] * claim["colours"] == pixels), "a product"),
        Check("units", lambda: bool(units == 64 * 2**3), "widths double from 64 over four stages"),
        Check("submersion", lambda: fewer is (claim["kind"] == "submersion"), "fewer units than pixels"),
    )
