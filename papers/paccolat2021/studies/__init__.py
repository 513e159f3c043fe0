"""Studies of the compression of invariant directions: a module per group of figures of Paccolat et al. (2021)."""
