"""Exact rewriting of expressions: normal forms, factors, limits that are proved, and what is worked out."""
