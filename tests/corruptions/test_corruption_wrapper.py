"""The Gymnasium wrapper around small environments that are not navproof's."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

from navproof.core.errors import SpecError
from navproof.corruptions.wrapper import CorruptObservation

H, W = 20, 28
ORDERS = ("Walk past the large sofa.", "Turn left in the small kitchen.")
RGB = spaces.Box(0, 255, (H, W, 3), np.uint8)
DEPTH = spaces.Box(0.0, 8.0, (H, W, 1), np.float32)
TEXT = spaces.Text(200, charset="abcdefghijklmnopqrstuvwxyzTW. ")
STATE = spaces.Box(-1.0, 1.0, (4,), np.float32)
ROOM = spaces.Dict({"camera": RGB, "depth": DEPTH, "order": TEXT, "state": STATE})


class Toy(gymnasium.Env[Any, Any]):
    """Random observations of any space; of texts, the first order for three steps and then the
    other."""

    def __init__(self, space: spaces.Space[Any] = ROOM) -> None:
        self.observation_space = space
        self.action_space = spaces.Discrete(2)
        self.shown: Any = None

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.count = 0
        return self._observe(self.observation_space), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.count += 1
        return self._observe(self.observation_space), 0.0, self.count >= 8, False, {}

    def _observe(self, space: Any) -> Any:
        self.shown = self._value(space)
        return self.shown

    def _value(self, space: Any) -> Any:
        if isinstance(space, spaces.Dict):
            return {key: self._value(inside) for key, inside in space.spaces.items()}
        if isinstance(space, spaces.Tuple):
            return tuple(self._value(inside) for inside in space.spaces)
        if isinstance(space, spaces.Text):
            return ORDERS[self.count >= 3]
        low, high = np.maximum(space.low, -9.0), np.minimum(space.high, 9000.0)
        return self.np_random.uniform(low, high, space.shape).astype(space.dtype)


def rollout(env: gymnasium.Env[Any, Any], seed: int | None = 5, steps: int = 5) -> list[Any]:
    seen = [env.reset(seed=seed)[0]]
    return seen + [env.step(0)[0] for _ in range(steps)]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(np.array_equal(one, other))


@pytest.mark.parametrize(
    ("condition", "touched"),
    [
        ("low_light_noise", {"camera"}),
        ("depth_gaussian", {"depth"}),
        ("mask_100", {"order"}),
        ("low_light_noise+depth_gaussian+capitalise", {"camera", "depth", "order"}),
        ("clean", set()),
        ("low_light_noise@0+depth_gaussian@0+mask_100@0", set()),
    ],
)
def test_only_what_the_condition_names_changes(condition: str, touched: set[str]) -> None:
    env = Toy()
    wrapped = CorruptObservation(env, condition)
    seen, _ = wrapped.reset(seed=1)
    for step in range(4):
        for key, clean in env.shown.items():
            assert same(seen[key], clean) == (key not in touched), (step, key)
        assert wrapped.observation_space.contains(seen)
        seen = wrapped.step(0)[0]


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
def test_gymnasiums_own_checker_is_content() -> None:
    check_env(CorruptObservation(Toy(), "spatter+depth_missing+friendly"), skip_render_check=True)


def test_it_is_deterministic_by_seed_episode_key_and_step() -> None:
    condition = "low_light_noise+depth_gaussian+mask_50"
    runs = [rollout(CorruptObservation(Toy(), condition, seed)) for seed in (0, 0, 1)]
    assert all(map(same, runs[0], runs[1]))
    assert not same(runs[0][0]["camera"], runs[2][0]["camera"])
    still = spaces.Dict({"left": _fixed(), "right": _fixed()})
    env = CorruptObservation(Toy(still), "low_light_noise")
    first, later = rollout(env, 5, 1)
    assert not same(first["left"], first["right"])
    assert not same(first["left"], later["left"])
    other, again = rollout(env, 6, 0)[0], rollout(env, 5, 0)[0]
    assert not same(first["left"], other["left"])
    assert same(first, again)
    unseeded = [rollout(env, None, 0)[0] for _ in range(2)]
    assert not same(unseeded[0], unseeded[1])
    rollout(env, 5, 3)
    assert same(rollout(env, None, 0)[0], unseeded[0])


def _fixed(shape: tuple[int, ...] = (H, W, 3)) -> spaces.Box:
    grey = np.full(shape, 100, np.uint8)
    return spaces.Box(grey, grey, dtype=np.uint8)


def test_dirt_stays_through_an_episode() -> None:
    env = CorruptObservation(Toy(_fixed((64, 64, 3))), "spatter@1")
    one = rollout(env, 1, 3)
    assert all(same(one[0], image) for image in one)
    assert not same(one[0], rollout(env, 2, 0)[0])
    moving = rollout(CorruptObservation(Toy(_fixed((64, 64, 3))), "spatter@1:frame"), 1, 1)
    assert not same(moving[0], moving[1])


def test_words_are_corrupted_once_and_again_when_they_change() -> None:
    env = CorruptObservation(Toy(), "mask_50")
    heard = [seen["order"] for seen in rollout(env)]
    assert len(set(heard[:3])) == 1
    assert len(set(heard[3:])) == 1
    assert heard[0] != heard[3]
    assert "[MASK]" in heard[0] + heard[3]


@pytest.mark.parametrize("shape", [(H, W, 3), (3, H, W), (H, W, 4), (4, H, W)])
def test_images_keep_their_form(shape: tuple[int, ...]) -> None:
    env = Toy(spaces.Box(0, 255, shape, np.uint8))
    wrapped = CorruptObservation(env, "low_light@1", keys={"observation": "rgb"})
    seen, _ = wrapped.reset(seed=0)
    assert seen.shape == shape
    assert seen.dtype == np.uint8
    axis = 2 if shape[2] in (3, 4) else 0
    clean, dark = np.moveaxis(env.shown, axis, 2), np.moveaxis(seen, axis, 2)
    assert dark[..., :3].mean() < 0.7 * clean[..., :3].mean()
    assert np.array_equal(dark[..., 3:], clean[..., 3:])
    reference = CorruptObservation(_Shown(clean[..., :3].copy()), "low_light@1").reset(seed=0)[0]
    assert np.array_equal(dark[..., :3], reference)


class _Shown(Toy):
    """Always shows the same."""

    def __init__(self, image: Any) -> None:
        super().__init__(spaces.Box(0, 255, image.shape, np.uint8))
        self.image = image

    def _value(self, space: Any) -> Any:
        return self.image


@pytest.mark.parametrize(
    ("space", "settings", "step"),
    [
        (spaces.Box(0.0, 10.0, (H, W), np.float32), {}, 0.625),
        (spaces.Box(0.0, 10.0, (1, H, W), np.float64), {}, 0.625),
        (spaces.Box(0.0, 1.0, (H, W, 1), np.float32), {"depth_unit_m": 10.0}, 0.0625),
        (spaces.Box(0, 65535, (H, W), np.uint16), {}, 625),
        (spaces.Box(0.5, np.inf, (H, W), np.float32), {"max_range_m": 9000.0}, 562.5),
    ],
)
def test_depth_keeps_its_form_and_unit(
    space: spaces.Box, settings: dict[str, Any], step: float
) -> None:
    env = Toy(spaces.Dict({"depth": space, "grid": spaces.Box(0.0, 1.0, (H, W), np.float32)}))
    seen = CorruptObservation(env, "depth_quantisation@1", **settings).reset(seed=3)[0]
    assert seen["depth"].shape == space.shape
    assert seen["depth"].dtype == space.dtype
    levels = seen["depth"].astype(float) / step
    assert np.allclose(levels, np.rint(levels), atol=1e-4 if step < 1 else 1.0 / step)
    assert np.abs(seen["depth"].astype(float) - env.shown["depth"]).max() <= step + 1
    assert seen["grid"] is env.shown["grid"]


def test_nested_spaces_and_told_keys() -> None:
    space = spaces.Dict(
        {"robot": spaces.Dict({"eye": RGB, "range": DEPTH}), "task": spaces.Tuple((STATE, TEXT))}
    )
    env = Toy(space)
    keys: Any = {"robot.range": "depth", "task.1": "words"}
    seen = CorruptObservation(env, "depth_gaussian+mask_100", keys=keys).reset(seed=0)[0]
    assert not same(seen["robot"]["range"], env.shown["robot"]["range"])
    assert seen["task"][1] != env.shown["task"][1]
    assert seen["robot"]["eye"] is env.shown["robot"]["eye"]
    assert seen["task"][0] is env.shown["task"][0]
    prompted = CorruptObservation(env, "white_box", keys={"task.1": "prompt"}).reset(seed=0)[0]
    assert len(prompted["task"][1]) > len(env.shown["task"][1])


@pytest.mark.parametrize(
    ("name", "shape", "taken"),
    [
        ("eye", (H, W, 3), True),
        ("eye", (3, H, W), True),
        ("rgb_front", (H, W, 4), True),
        ("Color", (4, H, W), True),
        ("frames", (4, H, W), False),
        ("frames", (H, W, 4), False),
        ("semantic", (H, W, 3), False),
    ],
)
def test_which_images_are_taken_for_colours(name: str, shape: tuple[int, ...], taken: bool) -> None:
    space = spaces.Dict({"certain": RGB, name: spaces.Box(0, 255, shape, np.uint8)})
    env = Toy(space)
    seen = CorruptObservation(env, "low_light").reset(seed=0)[0]
    assert same(seen[name], env.shown[name]) != taken


def test_texts_longer_than_their_space_widen_it() -> None:
    env = CorruptObservation(Toy(spaces.Text(40, charset="abcWTdefghiklmnoprstuvwxyz. ")), "formal")
    seen, _ = env.reset(seed=0)
    assert env.observation_space.contains(seen)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"condition": "spater"}, ("did you mean 'spatter'",)),
        ({"condition": "wheel_slip"}, ("wheel_slip acts on a robot",)),
        ({"condition": "white_box"}, ("white_box changes prompt", "keys=", "order Text")),
        ({"condition": "spatter", "keys": {"camra": "rgb"}}, ("did you mean 'camera'",)),
        ({"condition": "spatter", "keys": {"camera": "rbg"}}, ("did you mean 'rgb'",)),
        ({"condition": "spatter", "keys": {"state": "rgb"}}, ("'state' is no rgb", "uint8")),
        ({"condition": "spatter", "keys": {"depth": "depth"}}, ("spatter changes rgb",)),
        ({"condition": "spatter", "depth_unit_m": 0.0}, ("depth_unit_m must be above 0",)),
        ({"condition": "spatter", "max_range_m": -1.0}, ("max_range_m must be above 0",)),
    ],
)
def test_mistakes_are_told_at_once(arguments: dict[str, Any], words: tuple[str, ...]) -> None:
    from navproof.core.errors import NavproofError

    with pytest.raises(NavproofError) as caught:
        CorruptObservation(Toy(), **arguments)
    assert len(str(caught.value).splitlines()) == 1
    for word in words:
        assert word in str(caught.value)


def test_a_float_image_is_not_taken_for_rgb() -> None:
    with pytest.raises(SpecError, match="no observation is known to be that"):
        CorruptObservation(Toy(spaces.Box(0.0, 1.0, (H, W, 3), np.float32)), "spatter")
    vector = gymnasium.vector.SyncVectorEnv([Toy])
    with pytest.raises(SpecError, match=r"wraps one gymnasium\.Env, got a SyncVectorEnv"):
        CorruptObservation(vector, "spatter")  # type: ignore[arg-type]


def test_the_spec_remembers_the_wrapper() -> None:
    if "Toy-v0" not in gymnasium.registry:
        gymnasium.register("Toy-v0", Toy)
    env = CorruptObservation(gymnasium.make("Toy-v0"), "spatter@0.3", seed=4)
    assert env.spec is not None
    again = gymnasium.make(env.spec)
    assert all(map(same, rollout(env), rollout(again)))


def test_vectors_of_wrapped_environments() -> None:
    made = [lambda: CorruptObservation(Toy(), "low_light_noise+mask_50")] * 2
    vector = gymnasium.vector.SyncVectorEnv(made)
    seen, _ = vector.reset(seed=7)
    alone = CorruptObservation(Toy(), "low_light_noise+mask_50").reset(seed=8)[0]
    assert np.array_equal(seen["camera"][1], alone["camera"])


def test_without_gymnasium_it_says_what_to_install() -> None:
    code = (
        "import sys, navproof; sys.modules['gymnasium'] = None\n"
        "try:\n    import navproof.corruptions.wrapper\n"
        "except Exception as error:\n    print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "MissingExtraError" in done.stdout
    assert "pip install 'navproof[gym]'" in done.stdout


def test_depth_that_goes_up_to_1_is_not_guessed_to_be_metres() -> None:
    env = Toy(spaces.Dict({"depth": spaces.Box(0.0, 1.0, (H, W), np.float32)}))
    with pytest.raises(SpecError, match="'depth' goes up to 1: say what 1 means in metres"):
        CorruptObservation(env, "depth_gaussian")
    assert CorruptObservation(env, "depth_gaussian", depth_unit_m=1.0).condition.parts


@pytest.mark.parametrize("seed", ["a", 1.5, None, True])
def test_a_seed_that_is_no_whole_number_is_refused(seed: Any) -> None:
    with pytest.raises(SpecError, match="seed must be a whole number"):
        CorruptObservation(Toy(), "spatter", seed)


# ---------------------------------------------------------------- what is made of words follows
TOKENS = spaces.Box(0, 3000, (6,), np.int64)
WORDS = ("walk", "past", "the", "large", "sofa", "turn", "left", "in", "small", "kitchen")


def tokens(text: str) -> list[int]:
    """Numbers of words from 2 on, 1 for others, filled up with 0."""
    words = text.lower().rstrip(".").split()
    found = [WORDS.index(word) + 2 if word in WORDS else 1 for word in words]
    return (found + [0] * 6)[:6]


class Habitat(Toy):
    """An instruction as Habitat's sensor gives it; its space may tell of the text alone."""

    def __init__(self, tells: bool = True) -> None:
        inside: dict[str, spaces.Space[Any]] = {"text": TEXT}
        if tells:
            inside |= {"tokens": TOKENS, "trajectory_id": spaces.Box(0, 9, (1,), np.int64)}
        super().__init__(spaces.Dict({"instruction": spaces.Dict(inside), "rgb": RGB}))

    def _observe(self, space: Any) -> Any:
        found = self._value(space)
        found["instruction"]["tokens"] = np.array(tokens(found["instruction"]["text"]), np.int64)
        found["instruction"]["trajectory_id"] = np.array([3])
        return found


