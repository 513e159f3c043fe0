"""Figures: their style, and the layout of their panels."""
