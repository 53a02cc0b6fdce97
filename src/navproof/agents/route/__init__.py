"""The agent that follows route instructions."""
