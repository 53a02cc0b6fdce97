"""Agents that need no eyes: the floor and the ceiling under and above all scores."""
