"""What surfaces look like: colours, patterns, pictures."""
