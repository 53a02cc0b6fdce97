"""What people call things, and how things are to each other."""
