"""Training of networks, all seeds at once: full-batch gradient descent or Adam, mini-batches for classifiers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
