"""Occupancy maps, and getting about with them."""
