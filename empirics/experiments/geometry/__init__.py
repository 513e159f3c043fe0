"""Geometry: how do networks stretch and bend the space of their inputs, at initialisation and while they learn?

``random_networks``: Gaussian weights at many widths. ``trained``: small networks on two tasks in the plane, through
training. ``mnist``: fully connected classifiers of images. Source: Zavatone-Veth et al., arXiv 2301.11375.
"""

from __future__ import annotations

from empirics.experiments.geometry import mnist, random_networks, trained

__all__ = ["mnist", "random_networks", "trained"]
