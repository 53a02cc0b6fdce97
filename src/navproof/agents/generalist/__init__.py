"""The agent that does missions."""
