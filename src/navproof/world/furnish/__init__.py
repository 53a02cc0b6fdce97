"""What stands in rooms, and where."""
