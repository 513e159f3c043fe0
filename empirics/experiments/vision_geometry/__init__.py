"""Geometry of residual networks on images: where do trained features magnify volume?

Two experiments: :mod:`~empirics.experiments.vision_geometry.resnet` (supervised; Figures 4 and 5 of arXiv 2301.11375)
and :mod:`~empirics.experiments.vision_geometry.self_supervised` (Barlow Twins and SimCLR; Figure 6). Both leave the
same trace: log volume elements, logits and distances to the decision boundary along lines between test images and over
planes through three of them, and the spectrum of the metric at those three.
"""
