"""PointNav: go to a point."""
