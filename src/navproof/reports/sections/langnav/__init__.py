"""The section about goals in words."""
