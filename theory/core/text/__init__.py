"""Formulas as text: parsing, LaTeX, and the display in a terminal or a notebook."""
