"""Measures of the metric that a map induces on its inputs: volume, curvature, stretch."""
