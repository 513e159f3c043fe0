"""What all entries of this paper share: its key and the edition that was read."""

from __future__ import annotations

from theory.leaky_resnet.paper import EDITION
from theory.papers.ledger import Ledger

PAPER = "leakyresnets2024"

entry = Ledger(PAPER, EDITION, {}).entry
