"""Deep linear networks: the experiment and the study that this subject announces."""

EXPERIMENTS = {"deep_linear": "closedform_deep_linear.experiment"}
STUDIES = {"deep-linear-modes": "closedform_deep_linear.experiment:MODES"}
