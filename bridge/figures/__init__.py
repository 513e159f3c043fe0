"""Figures: how they look, and how panels are laid out."""
