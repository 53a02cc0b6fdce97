"""The page of a search for failures."""