def test_tokens_never_pass_clean_beside_words_that_are_spoiled() -> None:
    says = r"'instruction.tokens' looks as if it were made of words .* would pass clean: give the"
    with pytest.raises(SpecError, match=says):
        CorruptObservation(Habitat(), "mask_50")
    env = CorruptObservation(Habitat(tells=False), "mask_50", keys={"instruction.text": "words"})
    with pytest.raises(SpecError, match=says):
        env.reset(seed=1)
    room = spaces.Dict({"instruction": TOKENS, "said": TEXT})
    with pytest.raises(SpecError, match="'instruction' looks as if it were made of words"):
        CorruptObservation(Toy(room), "mask_50")


@pytest.mark.parametrize("tells", [True, False])
def test_tokens_are_made_again_of_what_is_heard(tells: bool) -> None:
    env = CorruptObservation(
        Habitat(tells),
        "mask_50",
        keys={"instruction.text": "words"},
        tokens={"instruction.tokens": tokens},
    )
    changed = 0
    for seen in rollout(env):
        heard = seen["instruction"]
        assert heard["text"] not in ORDERS
        assert heard["tokens"].tolist() == tokens(heard["text"])
        assert heard["tokens"].dtype == np.int64
        assert heard["trajectory_id"].tolist() == [3] or tells
        changed += heard["tokens"].tolist() not in (tokens(ORDERS[0]), tokens(ORDERS[1]))
    assert changed


