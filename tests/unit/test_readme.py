"""The transcripts in README.md are what the program prints."""

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Kueue

README = Path(__file__).parents[2] / "README.md"
TRANSCRIPTS = re.findall(r"```console\n\$ kubectl kueue ([^\n]+)\n(.+?\n)```", README.read_text(), re.DOTALL)


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) >= 2


@pytest.mark.parametrize(("command", "printed"), TRANSCRIPTS, ids=[c.split(" --")[0] for c, _ in TRANSCRIPTS])
def test_a_transcript_is_what_is_printed(
    command: str, printed: str, kueue: Kueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(README.parent)
    assert kueue(*shlex.split(command)).stdout == printed
