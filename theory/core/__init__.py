"""What every subject is written with; knows no subject itself.

A :class:`ClosedForm` is a formula with its meaning, domain, derivation and source. Its :class:`Step` s are checked by
program. An :class:`Equation` is what a paper printed, with the :class:`Finding` that a program reaches about it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
