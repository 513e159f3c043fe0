"""The tools on which all subjects are built; this package depends on no subject.

A :class:`ClosedForm` is a formula with its meaning, domain, derivation and source. Programs check each :class:`Step` of
its derivation. An :class:`Equation` is a printed statement of a paper, with the :class:`Ruling` that a program reaches
about it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
