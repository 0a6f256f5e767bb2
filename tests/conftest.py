"""Hypothesis profiles for the whole suite.

The default is small, and the same on every run, so that a green suite stays green. `HYPOTHESIS_PROFILE=thorough pytest`
tries many more examples, other ones each time: run it after a change to what a property is about.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]

settings.register_profile("default", max_examples=40, deadline=None, derandomize=True, suppress_health_check=QUIET)
settings.register_profile("thorough", max_examples=2_000, deadline=None, suppress_health_check=QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
