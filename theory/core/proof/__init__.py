"""The store of proofs, which saves verdicts on disk so that no process has to decide a statement again.

The key of a verdict contains everything that determines it: for a step its two sides and its domain, for a program its
code, for a closed form its name; and in each case the source code that decides it and the versions of the packages that
this code uses. Verdicts that are UNDECIDED are not stored.
"""
