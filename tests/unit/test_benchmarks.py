"""The benchmarks, each in its smallest form: what nobody runs for months still runs."""

import json
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import drain, growth, report, start
from benchmarks.aims import AIMS, aims_table
from benchmarks.live import _positions
from benchmarks.timing import CommandFailed, Pairs, Sample, Stopwatch, pairs_table
from benchmarks.visibility import ROOT, answers
from benchmarks.world import Size, queued, snapshot, waiting
from tests.worlds import CASES

SNAPSHOT = CASES.parents[1] / "examples" / "snapshot.json"
SMALL = Size(4, 20)


def test_a_command_is_timed_and_not_whoever_starts_it(tmp_path: Path) -> None:
    ballast = bytearray(100 << 20)
    with Stopwatch() as watch:
        pairs = watch.pairs(["true"], ["true"], 2)
        watch.time(["echo", "said"], output=str(tmp_path / "output"))
        with pytest.raises(CommandFailed, match="cannot-be"):
            watch.time(["ls", "/cannot-be"])
    assert len(pairs.ours) == len(pairs.theirs) == 2
    assert all(sample.wall > 0 and 0 < sample.peak < 50 for sample in pairs.ours + pairs.theirs)
    assert len(ballast) == 100 << 20
    assert (tmp_path / "output").read_text() == "said\n"


def test_the_ratio_is_that_of_the_pairs() -> None:
    """A busy moment that meets both of a pair changes nothing."""
    pairs = Pairs(
        [Sample(1, 1, 1), Sample(9, 1, 1), Sample(1, 1, 1)],
        [Sample(2, 1, 4), Sample(18, 2, 4), Sample(2, 1, 4)],
    )
    assert [pairs.ratio(measure) for measure in Sample._fields] == [0.5, 1, 0.25]
    assert "| `a` | `b` | 1.00 / 1.00 / 9.00 | 2.00 / 2.00 / 18.0 |" in pairs_table({("a", "b"): pairs})


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="no kubectl")
def test_start() -> None:
    part = start.measure(sys.executable, 1, [("__complete list ''", "version --client")])
    assert part.figures["__complete list '' cpu"] > 0


def test_drain_of_an_example() -> None:
    text = drain.measure([str(SNAPSHOT)]).text
    assert "idle, 4 Admitted, 2 Pending |" in text


def test_the_worlds_are_at_rest(tmp_path: Path) -> None:
    file = tmp_path / "world.json"
    file.write_text("".join(snapshot(SMALL)))
    assert drain.drain(str(file), 1000).outcome == "idle, 32 Admitted, 8 Finished, 40 Pending"


def test_waiting_is_one_that_waits() -> None:
    place = waiting(SMALL)
    objects = {
        (item["metadata"].get("namespace"), item["metadata"]["name"]): item
        for item in json.loads("".join(snapshot(SMALL)))["objects"]
    }
    assert "admission" not in objects[place]["status"]


def test_the_stand_in_for_the_visibility_api_knows_all_that_wait() -> None:
    summary = json.loads(answers(SMALL)[f"{ROOT}/clusterqueues/cq-3/pendingworkloads"])
    assert [item["metadata"]["name"] for item in summary["items"]] == [name for name, _ in queued(3, SMALL)]
    assert len(summary["items"]) == 10


def test_positions_are_counted_in_a_listing() -> None:
    listing = "NAME   STATUS     POSITION IN QUEUE   AGE\na      PENDING    0                   1d\n"
    assert _positions(
        listing + "b      PENDING                        1d\nc      ADMITTED   -       1d\n"
    ) == (1, 2)


def test_growth(tmp_path: Path) -> None:
    picture = tmp_path / "growth.svg"
    part = growth.measure(sys.executable, 1, [40, 80], picture, small=20, commands=("tree",))
    assert part.figures["tree 80 wall"] > 0
    assert part.text.count("`tree`") == 2
    assert picture.read_text().count("<polyline ") == 2


def test_every_aim_is_judged_and_has_a_name_of_its_own() -> None:
    names = Counter(aim.figure for aim in AIMS)
    assert set(names.values()) == {1}
    good, bad = (aims_table({aim.figure: aim.limit * part for aim in AIMS}) for part in (0.9, 1.1))
    assert good.count("| yes |") == bad.count("| no |") == len(AIMS)
    ends = aims_table({"drain 1000cq-preemption": 0.25, "drain 1000cq-preemption most": 0.15})
    assert "| 0.15-0.25 x | by its slow runs |" in ends


def test_a_report_without_worlds_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report.main("", tmp_path, ["--part", "drain", "--worlds", str(tmp_path)])
    assert "Not there: 30cq-15000wl-ample.json.gz" in capsys.readouterr().out
