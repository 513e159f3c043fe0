r"""Derivatives of features that are divided by their length, and so lie on the unit sphere.

The map :math:`x \mapsto \Phi/|\Phi|` has the Jacobian :math:`(I - u u^\top) J / |\Phi|` with :math:`u = \Phi/|\Phi|`.
Its components along an orthonormal basis of the tangent space of the sphere at u are all that is not zero. The basis is
that of a Householder reflection that maps the first unit vector to :math:`\pm u`.
"""

from __future__ import annotations

import torch
from torch import Tensor


def on_sphere(jacobian: Tensor, features: Tensor) -> Tensor:
    """Return the Jacobians of the normalised features in the tangent space of the sphere, ``[batch, p - 1, d]``.

    Args:
        jacobian: Jacobians of the features, ``[batch, p, d]``.
        features: the features ``[batch, p]``, in the precision of the Jacobians, with p >= 2.

    Raises:
        ValueError: if there is one feature only, or all features of a point are zero.
    """
    if features.shape[1] < 2:
        raise ValueError('target: got "sphere" for one feature, needs at least two')
    length = torch.linalg.vector_norm(features, dim=1)
    if not bool((length > 0).all()):
        first = int((length == 0).nonzero()[0])
        raise ValueError(f'target: got "sphere", but all features are zero at point {first} of a chunk; needs others')
    mirror = features / length[:, None]
    mirror[:, 0] += torch.where(mirror[:, 0] < 0, -1.0, 1.0)  # the sign that avoids cancellation
    scale = 2 / mirror.square().sum(dim=1)
    along = torch.einsum("np,npd->nd", mirror, jacobian)
    reflected = jacobian - scale[:, None, None] * mirror[:, :, None] * along[:, None, :]
    tangent: Tensor = reflected[:, 1:] / length[:, None, None]
    return tangent
