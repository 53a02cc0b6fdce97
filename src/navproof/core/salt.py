"""Secrets from which scenes and episodes are made that nobody has seen.

Everybody can make the public scenes again, and look an episode up in them. Those that are made with
a salt can be made by its holder alone: a reference to such a scene (``home/val/3~1f0c…``) ends in
the salt's fingerprint, from which the salt cannot be found. A process that does not know the salt
can load such a scene where it lies in a file already, and no more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from navproof.core.errors import SpecError
from navproof.core.input.reading import open_plain

__all__ = ["MARK", "Salt", "known_salts", "learn_salts", "salt_called"]

MARK = "~"
"""Between what a scene is called and the fingerprint of the salt it is made with."""
_LEAST_BYTES = 16
_MOST_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Salt:
    """``secret`` is whatever its file holds. ``file`` is where it was read."""

    secret: bytes = field(repr=False)
    file: Path | None = field(default=None, compare=False)

    @classmethod
    def read(cls, file: Path) -> Salt:
        """The salt in a file; a ``SpecError`` where there is none."""
        try:
            with open_plain(file) as stream:
                secret = stream.read(_MOST_BYTES + 1)
        except OSError as error:
            raise SpecError(f"the salt {file} cannot be read ({error.strerror or error})") from None
        if len(secret) > _MOST_BYTES:
            raise SpecError(f"the salt {file} is longer than {_MOST_BYTES} bytes")
        if len(set(secret)) < _LEAST_BYTES // 2 or len(secret) < _LEAST_BYTES:
            raise SpecError(
                f"the salt {file} could be guessed: it must hold at least {_LEAST_BYTES} random "
                f"bytes (head -c 32 /dev/urandom > {file})"
            )
        return cls(secret, file.absolute())

    @property
    def fingerprint(self) -> str:
        """Twelve hex digits that stand for the salt, and do not give it away."""
        return hashlib.blake2b(self.secret, digest_size=6, person=b"navproof.salt").hexdigest()

    @property
    def key(self) -> str:
        """What is derived from it, for ``core.seeding.derive``: as secret as the salt itself."""
        return hashlib.blake2b(self.secret, digest_size=32, person=b"navproof.seeds").hexdigest()


_salts: dict[str, Salt] = {}


def learn_salts(salts: Iterable[Salt]) -> None:
    """From now on this process can make what is made with these."""
    _salts.update({salt.fingerprint: salt for salt in salts})


def known_salts() -> tuple[Salt, ...]:
    """All that this process has learned."""
    return tuple(_salts.values())


def salt_called(fingerprint: str) -> Salt | None:
    """The salt of a fingerprint, where this process knows it."""
    return _salts.get(fingerprint)
