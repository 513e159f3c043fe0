"""Fixtures of the studies' tests: traces from explicit maps, and what a complete analysis has."""

from tests.bridge.conftest import check, numbers, trace, trace_maker

__all__ = ["check", "numbers", "trace", "trace_maker"]
