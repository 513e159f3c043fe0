"""Statistics of comparisons and repetitions: verdicts, power, rank correlations, statistics with bias and error."""
