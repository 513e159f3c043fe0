"""Runs in forks of a process whose torch has worked with several threads: they end, with the same bits."""

from __future__ import annotations

import textwrap

import pytest

from empirics.sweep import sweep

PATIENCE = 240  # seconds that the forks may take on a busy machine
FORKS = f"""
    import multiprocessing, sys
    import torch
    from empirics.experiments import two_point
    from empirics.sweep import sweep

    torch.set_num_threads(4)
    matrix = torch.ones(500, 500)
    assert float((matrix @ matrix)[0, 0]) == 500.0  # starts the threads, which no fork inherits
    torch.set_num_threads(1)
    directory, *texts = sys.argv[1:]
    configs = {{text: two_point.Config.from_json(text) for text in texts}}
    context = multiprocessing.get_context("fork")
    forks = [context.Process(target=sweep, args=(configs, directory), kwargs=dict(progress=False)) for _ in range(2)]
    for fork in forks:
        fork.start()
    for fork in forks:
        fork.join({PATIENCE})
    sys.exit(any(fork.exitcode != 0 for fork in forks))
"""


@pytest.mark.slow
def test_forks_after_torch_has_worked(python, configs, undisturbed, tmp_path):
    script = tmp_path / "forks.py"
    script.write_text(textwrap.dedent(FORKS), encoding="utf-8")
    done = python(script, tmp_path / "runs", *[config.to_json() for config in configs.values()])
    assert done.wait(timeout=PATIENCE) == 0, done.stderr.read()
    again = sweep(configs, tmp_path / "runs", progress=False)
    for label, trace in undisturbed.items():
        assert again[label].drop_attrs(deep=False).identical(trace.drop_attrs(deep=False))
