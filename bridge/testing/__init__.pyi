from .requirement import require as require
