"""What should be: closed forms, their derivations, and what the literature printed.

Importing this package costs milliseconds: sympy and numpy are imported when a closed form is first built, and torch
only when a torch function is asked for.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
