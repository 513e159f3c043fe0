"""Curvature from Christoffel symbols by automatic differentiation, without code of the measures.

The metric is J^T J with J from ``jacfwd``; its first and second derivatives are ``jacfwd`` of it, and the scalar
curvature is contracted from the textbook Riemann tensor (Misner, Thorne, Wheeler, Eq. 8.44), index by index. It does
not apply to LayerNorm and similar layers, whose higher derivatives are wrong in torch 2.13.
"""

from __future__ import annotations

import mpmath
import torch
from torch.func import jacfwd, vmap


def metric(phi, x):
    """g_ij(x) of one point ``[d]``; ``phi`` maps ``[d] -> [p]``."""
    j = jacfwd(phi)(x)
    return j.T @ j


def christoffel(phi, x):
    """Gamma^a_bc, ``[a, b, c]``."""
    g = metric(phi, x)
    dg = jacfwd(lambda y: metric(phi, y))(x)  # [i, j, k] = d_k g_ij
    # Gamma_abc = (d_c g_ab + d_b g_ac - d_a g_bc) / 2, written out
    lower = 0.5 * (
        torch.einsum("abc->abc", dg) + torch.einsum("acb->abc", dg) - torch.einsum("bca->abc", dg)
    )
    return torch.einsum("da,abc->dbc", torch.linalg.inv(g), lower)


def scalar_curvature(phi, x):
    """R of one point ``[d]``."""
    gamma = christoffel(phi, x)
    dgamma = jacfwd(lambda y: christoffel(phi, y))(x)  # [a, b, c, k] = d_k Gamma^a_bc
    # R^a_bcd = d_c Gamma^a_bd - d_d Gamma^a_bc + Gamma^a_ec Gamma^e_bd - Gamma^a_ed Gamma^e_bc
    riemann = (
        torch.einsum("abdc->abcd", dgamma)
        - torch.einsum("abcd->abcd", dgamma)
        + torch.einsum("aec,ebd->abcd", gamma, gamma)
        - torch.einsum("aed,ebc->abcd", gamma, gamma)
    )
    ricci = torch.einsum("abad->bd", riemann)
    return torch.einsum("bd,bd->", torch.linalg.inv(metric(phi, x)), ricci)


def scalar_curvatures(feature_map, x):
    """R at every point of ``x`` ``[batch, d]``; ``feature_map`` as the measures take it."""
    return vmap(lambda y: scalar_curvature(lambda z: feature_map(z[None])[0], y))(x)


def log_volume(jacobian, digits=60):
    """Half of log det J J^T or J^T J, whichever is smaller, in ``digits`` digits."""
    with mpmath.workdps(digits):
        j = mpmath.matrix(jacobian.tolist())
        gram = j * j.T if j.rows < j.cols else j.T * j
        return mpmath.log(mpmath.det(gram)) / 2
