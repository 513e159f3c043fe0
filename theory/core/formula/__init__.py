"""Closed forms: frozen data about a formula, its domain, its sources and the functions that it uses."""
