"""Geometry of residual networks on images: where do trained features magnify volume?

There are two experiments: :mod:`~empirics.experiments.geometry.images.resnet` (supervised; Figures 4 and 5 of arXiv
2301.11375) and :mod:`~empirics.experiments.geometry.images.self_supervised` (Barlow Twins and SimCLR; Figure 6). Their
traces have the same variables: log volume elements, logits and distances to the decision boundary along lines between
test images and on planes through three of them, and the spectrum of the metric at these three.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
