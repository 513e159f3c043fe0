"""The texts of all entries by paper and label, by which tests are collected without reading a formula."""

from functools import cache

import theory
from theory import ledger
from theory.core.ledger.source import read

LEDGERS = ledger.LEDGERS.targets
BLOCKS = {
    (paper, block.label): block
    for paper, package in LEDGERS.items()
    for block in read(package).blocks
}


@cache
def entries():
    """The entries by paper and label."""
    return {entry.key: entry for entry in theory.equations()}
