"""The people whom a robot meets."""
