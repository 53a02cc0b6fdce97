"""Adaptive test generation: cases that an agent fails, found by mutation under feedback."""

from navproof.diagnosis.fuzz.types import Case, CaseResult, Tester

__all__ = ["Case", "CaseResult", "Tester"]
