"""Metrics of several goals in one episode."""
