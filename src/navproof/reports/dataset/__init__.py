"""The page of a set of episodes."""
