"""From the options ``lm`` and ``model`` of an agent to a language model.

``stats``   statistics of train worlds, the offline stand-in (``statistics``)
``none``    nobody is asked: what remains of a method without its language model
``http…``   an OpenAI-compatible endpoint; ``model`` is the model to ask for there

There is no default: an agent's name says whose common sense its results rest on.
"""

from __future__ import annotations

from navproof.agents.language.endpoint import EndpointModel
from navproof.agents.language.protocol import LanguageModel
from navproof.agents.language.statistics import RoomStatistics
from navproof.core.endpoint.model import UNNAMED
from navproof.core.errors import AgentError

__all__ = ["NONE", "STATISTICS", "check_language_model", "load_language_model"]

STATISTICS, NONE = "stats", "none"
_ADDRESS = ("http://", "https://")


def check_language_model(agent: str, lm: str, model: str) -> None:
    """Raise an ``AgentError`` in one line where ``agent`` was not told who answers, or in a way
    that nobody understands."""
    choices = (
        f"{agent}@lm=stats (statistics of train worlds), {agent}@lm=none (nobody is asked) or "
        f"{agent}@lm=http://HOST:PORT@model=NAME (an OpenAI-compatible endpoint)"
    )
    if not lm:
        raise AgentError(f"say which language model it asks: {choices}")
    if lm not in (STATISTICS, NONE) and not lm.startswith(_ADDRESS):
        raise AgentError(f"there is no language model '{lm}'; write {choices}")
    if model and lm in (STATISTICS, NONE):
        raise AgentError(f"lm={lm} has no models to choose from, so model={model} means nothing")


def load_language_model(lm: str, model: str = "") -> LanguageModel | None:
    """The language model of checked options; None where nobody is asked. An endpoint is asked one
    question, unless its answer is kept, so that one which is not there is refused at once."""
    if lm == NONE:
        return None
    if lm == STATISTICS:
        return RoomStatistics()
    endpoint = EndpointModel(lm, model or UNNAMED)
    endpoint.check()
    return endpoint
