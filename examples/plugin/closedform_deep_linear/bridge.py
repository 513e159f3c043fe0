"""What this subject announces to ``bridge``: one analysis, for its study and for single runs."""

ANALYSES = dict.fromkeys(("deep-linear-modes", "deep-linear"), "closedform_deep_linear.analysis:analyse")
