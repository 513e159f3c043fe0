"""Measurements of a model: pure functions of the model and its data, one quantity per file."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
