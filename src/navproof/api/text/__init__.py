"""Results and progress as text, for terminals, notebooks and ``table()``."""
