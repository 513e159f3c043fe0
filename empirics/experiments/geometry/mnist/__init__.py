"""Fully connected classifiers of images: volume, curvature and spectrum at images and between them, with their cost."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
