"""Choosing episodes: a mix, without repetition, the same for the same results."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from navproof.reports.sections.choose import Candidate, choose


def candidate(name: str, *values: float, task: str = "t", scene: str = "s") -> Candidate:
    return Candidate(task, scene, name, values, 5.0)


def test_slots_take_the_dividing_the_worst_and_the_best() -> None:
    pool = [
        candidate("even", 0.5, 0.5),
        candidate("split", 1.0, 0.0),
        candidate("lost", 0.0, 0.1),
        candidate("easy", 1.0, 0.9),
    ]
    chosen = choose(pool, 3)
    assert [c.episode_id for c in chosen] == ["split", "lost", "easy"]
    assert [c.why for c in chosen] == ["agents differ most", "went worst", "went best"]


def test_one_agent_gets_a_typical_episode() -> None:
    pool = [candidate("low", 0.0), candidate("middle", 0.4), candidate("high", 1.0)]
    chosen = choose(pool, 3)
    assert [(c.episode_id, c.why) for c in chosen] == [
        ("middle", "typical"),
        ("low", "went worst"),
        ("high", "went best"),
    ]


def test_tasks_take_turns_and_new_scenes_come_first() -> None:
    pool = [candidate(f"{t}{i}", 0.5, 0.5, task=t, scene=f"s{i}") for t in "ab" for i in range(3)]
    chosen = choose(pool, 4)
    assert [c.task for c in chosen] == ["a", "b", "a", "b"]
    assert len({c.scene for c in chosen[:3]}) == 3


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=12), st.integers(0, 15))
def test_never_twice_and_independent_of_order(
    values: list[tuple[float, float]], count: int
) -> None:
    pool = [candidate(f"e{i:02d}", *v, scene=f"s{i % 3}") for i, v in enumerate(values)]
    chosen = choose(pool, count)
    ids = [c.episode_id for c in chosen]
    assert len(ids) == len(set(ids)) == min(count, len(pool))
    assert choose(pool[::-1], count) == chosen
