"""What this subject announces to ``bridge``: the analysis of its study and of single runs."""

ANALYSES = {
    "deep-linear-modes": "closedform_deep_linear.analysis:analyse",
    "deep-linear": "closedform_deep_linear.analysis:analyse",
}
