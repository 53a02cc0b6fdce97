"""Every task passes the checks that users' own must pass; broken ones fail the right one."""

from __future__ import annotations

import pytest
from checking import assert_all_hold, assert_fault, wrong

from navproof.check.tasks import check_task
from navproof.tasks import TASKS

BROKEN = """
import random
from dataclasses import replace
from navproof import Event, Move, Pose, TaskKind
from navproof.tasks import TASKS
from navproof.tasks.pointnav.rules import PointNav
from navproof.tasks.stop_at_goal import StopAtGoal

KIND = TASKS.get("pointnav-v1")

class Rules(StopAtGoal):
    def _words(self, episode): return "Go."
    def _category(self, episode): return None

class Silent(Rules):
    def _words(self, episode): return " "

class Endless(Rules):
    def _budget(self, episode): return 10_000
    def brief(self, episode, sensors):
        return replace(super().brief(episode, sensors), budget_steps=9)

class Short(Rules):
    def done(self): return self._taken > 5

class WrongGoal(Rules):
    def goals(self): return ((-1.0, 3.0, 0.0),)

class WrongStep(Rules):
    def after_step(self, sim, action, motion, step):
        return [*super().after_step(sim, action, motion, step), Event(step + 7, "ping")]

class OddData(Rules):
    def after_step(self, sim, action, motion, step):
        return [*super().after_step(sim, action, motion, step), Event(step, "at", {"p": (1, 2)})]

class Infinite(OddData):
    def after_step(self, sim, action, motion, step):
        events = StopAtGoal.after_step(self, sim, action, motion, step)
        return [*events, Event(step, "far", {"m": float("inf")})]

class Dice(Rules):
    def after_step(self, sim, action, motion, step):
        number = random.random()
        return [*super().after_step(sim, action, motion, step), Event(step, "d", {"n": number})]

class Counts(Rules):
    count = 0
    def after_step(self, sim, action, motion, step):
        self.count += 1
        more = [Event(step, "n", {"n": self.count})]
        return [*super().after_step(sim, action, motion, step), *more]

class ForgetsToKeep(Counts):
    def start(self, sim, episode):
        self.count = 0
        super().start(sim, episode)

class Shallow(Rules):
    def start(self, sim, episode):
        self.seen = []
        super().start(sim, episode)
    def after_step(self, sim, action, motion, step):
        self.seen.append(step)
        more = [Event(step, "n", {"n": len(self.seen)})]
        return [*super().after_step(sim, action, motion, step), *more]
    def snapshot(self): return super().snapshot(), self.seen
    def restore(self, snapshot):
        super().restore(snapshot[0])
        self.seen = snapshot[1]

class Unpicklable(Rules):
    def snapshot(self): return super().snapshot(), lambda: 0
    def restore(self, snapshot): super().restore(snapshot[0])

class Pushes(Rules):
    def after_step(self, sim, action, motion, step):
        events = super().after_step(sim, action, motion, step)
        if step == 3:
            sim.place(Pose(-2.0, 1.0))
        return events

class Measuring(Rules):
    def measure(self, sim):
        more = {"more": 1.0} if self._taken > 3 else {}
        return {"taken": float(self._taken), **more}

class Raises(Rules):
    def after_step(self, sim, action, motion, step):
        raise RuntimeError("no rules")

def kind(rules=Rules, **more):
    return replace(KIND, id="mine", spec=replace(KIND.spec, task="mine"), rules=rules, **more)

FINE = kind()
SILENT, ENDLESS, SHORT, WRONG_GOAL = kind(Silent), kind(Endless), kind(Short), kind(WrongGoal)
WRONG_STEP, ODD_DATA, INFINITE, DICE = kind(WrongStep), kind(OddData), kind(Infinite), kind(Dice)
COUNTS, KEEPS, SHALLOW = kind(Counts), kind(ForgetsToKeep), kind(Shallow)
UNPICKLABLE, PUSHES, MEASURING = kind(Unpicklable), kind(Pushes), kind(Measuring)
RAISES = kind(Raises)
NO_TINY, NO_MAKER = kind(tiny=None), kind(make=None)
BUDGET = replace(FINE, spec=replace(FINE.spec, budget_steps=0))
TWICE = replace(FINE, spec=replace(FINE.spec, sensors=FINE.spec.sensors * 2))

def dice(site, seed, index, attempt):
    made = KIND.make(site, random.randrange(99), index, attempt)
    return made and replace(made, episode_id=f"mine-{index}")

def one_id(site, seed, index, attempt):
    made = KIND.make(site, seed, index, attempt)
    return made and replace(made, episode_id="mine")

def impossible(site, seed, index, attempt):
    made = KIND.make(site, seed, index, attempt)
    return made and replace(made, geodesic_m=made.geodesic_m + 3.0)

def one_seed(site, seed, index, attempt):
    return KIND.make(site, 0, index, attempt)

MAKES_DICE, ONE_ID, IMPOSSIBLE = kind(make=dice), kind(make=one_id), kind(make=impossible)
ONE_SEED, NEVER = kind(make=one_seed), kind(make=lambda *_: None)
"""
SCENE = "home/train/0"


