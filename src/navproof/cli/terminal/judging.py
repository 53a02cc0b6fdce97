"""A language model as judge, as an option of the commands that diagnose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from navproof.diagnosis.oracles.judge import LlmDistance, LlmMemory

__all__ = ["JudgeModelOption", "JudgeOption", "judges_at"]

JudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge",
        help="An OpenAI-compatible address (http://…) whose model compares labels and memories, in "
        "place of the built-in lexicon and counting.",
    ),
]
JudgeModelOption = Annotated[
    str | None, typer.Option("--judge-model", help="The model to ask for at --judge.")
]


def judges_at(address: str | None, model: str | None) -> tuple[LlmDistance, LlmMemory] | None:
    """Who compares labels and memories, where a model is to."""
    from navproof.core.errors import SpecError

    if address is None:
        if model is not None:
            raise SpecError("--judge-model names a model at an address: give --judge too")
        return None
    from navproof.diagnosis.oracles.judge import LlmDistance, LlmMemory

    return LlmDistance(address, model), LlmMemory(address, model)
