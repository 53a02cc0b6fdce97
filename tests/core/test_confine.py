"""What an agent's process may no longer do once it has shut itself in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from navproof.core.confine import WITHHELD_VARIABLE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux offers this")

CODE = """
import json, os, sys, tempfile
from pathlib import Path
from navproof.core.confine import shut_in
holds = shut_in(os.getppid())
told = {"holds": holds}
for name in sys.argv[1:]:
    try:
        told[name] = Path(name).read_text()
    except OSError as error:
        told[name] = type(error).__name__
here = Path.cwd() / "later.txt"
here.write_text("written")
told["numpy"] = "numpy" in sys.modules
with tempfile.TemporaryDirectory(dir=Path.cwd().parent / "elsewhere") as folder:
    (Path(folder) / "own").write_text("own")
    told["own"] = (Path(folder) / "own").read_text()
told["variable"] = os.environ.get("NAVPROOF_WITHHELD", "")
print(json.dumps(told))
"""


def shut_in(place: Path, withheld: list[Path], *names: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", CODE, *map(str, names)],
        cwd=place,
        env={**os.environ, WITHHELD_VARIABLE: json.dumps([str(path) for path in withheld])},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    here = tmp_path / "here"
    (here / "run" / "traces").mkdir(parents=True)
    for name in ("run/traces/a", "run/run.json", "secret", "mine"):
        (here / name).write_text(name)
    (here / "link").symlink_to("secret")
    (here / "way").symlink_to("run")
    return here


def test_what_is_withheld_cannot_be_read_by_any_way(place: Path) -> None:
    names = ("secret", "run/run.json", "run/traces/a", "link", "way/run.json", "../here/secret")
    paths = [place / name for name in names]
    others = [place / "mine", Path(os.__file__)]
    through = Path("/proc/self/cwd/secret")
    found = shut_in(place, [place / "secret", place / "run"], *paths, *others, through)
    if "files" not in found["holds"]:  # type: ignore[operator]
        pytest.skip("this kernel cannot")
    assert [found[str(path)] for path in (*paths, through)] == ["PermissionError"] * 7
    assert found[str(place / "mine")] == "mine"
    assert "path" in str(found[str(others[1])])
    assert (found["own"], found["variable"], found["numpy"]) == ("own", "", False)
    assert (place / "later.txt").read_text() == "written"


def test_where_nothing_is_withheld_all_can_be_read(place: Path) -> None:
    found = shut_in(place, [], place / "secret", place / "run" / "run.json")
    assert "files" not in found["holds"]  # type: ignore[operator]
    assert found[str(place / "secret")] == "secret"
    assert found[str(place / "run" / "run.json")] == "run/run.json"
