"""Studies of Leaky ResNets: one module per figure of the paper, and one for comparisons that it does not contain."""
