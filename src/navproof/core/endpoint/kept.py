"""Answers of models, kept on disk by what was asked, so that it need not be asked again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from navproof.core.files import write_atomically
from navproof.core.input.reading import parse_json, read_file

__all__ = ["KeptAnswers"]

_MOST_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class KeptAnswers:
    """A folder with one small JSON file for each question. Questions are texts: whatever decides
    the answer must be in them."""

    folder: Path

    def find(self, question: str) -> Mapping[str, Any] | None:
        """What was kept of the answer; None where nothing is there, or nothing that can be read."""
        try:
            record = parse_json(read_file(self._path(question), _MOST_BYTES))
        except (OSError, ValueError):
            return None
        answer = record.get("answer") if isinstance(record, dict) else None
        return record if isinstance(answer, str) and answer else None

    def keep(self, question: str, record: Mapping[str, Any]) -> None:
        """``record`` has the answer under "answer"."""
        data = json.dumps(record, ensure_ascii=True, indent=1).encode()
        write_atomically(self._path(question), data)

    def _path(self, question: str) -> Path:
        return self.folder / f"{hashlib.sha256(question.encode()).hexdigest()[:32]}.json"
