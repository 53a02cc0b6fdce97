"""The whole val suite: its episodes and instructions are proved, and read like a person's.

The generator already discards what the checker does not prove; here the checker is run on the
stored episodes alone, as ``navproof episodes validate`` does.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest

from navproof.tasks.suites import SUITES, episodes_in
from navproof.tasks.validate import validate_episodes
from navproof.world.library import load_scene


@pytest.mark.parametrize("ref", SUITES["val"].scenes)
def test_every_instruction_of_the_split_is_true(ref):
    episodes = episodes_in(SUITES["val"], ref)
    assert len(episodes) == 12
    assert [str(f) for f in validate_episodes(episodes, load_scene)] == []


def test_mini_is_sound_and_reads_well():
    episodes = [e for ref in SUITES["mini"].scenes for e in episodes_in(SUITES["mini"], ref)]
    assert [str(f) for f in validate_episodes(episodes, load_scene)] == []
    texts = [e.instruction.text for e in episodes if e.task == "vln-v1"]
    assert len(texts) == 12
    words = [re.findall(r"[A-Za-z-]+", t.lower()) for t in texts]
    lengths = [len(w) for w in words]
    assert min(lengths) >= 10
    assert max(lengths) <= 45
    assert 18 <= sum(lengths) / len(lengths) <= 38
    threes = Counter(tuple(w[i : i + 3]) for w in words for i in range(len(w) - 2))
    assert len(threes) / sum(threes.values()) > 0.5  # distinct-3
    openings = Counter(w[0] for w in words)
    assert len(openings) >= 3
    assert max(openings.values()) <= 8
    sentences = [s for t in texts for s in re.split(r"(?<=\.) ", t)]
    assert max(Counter(sentences).values()) <= 4
    for text in words:  # no pair of words again and again in one instruction
        pairs = Counter(itertools.pairwise(text))
        assert max(n for (a, b), n in pairs.items() if a not in ("on", "the", "your")) <= 4
