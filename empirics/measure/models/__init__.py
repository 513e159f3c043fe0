"""How measures see a user's model: as a function of one input, frozen, copied, or layer by layer."""
