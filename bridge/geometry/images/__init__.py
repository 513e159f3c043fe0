"""Geometry of residual networks on images: the paper's hypothesis as a number, lines, planes, spectra."""
