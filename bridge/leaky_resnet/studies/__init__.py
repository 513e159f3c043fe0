"""Studies of Leaky ResNets: a module per figure of the paper, and one for what it does not have."""
