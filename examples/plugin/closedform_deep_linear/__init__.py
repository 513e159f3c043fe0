"""How deep linear networks learn, mode by mode: a subject for closedform that lives outside of it."""
