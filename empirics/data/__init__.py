"""Images with labels: Fashion-MNIST, MNIST and CIFAR-10 from their official files, scikit-learn's digits built in.

:func:`load` gives a :class:`Dataset`; :func:`random_labels` replaces its labels by noise.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
