"""The engine: what a theory starts from is said once, and its formulas are derived with steps that are checked.

Every verb returns what it derives together with the steps that decide it, so that an error of the engine is a step
that fails.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
