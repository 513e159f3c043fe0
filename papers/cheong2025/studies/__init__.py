"""Studies of collapse: a module for each group of the thesis' figures."""
