"""The section about causes of failure."""
