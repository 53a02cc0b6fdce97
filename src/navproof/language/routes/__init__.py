"""Route instructions: from a path to words, and the proof that they are true."""