@pytest.mark.parametrize("name", TASKS.built_in())
def test_built_in(name: str) -> None:
    checks = check_task(name, scene=SCENE, count=1)
    assert_all_hold(checks)
    assert checks[-1].name == "makes the same again"


@pytest.mark.parametrize(
    ("name", "failing", "says"),
    [
        ("FINE", "", ""),
        ("SILENT", "brief", "the instruction is empty"),
        ("ENDLESS", "the budget ends it", "it goes on after 17 steps of 12"),
        ("SHORT", "the oracle succeeds", "after 6 steps"),
        ("WRONG_GOAL", "the oracle succeeds", "'success': False"),
        ("WRONG_STEP", "events", "event 'ping'"),
        ("ODD_DATA", "events", "p is a tuple"),
        ("INFINITE", "events", "write None"),
        ("DICE", "same actions, same episode", "at step 0"),
        ("COUNTS", "start forgets the last episode", "at step 0"),
        ("KEEPS", "goes on after a restore", "differs at step 0"),
        ("SHALLOW", "goes on after a restore", "differs at step 0"),
        ("UNPICKLABLE", "goes on after a restore", "pickle"),
        ("PUSHES", "leaves the robot alone", "the rules moved the robot at step 3"),
        ("MEASURING", "measures", "it measured taken, then more, taken"),
        ("RAISES", "a random walk ends", "RuntimeError: no rules (broken.py:"),
        ("NO_TINY", "tiny episode", "has no tiny episode"),
        ("BUDGET", "settings", "budget_steps 0"),
        ("TWICE", "settings", "two sensors have one name"),
        ("KIND_OF", "loads", "has no 'KIND_OF'"),
        ("Rules", "loads", "not a TaskKind"),
    ],
)
def test_each_fault_of_rules_is_found(broken: str, name: str, failing: str, says: str) -> None:
    assert_fault(wrong(check_task(f"{broken}:{name}", scene=None)), failing, says)


@pytest.mark.parametrize(
    ("name", "failing", "says"),
    [
        ("FINE", "", ""),
        ("MAKES_DICE", "makes the same again", "gave other episodes"),
        ("ONE_SEED", "makes the same again", "another seed gave the same episode"),
        ("ONE_ID", "makes episodes", "two episodes have one id"),
        ("IMPOSSIBLE", "makes episodes", "field 'geodesic_m'"),
        ("NEVER", "makes episodes", "gave only 0 of 2"),
    ],
)
def test_each_fault_of_makers_is_found(broken: str, name: str, failing: str, says: str) -> None:
    found = wrong(check_task(f"{broken}:{name}", scene=SCENE))
    if not failing:
        assert found == {}
        return
    assert list(found) == [failing]
    assert says in found[failing]


def test_a_task_may_leave_its_episodes_to_files(broken: str) -> None:
    checks = {c.name: c for c in check_task(f"{broken}:NO_MAKER", scene=SCENE)}
    assert checks["makes episodes"].ok is None
