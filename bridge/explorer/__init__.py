"""A page to think with: one closed form with sliders, a live plot and values, in one HTML file without a network."""

from bridge.explorer.page import Page, explore

__all__ = ["Page", "explore"]
