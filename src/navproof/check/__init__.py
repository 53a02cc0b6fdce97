"""Conformance: what a user may run on an agent, corruption, sensor or task of their own."""
