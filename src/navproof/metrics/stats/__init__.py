"""Intervals, paired tests, summaries."""
