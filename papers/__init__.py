"""The wings: all that the house keeps of one paper, in one package.

A wing has ``ledger`` (what is printed, and the programs that decide it), ``figures`` (every figure and table, as a
plan), ``studies`` (analyses of trained networks), ``quantities``, ``claims`` and what was recorded (``records``,
``maps``). It announces them by constants of text in its ``__init__``, through which :mod:`closedform.subjects` finds
it: no other package imports a wing, and a ledger imports nothing but :mod:`theory`.
"""
