"""What the corruptions compute with."""
