"""Agents that look for what words describe."""
