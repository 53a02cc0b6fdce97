"""``habitat.Agent``s: observations, goals and actions as Habitat-Lab and VLN-CE have them.

What is converted, and where Habitat's sources define it:

    rgb, depth                   habitat/sims/habitat_simulator/habitat_simulator.py
    pointgoal…, gps, compass     habitat/tasks/nav/nav.py
    objectgoal                   habitat/tasks/nav/object_nav_task.py
    instruction                  habitat/tasks/vln/vln.py, habitat/datasets/utils.py
    action ids                   habitat/sims/habitat_simulator/actions.py
"""

import gzip
import json
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

import numpy as np

from navproof.agents.client.records import Observation, ServeError, TaskBrief, read_plain

__all__ = ["KINDS", "Habitat", "HabitatOptions", "Vocabulary", "categories_from"]

_MOVES = {0: "stop", 1: "forward", 2: "left", 3: "right"}
_NAMES = {"stop": 0, "move_forward": 1, "turn_left": 2, "turn_right": 3, "look_up": 4}
_NAMES["look_down"] = 5
_MOST_LOOKS = 10
_MOST_BYTES = 1 << 28
_HM3D = {"chair": 0, "bed": 1, "plant": 2, "toilet": 3, "tv_monitor": 4, "sofa": 5}
_ALSO = {
    "tv_monitor": ("television", "tv", "tv monitor"),
    "sofa": ("couch",),
    "plant": ("potted plant",),
}
"""What navproof calls things that Habitat's data sets call otherwise."""


class HabitatOptions(NamedTuple):
    """``depth_m`` is the policy's range of depth. ``looks``: what looking up and down does, which
    no robot here does: "refuse" ends the episode, "skip" asks again with the same observation.
    ``holes``: what depth means that the robot's sensor does not tell: "refuse", "far" or "near"."""

    depth_m: Optional[Tuple[float, float]] = None
    categories: Mapping[str, int] = _HM3D
    vocabulary: Optional["Vocabulary"] = None
    looks: str = "refuse"
    holes: str = "refuse"


class Kind(NamedTuple):
    """A task: ``turn_deg`` and ``depth_m`` are those of its usual configuration."""

    task: str
    sensors: Tuple[str, ...]
    feels: Tuple[str, ...]
    turn_deg: float
    depth_m: Tuple[float, float]


KINDS = {
    "habitat-pointnav": Kind(
        "pointnav-v1", ("rgb", "depth", "pose", "pointgoal"), ("rgb", "depth"), 10.0, (0.0, 10.0)
    ),
    "habitat-objectnav": Kind(
        "objectnav-v1", ("rgb", "depth", "pose"), ("rgb", "depth"), 30.0, (0.5, 5.0)
    ),
    "habitat-vlnce": Kind(
        "vln-v1", ("rgb", "depth", "pose"), ("rgb", "depth", "words"), 15.0, (0.0, 10.0)
    ),
}


class Vocabulary:
    """Words to numbers, as the data set's: a file with its ``instruction_vocab`` (``val.json.gz``
    of R2R_VLNCE_v1-3_preprocessed, say), a JSON list of words or map of words to numbers, or a text
    file with a word a line. Instructions are filled up to ``length``."""

    def __init__(self, path: str, length: int = 200) -> None:
        self.length = length
        try:
            data = read_plain(path, _MOST_BYTES)
            text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise ServeError(f"vocabulary {path} cannot be read: {error}") from None
        try:
            told = json.loads(text)
        except ValueError:
            told = [line.strip() for line in text.splitlines() if line.strip()]
            if any(len(line.split()) > 1 for line in told):
                raise ServeError(f"vocabulary {path} has lines of more than one word") from None
        if isinstance(told, dict):
            told = told.get("instruction_vocab", told)
            told = told.get("word_list", told)
        if isinstance(told, list) and told:
            words = [str(word) for word in told]
            words = words if "<unk>" in words else ["<unk>", *words]
            told = {word: number for number, word in enumerate(words)}
        numbers = list(told.values()) if isinstance(told, dict) else []
        if not numbers or not all(isinstance(number, int) for number in numbers):
            raise ServeError(f"vocabulary {path} holds neither words nor numbers of words")
        self.numbers: Dict[str, int] = told
        self.unknown, self.padding = told.get("<unk>", 1), told.get("<pad>", 0)

    def tokens(self, text: str) -> List[int]:
        """The numbers of an instruction. It is cut into words as the data sets were made: by
        ``tokenize`` of habitat/datasets/utils.py at v0.1.5 (from v0.1.7 on, a comma that is missing
        in its ``keep=("'s")`` tears words apart at every s)."""
        plain = text.lower().replace("'s", " 's").replace(",", "").replace("?", "")
        words = [word.strip() for word in re.split(r"([^\w-]+)", plain)]
        numbers = [self.numbers.get(word, self.unknown) for word in words if word]
        return (numbers + [self.padding] * self.length)[: self.length or None]


