"""Closed forms as users call them: the data with all that the rooms below do with it, and families of them."""
