"""A generated fuzz of the whole public surface: good arguments with one or two of them replaced by hostile ones."""
