"""Training all seeds at once: full-batch gradient descent (by hand or by autograd), Adam, recorded at every epoch."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
