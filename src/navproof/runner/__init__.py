"""Running agents over suites: specs, plans, rollouts, a pool that survives them, and resume."""

from navproof.runner.spec import Limits, RunSpec

__all__ = ["Limits", "RunSpec"]
