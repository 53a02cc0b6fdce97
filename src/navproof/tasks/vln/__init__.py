"""VLN: follow a route instruction."""
