"""Measures of the tangent kernel of a model and of its components along the labels."""
