"""What each capability should have put out at a step."""
