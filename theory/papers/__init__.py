"""The equation ledger: every printed equation and checkable sentence of the papers, and what a program finds about it.

One package for each paper, each with a tuple ``EQUATIONS``. ``theory.equations()`` collects them.
"""
