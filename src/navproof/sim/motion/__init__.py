"""How robots move, sway and fall."""
