"""Agents with a fault of known cause."""
