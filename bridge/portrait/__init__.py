"""Everything that can be said about one trained network of a user's own: the parts of ``bridge.dossier``."""
