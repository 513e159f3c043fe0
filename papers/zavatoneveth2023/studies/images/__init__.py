"""Geometry of residual networks on images: a test of the paper's hypothesis, lines, planes and spectra."""
