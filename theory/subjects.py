"""The subjects of the theory: what their packages, and the module ``theory`` of a guest's package, announce.

The forms and families of a subject are in ``FORMS`` and ``FAMILIES``, name -> "module:attribute". The ledgers are in
``LEDGERS``, key of a paper -> module; the wings in ``papers`` announce ours. A guest may also define ``REFERENCES``,
the name of a BibTeX file next to the ``__init__`` of its package.
"""

from closedform.subjects import EntryKind, Floor

FLOOR = Floor(
    "theory",
    ("theory", "papers"),
    (
        EntryKind("FORMS", "closed form"),
        EntryKind("FAMILIES", "closed form"),
        EntryKind("LEDGERS", "ledger", has=("EQUATIONS",), of_modules=True),
    ),
)
