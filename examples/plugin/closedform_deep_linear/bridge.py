"""What this subject announces: analyses of its study and of single runs, and claims that can be tested by name."""

ANALYSES = dict.fromkeys(
    ("deep-linear-modes", "deep-linear"), "closedform_deep_linear.analysis:analyse"
)
CLAIMS = {"deep_linear": "closedform_deep_linear.analysis"}
