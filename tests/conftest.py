"""What holds for all tests: none fails because the machine is busy."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long an example takes, and how long it takes to be made, depends on what else runs.
settings.register_profile("rulespec", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rulespec")
