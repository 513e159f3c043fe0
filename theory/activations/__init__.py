"""Activation functions as expressions in one symbol: what every subject builds its expectations from."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
