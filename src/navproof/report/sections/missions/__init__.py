"""The section about missions."""
