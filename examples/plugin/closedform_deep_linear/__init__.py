"""Learning in deep linear networks, mode by mode: a subject for closedform in a distribution of its own."""
