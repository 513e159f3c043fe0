"""The theory: closed forms, their derivations, and the printed equations of the literature.

Importing this package takes milliseconds: sympy and numpy are imported when a closed form is first built, and torch
only when a function for torch is requested.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
