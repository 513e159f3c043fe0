"""Activation functions as expressions in one symbol, from which every subject builds its expectations."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
