"""The section about corruptions."""
