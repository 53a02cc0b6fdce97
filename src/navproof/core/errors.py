"""The one exception family of navproof.

Every error that a user can cause is a ``NavproofError`` whose text is one line that says what
is wrong, where, and what to do. The command line prints that line and exits non-zero; anything
else that escapes is a bug.
"""

from __future__ import annotations

__all__ = [
    "AgentError",
    "EpisodeError",
    "MissingExtraError",
    "NavproofError",
    "PerceptionError",
    "RunError",
    "SceneError",
    "SimulationError",
    "SpecError",
    "UnknownNameError",
    "one_line",
    "printable",
    "type_of",
]


_LONGEST = 560


class NavproofError(Exception):
    """Base of every error that is the caller's to mend. One line, written for a person; what comes
    out of files may be quoted in it, and is cut where it would fill the screen."""

    def __init__(self, text: str = "") -> None:
        super().__init__(_told(text))


class UnknownNameError(NavproofError):
    """A name that no registry knows; the text suggests the nearest ones."""


class SpecError(NavproofError):
    """A setting that makes no sense (task spec, suite, run spec, camera, robot)."""


class SceneError(NavproofError):
    """A scene that cannot be generated, read or used."""


class EpisodeError(NavproofError):
    """An episode file or episode that cannot be used: names file, line and field."""


class SimulationError(NavproofError):
    """The simulator was asked for something impossible (a start inside a wall, say)."""


class AgentError(NavproofError):
    """The agent cannot be loaded, raised, or returned something that is not an action."""


class PerceptionError(NavproofError):
    """An image, text, encoder or detector that cannot be used."""


class RunError(NavproofError):
    """A run folder that cannot be written, resumed, scored or reported."""


class MissingExtraError(NavproofError):
    """An optional dependency is not installed; the text has the pip command."""

    def __init__(self, package: str, extra: str, enables: str) -> None:
        super().__init__(f"{enables} needs {package}: pip install 'navproof[{extra}]'")
        self._about = (package, extra, enables)

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str, str]]:
        return MissingExtraError, self._about


def _told(text: str) -> str:
    line = printable(text)
    half = _LONGEST // 2
    return line if len(line) <= _LONGEST else f"{line[:half]} … {line[-half:]}"


def printable(text: str) -> str:
    """A text of somebody else's on one line, without what terminals take for commands (escapes,
    marks that turn the direction of writing)."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "�" for c in " ".join(text.split()))


def one_line(error: BaseException) -> str:
    """The kind and text of somebody else's error, on one line."""
    try:
        text = printable(str(error))
    except Exception:  # an exception that cannot even be shown
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def type_of(value: object) -> str:
    """The type of a value with its article, for a sentence: "an int", "a list"."""
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
