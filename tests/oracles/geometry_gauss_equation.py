"""Scalar curvature of an embedded surface from the Gauss equation: second fundamental form, no Christoffel symbols."""

from __future__ import annotations

import numpy as np


def scalar_curvature(jacobian: np.ndarray, second: np.ndarray) -> float:
    """From first derivatives [features, d] and second derivatives [features, d, d] of a feature map at a point."""
    frame, upper = np.linalg.qr(jacobian)
    to_frame = np.linalg.inv(upper)  # coordinates in which the metric is the identity
    normal = second - np.einsum("fk,gk,gij->fij", frame, frame, second)
    form = np.einsum("fij,ia,jb->fab", normal, to_frame, to_frame)
    trace = np.einsum("faa->f", form)
    return float(trace @ trace - np.sum(form**2))


def shallow(weights: np.ndarray, slopes: np.ndarray, bends: np.ndarray) -> float:
    """The same for units with given slopes and bends, [n], and weights [n, d]."""
    root = np.sqrt(len(weights))
    second = np.einsum("j,ja,jb->jab", bends, weights, weights) / root
    return scalar_curvature(slopes[:, None] * weights / root, second)
