"""Labelled images: Fashion-MNIST, MNIST and CIFAR-10 from their official files, and the digits of scikit-learn.

:func:`load` returns a :class:`Dataset`; :func:`random_labels` replaces its labels by random ones.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
