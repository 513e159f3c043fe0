"""The equation ledger: printed statements, and the programs that reach verdicts on them."""
