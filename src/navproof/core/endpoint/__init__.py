"""Language models behind OpenAI-compatible endpoints: asking one, waiting for one, keeping what it
answered."""
