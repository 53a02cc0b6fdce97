"""Agents: the one protocol, those that come with navproof, and how to load and check others."""

from navproof.agents.load import AGENTS, AgentFactory, load_agent
from navproof.agents.protocol import Agent, SnapshotAgent
from navproof.agents.validate import as_decision

__all__ = ["AGENTS", "Agent", "AgentFactory", "SnapshotAgent", "as_decision", "load_agent"]
