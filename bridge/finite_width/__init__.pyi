from .analysis import analyse as analyse

ANALYSES: dict[str, str]
CLAIMS: dict[str, str]
QUANTITIES: dict[str, str]
