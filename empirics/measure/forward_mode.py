"""torch's forward mode, ``jvp`` and ``vmap``, loaded without the deprecation warning of torch's own decompositions."""

from __future__ import annotations

import warnings

import torch
from torch.func import jvp, vmap

__all__ = ["jvp", "vmap"]

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # torch.jit.script, inside torch, at the first use
    jvp(torch.sin, (torch.zeros(()),), (torch.ones(()),))
