"""Results of studies: what an analysis gives, how it is recorded, and what records say of figures and ledger."""
