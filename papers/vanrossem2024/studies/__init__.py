"""Analyses of the two-point studies, one module for each figure of van Rossem & Saxe (2024), and ``single``."""
