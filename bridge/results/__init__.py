"""Results of studies: what an analysis gives, how it is recorded, and the verdicts of records on figures and ledger."""
