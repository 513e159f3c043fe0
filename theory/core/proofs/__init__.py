"""The store of proofs: what was decided once is not decided again, in this process or in any other.

A verdict is stored under what determines it, and under nothing else: for a step its two sides and its domain, for a
program its code, for a whole closed form its name; and in each case the sources that decide it and the versions of the
packages that these rest on. What is not settled is not stored.
"""

from theory.core.proofs.many import CheckedForm, check_all
from theory.core.proofs.store import stored, using

__all__ = ["CheckedForm", "check_all", "stored", "using"]
