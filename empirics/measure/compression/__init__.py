"""Measures of how the first layer compresses uninformative directions of the data."""
