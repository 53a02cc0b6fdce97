"""The grammar of names with options: what is written comes back, and what is no name is refused."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from navproof.core.errors import SpecError
from navproof.core.names import MODES, Name, parse_name, split_list, split_parts

words = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
files = st.builds(
    lambda d, f, n: f"{d}{f}.py:{n}",
    st.sampled_from(["", "./", "a/b/", "C:\\me\\", "my agents/", "a@b/", "a+b/", "v1.2/"]),
    words,
    words,
)
modules = st.builds(lambda a, b, n: f"{a}.{b}:{n}", words, words, words)
keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
values = st.sampled_from(
    [
        *("1", "0.2", "true", "cuda:0", "http://host:8000/v1", "a/b.pt", "me@home.org", "x,y"),
        *(
            "a+b",
            "http://host:80/v1?a=b&c=d",
            "C:\\weights\\m 1.pt",
            "my model.pt",
            "a=b",
            "@",
            "+",
        ),
        *("http://me:secret@host/v1", "frame", "x:episode", "é", "0.5:frame+depth_gaussian"),
    ]
)
options = st.dictionaries(keys, values, max_size=3).map(lambda found: tuple(found.items()))


@given(
    st.one_of(words, files, modules),
    st.one_of(st.just(""), st.floats(0, 1).map(lambda x: f"{x:.4g}")),
    st.sampled_from(["", *MODES]),
    options,
)
def test_what_is_written_is_read_again(ref: str, value: str, mode: str, pairs) -> None:
    name = Name(ref, value, mode, pairs)
    assert parse_name(str(name)) == name


@given(st.text(max_size=30) | st.text("ab.py:@=+,/\\ 0", max_size=20))
def test_any_text_is_a_name_that_comes_back_or_is_refused(text: str) -> None:
    try:
        name = parse_name(text)
    except SpecError:
        return
    assert parse_name(str(name)) == name
    assert name.ref.strip() == name.ref != ""


@given(st.text(max_size=30) | st.text("ab.py:@=+,/\\ 0", max_size=20))
def test_lists_and_parts_of_any_text_lose_nothing(text: str) -> None:
    def letters(parts: list[str], sign: str) -> str:
        return "".join("".join(parts).replace(sign, "").split())

    plain = "".join(text.split())
    assert letters(split_list(text), ",") == plain.replace(",", "")
    assert letters(split_parts(text), "+") == plain.replace("+", "")


@given(st.lists(st.builds(Name, st.one_of(words, files), options=options), min_size=1, max_size=3))
def test_names_in_a_list_come_back(names: list[Name]) -> None:
    written = [str(name) for name in names]
    assume(not any("," in text for text in written))
    assert split_list(", ".join(written)) == written


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("spatter@0.75:frame", Name("spatter", "0.75", "frame")),
        ("my.py:fog@0.5", Name("my.py:fog", "0.5")),
        ("my.py:frame", Name("my.py:frame")),
        ("my.py:fog:frame", Name("my.py:fog", mode="frame")),
        ("agent@device=cuda:0", Name("agent", options=(("device", "cuda:0"),))),
        ("chat@endpoint=http://h:1/v1", Name("chat", options=(("endpoint", "http://h:1/v1"),))),
        (
            "chat@endpoint=http://h:80/v1?a=b@model=m",
            Name("chat", options=(("endpoint", "http://h:80/v1?a=b"), ("model", "m"))),
        ),
        ("C:\\my files\\a.py:Agent", Name("C:\\my files\\a.py:Agent")),
        ("C:\\a.py:fog@0.5:frame", Name("C:\\a.py:fog", "0.5", "frame")),
        ("a@b/my.py:Agent@x=1", Name("a@b/my.py:Agent", options=(("x", "1"),))),
    ],
)
def test_examples(text: str, name: Name) -> None:
    assert parse_name(text) == name


@pytest.mark.parametrize("text", ["", "  ", "@0.5", "spatter@", "a@x=", "a@x=1@x=2", "@x=1"])
def test_what_is_no_name_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(SpecError) as refusal:
        parse_name(text, "condition")
    assert str(refusal.value).startswith("condition")
    assert "\n" not in str(refusal.value)


def test_lists_and_parts() -> None:
    assert split_list("mlfm, truth:noise=0.1,miss=0.2 ,random") == [
        "mlfm",
        "truth:noise=0.1,miss=0.2",
        "random",
    ]
    assert split_parts("my.py:fog@0.5:frame+depth_gaussian") == [
        "my.py:fog@0.5:frame",
        "depth_gaussian",
    ]
    assert split_list("my.py:A@x=1, chat@endpoint=http://h/v1?a=b") == [
        "my.py:A@x=1",
        "chat@endpoint=http://h/v1?a=b",
    ]
