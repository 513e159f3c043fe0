"""What this subject announces to ``empirics``: its experiment and its study."""

EXPERIMENTS = {"deep_linear": "closedform_deep_linear.experiment"}
STUDIES = {"deep-linear-modes": "closedform_deep_linear.experiment:MODES"}
