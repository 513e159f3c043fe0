"""Quantities read off a model: pure functions of the model and data, one file per quantity."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
