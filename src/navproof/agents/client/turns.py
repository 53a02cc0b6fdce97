"""Several connections, one process: whose turn it is, and calls for many at once."""

import contextlib
import random
import sys
import threading
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from navproof.agents.client.records import Observation, ServeError

__all__ = ["Batches", "Turns", "seed_generators"]

_LOOK_S = 0.2


class Turns:
    """One call at a time, each of its callers with global random generators of its own. A call that
    hangs is left behind when nobody waits for it any more."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._owner: Optional[object] = None
        self._is_left: Callable[[], bool] = lambda: True
        self._last: Optional[object] = None
        self._generators: Dict[int, Tuple[Any, Any, Any]] = {}

    @contextlib.contextmanager
    def of(self, caller: object, is_left: Callable[[], bool]) -> Iterator[None]:
        """``is_left``: whether nobody waits for this call any more."""
        with self._changed:
            while self._owner is not None and not self._is_left():
                self._changed.wait(_LOOK_S)
            self._owner, self._is_left = caller, is_left
            if self._last is not caller:
                if self._last is not None:
                    self._generators[id(self._last)] = _generators()
                _put_generators(self._generators.pop(id(caller), None))
                self._last = caller
        try:
            yield
        finally:
            with self._changed:
                if self._owner is caller:
                    self._owner = None
                    self._changed.notify()

    def forget(self, caller: object) -> None:
        """It will not call again."""
        with self._changed:
            self._generators.pop(id(caller), None)
            if self._last is caller:
                self._last = None


def _generators() -> Tuple[Any, Any, Any]:
    torch = sys.modules.get("torch")
    state = None if torch is None else torch.get_rng_state()
    return random.getstate(), np.random.get_state(), state


def _put_generators(states: Optional[Tuple[Any, Any, Any]]) -> None:
    if states is None:
        return
    random.setstate(states[0])
    np.random.set_state(states[1])
    torch = sys.modules.get("torch")
    if torch is not None and states[2] is not None:
        torch.set_rng_state(states[2])


def seed_generators(seed: int) -> None:
    """Even an agent that draws from global generators is the same whatever ran before it."""
    random.seed(seed)
    np.random.seed(seed)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(seed)


class Batches:
    """Gathers what several connections ask for, up to ``size`` or for ``wait_s``, and never waits
    for more than are in an episode (``playing``, by slot)."""

    def __init__(self, agent: Any, size: int, wait_s: float) -> None:
        self.agent, self._size, self._wait_s = agent, size, wait_s
        self.playing: Dict[int, bool] = {}
        self.calling = threading.Lock()
        self._changed = threading.Condition()
        self._waiting: List[Tuple[Observation, List[Any]]] = []
        threading.Thread(target=self._run, daemon=True).start()

    def enter(self) -> int:
        """A slot: the lowest that nobody has."""
        with self._changed:
            free = next(n for n in range(len(self.playing) + 1) if n not in self.playing)
            self.playing[free] = False
            return free

    def leave(self, slot: int) -> None:
        """Nobody is to be waited for in that slot any more."""
        with self._changed:
            self.playing.pop(slot, None)
            self._changed.notify_all()

    def act(self, obs: Observation) -> Any:
        box: List[Any] = []
        with self._changed:
            self._waiting.append((obs, box))
            self._changed.notify_all()
            self._changed.wait_for(lambda: box)
        if isinstance(box[0], BaseException):
            raise box[0]
        return box[0][0]

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                self._changed.wait_for(
                    lambda: len(self._waiting) >= min(self._size, sum(self.playing.values())),
                    self._wait_s,
                )
                now, self._waiting = self._waiting[: self._size], self._waiting[self._size :]
            answers: List[Any]
            try:
                with self.calling:
                    values = list(self.agent.act_batch([obs for obs, _ in now]))
                if len(values) != len(now):
                    raise ServeError(f"act_batch gave {len(values)} answers, not {len(now)}")
                answers = [(value,) for value in values]
            except BaseException as error:
                answers = [error] * len(now)
            with self._changed:
                for (_, box), answer in zip(now, answers):
                    box.append(answer)
                self._changed.notify_all()
