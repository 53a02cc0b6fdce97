"""The looks of surfaces: colours, patterns, pictures."""
