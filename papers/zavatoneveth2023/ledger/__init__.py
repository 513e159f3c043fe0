"""The ledger of Zavatone-Veth et al. (2023), "Neural networks learn to magnify areas near decision boundaries".

The text read is extracted from print and has lost some displays, and prefactors and signs of others, which are called
illegible and not misprints: entries show a question mark, what is inferred, and from which lines that can be read.

It carries no version number. It cites preprints of March 2023, so it is not the first version, of January 2023, and its
abstract is not that of the third: probably the second.
"""

from theory.core.ledger.ledger import deferred_ledger

__getattr__ = deferred_ledger(__name__, "zavatoneveth2023")