def test_tokens_stay_where_words_do() -> None:
    for condition in ("clean", "motion_blur", "mask_50@0"):
        for seen in rollout(CorruptObservation(Habitat(), condition)):
            assert seen["instruction"]["tokens"].tolist() == tokens(seen["instruction"]["text"])
            assert seen["instruction"]["text"] in ORDERS


def test_what_only_looks_made_of_words_is_let_be() -> None:
    room = spaces.Dict({"order": TEXT, "rgb_embedding": STATE})
    with pytest.raises(SpecError, match="rgb_embedding"):
        CorruptObservation(Toy(room), "mask_50")
    env = CorruptObservation(Toy(room), "mask_50", tokens={"rgb_embedding": None})
    assert all(seen["order"] not in ORDERS for seen in rollout(env))


def _fails(text: str) -> list[int]:
    raise RuntimeError("no\nvocabulary")


@pytest.mark.parametrize(
    ("made", "says"),
    [
        ({"instruction.tokens": lambda text: [1]}, r"gives \(1,\), and \(6,\) is needed"),
        ({"instruction.tokens": _fails}, "fails on a text: RuntimeError: no vocabulary"),
        (
            {"instruction.tokens": tokens, "instruction.ids": tokens},
            "there is no 'instruction.ids' in an observation",
        ),
    ],
)
def test_tokens_that_cannot_be_made_are_told(made: Any, says: str) -> None:
    env = CorruptObservation(Habitat(), "mask_50", tokens=made)
    with pytest.raises(SpecError, match=says) as caught:
        env.reset(seed=1)
    assert "\n" not in str(caught.value)


def test_of_several_words_tokens_follow_those_beside_them() -> None:
    def two(text: str) -> list[int]:
        return tokens(text)

    inside = spaces.Dict({"text": TEXT, "tokens": TOKENS})
    room = spaces.Dict({"a": inside, "b": inside, "tokens": TOKENS})
    makers = {"a.tokens": two, "b.tokens": two}
    with pytest.raises(SpecError, match="tokens: 'tokens' lies beside none of the words"):
        CorruptObservation(Toy(room), "mask_50", tokens={**makers, "tokens": two})
    env = CorruptObservation(Toy(room), "mask_50", tokens={**makers, "tokens": None})
    for seen in rollout(env):
        for name in ("a", "b"):
            assert seen[name]["tokens"].tolist() == tokens(seen[name]["text"])
