"""Metrics of missions (OmniNavBench)."""
