"""Whether a run's traces give its numbers: the recorded actions, simulated again, exactly."""
