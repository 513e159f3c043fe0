"""The analyses that this subject announces: one for its study and for single runs."""

ANALYSES = dict.fromkeys(("deep-linear-modes", "deep-linear"), "closedform_deep_linear.analysis:analyse")
