"""The ledger of Zavatone-Veth et al. (2023), "Neural networks learn to magnify areas near decision boundaries".

The text read is extracted from print and has lost some displays, (A.3) to (A.12) among them, and the prefactors and
signs of many others. What cannot be read is called illegible and not a misprint: its entry shows a question mark, what
is inferred, and from which lines that can be read. Curvatures among them are inferred with the factor 3 of those lines.

The text carries no version number. It cites preprints of March 2023, so it is not the first version, of January 2023,
and its abstract ("We study how training molds ...") is not that of the third: probably the second.
"""

from __future__ import annotations

from theory.core.ledger.ledger import read_ledger

EQUATIONS = read_ledger(__name__)