def categories_from(path: Optional[str]) -> Mapping[str, int]:
    """Numbers of goals by category: HM3D's, or those of a JSON file."""
    if path is None:
        return _HM3D
    try:
        told = json.loads(read_plain(path, _MOST_BYTES).decode())
    except (OSError, ValueError) as error:
        raise ServeError(f"categories {path} cannot be read: {error}") from None
    if not isinstance(told, dict) or not all(isinstance(n, int) for n in told.values()):
        raise ServeError(f'categories {path} must be a map such as {{"chair": 0, "bed": 1}}')
    return told


class Habitat:
    """A ``habitat.Agent`` as an agent of navproof's."""

    def __init__(self, agent: Any, kind: Kind, options: HabitatOptions) -> None:
        self.agent, self.kind, self.options = agent, kind, options
        self.low_m, self.high_m = options.depth_m or kind.depth_m

    def reset(self, brief: TaskBrief) -> None:
        robot, usual = brief.robot, self.kind
        if brief.control not in ("discrete", "any"):
            raise ServeError(f"Habitat's actions are moves, and control is {brief.control} here")
        if robot.forward_m != 0.25 or robot.turn_deg != usual.turn_deg:
            raise ServeError(
                f"robot '{robot.name}' moves {robot.forward_m:g} m and {robot.turn_deg:g} degrees"
                f" at a time, Habitat's 0.25 m and {usual.turn_deg:g} degrees"
            )
        self._fill = self._filling(brief)
        self._goal = np.array([self._category(brief)], np.int64)
        self._start: Optional[Any] = None
        self.agent.reset()

    def act(self, obs: Observation) -> str:
        seen = self.observations(obs)
        for _ in range(_MOST_LOOKS):
            number = _number_of(self.agent.act(seen))
            if number in _MOVES:
                return _MOVES[number]
            if self.options.looks != "skip":
                raise ServeError("the agent looks up or down, which no camera here does (--looks)")
        raise ServeError(f"the agent looks up or down {_MOST_LOOKS} times in a row")

    def observations(self, obs: Observation) -> Dict[str, Any]:
        """Habitat's observations."""
        seen: Dict[str, Any] = {"rgb": obs.rgb, "depth": self._depth(obs.depth)}
        x, y, _, yaw = obs.pose
        if self.kind.task == "pointnav-v1":
            seen["pointgoal_with_gps_compass"] = np.asarray(obs.pointgoal, np.float32)
            if self._start is None:
                self._start = seen["pointgoal_with_gps_compass"].copy()
            seen["pointgoal"] = self._start
        else:
            seen["gps"] = np.array([x, -y], np.float32)  # ahead, to the right
            seen["compass"] = np.array([yaw], np.float32)
        if self.kind.task == "objectnav-v1":
            seen["objectgoal"] = self._goal
        if self.kind.task == "vln-v1":
            words = self.options.vocabulary
            seen["instruction"] = {"text": obs.instruction, "trajectory_id": "0"}
            if words is not None:
                seen["instruction"]["tokens"] = words.tokens(obs.instruction)
        return seen

    def _depth(self, metres: Any) -> Any:
        """(h, w, 1) float32: shares of the policy's range."""
        if self._fill is not None:
            metres = np.where(metres > 0.0, metres, np.float32(self._fill))
        near = np.clip(metres, self.low_m, self.high_m) - self.low_m
        return (near / (self.high_m - self.low_m)).astype(np.float32)[..., None]

    def _filling(self, brief: TaskBrief) -> Optional[float]:
        """What stands for depth that is not told. Habitat's sensor tells all; ours tells 0 beyond
        its range, which is right here where its range is the wider one."""
        sensor = next(s for s in brief.sensors if s.name == "depth")
        if sensor.min_range_m <= 0.0 and sensor.max_range_m > self.high_m:
            return None
        if self.options.holes == "refuse":
            raise ServeError(
                f"depth is told from {sensor.min_range_m:g} to {sensor.max_range_m:g} m, so that 0"
                " may be nearer or farther: run with a sensor of range_m = [0, 100] (navproof run"
                " --sensors), or say which with --holes"
            )
        return self.high_m if self.options.holes == "far" else self.low_m

    def _category(self, brief: TaskBrief) -> int:
        if self.kind.task != "objectnav-v1":
            return 0
        for name, number in self.options.categories.items():
            if brief.goal_category in (name, name.replace("_", " "), *_ALSO.get(name, ())):
                return number
        raise ServeError(f"the policy has no goal '{brief.goal_category}' (--categories)")


def _number_of(action: Any) -> int:
    """Habitat's number of what ``act`` returned: a number, a name, or {"action": one of these}."""
    told = action
    if isinstance(told, Mapping):
        told = told.get("action")
    if isinstance(told, str):
        told = _NAMES.get(told.lower())
    if isinstance(told, (np.ndarray, list, tuple)) and np.size(told) == 1:
        told = np.asarray(told).item()
    if isinstance(told, (int, np.integer)) and 0 <= told <= 5:
        return int(told)
    raise ServeError(f"the agent returned {' '.join(repr(action).split())[:80]}, no Habitat action")
