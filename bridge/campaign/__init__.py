"""Campaigns: all studies of the papers, one after another, within a budget of time."""
