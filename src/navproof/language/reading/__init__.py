"""From words back to what they ask for."""
