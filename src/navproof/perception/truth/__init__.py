"""Encoder and detector that use the ground truth, with errors of one's choice; what words mean."""

from navproof.perception.truth.models import (
    DetectorErrors,
    EncoderErrors,
    TruthDetector,
    TruthEncoder,
)

__all__ = ["DetectorErrors", "EncoderErrors", "TruthDetector", "TruthEncoder"]
