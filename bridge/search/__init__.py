"""The search for formulas, families, functions, claims and equations by words."""
