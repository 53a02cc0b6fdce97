"""Where it went wrong: capability oracles, counterfactual attribution, adaptive test generation.

The method is CanTest's (Chen et al.); design/0016-diagnosis.md says what is ours.
"""

from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.types import Attribution, Diagnosis, Thresholds

__all__ = ["Attribution", "Capability", "Diagnosis", "ErrorType", "Thresholds"]
