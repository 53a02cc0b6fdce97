"""Training of perception: what is shown, what is said about it, and what it teaches."""
