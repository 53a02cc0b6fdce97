"""Furnishing: which things stand in rooms, and where."""
