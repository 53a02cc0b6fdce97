"""What everything speaks in: types, errors, names, randomness, files."""
