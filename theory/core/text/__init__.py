"""Formulas as text: LaTeX, code of other languages, and the display in a terminal or a notebook."""
