"""Measures of class means and scatter in each layer, and of the information that a decoder can use."""
