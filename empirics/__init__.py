"""Real networks, trained and measured: each run is a frozen ``Config`` that leaves a labelled, raw trace behind.

``data`` reads images, ``networks`` and ``training`` make networks and train them, ``measure`` reads a quantity off any
model, ``experiments`` asks one question per file, ``store`` and ``sweep`` keep the answers. Importing this package
imports none of it: each part loads when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
