"""The equation ledger: every printed equation and checkable sentence of the papers, and what a program finds about it.

One package for each paper, each with a tuple ``EQUATIONS``. ``theory.equations()`` collects them.
"""

from pkgutil import iter_modules

LEDGERS = {found.name: f"{__name__}.{found.name}" for found in iter_modules(__path__) if found.ispkg}
