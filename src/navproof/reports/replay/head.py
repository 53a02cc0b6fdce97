"""What stands above a replay's pictures: whose episode it is, and all that was asked, with the
part that is in force marked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from navproof.log import Trace
from navproof.reports.draw.canvas import (
    BAD,
    GOOD,
    INK,
    MUTED,
    Colour,
    Image,
    blank,
    leg_colour,
    rectangle,
    width_of,
    wrap,
    write,
)
from navproof.reports.replay.parts import Asked, Part, asked_of, part_in_force

__all__ = ["Head"]

_EDGE, _TITLE, _LEAST = 16, 36, 104
_SIZES = ((23, 28, 2), (20, 25, 3), (17, 22, 40))  # text height, line height, most lines
_FAINT: Colour = (118, 126, 136)

Word = tuple[str, int, int]  # the word, its part (-1: none), its x


class Head:
    """The head of every picture of an episode: ``height`` rows of ``width`` pixels."""

    def __init__(self, trace: Trace, width: int) -> None:
        self.width = width
        self._trace = trace
        self._asked = asked_of(trace)
        self._size, self._leading, self._lines = _laid_out(self._asked, width - 2 * _EDGE)
        self._named = any(span is None for span in self._asked.spans)
        below = _TITLE + len(self._lines) * self._leading + 6
        self._row = below + 18
        rows = (26 if self._asked.parts else 0) + (24 if self._named else 0)
        self.height = max(_LEAST, (below + rows + 9) // 2 * 2)

    def at(self, step: int | None) -> Image:
        """As it is at a step; None: when all is over, and nothing is in force any more."""
        image, parts = blank(self.width, self.height), self._asked.parts
        _title(image, self._trace)
        current = part_in_force(parts, step) if parts and step is not None else -1
        for row, line in enumerate(self._lines):
            y = _TITLE + row * self._leading + self._size
            for word, part, x in line:
                marked = current < 0 or part == current
                write(image, x, y, word, self._size, INK if marked else _FAINT)
            if current >= 0:
                self._underline(image, [word for word in line if word[1] == current], y, current)
        if parts:
            self._endings(image, current, step)
        return image

    def _underline(self, image: Image, words: Sequence[Word], y: int, part: int) -> None:
        if words:
            begin, (last, _, x) = words[0][2], words[-1]
            width = x + width_of(last, self._size) - begin
            rectangle(image, begin, y + 4, width, 3, leg_colour(part))

    def _endings(self, image: Image, current: int, step: int | None) -> None:
        """One sign for each part: how it ended, or that it is in force; its words, where they are
        not found in the instruction."""
        parts, x = self._asked.parts, _EDGE
        last = len(self._trace.poses) - 1
        for index, part in enumerate(parts):
            word, colour = _state(index, part, current, last if step is None else step, last)
            rectangle(image, x, self._row - 11, 10, 10, leg_colour(index))
            write(image, x + 16, self._row, word, 17, colour)
            x += 16 + width_of(word, 17) + 24
        if self._named and current >= 0:
            told = f"{current + 1} of {len(parts)}: {parts[current].text}"
            line = wrap(told, 17, self.width - 2 * _EDGE, 1)[0]
            write(image, _EDGE, self._row + 24, line, 17, INK)


def _state(index: int, part: Part, current: int, step: int, last: int) -> tuple[str, Colour]:
    over = part.begin >= 0 and part.end <= step and (index != current or step == last)
    if over or (part.begin < 0 and step == last):
        return f"{index + 1} {part.ending}", GOOD if part.success else BAD
    return f"{index + 1} {'now' if index == current else '…'}", INK if index == current else MUTED


def _title(image: Image, trace: Trace) -> None:
    key, episode = trace.key, trace.episode
    parts = [key.agent, episode.task, episode.scene, episode.episode_id]
    if key.condition != "clean":
        parts.append(key.condition)
    line = wrap(" · ".join(parts), 17, image.shape[1] - 2 * _EDGE, 1)[0]
    write(image, _EDGE, 28, line, 17, MUTED)


def _laid_out(asked: Asked, room: int) -> tuple[int, int, list[list[Word]]]:
    """(text height, line height, lines): the largest letters in which all words have room."""
    words = [(m.group(), _part_at(asked, m.start())) for m in re.finditer(r"\S+", asked.text)]
    size, leading, most = _SIZES[-1]
    for larger in _SIZES:
        if len(_broken(words, larger[0], room)) <= larger[2]:
            size, leading, most = larger
            break
    return size, leading, _broken(words, size, room)[:most]


def _part_at(asked: Asked, place: int) -> int:
    for index, span in enumerate(asked.spans):
        if span is not None and span[0] <= place < span[1]:
            return index
    return -1


def _broken(words: Sequence[tuple[str, int]], size: int, room: int) -> list[list[Word]]:
    lines: list[list[Word]] = [[]]
    x, space = 0, max(4, width_of("a b", size) - width_of("ab", size))
    for word, part in words:
        width = width_of(word, size)
        if lines[-1] and x + width > room:
            lines.append([])
            x = 0
        lines[-1].append((word, part, _EDGE + x))
        x += width + space
    return [line for line in lines if line]
