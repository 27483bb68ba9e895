"""What the original prints, and what we print for the same objects at the same moment.

The recordings are not part of this repository: without them nothing is compared. `expected/COMMAND.yaml` says
for each recording what is expected:

    NAME: same                          the same bytes on both streams, the same exit code
    NAME: {now: TIME, ...}              the same, with
      world: after                      objects of dumps/after-mutations (if not given: before-mutations)
      now: 2026-11-29T14:16:49Z         the clock
      compare: sets                     words in JOB TYPE and JOB NAME have no order
               parsed                   JSON or YAML by value, but for the metadata of the list
               words                    words of stdout, in any order
               loose                    durations and widths aside
      stderr: first line                the usage text after it is free
      edit: [[REGEX, TEXT], ...]        what to change in our stdout first, where the dump is older or newer
      faults: [[PATH, WHAT, VALUE]]     what goes wrong on a server (tests/api); else a snapshot is read
    NAME: {better: WHY, ...}            it differs for a reason; what differs is given in full:
      stdout, stderr: TEXT              literally; `same`: as recorded; @NAME: stdout of another recording
      code: N                           if not given, the recorded exit code
    NAME: {other: WHY}                  not compared here
"""

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.__main__ import main
from kubectl_kueue.cli import session as sessions
from kubectl_kueue.cli.session import Session
from kubectl_kueue.model.timestamp import parse_time
from tests.conftest import REPOSITORY, Finished

SHARED = REPOSITORY.parent / "shared"
RECORDED = SHARED / "transcripts"
EXPECTED = Path(__file__).parent / "expected"

CASES: dict[str, dict[str, Any]] = {
    name: {} if case == "same" else case
    for file in sorted(EXPECTED.glob("*.yaml"))
    for name, case in yaml.safe_load(file.read_text()).items()
}

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="there are no recordings")


# These are also asked of a server that holds the same objects.
FROM_A_SERVER = (
    *("list-cq-yaml", "list-lq-all", "list-pods-wide", "list-wl-all", "list-wl-field-bad"),
    *("list-wl-for-badtype", "list-wl-for-jobgroup", "list-wl-limit5", "list-wl-status-pending"),
)

Replay = Callable[[str, dict[str, Any]], Finished]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "other" not in case])
def test_transcript(name: str, replay: Replay) -> None:
    check(name, CASES[name], replay)


@pytest.mark.parametrize("name", FROM_A_SERVER)
def test_transcript_from_a_server(name: str, replay: Replay) -> None:
    check(name, {"faults": [], **CASES[name]}, replay)


def check(name: str, case: dict[str, Any], replay: Replay) -> None:
    recorded, finished = recording(name), replay(name, case)
    for pattern, text in case.get("edit", ()):
        finished = finished._replace(stdout=re.sub(pattern, text, finished.stdout, flags=re.MULTILINE))
    normal = COMPARED[case.get("compare", "bytes")]
    assert normal(finished.stdout) == normal(wanted(case, "stdout", recorded.stdout))
    assert in_part(case, finished.stderr) == in_part(case, wanted(case, "stderr", recorded.stderr))
    assert finished.code == case.get("code", recorded.code)


def test_every_recording_is_known() -> None:
    """Of the commands that have a file of expectations."""
    commands = {file.stem for file in EXPECTED.glob("*.yaml")}
    missing = [name for name in names() if first_word(name) in commands and name not in CASES]
    assert missing == []


# --- running ------------------------------------------------------------------------------------


@pytest.fixture
def replay(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> Iterator[Replay]:
    """Runs the command line of a recording on the objects, and at the time, of its case."""
    with ExitStack() as servers:

        def run(name: str, case: dict[str, Any]) -> Finished:
            settings, words = command_line(name)
            monkeypatch.setenv("COLUMNS", "80")
            monkeypatch.delenv("KUEUE_DEBUG", raising=False)
            for variable in settings:
                monkeypatch.setenv(*variable.split("=", 1))
            world = SHARED / "dumps" / f"{case.get('world', 'before')}-mutations"
            if "faults" in case:
                from tests.api.fake import FakeServer, Fault

                server = servers.enter_context(FakeServer(world, faults=[Fault(*f) for f in case["faults"]]))
                words += ["--kubeconfig", str(server.kubeconfig(tmp_path / "config"))]
            else:
                words += ["--snapshot", str(world / "json"), *default_namespace(words)]
            monkeypatch.setattr(sessions, "Session", lambda: session_at(case.get("now")))
            monkeypatch.setattr(sys, "argv", ["kueuectl", *words])
            code = main()
            captured = capsysbinary.readouterr()
            return Finished(captured.out.decode(), captured.err.decode(), code)

        yield run


def session_at(now: Any) -> Session:
    session = Session()
    if now is not None:
        session.clock = parse_time(now if isinstance(now, str) else f"{now:%Y-%m-%dT%H:%M:%SZ}")
    return session


def default_namespace(words: list[str]) -> list[str]:
    """The namespace of the context in the recordings; a snapshot has none."""
    given = any(word in ("-n", "-A", "--namespace", "--all-namespaces") for word in words)
    return [] if given else ["-n", "default"]


# --- recordings ---------------------------------------------------------------------------------


def names() -> list[str]:
    return sorted(file.stem for file in RECORDED.glob("*.cmd"))


def command_line(name: str) -> tuple[list[str], list[str]]:
    """Assignments of environment variables, and the words after the program."""
    words = shlex.split((RECORDED / f"{name}.cmd").read_text())
    index = next((i for i, word in enumerate(words) if word in ("kueuectl", "kubectl")), len(words))
    return words[:index], words[index + 1 :]


def first_word(name: str) -> str:
    return next(iter(command_line(name)[1]), "")


def recording(name: str) -> Finished:
    def read(suffix: str) -> str:
        return (RECORDED / f"{name}.{suffix}").read_bytes().decode()

    return Finished(read("out"), read("err"), int(read("rc")))


# --- comparing ----------------------------------------------------------------------------------


def wanted(case: dict[str, Any], stream: str, recorded: str) -> str:
    text = case.get(stream, "same" if "better" not in case else "")
    if text.startswith("@"):
        return recording(text[1:]).stdout
    return recorded if text in ("same", "first line") else text


def in_part(case: dict[str, Any], text: str) -> str:
    return text.partition("\n")[0] if case.get("stderr") == "first line" else text


def as_sets(text: str) -> str:
    """Words that are joined by a comma, in alphabetical order."""
    return re.sub(r"[^\s,]+(?:, [^\s,]+)+", lambda match: ", ".join(sorted(match[0].split(", "))), text)


def parsed(text: str) -> Any:
    value = json.loads(text) if text.lstrip().startswith("{") else yaml.safe_load(text)
    value.pop("metadata", None)
    return value


def loosely(text: str) -> list[list[str]]:
    lines = re.sub(r"\b\d+[smhdy](\d+[smhd])?\b", "TIME", as_sets(text)).splitlines()
    return [re.split(r" {2,}", line) for line in lines]


COMPARED: dict[str, Callable[[str], Any]] = {
    "bytes": str,
    "sets": as_sets,
    "parsed": parsed,
    "words": lambda text: sorted(text.split()),
    "loose": loosely,
}
