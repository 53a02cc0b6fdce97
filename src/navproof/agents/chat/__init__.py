"""Agents that ask a language model behind an endpoint where to go."""
