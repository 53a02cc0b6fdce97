"""Where a robot can be: clearance, distances, shortest paths, lines of sight."""
