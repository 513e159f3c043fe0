"""Every experiment is a frozen ``Config`` and ``run(config) -> trace``; a study asks one question of several runs.

There is one package for each subject. ``EXPERIMENTS`` maps the name of an experiment to its module; ``STUDIES`` maps
the name of a study to it, and ``study.configs("smoke" | "laptop" | "paper")`` gives its labelled configurations. Both
are collected from the subjects here and from installed plugins.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
