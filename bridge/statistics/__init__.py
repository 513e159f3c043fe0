"""Statistics of comparisons: verdicts, power, numbers of repetitions, rank correlations."""
