"""Reports that are one file: HTML with its formulas and figures inside, readable without a network."""
