"""Numbers from formulas: exact input, any precision, and compiled functions for arrays and tensors."""
