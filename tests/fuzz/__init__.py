"""A generated fuzz of the whole public surface: good arguments with up to three of them replaced by hostile ones."""
