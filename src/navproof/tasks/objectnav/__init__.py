"""ObjectNav: find any instance of a category."""
