"""Running agents over suites: specs, plans, and resume."""

from navproof.agents.limits import Limits
from navproof.runner.spec import RunSpec

__all__ = ["Limits", "RunSpec"]
