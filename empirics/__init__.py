"""Training and measurement of real networks: each run has a frozen ``Config`` and returns a labelled trace of raw data.

``data`` reads images, ``networks`` and ``training`` build networks and train them, ``measure`` computes quantities of a
model, ``experiments`` has one question per file, ``sweep`` stores the traces of many runs. Importing this package
imports none of its parts; a part is imported when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
