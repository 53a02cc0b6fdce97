"""Light: baked, and turned up or down afterwards."""
