"""Which capability lost a run, and when."""
