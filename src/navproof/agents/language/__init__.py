"""What agents ask about the world in words, and who answers: an endpoint, or statistics."""

from navproof.agents.language.load import load_language_model
from navproof.agents.language.protocol import LanguageModel

__all__ = ["LanguageModel", "load_language_model"]
