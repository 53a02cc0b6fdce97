"""What an agent asked a language model in an episode, and what that answered, as Markdown."""

from __future__ import annotations

from navproof.core.errors import RunError
from navproof.core.types import Exchange
from navproof.log import Trace
from navproof.log.usage import exchanges_of, usage_of

__all__ = ["transcript"]


def transcript(trace: Trace) -> str:
    """All exchanges in order; a ``RunError`` where the agent asked no model."""
    key, exchanges = trace.key, exchanges_of(trace)
    if not exchanges:
        raise RunError(
            f"{key.agent} asked no language model in episode {key.episode_id}, so there is nothing"
            " to write; .mp4, .gif and .png show where it went"
        )
    under = "" if key.condition == "clean" else f" under {key.condition}"
    words = trace.episode.instruction
    lines = [f"# {key.agent} in {key.episode_id}{under}", ""]
    if words is not None:
        lines += [f"> {words.text}", ""]
    lines += [f"{usage_of([trace]).words}.", ""]
    for exchange in exchanges:
        lines += _told(exchange)
    return "\n".join(lines)


def _told(exchange: Exchange) -> list[str]:
    """One exchange; images are told by their digests."""
    lines = [f"## Step {exchange.step}: {exchange.purpose}", ""]
    if exchange.system:
        lines += ["**System prompt**", "", *_block(exchange.system)]
    lines += ["**Asked**", "", *_block(exchange.prompt)]
    if exchange.images:
        lines += [f"with {len(exchange.images)} pictures ({', '.join(exchange.images)})", ""]
    how = "kept from before" if exchange.kept else f"{exchange.seconds:.2f} s"
    if exchange.attempts > 1:
        how += f", {exchange.attempts} attempts"
    if exchange.tokens_in is not None or exchange.tokens_out is not None:
        how += f", {exchange.tokens_in or 0} tokens in, {exchange.tokens_out or 0} out"
    lines += [f"**Answered** by {exchange.model} ({how})", "", *_block(exchange.answer)]
    if exchange.fault:
        lines += [f"It could not be used: {exchange.fault}.", ""]
    return lines


def _block(text: str) -> list[str]:
    """A block with a fence that is longer than any in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{fence}text", text, fence, ""]
