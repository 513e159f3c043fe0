"""Tables of others and of ours: files, frames and mappings, read as columns of numbers."""
